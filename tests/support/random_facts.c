#include "tests/support/random_facts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "tests/support/reasons.h"

enum {
    ASSEMBLIES = 3,
    BUILDS_MAX = 3,
    METHODS_MAX = 7,
    STATEMENTS_MAX = 4,
    DECISIONS_MAX = 2,
    DOCUMENTS = 2,
    COUNTS_MAX = METHODS_MAX * (1 + STATEMENTS_MAX + DECISIONS_MAX * 4)
};

uint32_t random_below(uint64_t *state, uint32_t limit)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 16) % limit;
}

static bool one_in(uint64_t *state, uint32_t n)
{
    return random_below(state, n) == 0;
}

static void *make(struct arena *arena, size_t count, size_t size)
{
    void *made = arena_alloc(arena, count, size, NULL);
    if (made == NULL)
        abort();
    return made;
}

#define MAKE(arena, type, count) ((type *)make((arena), (count), sizeof(type)))

__attribute__((format(printf, 2, 3))) static struct str named(struct arena *arena,
                                                              const char *format, ...)
{
    char text[64];
    va_list values;
    va_start(values, format);
    int len = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    const char *copy = arena_copy_text(arena, text, (size_t)len, NULL);
    if (copy == NULL)
        abort();
    return (struct str){copy, (size_t)len};
}

/* --- world ------------------------------------------------------------------------------------ */

static void add_statements(struct fact_module *m, uint32_t method, uint32_t line, uint64_t *state)
{
    uint32_t count = random_below(state, STATEMENTS_MAX + 1);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t start = line + i, end = start + one_in(state, 4);
        m->statements[m->statement_count++] =
            (struct fact_statement){.method = method,
                                    .document = method % DOCUMENTS,
                                    .il_offset = 8 * i,
                                    .start_line = start,
                                    .end_line = end,
                                    .start_column = 9,
                                    .end_column = 30,
                                    .reason = one_in(state, 16) ? reason_of(REASON_COMMENT) : NULL};
    }
    for (uint32_t i = 0; i < DECISIONS_MAX && i < count; i++) {
        bool is_switch = one_in(state, 4), is_exact = one_in(state, 2);
        uint32_t last = m->decision_count - 1;
        bool is_next = !is_switch && m->decision_count != 0 && one_in(state, 2) &&
                       m->decisions[last].method == method && !m->decisions[last].is_switch;
        uint32_t expression = is_next ? m->decisions[last].expression + 1 : 0;
        static const uint8_t arms[] = {ARM_SUBJECT,        3, 9, 0, 20, 2 << 2 | ARM_NO_MATCH,
                                       1 << 2 | ARM_LABEL, 4, 9, 0, 15};
        if (one_in(state, 2))
            m->decisions[m->decision_count++] = (struct fact_decision){
                .arms = is_switch ? arms : NULL,
                .arms_len = is_switch ? sizeof arms : 0,
                .method = method,
                .document = method % DOCUMENTS,
                .il_offset = 8 * i + 4,
                .line = line + i,
                .outcome_count = is_switch ? 3 : 2,
                .is_switch = is_switch,
                .span = {line + i, line + i + is_exact, 9, 11},
                .is_exact = is_exact,
                .words = is_switch ? WORDS_UNKNOWN : random_below(state, WORDS_LAST + 1),
                .expression = expression};
    }
}

/* Of some methods another build has the same code on other lines, of others other code. */
static void fill_module(struct fact_module *m, uint32_t assembly, uint32_t build, uint64_t *state,
                        struct arena *arena)
{
    uint64_t source = 1000 + assembly; /* what all builds have in common */
    *m = (struct fact_module){.name = named(arena, "Lib%u", assembly),
                              .path = named(arena, "/build/%u/Lib%u.dll", build, assembly),
                              .mvid = {(uint8_t)(assembly + 1), (uint8_t)build},
                              .identity = {1, (uint8_t)(assembly + 1), (uint8_t)build},
                              .plan_hash = assembly};
    m->documents = MAKE(arena, struct fact_document, DOCUMENTS);
    m->methods = MAKE(arena, struct fact_method, METHODS_MAX);
    m->statements = MAKE(arena, struct fact_statement, METHODS_MAX * STATEMENTS_MAX);
    m->decisions = MAKE(arena, struct fact_decision, METHODS_MAX * DECISIONS_MAX);
    m->document_count = DOCUMENTS;
    m->method_count = 2 + random_below(&source, METHODS_MAX - 1);
    for (uint32_t i = 0; i < DOCUMENTS; i++)
        m->documents[i] =
            (struct fact_document){.path = named(arena, "/src/Lib%u/File%u.cs", assembly, i),
                                   .relative = named(arena, "Lib%u/File%u.cs", assembly, i)};
    for (uint32_t i = 0; i < m->method_count; i++) {
        uint64_t code = source + i;
        bool is_edited = build != 0 && one_in(state, 3);
        bool is_made = i != 0 && i % 3 == 2;
        uint32_t line = 1 + i * 10 + (one_in(state, 2) ? build * 100 : 0);
        m->methods[i] = (struct fact_method){
            .token = 0x06000001 + i,
            .type = is_made ? STR("N.C/<>c") : STR("N.C"),
            .name = is_made ? named(arena, "<M%u>b__%u_0", i - 1, i) : named(arena, "M%u", i),
            .signature = STR("()"),
            .user_method = is_made ? i - 1 : i,
            .entry_count = 0,
            .body = {1, (uint8_t)assembly, (uint8_t)i, is_edited ? (uint8_t)build : 0}};
        add_statements(m, i, line, is_edited ? state : &code);
    }
    facts_layout(m);
}

/* A method that ran has its entry counted. */
static void fill_counts(uint64_t *counts, const struct fact_module *m, uint64_t *state)
{
    bool ran[METHODS_MAX];
    for (uint32_t i = 0; i < m->method_count; i++) {
        ran[i] = !one_in(state, 3);
        counts[m->methods[i].entry_count] = ran[i] ? 1 + random_below(state, 9) : 0;
    }
    for (uint32_t i = 0; i < m->statement_count; i++)
        if (ran[m->statements[i].method])
            counts[m->statements[i].count] = random_below(state, 9);
    for (uint32_t i = 0; i < m->decision_count; i++)
        for (uint32_t k = 0; k < m->decisions[i].outcome_count; k++)
            if (ran[m->decisions[i].method])
                counts[m->decisions[i].first_count + k] = random_below(state, 3);
}

static void fill_runs(struct facts *out, uint64_t *state, struct arena *arena)
{
    static const enum run_kind kinds[] = {RUN_MEASURED, RUN_MEASURED, RUN_PARTIAL,
                                          RUN_PARTIAL,  RUN_CARRIED,  RUN_EXTERNAL};
    out->run_count = RANDOM_RUNS;
    out->runs = MAKE(arena, struct fact_run, RANDOM_RUNS);
    for (uint32_t i = 0; i < RANDOM_RUNS; i++) {
        struct fact_run *run = &out->runs[i];
        *run = (struct fact_run){.started = 1700000000 + (int64_t)(i / 2),
                                 .kind = kinds[random_below(state, ARRAY_LEN(kinds))],
                                 .mode = one_in(state, 4) ? STR("hit") : STR("count"),
                                 .root = named(arena, "/src%u", random_below(state, 2)),
                                 .label = STR("")};
        run->id[0] = (uint8_t)random_below(state, 256);
        run->id[1] = (uint8_t)i;
    }
}

void random_world(struct facts *out, uint64_t *state, struct arena *arena)
{
    *out = (struct facts){.modules = MAKE(arena, struct fact_module, ASSEMBLIES * BUILDS_MAX)};
    for (uint32_t a = 0; a < ASSEMBLIES; a++)
        for (uint32_t b = 0, builds = 1 + random_below(state, BUILDS_MAX); b < builds; b++)
            fill_module(&out->modules[out->module_count++], a, b, state, arena);
    fill_runs(out, state, arena);
    out->counts = MAKE(arena, struct fact_counts, RANDOM_RUNS * out->module_count);
    for (uint32_t r = 0; r < RANDOM_RUNS; r++)
        for (uint32_t m = 0; m < out->module_count; m++) {
            if (one_in(state, 3))
                continue;
            uint64_t *counts = MAKE(arena, uint64_t, out->modules[m].count_len);
            fill_counts(counts, &out->modules[m], state);
            out->counts[out->counts_count++] = (struct fact_counts){r, m, counts};
        }
    if (!facts_sort(out, arena, NULL))
        abort();
}

/* --- shard ------------------------------------------------------------------------------------ */

static void tell_documents(struct fact_module *m, uint64_t *state)
{
    for (uint32_t i = 0; i < m->document_count; i++) {
        struct fact_document *document = &m->documents[i];
        switch (random_below(state, 12)) {
        case 0:
            document->reason = reason_of(REASON_NO_SOURCE);
            document->relative = STR("");
            break;
        case 1:
            document->reason = reason_of(REASON_CHANGED);
            break;
        case 2:
            document->source = (struct view){(const uint8_t *)"class C;", 8};
            break;
        case 3:
            document->reason = one_in(state, 4) ? reason_of(REASON_EXCLUDED_FILE) : NULL;
            break;
        default:
            break;
        }
    }
}

static void tell_method(struct fact_method *method, uint64_t *state)
{
    switch (random_below(state, 16)) {
    case 0:
        method->state = METHOD_DECLINED;
        method->reason = reason_of_verdict(one_in(state, 2) ? VERDICT_DECLINED_ODD_EH
                                                            : VERDICT_DECLINED_TOO_LARGE);
        break;
    case 1:
        method->state = METHOD_EXCLUDED;
        method->reason = reason_of(REASON_NOT_INCLUDED);
        break;
    case 2:
        method->state = one_in(state, 3) ? METHOD_EXCLUDED : METHOD_INSTRUMENTED;
        method->reason = method->state == METHOD_EXCLUDED ? reason_of(REASON_EXCLUDED) : NULL;
        break;
    default:
        break;
    }
}

/* Other places than facts_layout gives. */
static void lay_out_oddly(struct fact_module *m)
{
    uint32_t next = 0;
    for (uint32_t i = 0; i < m->statement_count; i++)
        m->statements[i].count = next++;
    for (uint32_t i = m->method_count; i-- > 0;)
        if (m->methods[i].entry_count != NO_INDEX)
            m->methods[i].entry_count = next++;
    for (uint32_t i = 0; i < m->decision_count; i++) {
        m->decisions[i].first_count = next;
        next += m->decisions[i].outcome_count;
    }
    m->count_len = next;
}

static void drop_refused(struct fact_module *m)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->statement_count; i++)
        if (m->methods[m->statements[i].method].state != METHOD_DECLINED)
            m->statements[kept++] = m->statements[i];
    m->statement_count = kept;
    kept = 0;
    for (uint32_t i = 0; i < m->decision_count; i++)
        if (m->methods[m->decisions[i].method].state != METHOD_DECLINED)
            m->decisions[kept++] = m->decisions[i];
    m->decision_count = kept;
    for (uint32_t i = 0; i < m->method_count; i++)
        if (m->methods[i].state == METHOD_DECLINED)
            m->methods[i].entry_count = NO_INDEX;
}

static void *copied(struct arena *arena, const void *items, size_t count, size_t size)
{
    void *copy = make(arena, count, size);
    if (count != 0)
        memcpy(copy, items, count * size);
    return copy;
}

static struct fact_module copy_of(const struct fact_module *from, struct arena *arena)
{
    struct fact_module m = *from;
    m.documents = copied(arena, m.documents, m.document_count, sizeof *m.documents);
    m.methods = copied(arena, m.methods, m.method_count, sizeof *m.methods);
    m.statements = copied(arena, m.statements, m.statement_count, sizeof *m.statements);
    m.decisions = copied(arena, m.decisions, m.decision_count, sizeof *m.decisions);
    return m;
}

/* Gives each count a place of its own; of each place where the world has it. */
static void lay_out(struct fact_module *m, uint32_t *places, bool is_odd, struct arena *arena)
{
    struct fact_module world = copy_of(m, arena);
    if (is_odd)
        lay_out_oddly(m);
    else
        facts_layout(m);
    for (uint32_t i = 0; i < m->method_count; i++)
        if (m->methods[i].entry_count != NO_INDEX)
            places[m->methods[i].entry_count] = world.methods[i].entry_count;
    for (uint32_t i = 0; i < m->statement_count; i++)
        places[m->statements[i].count] = world.statements[i].count;
    for (uint32_t i = 0; i < m->decision_count; i++)
        for (uint32_t k = 0; k < m->decisions[i].outcome_count; k++)
            places[m->decisions[i].first_count + k] = world.decisions[i].first_count + k;
}

static void tell_module(struct fact_module *out, uint32_t *places, const struct fact_module *from,
                        bool is_careful, uint64_t *state, struct arena *arena)
{
    *out = copy_of(from, arena);
    out->state = MODULE_NOT_LOADED;
    out->path = named(arena, "/machine%u/%u.dll", random_below(state, 9), from->mvid[0]);
    tell_documents(out, state);
    for (uint32_t i = 0; i < out->method_count && !is_careful; i++)
        tell_method(&out->methods[i], state);
    for (uint32_t i = 0; i < out->statement_count; i++)
        if (one_in(state, 24))
            out->statements[i].reason = COMMENT_REASON("here");
    bool has_sources = !one_in(state, 3);
    for (uint32_t i = 0; i < out->decision_count && !has_sources; i++) {
        out->decisions[i].is_exact = false;
        out->decisions[i].words = WORDS_UNKNOWN;
    }
    drop_refused(out);
    lay_out(out, places, one_in(state, 3), arena);
}

/* One that nobody read: no more is known of it than its name and why. */
static void tell_skipped(struct facts *out, uint64_t *state, struct arena *arena)
{
    static const enum reason_code reasons[] = {REASON_TESTS, REASON_NO_PDB, REASON_OUTSIDE_ROOT};
    if (one_in(state, 2))
        return;
    out->modules[out->module_count++] =
        (struct fact_module){.name = STR("Lib0.Tests"),
                             .path = named(arena, "/machine%u/Tests.dll", random_below(state, 3)),
                             .mvid = {99},
                             .state = MODULE_SKIPPED,
                             .reason = reason_of(reasons[random_below(state, ARRAY_LEN(reasons))])};
}

static void tell_processes(struct facts *out, uint32_t run, bool is_whole, uint64_t *state)
{
    uint32_t count = is_whole ? 3 : random_below(state, 3);
    for (uint32_t i = 0; i < count; i++)
        out->processes[out->process_count++] =
            (struct fact_process){.run = run,
                                  .program = i == 2 ? STR("/bin/a") : STR("/bin/b"),
                                  .runtime = STR("10.0"),
                                  .declined = i == 0 ? reason_of(REASON_BUILD_TOOL) : NULL,
                                  .module_count = i != 0};
}

/* Later snapshots of a run are never behind earlier ones. */
static void tell_counts(struct facts *out, const struct facts *world, const uint32_t *module_of,
                        uint32_t places[][COUNTS_MAX], uint32_t run, uint32_t part,
                        struct arena *arena)
{
    for (uint32_t i = 0; i < world->counts_count; i++) {
        const struct fact_counts *row = &world->counts[i];
        uint32_t module = module_of[row->module];
        if (memcmp(world->runs[row->run].id, out->runs[run].id, FACT_ID_LEN) != 0 ||
            module == NO_INDEX)
            continue;
        uint32_t len = out->modules[module].count_len;
        uint64_t *counts = MAKE(arena, uint64_t, len);
        for (uint32_t k = 0; k < len; k++)
            counts[k] = row->counts[places[row->module][k]] * part / 4;
        out->counts[out->counts_count++] = (struct fact_counts){run, module, counts};
        out->modules[module].state = MODULE_INSTRUMENTED;
    }
}

void random_shard(struct facts *out, const struct facts *world, uint32_t runs, uint64_t *state,
                  struct arena *arena)
{
    uint32_t module_of[ASSEMBLIES * BUILDS_MAX];
    uint32_t places[ASSEMBLIES * BUILDS_MAX][COUNTS_MAX];
    *out = (struct facts){
        .modules = MAKE(arena, struct fact_module, world->module_count + 1),
        .runs = MAKE(arena, struct fact_run, RANDOM_RUNS),
        .processes = MAKE(arena, struct fact_process, RANDOM_RUNS * 3),
        .counts = MAKE(arena, struct fact_counts, world->counts_count),
    };
    bool is_careful = one_in(state, 2);
    for (uint32_t m = 0; m < world->module_count; m++) {
        module_of[m] = one_in(state, 6) ? NO_INDEX : out->module_count;
        if (module_of[m] == NO_INDEX)
            continue;
        tell_module(&out->modules[out->module_count++], places[m], &world->modules[m], is_careful,
                    state, arena);
    }
    for (uint32_t r = 0; r < RANDOM_RUNS; r++) {
        if ((runs >> r & 1) == 0)
            continue;
        for (uint32_t m = 0; m < out->module_count; m++)
            if (world->runs[r].started > out->modules[m].seen)
                out->modules[m].seen = world->runs[r].started;
        uint32_t part = one_in(state, 3) ? 1 + random_below(state, 3) : 4;
        out->runs[out->run_count] = world->runs[r];
        tell_processes(out, out->run_count, part == 4, state);
        tell_counts(out, world, module_of, places, out->run_count++, part, arena);
    }
    tell_skipped(out, state, arena);
    if (!facts_sort(out, arena, NULL))
        abort();
}
