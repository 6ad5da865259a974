#include "coverage/condition_text/outcome_words.h"

#include "coverage/condition_text/tested_value.h"
#include "coverage/statements/il_idioms.h"
#include "metadata/names.h"

enum {
    CALL_SITE_MAX = 64, /* instructions from the target of a call site to its call */
    LIFTED_MAX = 3,     /* ... from get_HasValue to the `and` */
    NEGATION_MAX = 8    /* ... from the operator of a type to its conversion */
};

/* --- comparisons ------------------------------------------------------------------------------ */

/* A name is that of a constant: types are not compared. */
static enum polarity compare_equal(const struct condition_meaning *text)
{
    bool is_equality = text->relation == RELATION_EQUAL || text->relation == RELATION_CONSTANT ||
                       text->relation == RELATION_NAME;
    return is_equality ? POLARITY_SAME : POLARITY_UNKNOWN;
}

/* --- values ----------------------------------------------------------------------------------- */

/* A value other than zero equals what the text compares it with: true, or false if that is zero. */
static enum polarity polarity_with(enum condition_literal literal)
{
    return literal == LITERAL_ZERO   ? POLARITY_OPPOSITE
           : literal == LITERAL_TRUE ? POLARITY_SAME
                                     : POLARITY_UNKNOWN;
}

/* `n > 0` of an unsigned number only asks whether it is zero, and so do `0 < n` and the opposites.
 */
static enum polarity compare_unsigned(const struct condition_meaning *text)
{
    if (text->right == LITERAL_ZERO)
        return polarity_of_orders(RELATION_GREATER, text->relation);
    return text->left == LITERAL_ZERO ? polarity_of_orders(RELATION_LESS, text->relation)
                                      : POLARITY_UNKNOWN;
}

/* What a value other than zero says of the text. What is of its type already is only tested for
 * null. */
static enum polarity compare_value(const struct condition_meaning *text)
{
    if (text->relation == RELATION_TRUTH || text->relation == RELATION_OBJECT ||
        text->relation == RELATION_TYPE)
        return POLARITY_SAME;
    if (text->relation == RELATION_NULL)
        return POLARITY_OPPOSITE;
    if (text->relation == RELATION_EQUAL || text->relation == RELATION_CONSTANT)
        return polarity_with(text->left != LITERAL_NONE ? text->left : text->right);
    return compare_unsigned(text);
}

/* A constant by its name: `n == None`, `kind is Kind.A`. */
static bool names_constant(const struct condition_meaning *text)
{
    bool compares = text->relation == RELATION_EQUAL || text->relation == RELATION_NAME ||
                    text->relation == RELATION_CONSTANT;
    return compares && text->left == LITERAL_NONE && text->right == LITERAL_NONE;
}

/* A number is only tested for zero where the constant is zero; an object only for null where its
 * type says the rest. */
static enum polarity compare_typed(const struct flow *flow, uint32_t root,
                                   const struct condition_meaning *text)
{
    enum value_kind kind = value_kind_of(flow, root);
    if (kind == VALUE_NUMBER && names_constant(text))
        return POLARITY_OPPOSITE;
    return compare_value(text);
}

/* Has one of the `most` instructions before this one the opcode, and a member of such a name
 * (str_glob)? */
static bool names_before(const struct flow *flow, uint32_t at, uint32_t most, uint16_t op,
                         struct str name)
{
    for (uint32_t i = at, k = 0; i-- != 0 && k < most; k++)
        if (flow->il.instrs[i].op == op &&
            str_glob(name, name_of_member(flow->context.md, flow->il.instrs[i].operand)))
            return true;
    return false;
}

/* `a & b`, or a lifted comparison: `x.GetValueOrDefault() == 3 & x.HasValue`; else bits are
 * compared with 0. */
static enum polarity compare_bits(const struct flow *flow, uint32_t root, char op,
                                  const struct condition_meaning *text)
{
    if (text->relation == RELATION_BITS)
        return text->bits == op ? POLARITY_SAME : POLARITY_UNKNOWN;
    bool is_lifted = names_before(flow, root, LIFTED_MAX, OP_CALL, STR("get_HasValue"));
    if (op != '&' || !is_lifted)
        return compare_value(text);
    bool compares = text->relation == RELATION_EQUAL || relation_is_order(text->relation);
    return compares && !text->has_and ? POLARITY_SAME : POLARITY_UNKNOWN;
}

static enum polarity compare_has_value(const struct condition_meaning *text)
{
    if (text->relation == RELATION_TRUTH)
        return text->asks_has_value ? POLARITY_SAME : POLARITY_UNKNOWN;
    if (text->relation == RELATION_EQUAL)
        return text->left == LITERAL_ZERO || text->right == LITERAL_ZERO ? POLARITY_OPPOSITE
                                                                         : POLARITY_UNKNOWN;
    return text->relation == RELATION_NULL     ? POLARITY_OPPOSITE
           : text->relation == RELATION_OBJECT ? POLARITY_SAME
                                               : POLARITY_UNKNOWN;
}

/* The relation that an operator's method is named after, or that of Visual Basic for objects;
 * RELATION_UNKNOWN for any other. */
static enum relation operator_relation(struct str name)
{
    static const struct {
        const char *name;
        enum relation relation;
    } operators[] = {
        {"op_Equality", RELATION_EQUAL},
        {"op_Inequality", RELATION_EQUAL},
        {"op_LessThan", RELATION_LESS},
        {"op_LessThanOrEqual", RELATION_LESS_EQUAL},
        {"op_GreaterThan", RELATION_GREATER},
        {"op_GreaterThanOrEqual", RELATION_GREATER_EQUAL},
        {"ConditionalCompareObjectEqual", RELATION_EQUAL},
        {"ConditionalCompareObjectNotEqual", RELATION_EQUAL},
        {"ConditionalCompareObjectLess", RELATION_LESS},
        {"ConditionalCompareObjectLessEqual", RELATION_LESS_EQUAL},
        {"ConditionalCompareObjectGreater", RELATION_GREATER},
        {"ConditionalCompareObjectGreaterEqual", RELATION_GREATER_EQUAL},
    };
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (str_is(name, operators[i].name))
            return operators[i].relation;
    return RELATION_UNKNOWN;
}

/* An operator of a type is called for the same one of the text, never for its complement. */
static enum polarity compare_operator(struct str name, const struct condition_meaning *text)
{
    bool is_constant = text->relation == RELATION_CONSTANT || text->relation == RELATION_NAME;
    enum relation relation = operator_relation(name);
    if (relation != text->relation && !(relation == RELATION_EQUAL && is_constant))
        return POLARITY_UNKNOWN;
    return str_is(name, "op_Inequality") || str_is(name, "ConditionalCompareObjectNotEqual")
               ? POLARITY_OPPOSITE
               : POLARITY_SAME;
}

static enum polarity compare_call(const struct flow *flow, uint32_t call,
                                  const struct condition_meaning *text)
{
    const struct instr *instr = &flow->il.instrs[call];
    struct str name = name_of_member(flow->context.md, instr->operand);
    if (operator_relation(name) != RELATION_UNKNOWN)
        return compare_operator(name, text);
    if (idiom_calls(flow, instr, "get_HasValue"))
        return compare_has_value(text);
    if (str_starts(name, "op_")) { /* op_False, op_LogicalNot: not the text's negation alone */
        bool may_be_negated = names_before(flow, call, NEGATION_MAX, OP_CALL, STR("op_*"));
        return str_is(name, "op_Implicit") && text->relation == RELATION_TRUTH && !text->negated &&
                       !may_be_negated
                   ? POLARITY_SAME
                   : POLARITY_UNKNOWN;
    }
    if (str_is(name, "ToBoolean") && names_before(flow, call, 1, OP_CALL, STR("*Object*")))
        return POLARITY_UNKNOWN; /* Visual Basic negates and compares objects in calls */
    /* what a call site of `dynamic` calls is decided at run time */
    if (str_is(name, "Invoke") && names_before(flow, call, CALL_SITE_MAX, OP_LDFLD, STR("Target")))
        return POLARITY_UNKNOWN;
    return relation_is_order(text->relation) && text->right == LITERAL_NONE &&
                   text->left == LITERAL_NONE
               ? POLARITY_UNKNOWN
               : compare_typed(flow, call, text);
}

static enum polarity compare_root(const struct flow *flow, uint32_t root,
                                  const struct condition_meaning *text)
{
    if (root == NO_INDEX)
        return compare_value(text);
    switch (flow->il.instrs[root].op) {
    case OP_CALL:
    case OP_CALLVIRT:
        return compare_call(flow, root, text);
    case OP_ISINST:
        return text->relation == RELATION_NAME ? POLARITY_SAME : compare_value(text);
    case OP_AND:
        return compare_bits(flow, root, '&', text);
    case OP_OR:
        return compare_bits(flow, root, '|', text);
    case OP_XOR:
        return compare_bits(flow, root, '^', text);
    default:
        return compare_typed(flow, root, text);
    }
}

static enum polarity compare_meaning(const struct flow *flow, const struct tested_value *code,
                                     const struct condition_meaning *text)
{
    enum polarity polarity = code->relation == RELATION_TRUTH ? compare_root(flow, code->root, text)
                             : code->relation == RELATION_EQUAL
                                 ? compare_equal(text)
                                 : polarity_of_orders(code->relation, text->relation);
    return text->negated != code->negated ? polarity_opposite(polarity) : polarity;
}

/* Is it the value of a `Boolean?` that was just made? In Visual Basic that is what the comparison
 * of nullables gives, not what it compares. */
static bool takes_nullable_bool(const struct decisions *decisions, uint32_t call)
{
    const struct flow *flow = decisions->map.flow;
    const struct instr *instrs = flow->il.instrs;
    if (decisions->map.language != LANGUAGE_VISUAL_BASIC || call == NO_INDEX || call < 2)
        return false;
    uint32_t local = il_address_of_local(&instrs[call - 1]);
    if (local == NO_INDEX || il_stored_local(&instrs[call - 2]) != local ||
        !idiom_calls(flow, &instrs[call], "GetValueOrDefault"))
        return false;
    struct reader type = rd_view(stack_local_type(&flow->context, local));
    uint64_t elements = 0;
    return sig_elements(&elements, &type) && (elements >> ELEMENT_BOOLEAN & 1) != 0;
}

enum polarity outcome_polarity(const struct decisions *decisions, const struct decision *decision,
                               const struct condition_meaning *text)
{
    struct tested_value code = tested_value_of(decisions, decision);
    struct condition_meaning answer = *text;
    if (takes_nullable_bool(decisions, code.root))
        answer.relation = text->negated ? RELATION_UNKNOWN : RELATION_TRUTH;
    enum polarity polarity = compare_meaning(decisions->map.flow, &code, &answer);
    return code.outcome == 1 ? polarity : polarity_opposite(polarity);
}

/* --- words ------------------------------------------------------------------------------------ */

/* Where only one outcome asks a certain condition next, it is the one that the text says. */
static enum polarity compare_ways(const int32_t leads[2], const int32_t text[2])
{
    if (text[0] == text[1])
        return POLARITY_UNKNOWN;
    if (leads[0] == text[0] && leads[1] == text[1])
        return POLARITY_SAME; /* the second outcome is the true one */
    return leads[0] == text[1] && leads[1] == text[0] ? POLARITY_OPPOSITE : POLARITY_UNKNOWN;
}

/* What those say that say anything. */
static enum polarity agreed_polarity(const enum polarity *said, size_t count)
{
    enum polarity agreed = POLARITY_UNKNOWN;
    for (size_t i = 0; i < count; i++) {
        if (said[i] != POLARITY_UNKNOWN && agreed == polarity_opposite(said[i]))
            return POLARITY_UNKNOWN;
        agreed = agreed != POLARITY_UNKNOWN ? agreed : said[i];
    }
    return agreed;
}

/* The constant that a way makes of the expression, or NO_ANSWER. That of another statement, such as
 * `return true;`, says nothing of it. */
static int32_t constant_on(const struct decisions *decisions, const struct decision *decision,
                           const struct outcome_part *part)
{
    int32_t value;
    const struct flow *flow = decisions->map.flow;
    uint32_t to = flow->edges[part->index].to;
    bool is_own = point_map_at_end(&decisions->map, to) == decision->point;
    return is_own && idiom_ends_with_constant(&value, flow, to) ? value : NO_ANSWER;
}

/* Is all that stands there a jump, such as `break;`? Optimised code may jump to where it leads. */
static bool jumps_at(const struct decisions *decisions, uint32_t point)
{
    const struct flow *flow = decisions->map.flow;
    uint32_t offset = decisions->points->points[point].il_offset;
    return flow_only_jumps(flow, flow_block_of(flow, flow->il.index_at[offset]));
}

/* Does the expression hold where this outcome of a condition ends it? What is next in the text runs
 * only then, and what else control comes to only if it does not, but for its own point: that of a
 * filter comes after its pattern. A value says so too where nothing around the condition negates
 * it. */
static int32_t answer_of(const struct decisions *decisions, const struct decision *decision,
                         const struct text_condition *condition, bool is_kept, uint32_t outcome,
                         uint32_t body)
{
    int32_t answer = NO_ANSWER;
    for (uint32_t i = decision->first_part; i < decision->first_part + decision->part_count; i++) {
        const struct outcome_part *part = &decisions->parts[i];
        int32_t of_part = NO_ANSWER;
        if (part->outcome != outcome)
            continue;
        if (part->source == SOURCE_COUNTER)
            of_part = is_kept ? (int32_t)outcome : NO_ANSWER;
        else if (condition->asks && body != NO_INDEX && part->place == body)
            of_part = 1;
        else if (condition->asks && body != NO_INDEX && part->place < PLACE_UNKNOWN &&
                 part->place != decision->point && !jumps_at(decisions, body))
            of_part = 0;
        else if (is_kept)
            of_part = constant_on(decisions, decision, part);
        if (of_part == NO_ANSWER || (answer != NO_ANSWER && of_part != answer))
            return NO_ANSWER;
        answer = of_part;
    }
    return answer;
}

/* `is not [1, 2]`: the value of the pattern may be negated later. */
static bool is_negated_pattern(const struct text_condition *condition, const struct tokens *tokens)
{
    bool found = false;
    for (uint32_t at = condition->node->first; at < condition->node->end; at++)
        found |= tokens_is(tokens, at, "not");
    return condition->kind == CONDITION_SEVERAL && found;
}

static enum polarity compare_answers(const struct decisions *decisions,
                                     const struct decision *decision,
                                     const struct text_condition *condition,
                                     const struct tokens *tokens, uint32_t body)
{
    const int32_t *answer = condition->answer;
    bool is_kept = !condition->is_negated && !is_negated_pattern(condition, tokens);
    enum polarity said[2] = {POLARITY_UNKNOWN, POLARITY_UNKNOWN};
    for (uint32_t k = 0; k < 2; k++) {
        int32_t found = answer_of(decisions, decision, condition, is_kept, k, body);
        if (found != NO_ANSWER && (answer[0] == found) != (answer[1] == found))
            said[k] = answer[k] == found ? POLARITY_SAME : POLARITY_OPPOSITE;
    }
    return agreed_polarity(said, ARRAY_LEN(said));
}

static bool asks_for_null(const struct text_condition *condition)
{
    return condition->kind == CONDITION_NULL || condition->kind == CONDITION_OBJECT;
}

/* `?.`, `??` and `is { A: p }` ask whether a value is null; the text does not say so. */
static struct condition_meaning read_meaning(const struct text_condition *condition,
                                             const struct tokens *tokens)
{
    const struct node *node = condition->node;
    if (asks_for_null(condition))
        return (struct condition_meaning){.relation = RELATION_OBJECT};
    return condition_meaning_of(tokens, node->first, node->end, node->is_pattern);
}

enum outcome_words outcome_words_of(const struct decisions *decisions,
                                    const struct decision *decision,
                                    const struct text_condition *condition,
                                    const struct tokens *tokens, const int32_t leads[2],
                                    uint32_t body)
{
    struct condition_meaning text = read_meaning(condition, tokens);
    struct tested_value code = tested_value_of(decisions, decision);
    const struct il *il = &decisions->map.flow->il;
    bool inverts_bits = code.root != NO_INDEX && il->instrs[code.root].op == OP_NOT;
    if (decision->is_switch || condition->kind == CONDITION_SWITCH || inverts_bits)
        return WORDS_UNKNOWN;
    const enum polarity said[] = {outcome_polarity(decisions, decision, &text),
                                  compare_ways(leads, condition->next),
                                  compare_answers(decisions, decision, condition, tokens, body)};
    enum polarity polarity = agreed_polarity(said, ARRAY_LEN(said));
    if (polarity == POLARITY_UNKNOWN)
        return WORDS_UNKNOWN;
    bool is_last = polarity == POLARITY_SAME; /* true, or not null, is the second */
    if (asks_for_null(condition))
        return is_last ? WORDS_NULL_VALUE : WORDS_VALUE_NULL;
    return is_last ? WORDS_FALSE_TRUE : WORDS_TRUE_FALSE;
}

enum outcome_words outcome_words_of_loop(const struct decisions *decisions,
                                         const struct decision *decision)
{
    static const struct condition_meaning less = {.relation = RELATION_LESS};
    static const struct condition_meaning truth = {.relation = RELATION_TRUTH};
    struct tested_value code = tested_value_of(decisions, decision);
    enum polarity polarity =
        outcome_polarity(decisions, decision, code.relation == RELATION_TRUTH ? &truth : &less);
    return polarity == POLARITY_SAME       ? WORDS_END_BODY
           : polarity == POLARITY_OPPOSITE ? WORDS_BODY_END
                                           : WORDS_UNKNOWN;
}
