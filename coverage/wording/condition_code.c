#include "coverage/wording/condition_code.h"

#include "coverage/statements/il_idioms.h"
#include "metadata/names.h"

enum {
    LOOKED_BACK_MAX = 6 /* instructions to search back for what a branch tests */
};

/* --- the code --------------------------------------------------------------------------------- */

static bool is_call(const struct instr *instr)
{
    return instr->op == OP_CALL || instr->op == OP_CALLVIRT || instr->op == OP_CALLI;
}

static bool is_comparison(const struct instr *instr)
{
    switch (instr->op) {
    case OP_CEQ:
    case OP_CGT:
    case OP_CGT_UN:
    case OP_CLT:
    case OP_CLT_UN:
        return true;
    default:
        return il_info(instr)->flow == FLOW_CONDITION && !il_tests_bool(instr);
    }
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
        if (is_call(&flow->il.instrs[i]) && !calls_has_value(flow, i))
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
static bool find_type(struct str *out, const struct flow *flow, uint32_t token, struct arena *arena,
                      struct err *err)
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

bool condition_code_of(struct condition_code *out, const struct flow *flow,
                       const struct decision *decision, uint32_t statement, struct arena *arena,
                       struct err *err)
{
    const struct il *il = &flow->il;
    uint32_t block = flow_block_of(flow, il->index_at[decision->il_offset]);
    uint32_t last = flow_last_instr(flow, block), first = straight_from(il, last, statement);
    *out = (struct condition_code){.is_switch = decision->is_switch,
                                   .compares_elements = loads_element_twice(flow, first, last)};
    bool combines = false;
    for (uint32_t i = last + 1, k = 0; i-- > first && k < LOOKED_BACK_MAX; k++) {
        const struct instr *instr = &il->instrs[i];
        if (is_call(instr)) {
            out->tests_has_value = tests_has_value(flow, first, i, combines);
            break;
        }
        combines |= instr->op == OP_AND;
        out->compares |= is_comparison(instr);
        if (instr->op == OP_ISINST && !find_type(&out->type, flow, instr->operand, arena, err))
            return false;
    }
    return true;
}

/* --- the text --------------------------------------------------------------------------------- */

/* A set of kinds is a sum of these. */
#define KIND(condition_kind) (1u << (condition_kind))
#define CONSTANT_PATTERNS    (KIND(CONDITION_COMPARE) | KIND(CONDITION_EQUAL))

static bool has_kind(const struct text_conditions *text, unsigned kinds)
{
    for (uint32_t i = 0; i < text->count; i++)
        if ((KIND(text->items[i].kind) & kinds) != 0)
            return true;
    return false;
}

/* May a condition that tests HasValue be this one? Patterns make the compiler add such a test, and
 * which condition it belongs to is then not certain. `a == b` first compares whether both have
 * values. */
static bool may_have_value(const struct condition_code *code, const struct text_conditions *text,
                           uint32_t n)
{
    const struct text_condition *condition = &text->items[n];
    if (condition->kind == CONDITION_NULL)
        return true;
    if (condition->node->names_null)
        return !has_kind(text, CONSTANT_PATTERNS | KIND(CONDITION_TYPE_TEST));
    return condition->node->is_equality && code->compares && text->count == 1;
}

/* `o is Three` tests the type of the constant first, and is not one condition. */
static bool tests_for(const struct condition_code *code, struct str name)
{
    if (code->type.len == 0)
        return false;
    const char *keyword = keyword_type(name);
    bool is_parameter = code->type.text[0] == '!';
    if (keyword != NULL)
        return str_is(code->type, keyword);
    return is_parameter || str_eq(code->type, name);
}

bool condition_code_fits(const struct condition_code *code, const struct text_conditions *text,
                         uint32_t n)
{
    enum condition_kind kind = text->items[n].kind;
    if (code->is_switch || kind == CONDITION_SWITCH)
        return code->is_switch && kind == CONDITION_SWITCH;
    if (kind == CONDITION_COMPARE && !code->compares)
        return false;
    if (text->is_all) /* nothing else can have been left out */
        return true;
    if (code->compares_elements || (code->tests_has_value && !may_have_value(code, text, n)))
        return false;
    if (kind == CONDITION_TYPE_TEST)
        return tests_for(code, text->items[n].node->name) && !has_kind(text, CONSTANT_PATTERNS);
    return code->type.len == 0 || kind == CONDITION_CAST || kind == CONDITION_NULL;
}
