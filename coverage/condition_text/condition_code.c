#include "coverage/condition_text/condition_code.h"

#include "coverage/statements/il_idioms.h"
#include "metadata/names.h"

enum {
    LOOKED_BACK_MAX = 6 /* instructions to search back for what a branch tests */
};

static bool is_any_call(const struct instr *instr)
{
    return instr->op == OP_CALL || instr->op == OP_CALLVIRT || instr->op == OP_CALLI;
}

static bool is_comparison(const struct instr *instr)
{
    bool negated = false;
    return tested_relation(instr->op, &negated) != RELATION_UNKNOWN;
}

static bool calls_has_value(const struct flow *flow, uint32_t call)
{
    return idiom_calls(flow, &flow->il.instrs[call], "get_HasValue");
}

/* Does the call get HasValue, and not only to complete a comparison of values? `n > 3` is one
 * condition: n.GetValueOrDefault() > 3 & n.HasValue. */
static bool tests_has_value(const struct flow *flow, uint32_t first, uint32_t call, bool combines)
{
    if (!calls_has_value(flow, call))
        return false;
    for (uint32_t i = call; combines && i-- > first;) {
        if (is_comparison(&flow->il.instrs[i]))
            return false;
        if (is_any_call(&flow->il.instrs[i]) && !calls_has_value(flow, i))
            break;
    }
    return true;
}

/* Two tuples are compared with == element by element. */
static bool is_element(struct str field)
{
    return str_starts(field, "Item") || str_is(field, "Rest");
}

static bool loads_element_twice(const struct flow *flow, uint32_t first, uint32_t last)
{
    struct str loaded = {NULL, 0};
    for (uint32_t i = first; i <= last; i++) {
        const struct instr *instr = &flow->il.instrs[i];
        if (instr->op != OP_LDFLD && instr->op != OP_LDFLDA)
            continue;
        struct str field = name_of_member(flow->context.md, instr->operand);
        if (is_element(field) && loaded.len != 0 && str_eq(field, loaded))
            return true;
        if (is_element(field))
            loaded = field;
    }
    return false;
}

static bool is_end_of_name(char c)
{
    return c == '`' || c == '<' || c == '[';
}

/* "List" of System.Collections.Generic.List`1<System.Int32>. */
static bool find_tested_type(struct str *out, const struct flow *flow, uint32_t token,
                             struct arena *arena, struct err *err)
{
    struct str full;
    if (!name_type(&full, flow->context.md, token, arena, err))
        return false;
    size_t start = 0, end = 0;
    for (; end < full.len && !is_end_of_name(full.text[end]); end++)
        if (full.text[end] == '.' || full.text[end] == '/')
            start = end + 1;
    *out = (struct str){full.text + start, end - start};
    return true;
}

/* The first instruction of the code that runs straight on to `last`, within the statement. */
static uint32_t straight_from(const struct il *il, uint32_t last, uint32_t statement)
{
    uint32_t first = last;
    while (first > 0 && il->instrs[first - 1].offset >= statement &&
           il_info(&il->instrs[first - 1])->flow == FLOW_NEXT)
        first--;
    return first;
}

/* What is not written where it is used: of patterns, indexes, nullables, tuples, delegates. */
static bool is_implicit(struct str name)
{
    return str_is_one_of(name,
                         "Length Count Item Chars HasValue Value GetResult MoveNext Rest Invoke "
                         "Equals Current SequenceEqual ToBoolean") ||
           is_element(name) || str_starts(name, "op_") || str_starts(name, "GetValueOrDefault") ||
           str_starts(name, "Compare") || str_starts(name, "ConditionalCompare");
}

/* "X" of get_X and of <X>5__1, where async methods keep variables. */
static struct str bare_name(struct str name)
{
    if (str_starts(name, "get_"))
        return str_from(name, 4);
    if (!str_starts(name, "<"))
        return name;
    size_t end = 1;
    while (end < name.len && name.text[end] != '>')
        end++;
    return (struct str){name.text + 1, end - 1};
}

static struct str name_of_argument(const struct flow *flow, uint32_t arg)
{
    const struct metadata *md = flow->context.md;
    bool has_this = (flow->context.sig.flags & SIG_HAS_THIS) != 0;
    struct row_range rows =
        tables_list(&md->tables, COL_MethodDef_ParamList, flow->context.method_rid, TABLE_Param);
    for (uint32_t rid = rows.first; rid < rows.end && !(has_this && arg == 0); rid++)
        if (tables_get(&md->tables, COL_Param_Sequence, rid) == arg + !has_this)
            return row_string(md, COL_Param_Name, rid);
    return STR("");
}

/* What the instruction loads or calls; empty: it has no name, or none that is written. */
static struct str name_of_value(const struct flow *flow, uint32_t at)
{
    const struct instr *instr = &flow->il.instrs[at];
    uint32_t arg = il_loaded_arg(instr);
    struct str name = STR("");
    if (calls_has_value(flow, at) && at > 0) /* ldarga, ldflda */
        arg = il_stored_arg(--instr);
    if (arg != NO_INDEX)
        name = name_of_argument(flow, arg);
    else if (il_is_call(instr) || instr->op == OP_LDFLD || instr->op == OP_LDFLDA ||
             instr->op == OP_LDSFLD || instr->op == OP_LDSFLDA)
        name = bare_name(name_of_member(flow->context.md, instr->operand));
    return is_implicit(name) ? STR("") : name;
}

/* `n > 3` of nullables: (...) > 3 & n.HasValue, or with two of these; the `and` is at `at`. */
static bool completes_comparison(const struct flow *flow, uint32_t at)
{
    return at > 1 && (calls_has_value(flow, at - 1) || calls_has_value(flow, at - 2));
}

static void read_value(struct condition_code *out, const struct decisions *decisions,
                       const struct decision *decision, uint32_t last)
{
    const struct flow *flow = decisions->map.flow;
    struct tested_value value = tested_value_of(decisions, decision);
    bool is_left = value.relation == RELATION_TRUTH && value.root == NO_INDEX;
    uint32_t at = value.root != NO_INDEX ? value.root : last;
    int32_t constant;
    out->relation = value.relation;
    if (is_left)
        return;
    if (value.relation == RELATION_TRUTH) {
        while (at > 0 && flow->il.instrs[at].op == OP_DUP)
            at--;
        uint16_t op = flow->il.instrs[at].op;
        out->combines =
            (op == OP_AND || op == OP_OR || op == OP_XOR) && !completes_comparison(flow, at);
        out->is_has_value = calls_has_value(flow, at);
        out->value = out->type.len == 0 ? value_kind_of(flow, at) : VALUE_UNKNOWN;
        out->name = name_of_value(flow, at);
    } else if (value.relation != RELATION_UNKNOWN && at > 1) { /* of an operand */
        at -= il_constant(&constant, &flow->il.instrs[at - 1]) ? 2 : 1;
        out->name = name_of_value(flow, at);
    }
}

bool condition_code_read(struct condition_code *out, const struct decisions *decisions,
                         const struct decision *decision, uint32_t statement, struct arena *arena,
                         struct err *err)
{
    const struct flow *flow = decisions->map.flow;
    const struct il *il = &flow->il;
    uint32_t block = flow_block_of(flow, il->index_at[decision->il_offset]);
    uint32_t last = flow_last_instr(flow, block), first = straight_from(il, last, statement);
    *out = (struct condition_code){.is_switch = decision->is_switch,
                                   .of_constant = decision->of_constant,
                                   .compares_elements = loads_element_twice(flow, first, last)};
    bool combines = false;
    for (uint32_t i = last + 1, k = 0; i-- > first && k < LOOKED_BACK_MAX;) {
        const struct instr *instr = &il->instrs[i];
        k += instr->op != OP_NOP;
        if (is_any_call(instr)) {
            out->tests_has_value = tests_has_value(flow, first, i, combines);
            break;
        }
        combines |= instr->op == OP_AND;
        out->compares |= is_comparison(instr);
        if (instr->op == OP_ISINST &&
            !find_tested_type(&out->type, flow, instr->operand, arena, err))
            return false;
    }
    read_value(out, decisions, decision, last);
    return true;
}
