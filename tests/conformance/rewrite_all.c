/* rewrite_all.c - proves the rewriter on every method of every assembly that is given.
 *
 *   rewrite_all [--walk N] [--verbose] FILE.dll...
 *
 * For each method: what is read and written is read the same again; flow graph and plan; then in
 * each mode, absolute and sharded, the new body is proven by check_rewrite, and the plan by N
 * random walks (default 12). With symbols: between a visible sequence point and the start of the
 * block that counts it nothing may throw; where something may, it is listed by kind: language, why
 * no block begins at the point, what may throw. In C# there must be none.
 * The last line is `rewrite_all: N methods proven, N declined, N wrong`. Exit status: 0 none wrong,
 * 1 some, 2 trouble with a file or the command line. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fnv.h"
#include "coverage/source/symbols.h"
#include "metadata/lookup.h"
#include "rewriter/nothrow.h"
#include "tests/support/check_rewrite.h"
#include "tests/support/walk.h"

enum {
    WRONG = 1,
    TROUBLE = 2,
    WALKS_DEFAULT = 12,
    LATE_EXAMPLES = 3
};

enum language {
    LANGUAGE_CSHARP,
    LANGUAGE_VISUAL_BASIC,
    LANGUAGE_FSHARP,
    LANGUAGE_IL,
    LANGUAGE_OTHER
};

static const char *const language_names[] = {"C#", "Visual Basic", "F#", "IL", "other"};

/* Why no block begins at a point, though something before it may throw (rewriter/flow.h). */
enum why {
    WHY_EXPRESSION, /* code without optimisation, with values on the evaluation stack */
    WHY_TAIL_CALL,  /* the `ret` of a tail call */
    WHY_UNKNOWN     /* a mistake of flow.c */
};

static const char *const why_names[] = {"in an expression", "at the ret of a tail call",
                                        "for no reason known"};

/* A sequence point whose block begins before it, with something between that may throw. */
struct late_kind {
    uint64_t count;
    char examples[LATE_EXAMPLES][160];
};

struct totals {
    uint64_t files, not_managed, methods, proven, wrong;
    uint64_t declined[VERDICT_COUNT];
    uint64_t instructions, blocks, counters, old_bytes, new_bytes;
    uint64_t with_symbols, points, late_points, tail_returns;
    uint64_t nanoseconds; /* of flow, plan and rewrite alone */
    struct walk_tally walks;
    struct late_kind late[ARRAY_LEN(language_names)][ARRAY_LEN(why_names)][OP_COUNT];
};

struct run {
    unsigned walks;
    bool verbose;
    const char *path;
    const struct module *module;
    struct nothrow nothrow;    /* of the module */
    struct spare_locals spare; /* likewise */
    struct arena *scratch;     /* of one method */
    struct totals *totals;
};

static const char *verdict_name(enum verdict verdict)
{
    static const char *const names[] = {
#define VERDICT(name, text) #name,
        VERDICTS(VERDICT)
#undef VERDICT
    };
    return names[verdict];
}

static void name_of(char *out, size_t room, const struct run *run, uint32_t rid)
{
    struct str type = STR("?"), method = STR("?");
    const struct metadata *md = &run->module->md;
    uint32_t owner = owner_of_method(md, rid);
    (void)(name_type(&type, md, TOKEN(TABLE_TypeDef, owner), run->scratch, NULL) &&
           name_method(&method, md, rid, run->scratch, NULL));
    (void)snprintf(out, room, "%.*s %.*s::%.*s [%u]", STR_ARGS(run->module->name), STR_ARGS(type),
                   STR_ARGS(method), (unsigned)rid);
}

static bool complain(const struct run *run, uint32_t rid, const char *what, const struct err *err)
{
    char name[512];
    name_of(name, sizeof name, run, rid);
    printf("%s: %s: %s: %s\n", run->path, name, what, err->text);
    return false;
}

static uint64_t nanoseconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now); /* whatever else the machine does */
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static struct probe_form form_of(enum count_mode mode)
{
    return (struct probe_form){
        .mode = mode,
        .counters = PROOF_COUNTERS,
        .shard_table = PROOF_TABLE,
        .function_sig = PROOF_EXACT_SIG,
        .function = PROOF_FUNCTION,
    };
}

/* --- sequence points -------------------------------------------------------------------------- */

static enum language language_of(const struct pdb *pdb, uint32_t document, struct arena *arena)
{
    /* First bytes of the GUIDs of PortablePdb-Metadata.md, "Document Table" */
    static const uint8_t starts[][4] = {
        [LANGUAGE_CSHARP] = {0xF8, 0x62, 0x51, 0x3F},
        [LANGUAGE_VISUAL_BASIC] = {0xB8, 0xD0, 0x12, 0x3A},
        [LANGUAGE_FSHARP] = {0xC9, 0x38, 0x4F, 0xAB},
        [LANGUAGE_IL] = {0xD3, 0x6C, 0x04, 0xAF}, /* ilasm's, of corsym.h */
    };
    struct pdb_document read;
    if (!pdb_read_document(&read, pdb, document, arena, NULL) || read.language == NULL)
        return LANGUAGE_OTHER;
    for (size_t i = 0; i < ARRAY_LEN(starts); i++)
        if (memcmp(read.language, starts[i], sizeof starts[i]) == 0)
            return (enum language)i;
    return LANGUAGE_OTHER;
}

/* Where control surely passed before it came to block `n`: what was pushed since then is known. */
static uint32_t surely_passed(const struct flow *flow, uint32_t n)
{
    while (n != 0 && flow->blocks[n].in_count == 1 && !flow->blocks[n].is_entry &&
           flow->blocks[n - 1].exit == FLOW_NEXT && flow->blocks[n - 1].reachable)
        n--;
    return n;
}

/* The first instruction of block `n` before `end` that may throw, or NO_INDEX. */
static uint32_t first_that_throws(const struct flow *flow, uint32_t n, uint32_t end,
                                  struct arena *arena)
{
    struct stack stack;
    const struct block *from = &flow->blocks[surely_passed(flow, n)];
    if (!flow->blocks[n].reachable || !stack_init(&stack, flow->body.max_stack, arena) ||
        !stack_enter(&stack, from->depth, from->not_null))
        return NO_INDEX;
    for (uint32_t i = from->first; i < end; i++) {
        bool throws = false;
        if (stack_step(&stack, &throws, &flow->context, i) != VERDICT_OK)
            return NO_INDEX;
        if (throws && i >= flow->blocks[n].first)
            return i;
    }
    return NO_INDEX;
}

static bool is_ret_after_tail_call(const struct flow *flow, uint32_t index)
{
    if (!flow->calls_tail || index == 0 || flow->il.instrs[index].op != OP_RET)
        return false;
    uint8_t before = flow->il.instrs[index - 1].op;
    return before == OP_CALL || before == OP_CALLVIRT || before == OP_CALLI;
}

/* The closing brace of a method built without optimisation, after which nothing comes. */
static bool is_end_of_unoptimised(const struct flow *flow, uint32_t index)
{
    while (flow->il.instrs[index].op == OP_NOP)
        index++;
    return !flow->context.md->optimised && flow->il.instrs[index].op == OP_RET;
}

/* Nothing may count the `ret` of a tail call apart from the call, so a `return;` or the closing
 * brace there is no statement (coverage/statements/statements.c). */
static bool is_no_statement(const struct flow *flow, uint32_t index, enum language language)
{
    return (is_ret_after_tail_call(flow, index) && language != LANGUAGE_IL) ||
           is_end_of_unoptimised(flow, index);
}

static enum why why_late(const struct flow *flow, uint32_t index)
{
    if (!flow->context.md->optimised && !flow->empty_before[index])
        return WHY_EXPRESSION;
    return is_ret_after_tail_call(flow, index) ? WHY_TAIL_CALL : WHY_UNKNOWN;
}

static void note_late_point(struct late_kind *kind, const struct run *run, uint32_t rid,
                            const struct seq_point *point, const struct instr *thrower)
{
    if (kind->count < LATE_EXAMPLES) {
        char name[120];
        name_of(name, sizeof name, run, rid);
        (void)snprintf(kind->examples[kind->count], sizeof kind->examples[0],
                       "%s IL_%04x before IL_%04x, line %u", name, (unsigned)thrower->offset,
                       (unsigned)point->il_offset, (unsigned)point->start_line);
    }
    kind->count++;
    run->totals->late_points++;
}

/* True unless C# code has a point behind something that may throw in its block. */
static bool check_points(const struct run *run, uint32_t rid, const struct flow *flow)
{
    struct seq_points points;
    struct err err = {.code = ERR_NONE};
    if (!run->module->has_pdb)
        return true;
    if (!pdb_sequence_points(&points, &run->module->pdb, rid, run->scratch, &err))
        return complain(run, rid, "sequence points", &err);
    run->totals->with_symbols += points.count != 0;
    bool fine = true;
    for (uint32_t p = 0; p < points.count; p++) {
        const struct seq_point *point = &points.points[p];
        if (point->hidden || point->il_offset >= flow->il.code_size)
            continue;
        uint32_t i = flow->il.index_at[point->il_offset];
        if (i == NO_INDEX)
            continue;
        enum language language = language_of(&run->module->pdb, point->document, run->scratch);
        if (is_no_statement(flow, i, language)) {
            run->totals->tail_returns++;
            continue;
        }
        run->totals->points++;
        uint32_t thrower = first_that_throws(flow, flow_block_of(flow, i), i, run->scratch);
        if (thrower == NO_INDEX)
            continue;
        const struct instr *instr = &flow->il.instrs[thrower];
        note_late_point(&run->totals->late[language][why_late(flow, i)][instr->op], run, rid, point,
                        instr);
        if (language == LANGUAGE_CSHARP) {
            (void)err_set(&err, ERR_MISMATCH, "IL_%04x may throw before the statement at IL_%04x",
                          (unsigned)instr->offset, (unsigned)point->il_offset);
            fine = complain(run, rid, "sequence points", &err);
        }
    }
    return fine;
}

/* --- one method ------------------------------------------------------------------------------- */

static enum verdict instrument(struct rewritten *out, struct flow *flow, struct plan *plan,
                               const struct run *run, struct view body, uint32_t rid)
{
    enum verdict verdict =
        flow_build(flow, body, &run->module->md, &run->nothrow, rid, run->scratch);
    if (verdict == VERDICT_OK && !plan_make(plan, flow, run->scratch))
        verdict = VERDICT_DECLINED_MEMORY;
    if (verdict == VERDICT_OK) {
        struct probe_form form = form_of(MODE_COUNT);
        if (rewrite_can_shard(flow))
            anchor_choose(&form.anchor, flow, plan, &run->spare, run->scratch);
        verdict = rewrite(out, flow, plan, &form, run->scratch, run->scratch);
    }
    return verdict;
}

/* As the profiler does it at load: one method after another, with nothing between. */
static void time_module(const struct run *run)
{
    uint64_t start = nanoseconds();
    for (uint32_t rid = 1; rid <= tables_rows(&run->module->md.tables, TABLE_MethodDef); rid++) {
        struct method_def def;
        struct flow flow;
        struct plan plan;
        struct rewritten rewritten;
        arena_reset(run->scratch);
        if (module_method(&def, run->module, rid))
            (void)instrument(&rewritten, &flow, &plan, run, def.body, rid);
    }
    run->totals->nanoseconds += nanoseconds() - start;
}

static bool prove_mode(const struct run *run, uint32_t rid, const struct flow *flow,
                       const struct plan *plan, enum count_mode mode, bool sharded)
{
    struct probe_form form = form_of(mode);
    struct rewritten rewritten;
    struct err err = {.code = ERR_NONE};
    char what[64];
    if (sharded)
        anchor_choose(&form.anchor, flow, plan, &run->spare, run->scratch);
    (void)snprintf(what, sizeof what, "%s, %s", mode_name(mode), sharded ? "sharded" : "absolute");
    enum verdict verdict = rewrite(&rewritten, flow, plan, &form, run->scratch, run->scratch);
    if (verdict != VERDICT_OK)
        (void)err_set(&err, ERR_MISMATCH, "not rewritten: %s", verdict_text(verdict));
    else if (check_rewrite(&rewritten, flow, plan, &form, run->scratch, &err))
        return true;
    return complain(run, rid, what, &err);
}

static bool prove(const struct run *run, uint32_t rid, const struct flow *flow,
                  const struct plan *plan)
{
    struct err err = {.code = ERR_NONE};
    bool fine = true;
    for (enum count_mode mode = MODE_COUNT; mode <= MODE_EXACT; mode++) {
        fine = prove_mode(run, rid, flow, plan, mode, false) && fine;
        if (rewrite_can_shard(flow))
            fine = prove_mode(run, rid, flow, plan, mode, true) && fine;
    }
    if (!walk_check(&run->totals->walks, flow, plan, run->walks, rid, run->scratch, &err))
        fine = complain(run, rid, "walk", &err);
    return check_points(run, rid, flow) && fine;
}

static void add_sizes(struct totals *totals, const struct flow *flow, const struct plan *plan,
                      const struct rewritten *rewritten)
{
    totals->instructions += flow->il.count;
    totals->blocks += flow->block_count;
    totals->counters += plan->counter_count;
    totals->old_bytes += flow->body.whole.len;
    totals->new_bytes += rewritten->body.len;
}

static void do_method(const struct run *run, uint32_t rid)
{
    struct totals *totals = run->totals;
    struct method_def def;
    struct flow flow;
    struct plan plan;
    struct rewritten rewritten;
    struct err err = {.code = ERR_NONE};
    arena_reset(run->scratch);
    if (!module_method(&def, run->module, rid))
        return;
    totals->methods++;
    enum verdict verdict = instrument(&rewritten, &flow, &plan, run, def.body, rid);
    bool fine =
        check_round_trip(def.body, run->scratch, &err) || complain(run, rid, "round trip", &err);
    if (verdict != VERDICT_OK) {
        totals->declined[verdict]++;
        totals->wrong += !fine;
        if (run->verbose) {
            (void)err_set(&err, ERR_FORMAT, "%s", verdict_text(verdict));
            (void)complain(run, rid, verdict_name(verdict), &err);
        }
        return;
    }
    add_sizes(totals, &flow, &plan, &rewritten);
    fine = prove(run, rid, &flow, &plan) && fine;
    totals->proven += fine;
    totals->wrong += !fine;
}

/* --- files ------------------------------------------------------------------------------------ */

static bool do_file(struct run *run, const char *path)
{
    struct module module;
    struct arena symbols;
    struct err err = {.code = ERR_NONE};
    if (!module_open_file(&module, path, &err)) {
        if (err.code == ERR_UNSUPPORTED) {
            run->totals->not_managed++;
            return true;
        }
        fprintf(stderr, "rewrite_all: %s: %s\n", path, err.text);
        return false;
    }
    arena_init(&symbols, NULL, 0, ARENA_NO_LIMIT);
    if (!symbols_find(&module, path, &symbols, &err) && run->verbose)
        printf("%s: %s\n", path, err.text);
    run->path = path;
    run->module = &module;
    run->totals->files++;
    uint64_t before = nanoseconds();
    bool found =
        find_nothrow(&run->nothrow, &module.md, body_in_image, &module, &symbols, run->scratch);
    spare_locals_find(&run->spare, &module.md, &symbols);
    run->totals->nanoseconds += nanoseconds() - before;
    time_module(run);
    for (uint32_t rid = 1; rid <= tables_rows(&module.md.tables, TABLE_MethodDef); rid++)
        do_method(run, rid);
    arena_free(&symbols);
    module_close(&module);
    return found;
}

static double share(uint64_t part, uint64_t whole)
{
    return whole != 0 ? (double)part / (double)whole : 0;
}

static void print_late_kind(const struct late_kind *kind, const char *language, const char *why,
                            const char *after)
{
    if (kind->count == 0)
        return;
    printf("late: %s, %s, after %s: %" PRIu64 "\n", language, why, after, kind->count);
    for (uint64_t i = 0; i < kind->count && i < LATE_EXAMPLES; i++)
        printf("    %s\n", kind->examples[i]);
}

static void print_late_points(const struct totals *totals)
{
    for (size_t language = 0; language < ARRAY_LEN(language_names); language++)
        for (size_t why = 0; why < ARRAY_LEN(why_names); why++)
            for (unsigned op = 0; op < OP_COUNT; op++)
                print_late_kind(&totals->late[language][why][op], language_names[language],
                                why_names[why], opcode_info[op].mnemonic);
}

static uint64_t print_totals(const struct totals *totals)
{
    uint64_t declined = 0;
    for (unsigned verdict = 0; verdict < VERDICT_COUNT; verdict++) {
        declined += totals->declined[verdict];
        if (totals->declined[verdict] != 0)
            printf("declined: %s: %" PRIu64 "\n", verdict_name((enum verdict)verdict),
                   totals->declined[verdict]);
    }
    print_late_points(totals);
    if (totals->tail_returns != 0)
        printf("no statement: returns after a tail call: %" PRIu64 "\n", totals->tail_returns);
    printf("files: %" PRIu64 " managed, %" PRIu64 " not\n", totals->files, totals->not_managed);
    printf("points: %" PRIu64 " in %" PRIu64 " methods with symbols, %" PRIu64 " late\n",
           totals->points, totals->with_symbols, totals->late_points);
    printf("walks: %" PRIu64 " finished, %" PRIu64 " abandoned, %" PRIu64 " instructions, %" PRIu64
           " exceptions, %" PRIu64 " in tail calls\n",
           totals->walks.finished, totals->walks.abandoned, totals->walks.steps,
           totals->walks.thrown, totals->walks.excess);
    printf("size: %" PRIu64 " instructions, %" PRIu64 " blocks, %" PRIu64
           " counters; bodies grew %.2f times\n",
           totals->instructions, totals->blocks, totals->counters,
           share(totals->new_bytes, totals->old_bytes));
    printf("time: %.2f us a method for flow, plan and rewrite\n",
           share(totals->nanoseconds, totals->methods) / 1000);
    return declined;
}

static int usage(void)
{
    fputs("usage: rewrite_all [--walk N] [--verbose] FILE.dll...\n", stderr);
    return TROUBLE;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"walk", required_argument, NULL, 'w'},
        {"verbose", no_argument, NULL, 'v'},
        {0},
    };
    static struct totals totals;
    struct arena scratch;
    struct run run = {.walks = WALKS_DEFAULT, .scratch = &scratch, .totals = &totals};
    bool opened = true;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option == 'w')
            run.walks = (unsigned)strtoul(optarg, NULL, 10);
        else if (option == 'v')
            run.verbose = true;
        else
            return usage();
    }
    if (optind == argc)
        return usage();
    arena_init(&scratch, NULL, 0, ARENA_NO_LIMIT);
    for (int i = optind; i < argc; i++)
        opened = do_file(&run, argv[i]) && opened;
    arena_free(&scratch);
    uint64_t declined = print_totals(&totals);
    printf("rewrite_all: %" PRIu64 " methods proven, %" PRIu64 " declined, %" PRIu64 " wrong\n",
           totals.proven, declined, totals.wrong);
    return totals.wrong != 0 ? WRONG : opened ? 0 : TROUBLE;
}
