#include "coverage/condition_text/text_alignment.h"

#include <string.h>

/* --- may the code be that of the text? -------------------------------------------------------- */

/* `o is Three` tests the type of the constant first, and is not one condition. */
bool text_alignment_tests_for(const struct condition_code *code, struct str name)
{
    if (code->type.len == 0)
        return false;
    const char *keyword = keyword_type(name);
    bool is_parameter = code->type.text[0] == '!';
    if (keyword != NULL && str_is(code->type, keyword))
        return true;
    return (is_parameter && keyword == NULL) || str_eq(code->type, name);
}

static bool has_order_or_equality(const struct condition_code *code)
{
    return code->relation == RELATION_EQUAL || relation_is_order(code->relation);
}

/* Is there such a word among its tokens? Code without a name may be anybody's, and `> 3` of a
 * pattern has none for what it is compared with, unless it is `A: > 3`. */
static bool names_the_same(const struct condition_code *code, const struct text_conditions *text,
                           const struct node *node)
{
    bool compares = node->asks == CONDITION_COMPARE || node->asks == CONDITION_EQUAL;
    bool found =
        code->name.len == 0 || (node->is_pattern && compares &&
                                tokens_kind(&text->tokens, node->first + 1) != TOKEN_COLON);
    for (uint32_t at = node->first; at < node->end && !found; at++)
        found = str_eq(tokens_text(&text->tokens, at), code->name);
    return found;
}

static bool has_relation(const struct text_conditions *text, const struct node *node)
{
    static const uint32_t signs =
        ONE(TOKEN_EQUALITY) | ONE(TOKEN_LESS) | ONE(TOKEN_GREATER) | ONE(TOKEN_RELATION);
    bool found = false;
    for (uint32_t at = node->first; at < node->end && !found; at++)
        found = token_is_one_of(text->tokens.items[at].kind, signs) ||
                tokens_is(&text->tokens, at, "is");
    return found;
}

/* `a & b`, or `a && b` as one condition. */
static bool combines_in_text(const struct text_conditions *text, const struct node *node)
{
    bool found = false;
    for (uint32_t at = node->first; at < node->end && !found; at++)
        found = token_is_one_of(text->tokens.items[at].kind, ONE(TOKEN_AND) | ONE(TOKEN_OR)) ||
                str_is_one_of(tokens_text(&text->tokens, at), "& | ^");
    return found;
}

static bool may_be_test(const struct condition_code *code, const struct text_conditions *text,
                        const struct text_condition *condition, uint32_t steps)
{
    const struct node *node = condition->node;
    bool relates = has_relation(text, node),
         may_be_null = node->names_null || (node->is_equality && steps == 1);
    if (code->type.len != 0 && condition->kind != CONDITION_CAST)
        return false;
    if (code->combines && !combines_in_text(text, node))
        return false;
    if (code->compares_elements ? !node->is_equality : has_order_or_equality(code) && !relates)
        return false;
    if (code->is_has_value)
        return node->names_null;
    if (code->value == VALUE_OBJECT)
        return may_be_null;
    return code->value != VALUE_NUMBER || relates;
}

/* A type that literals have. */
static bool is_of_literal(struct str type)
{
    return str_is_one_of(type,
                         "Int32 String Char Boolean Int64 Double UInt32 UInt64 Int16 UInt16 Byte "
                         "SByte Single Decimal");
}

/* The first step asks for the type or for a value, the last one for what that is; `is ""` asks for
 * an object and its length. */
static bool may_be_constant(const struct condition_code *code, enum condition_kind kind,
                            bool is_first, bool is_last)
{
    bool prepares = code->type.len != 0 || code->is_has_value;
    if (code->type.len != 0 && kind != CONDITION_TYPE_TEST && !is_of_literal(code->type))
        return false;
    if (!prepares && code->value == VALUE_OBJECT)
        return kind == CONDITION_EQUAL && is_first && !is_last;
    return prepares ? is_first && !is_last : is_last;
}

static bool may_be_type(const struct condition_code *code, const struct text_condition *condition)
{
    struct str name = condition->node->name;
    const char *keyword = keyword_type(name);
    bool may_be_object = keyword == NULL || str_is(name, "string") || str_is(name, "object");
    return text_alignment_tests_for(code, name) || code->is_has_value ||
           (code->value == VALUE_OBJECT && code->type.len == 0 && may_be_object);
}

/* May the text be a pattern with a constant? */
static bool may_have_constant(const struct text_condition *condition)
{
    enum condition_kind kind = condition->kind;
    return kind == CONDITION_COMPARE || kind == CONDITION_EQUAL || kind == CONDITION_SEVERAL ||
           (kind == CONDITION_TYPE_TEST && keyword_type(condition->node->name) == NULL);
}

/* Step `step` of `steps` that are the whole condition. */
static bool may_be_condition(const struct condition_code *code, const struct text_conditions *text,
                             const struct text_condition *condition, uint32_t step, uint32_t steps)
{
    bool is_null_test =
        !has_order_or_equality(code) && code->value != VALUE_BOOL && code->value != VALUE_NUMBER;
    bool is_first = step == 0, is_last = step + 1 == steps;
    bool is_lifted = code->tests_has_value && !code->is_has_value;
    bool may_combine = condition->kind == CONDITION_TEST || condition->kind == CONDITION_SEVERAL;
    if (code->is_switch != (condition->kind == CONDITION_SWITCH) ||
        (code->of_constant
             ? !may_have_constant(condition) || (steps != 1 && condition->kind != CONDITION_SEVERAL)
             : condition->is_stored && condition->kind != CONDITION_SEVERAL &&
                   !code->compares_elements) ||
        (is_lifted && condition->kind != CONDITION_SEVERAL) || (code->combines && !may_combine) ||
        !names_the_same(code, text, condition->node))
        return false;
    switch (condition->kind) {
    case CONDITION_SWITCH:
    case CONDITION_SEVERAL:
        return true;
    case CONDITION_OBJECT:
        return is_null_test && code->type.len == 0;
    case CONDITION_NULL:
        return is_null_test;
    case CONDITION_TYPE_TEST:
        return may_be_type(code, condition)
                   ? is_first
                   : may_be_constant(code, condition->kind, is_first, is_last);
    case CONDITION_COMPARE:
    case CONDITION_EQUAL:
        return may_be_constant(code, condition->kind, is_first, is_last);
    case CONDITION_TEST:
    case CONDITION_CAST:
        return may_be_test(code, text, condition, steps);
    }
    return false;
}

/* --- how many decisions may a condition be? --------------------------------------------------- */

/* A call gives another answer each time. */
static bool may_be_left_out(const struct text_conditions *text, const struct node *node)
{
    for (uint32_t at = node->first; at + 1 < node->end; at++)
        if (text->tokens.items[at].kind == TOKEN_WORD &&
            text->tokens.items[at + 1].kind == TOKEN_OPEN &&
            !tokens_is(&text->tokens, at, "nameof sizeof typeof default checked unchecked is"))
            return false;
    return true;
}

struct step_range {
    uint32_t least, most;
};

static struct step_range steps_of(const struct text_conditions *text,
                                  const struct text_condition *condition)
{
    uint32_t least = !may_be_left_out(text, condition->node);
    switch (condition->kind) {
    case CONDITION_SWITCH:
        return (struct step_range){1, 1};
    case CONDITION_SEVERAL:
        return (struct step_range){0, CONDITIONS_MAX};
    case CONDITION_OBJECT:
    case CONDITION_NULL: /* `s?.Length ?? 0` asks once */
        return (struct step_range){condition->node->kind == NODE_ACCESS, 1};
    case CONDITION_TYPE_TEST:
    case CONDITION_EQUAL:
    case CONDITION_COMPARE:
        return (struct step_range){0, 2};
    case CONDITION_TEST:
    case CONDITION_CAST:
        break;
    }
    return (struct step_range){least, has_relation(text, condition->node) ? 2 : 1};
}

static bool fits_run(const struct text_conditions *text, uint32_t item,
                     const struct condition_code *codes, uint32_t steps)
{
    struct step_range range = steps_of(text, &text->items[item]);
    if (steps != 0 && codes[0].compares_elements) /* `t == u` of tuples */
        range.most = CONDITIONS_MAX;
    else if (steps == 2 && text->items[item].kind == CONDITION_TEST && !codes[0].tests_has_value)
        return false; /* only a comparison of nullables has two */
    bool fits = steps >= range.least && steps <= range.most;
    for (uint32_t i = 0; fits && i < steps; i++)
        fits = may_be_condition(&codes[i], text, &text->items[item], i, steps);
    return fits;
}

/* --- all ways --------------------------------------------------------------------------------- */

/* [i][j]: the first i conditions may be the first j decisions; the others the others. */
struct ways {
    bool before[CONDITIONS_MAX + 1][CONDITIONS_MAX + 1];
    bool after[CONDITIONS_MAX + 1][CONDITIONS_MAX + 1];
    struct step_range steps[CONDITIONS_MAX]; /* per condition, at most as many as there are */
};

static void find_ranges(struct ways *ways, const struct text_conditions *text,
                        const struct condition_code *codes, uint32_t count)
{
    bool any_tuples = false;
    for (uint32_t i = 0; i < count; i++)
        any_tuples |= codes[i].compares_elements;
    for (uint32_t i = 0; i < text->count; i++) {
        ways->steps[i] = steps_of(text, &text->items[i]);
        if (any_tuples || ways->steps[i].most > count)
            ways->steps[i].most = count;
    }
}

static void find_ways_before(struct ways *ways, const struct text_conditions *text,
                             const struct condition_code *codes, uint32_t count)
{
    ways->before[0][0] = true;
    for (uint32_t i = 0; i < text->count; i++)
        for (uint32_t j = 0; j <= count; j++)
            for (uint32_t k = ways->steps[i].least;
                 ways->before[i][j] && k <= ways->steps[i].most && j + k <= count; k++)
                ways->before[i + 1][j + k] |= fits_run(text, i, codes + j, k);
}

static void find_ways_after(struct ways *ways, const struct text_conditions *text,
                            const struct condition_code *codes, uint32_t count)
{
    ways->after[text->count][count] = true;
    for (uint32_t i = text->count; i-- > 0;)
        for (uint32_t j = 0; j <= count; j++)
            for (uint32_t k = ways->steps[i].least; k <= ways->steps[i].most && j + k <= count; k++)
                ways->after[i][j] |= ways->after[i + 1][j + k] && fits_run(text, i, codes + j, k);
}

static void note_run(struct aligned_decision *decision, uint32_t item, bool is_alone)
{
    bool is_new = decision->first == NO_INDEX;
    decision->is_alone = is_alone && (is_new || decision->is_alone);
    decision->first = is_new ? item : decision->first;
    decision->last = item;
}

bool text_alignment_find(struct text_alignment *out, const struct text_conditions *text,
                         const struct condition_code *codes, uint32_t count)
{
    struct ways ways;
    memset(&ways, 0, sizeof ways);
    memset(out, 0, sizeof *out);
    find_ranges(&ways, text, codes, count);
    find_ways_before(&ways, text, codes, count);
    find_ways_after(&ways, text, codes, count);
    for (uint32_t j = 0; j < count; j++)
        out->decisions[j].first = NO_INDEX;
    for (uint32_t i = 0; i < text->count; i++) {
        uint32_t runs = 0;
        bool may_be_none = false;
        for (uint32_t j = 0; j <= count; j++) {
            for (uint32_t k = ways.steps[i].least;
                 ways.before[i][j] && k <= ways.steps[i].most && j + k <= count; k++) {
                if (!ways.after[i + 1][j + k] || !fits_run(text, i, codes + j, k))
                    continue;
                runs += k != 0;
                may_be_none |= k == 0;
                for (uint32_t n = j; n < j + k; n++)
                    note_run(&out->decisions[n], i,
                             k == 1 && text->items[i].kind != CONDITION_SEVERAL);
            }
        }
        out->is_left_out[i] = runs == 0;
        for (uint32_t j = 0; runs + may_be_none > 1 && j < count; j++)
            if (out->decisions[j].first != NO_INDEX && out->decisions[j].last == i)
                out->decisions[j].is_alone = false;
    }
    for (uint32_t j = 0; j < count; j++)
        out->decisions[j].is_alone &= out->decisions[j].first == out->decisions[j].last;
    return ways.before[text->count][count];
}
