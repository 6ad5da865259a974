/* ilcov inspect FILE.dll [METHOD]: what ilcov would do with each method, and why it would
 * refuse. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/utf16.h"
#include "cli/options/exit.h"
#include "cli/options/json_output.h"
#include "cli/options/say.h"
#include "cli/verbs/inspect_data.h"
#include "cli/verbs/inspect_json.h"
#include "cli/verbs/inspect_names.h"
#include "cli/verbs/verbs.h"
#include "coverage/branches/decisions.h"
#include "coverage/names/method_hash.h"
#include "coverage/source/symbols.h"
#include "coverage/statements/fsharp_operands.h"
#include "coverage/statements/fsharp_pattern.h"
#include "metadata/lookup.h"
#include "reporters/legible.h"
#include "rewriter/nothrow.h"
#include "rewriter/plan.h"
#include "system/file.h"
#include "system/file_status.h"

struct inspection {
    struct module module;
    struct fact_module facts; /* its identity and those of its methods */
    uint32_t next;            /* in them */
    struct arena *names;      /* of the whole run */
    struct arena scratch;     /* of one method */
    struct no_return no_return;
    struct nothrow nothrow;
    uint32_t verdicts[VERDICT_COUNT];
    struct err memory;        /* set when it ran out: what is printed is not all */
    FILE *out;                /* where operands go */
    struct json_output *json; /* or NULL */
};

/* What can't be read is printed as such; a lack of memory is an error. */
static void note_memory(struct inspection *in, const struct err *why)
{
    if (why->code == ERR_MEMORY)
        in->memory = *why;
}

static void print_token(struct inspection *in, uint32_t token);

static void print_operand(struct inspection *in, const struct flow *flow, const struct instr *instr)
{
    const struct opcode_info *info = il_info(instr);
    switch ((enum operand_kind)info->operand) {
    case OPERAND_NONE:
        break;
    case OPERAND_VAR8:
    case OPERAND_VAR16:
        (void)fprintf(in->out, " %u", instr->operand);
        break;
    case OPERAND_I8:
    case OPERAND_I32:
        (void)fprintf(in->out, " %d", (int32_t)instr->operand);
        break;
    case OPERAND_I64:
        (void)fprintf(in->out, " %" PRId64, (int64_t)load_u64(flow->il.code + instr->offset + 1));
        break;
    case OPERAND_R32:
    case OPERAND_R64:
        (void)fprintf(in->out, " (%u bytes)", instr->len - 1);
        break;
    case OPERAND_TOKEN:
        print_token(in, instr->operand);
        break;
    case OPERAND_TARGET8:
    case OPERAND_TARGET32:
        (void)fprintf(in->out, " IL_%04x", flow->il.instrs[instr->operand].offset);
        break;
    case OPERAND_SWITCH:
        for (uint32_t n = 0; n < flow->il.targets[instr->operand]; n++)
            (void)fprintf(in->out, "%sIL_%04x", n == 0 ? " (" : " ",
                          flow->il.instrs[flow->il.targets[instr->operand + 1 + n]].offset);
        (void)fprintf(in->out, ")");
        break;
    }
}

/* "Type::Member" of a token that an instruction names; the string itself, quoted, of a literal. */
static void print_token(struct inspection *in, uint32_t token)
{
    const struct metadata *md = &in->module.md;
    token = method_of_instance(md, token);
    uint32_t rid = TOKEN_RID(token), owner = 0, name = 0;
    switch (TOKEN_TABLE(token)) {
    case TABLE_MethodDef:
        owner = TOKEN(TABLE_TypeDef, owner_of_method(md, rid));
        name = tables_get(&md->tables, COL_MethodDef_Name, rid);
        break;
    case TABLE_Field:
        owner = TOKEN(TABLE_TypeDef, owner_of_field(md, rid));
        name = tables_get(&md->tables, COL_Field_Name, rid);
        break;
    case TABLE_MemberRef:
        owner = row_token(md, CODED_MEMBER_REF_PARENT, COL_MemberRef_Class, rid);
        name = tables_get(&md->tables, COL_MemberRef_Name, rid);
        break;
    case TABLE_TypeDef:
    case TABLE_TypeRef:
    case TABLE_TypeSpec:
        owner = token;
        break;
    case 0x70: { /* a literal: III.1.9 */
        struct view literal = heap_user_string(md, rid);
        char text[64];
        uint16_t units[sizeof text / 2];
        size_t count = literal.len / 2 < ARRAY_LEN(units) ? literal.len / 2 : ARRAY_LEN(units);
        for (size_t i = 0; i < count; i++)
            units[i] = load_u16(literal.data + 2 * i);
        (void)utf16_to_utf8(text, sizeof text, units, count);
        (void)fprintf(in->out, " \"");
        legible_put(in->out, str_of(text));
        (void)fprintf(in->out, "\"");
        return;
    }
    default:
        (void)fprintf(in->out, " %08x", token);
        return;
    }
    struct str type = {NULL, 0};
    struct err why;
    if (!name_type(&type, md, owner, &in->scratch, &why)) {
        note_memory(in, &why);
        type = STR("?");
    }
    (void)fprintf(in->out, " ");
    legible_put(in->out, type);
    if (name == 0)
        return;
    (void)fprintf(in->out, "::");
    legible_put(in->out, heap_string(md, name));
}

static void print_points(const struct seq_points *points, uint32_t *next, uint32_t offset)
{
    for (; *next < points->count && points->points[*next].il_offset <= offset; ++*next) {
        const struct seq_point *point = &points->points[*next];
        if (point->hidden)
            printf("    -- hidden\n");
        else
            printf("    -- %u:%u-%u:%u\n", point->start_line, point->start_column, point->end_line,
                   point->end_column);
    }
}

static void print_block(const struct flow *flow, const struct plan *plan, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    static const char *const rules[] = {"never runs", "counter", "sum of the edges out of it",
                                        "sum of the edges into it", "sum of its values"};
    printf("  block %u, %s", n, rules[plan->rule[n]]);
    if (plan->rule[n] == RULE_COUNTER)
        printf(" %u", plan->block_counter[n]);
    if (plan->value_counter[n] != NO_INDEX)
        printf(", value at its end %u %u", plan->value_counter[n], plan->value_counter[n] + 1);
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        printf("%s%s block %u", e == block->first_edge ? "; " : ", ",
               flow->edges[e].taken ? "branches to" : "falls through to", flow->edges[e].to);
        if (plan->edge_counter[e] != NO_INDEX)
            printf(" (counter %u)", plan->edge_counter[e]);
    }
    printf("\n");
}

static void print_clauses(const struct il_body *body)
{
    for (uint32_t i = 0; i < body->clause_count; i++) {
        const struct eh_clause *clause = &body->clauses[i];
        const char *kind = clause->flags == EH_FILTER    ? "filter"
                           : clause->flags == EH_FINALLY ? "finally"
                           : clause->flags == EH_FAULT   ? "fault"
                                                         : "catch";
        printf("  try IL_%04x to IL_%04x, %s IL_%04x to IL_%04x", clause->try_offset,
               clause->try_offset + clause->try_length, kind, clause->handler_offset,
               clause->handler_offset + clause->handler_length);
        if (clause->flags == EH_FILTER)
            printf(", filter IL_%04x", clause->filter_offset);
        printf("\n");
    }
}

/* The rule for each branch, as in a report. */
struct judged {
    struct reach reach;
    struct fsharp_operands operands;
    struct decisions decisions;
};

static bool judge_branches(struct judged *out, struct inspection *in, const struct flow *flow,
                           const struct plan *plan, struct seq_points *points, uint32_t rid)
{
    struct err why;
    struct statements_source source = {
        .flow = flow,
        .reach = &out->reach,
        .points = points,
        .language = language_of_points(&in->module.pdb, points),
        .is_state_machine = pdb_kickoff_method(&in->module.pdb, rid) != 0,
        .operands = &out->operands,
        .pdb = &in->module.pdb,
    };
    if (source.language == LANGUAGE_FSHARP)
        fsharp_filter_cut_rules(points, &flow->body);
    if (reach_make(&out->reach, flow, &in->no_return, &in->scratch, &why) &&
        fsharp_operands_find(&out->operands, &source, &in->scratch, &why) &&
        decide(&out->decisions, &source, plan, &in->scratch, &why))
        return true;
    note_memory(in, &why);
    return false;
}

/* NULL: there is none. */
static const char *rule_of(const struct judged *judged, const struct flow *flow, uint32_t block)
{
    const struct rule *rule = judged->decisions.rule[block];
    if (rule == NULL || !flow->blocks[block].reachable)
        return NULL;
    return reach_runs(&judged->reach, flow_last_instr(flow, block))
               ? rule->name
               : "after a call that does not return";
}

/* A comment in IL, beside the branch. */
static void print_rule(const struct judged *judged, const struct flow *flow, uint32_t block)
{
    const char *rule = rule_of(judged, flow, block);
    if (rule != NULL)
        printf("  // %s", rule);
}

/* As it is printed. */
static void put_operand(struct inspection *in, const struct flow *flow, const struct instr *instr)
{
    char *text = NULL;
    size_t len = 0;
    in->out = open_memstream(&text, &len);
    if (in->out != NULL) {
        print_operand(in, flow, instr);
        if (fclose(in->out) != 0)
            len = 0;
    }
    if (len > 1)
        jw_text(&in->json->json, "operand", (struct str){text + 1, len - 1}); /* after a space */
    if (text == NULL)
        in->memory = (struct err){.code = ERR_MEMORY, .text = "out of memory"};
    free(text);
    in->out = stdout;
}

static void put_block(struct inspection *in, const struct flow *flow, const struct plan *plan,
                      const struct seq_points *points, uint32_t *next, const struct judged *judged,
                      uint32_t n)
{
    struct json_writer *json = &in->json->json;
    jw_begin(json, NULL, '{');
    inspect_put_block(json, flow, plan, n);
    jw_begin(json, "instructions", '[');
    for (uint32_t i = flow->blocks[n].first; i < flow->blocks[n].end; i++) {
        const struct instr *instr = &flow->il.instrs[i];
        const char *rule =
            judged != NULL && i == flow_last_instr(flow, n) ? rule_of(judged, flow, n) : NULL;
        jw_begin_line(json, NULL, '{');
        jw_number(json, "offset", instr->offset);
        jw_text_c(json, "opcode", il_info(instr)->mnemonic);
        put_operand(in, flow, instr);
        inspect_put_points(json, points, next, instr->offset);
        if (rule != NULL)
            jw_text_c(json, "rule", rule);
        jw_end(json, '}');
    }
    jw_end(json, ']');
    jw_end(json, '}');
}

static void print_method_code(struct inspection *in, const struct flow *flow,
                              const struct plan *plan, uint32_t rid)
{
    struct seq_points points = {NULL, 0};
    uint32_t next_point = 0;
    struct err why;
    if (in->module.has_pdb &&
        !pdb_sequence_points(&points, &in->module.pdb, rid, &in->scratch, &why)) {
        note_memory(in, &why);
        if (in->json == NULL)
            printf("  its sequence points cannot be read\n");
    }
    struct judged judged;
    bool is_judged = points.count != 0 && judge_branches(&judged, in, flow, plan, &points, rid);
    if (in->json != NULL) {
        inspect_put_clauses(&in->json->json, &flow->body);
        jw_begin(&in->json->json, "blocks", '[');
        for (uint32_t n = 0; n < flow->block_count; n++)
            put_block(in, flow, plan, &points, &next_point, is_judged ? &judged : NULL, n);
        jw_end(&in->json->json, ']');
        return;
    }
    print_clauses(&flow->body);
    for (uint32_t n = 0; n < flow->block_count; n++) {
        print_block(flow, plan, n);
        for (uint32_t i = flow->blocks[n].first; i < flow->blocks[n].end; i++) {
            const struct instr *instr = &flow->il.instrs[i];
            print_points(&points, &next_point, instr->offset);
            printf("    IL_%04x  %s", instr->offset, il_info(instr)->mnemonic);
            print_operand(in, flow, instr);
            if (is_judged && i == flow_last_instr(flow, n))
                print_rule(&judged, flow, n);
            printf("\n");
        }
    }
}

struct method_names {
    struct str type, name, signature;
};

static bool name_parts(struct method_names *out, struct inspection *in, uint32_t rid,
                       struct err *err)
{
    const struct metadata *md = &in->module.md;
    return name_type(&out->type, md, TOKEN(TABLE_TypeDef, owner_of_method(md, rid)), &in->scratch,
                     err) &&
           name_method(&out->name, md, rid, &in->scratch, err) &&
           name_method_signature(&out->signature, md, rid, &in->scratch, err);
}

/* Methods come in the order of their rows in both. */
static const uint8_t *body_of(struct inspection *in, uint32_t rid)
{
    const struct fact_module *facts = &in->facts;
    while (in->next < facts->method_count && TOKEN_RID(facts->methods[in->next].token) < rid)
        in->next++;
    return facts->methods[in->next].body;
}

static void put_inspected_method(struct inspection *in, const struct method_names *names,
                                 enum verdict verdict, const struct flow *flow,
                                 const struct plan *plan, uint32_t rid, bool has_code)
{
    struct json_writer *json = &in->json->json;
    if (has_code)
        jw_begin(json, NULL, '{');
    else
        jw_begin_line(json, NULL, '{');
    inspect_put_method_name(json, TOKEN(TABLE_MethodDef, rid), names->type, names->name,
                            names->signature);
    jw_bool(json, "instrumented", verdict == VERDICT_OK);
    if (verdict != VERDICT_OK) {
        jw_text_c(json, "reason", verdict_text(verdict));
    } else {
        jw_number(json, "code_size", flow->body.code_size);
        jw_number(json, "block_count", flow->block_count);
        jw_number(json, "counter_count", plan->counter_count);
        jw_bool(json, "keeps_frame", flow->calls_tail);
        inspect_put_hex(json, "code", body_of(in, rid), FACT_BODY_LEN);
        if (has_code)
            print_method_code(in, flow, plan, rid);
    }
    jw_end(json, '}');
}

static bool inspect_method(struct inspection *in, uint32_t rid, struct str wanted, struct err *err)
{
    struct method_def def;
    struct method_names names;
    struct flow flow;
    struct plan plan;
    bool meant = false;
    arena_reset(&in->scratch);
    if (!name_parts(&names, in, rid, err) ||
        !inspect_is_meant(&meant, wanted, names.type, names.name, &in->scratch, err))
        return false;
    if (!meant)
        return true;
    enum verdict verdict = VERDICT_NO_IL;
    if (module_method(&def, &in->module, rid))
        verdict =
            plan_body(&plan, &flow, def.body, &in->module.md, &in->nothrow, rid, &in->scratch);
    if (verdict == VERDICT_DECLINED_MEMORY)
        return err_set(err, ERR_MEMORY, "out of memory: method %08x needs more",
                       TOKEN(TABLE_MethodDef, rid));
    in->verdicts[verdict]++;
    if (in->json != NULL) {
        put_inspected_method(in, &names, verdict, &flow, &plan, rid, wanted.len != 0);
        return in->memory.code == ERR_NONE || err_set(err, ERR_MEMORY, "%s", in->memory.text);
    }
    printf("%08x ", TOKEN(TABLE_MethodDef, rid));
    inspect_print_method_name(names.type, names.name, names.signature);
    printf(": ");
    if (verdict != VERDICT_OK) {
        printf("%s\n", verdict_text(verdict));
        return true;
    }
    printf("%u bytes, %u blocks, %u counters%s, code ", flow.body.code_size, flow.block_count,
           plan.counter_count, flow.calls_tail ? ", keeps its frame (a tail call)" : "");
    inspect_print_hex(body_of(in, rid), FACT_BODY_LEN);
    printf("\n");
    if (wanted.len != 0)
        print_method_code(in, &flow, &plan, rid);
    return in->memory.code == ERR_NONE || err_set(err, ERR_MEMORY, "%s", in->memory.text);
}

static bool check_wanted(struct inspection *in, struct str wanted, struct err *err)
{
    uint32_t rows = tables_rows(&in->module.md.tables, TABLE_MethodDef);
    struct inspect_misses misses = {.arena = in->names};
    bool found = wanted.len == 0;
    for (uint32_t rid = 1; rid <= rows && !found; rid++) {
        struct method_names names;
        arena_reset(&in->scratch);
        if (!name_parts(&names, in, rid, err) ||
            !inspect_look(&found, &misses, wanted, names.type, names.name, &in->scratch, err))
            return false;
    }
    return found || inspect_nothing_matches(&misses, wanted, err);
}

static void put_inspected_module(struct inspection *in, struct str symbols, struct str missing)
{
    struct json_writer *json = &in->json->json;
    jw_begin(json, "assembly", '{');
    jw_text(json, "name", in->module.name);
    inspect_put_hex(json, "mvid", in->module.mvid, sizeof in->module.mvid);
    inspect_put_hex(json, "identity", in->facts.identity, sizeof in->facts.identity);
    if (symbols.len != 0)
        jw_text(json, "symbols", symbols);
    else
        jw_null(json, "symbols");
    if (missing.len != 0)
        jw_text(json, "no_symbols", missing);
    jw_bool(json, "checksum_differs", symbols.len != 0 && in->module.pdb_checksum_differs);
    jw_end(json, '}');
}

static bool print_inspected_module(struct inspection *in, const char *path, struct err *err)
{
    struct err why = {.code = ERR_NONE};
    if (!method_hash_read_module(&in->facts, &in->module, in->names, err))
        return false;
    bool found = symbols_find(&in->module, path, in->names, &why);
    if (why.code == ERR_MEMORY)
        return err_set(err, ERR_MEMORY, "%s", why.text);
    if (in->json != NULL) {
        put_inspected_module(in,
                             found && in->module.has_pdb ? str_of(in->module.pdb_path) : STR(""),
                             str_of(found ? "" : why.text));
        return true;
    }
    inspect_print_name(in->module.name);
    printf(", MVID ");
    inspect_print_hex(in->module.mvid, sizeof in->module.mvid);
    printf(", identity sha256:");
    inspect_print_hex(in->facts.identity, sizeof in->facts.identity);
    printf(found ? ", symbols " : ", no symbols: ");
    inspect_print_name(str_of(!found               ? why.text
                              : in->module.has_pdb ? in->module.pdb_path
                                                   : "nowhere"));
    printf("%s\n", found && in->module.pdb_checksum_differs
                       ? " (the id matches, the checksum does not)"
                       : "");
    return true;
}

static void put_verdicts(struct inspection *in)
{
    struct json_writer *json = &in->json->json;
    jw_begin(json, "verdicts", '[');
    for (enum verdict verdict = 0; verdict < VERDICT_COUNT; verdict++) {
        if (in->verdicts[verdict] == 0)
            continue;
        jw_begin_line(json, NULL, '{');
        jw_bool(json, "instrumented", verdict == VERDICT_OK);
        jw_text_c(json, "text", verdict_text(verdict));
        jw_number(json, "methods", in->verdicts[verdict]);
        jw_end(json, '}');
    }
    jw_end(json, ']');
}

static bool inspect_methods(struct inspection *in, struct str wanted, struct err *err)
{
    for (uint32_t rid = 1; rid <= tables_rows(&in->module.md.tables, TABLE_MethodDef); rid++)
        if (!inspect_method(in, rid, wanted, err))
            return false;
    return true;
}

static bool inspect_file(struct inspection *in, const char *path, struct str wanted,
                         struct err *err)
{
    if (!module_open_file(&in->module, path, err) || !check_wanted(in, wanted, err) ||
        !print_inspected_module(in, path, err) ||
        !no_return_open(&in->no_return, &in->module, str_of(path), in->names, err))
        return false;
    if (!find_nothrow(&in->nothrow, &in->module.md, body_in_image, &in->module, in->names,
                      &in->scratch))
        return err_set(err, ERR_MEMORY, "out of memory: an assembly needs more");
    if (in->json != NULL) {
        jw_begin(&in->json->json, "methods", '[');
        bool ok = inspect_methods(in, wanted, err);
        jw_end(&in->json->json, ']');
        put_verdicts(in);
        return ok;
    }
    if (!inspect_methods(in, wanted, err))
        return false;
    for (enum verdict verdict = 0; verdict < VERDICT_COUNT; verdict++)
        if (in->verdicts[verdict] != 0)
            printf("%u %s: %s\n", in->verdicts[verdict],
                   plural(in->verdicts[verdict], "method", "methods"), verdict_text(verdict));
    return true;
}

/* A file that can't be read is not: its error says more. */
static bool is_another_format(const char *path)
{
    char start[2] = "";
    int fd = file_read_open(path);
    if (fd < 0)
        return false;
    bool whole = file_read_at(start, sizeof start, fd, 0);
    bool is = whole ? memcmp(start, "MZ", sizeof start) != 0 : errno == ENODATA;
    (void)file_close(fd);
    return is;
}

/* The executable that a build puts next to the assembly is a native program. */
static void say_failure(const char *path, struct err *err)
{
    char dll[PATH_ROOM];
    if (err->code == ERR_FORMAT && is_another_format(path))
        (void)err_set(err, ERR_FORMAT, "is neither a .NET assembly nor an ilcov data file");
    err_prefix(err, "%s", path);
    int len = snprintf(dll, sizeof dll, "%s.dll", path);
    if (len > 0 && (size_t)len < sizeof dll && file_exists(dll))
        say("%s; the assembly is %s", err->text, dll);
    else
        say("%s", err->text);
}

struct inspect_options {
    bool json;
};

static int inspect_operand(const void *parsed, const struct operands *operands, struct arena *arena)
{
    const struct inspect_options *options = parsed;
    struct inspection in = {.names = arena, .out = stdout};
    struct json_output json;
    struct err err;
    int status = EXIT_FINE;
    const char *path = operands->items[0];
    const char *wanted = operands->count > 1 ? operands->items[1] : "";
    if (inspect_is_data(path))
        return inspect_data(path, str_of(wanted), options->json, arena);
    if (options->json && !json_output_open(&json, INSPECT_SCHEMA, &err))
        return say_error(&err);
    if (options->json) {
        in.json = &json;
        jw_text_c(&json.json, "file", path);
    }
    in.scratch = ARENA_EMPTY;
    if (!inspect_file(&in, path, str_of(wanted), &err)) {
        say_failure(path, &err);
        status = EXIT_BAD;
    }
    if (options->json && status != EXIT_FINE)
        json_output_drop(&json);
    else if (options->json)
        status = json_output_end(&json, true, EXIT_FINE, &err);
    no_return_close(&in.no_return);
    module_close(&in.module);
    arena_free(&in.scratch);
    return status;
}

static const struct option_group groups[] = {
    {json_rows, offsetof(struct inspect_options, json), NULL},
    {NULL, 0, NULL},
};

const struct verb verb_inspect = {
    .name = "inspect",
    .brief = "show how ilcov measures an assembly, or what a data file holds",
    .operands = "[OPTION...] FILE [METHOD]",
    .summary =
        "Shows what ilcov would do with each method of an assembly: how many blocks and counters "
        "it has, the identity of its code, and why it would be left uninstrumented. With METHOD, "
        "shows only the methods with that name, type or both (Type.Method, N.Type.Method; * and ? "
        "are "
        "wildcards), with their IL, their statements and for each branch the rule that decides "
        "whether it is counted. For a data file, shows its runs and assemblies.",
    .exits = "2: wrong usage; 3: bad input or no such method.",
    .examples = "ilcov inspect bin/Debug/net10.0/App.dll 'App.Order.*'",
    .lacks = "no FILE to inspect",
    .operand_max = 2,
    .completes = COMPLETE_FILE,
    .groups = groups,
    .options_size = sizeof(struct inspect_options),
    .act = inspect_operand,
};
