#include "coverage/condition_text/case_text.h"

#include "base/ascii.h"
#include "coverage/condition_text/tested_value.h"
#include "coverage/source/comments.h"
#include "metadata/names.h"

enum {
    TESTS_MAX = 32, /* of one Case */
    CASE_LEN = 4    /* of the word */
};

struct case_test {
    uint32_t start, end;    /* offsets in the document */
    enum relation relation; /* between the value and what the text compares it with */
    bool negated;           /* `<>` */
    bool is_zero;           /* that is 0, False or Nothing */
    bool leads_on;          /* where it holds, another test decides: the first of `To` */
};

struct tests {
    struct case_test items[TESTS_MAX];
    uint32_t count;
    bool failed;
};

/* --- the text --------------------------------------------------------------------------------- */

/* Is it the word, in whatever case, with its end? */
static bool is_basic_word(struct str text, uint32_t at, uint32_t end, const char *word)
{
    for (; *word != '\0'; word++, at++)
        if (at >= end || ascii_lower(text.text[at]) != *word)
            return false;
    return at >= end || !ascii_is_word(text.text[at]);
}

static void trim_span(struct str text, uint32_t *start, uint32_t *end)
{
    while (*start < *end && ascii_is_space(text.text[*start]))
        ++*start;
    while (*end > *start && ascii_is_space(text.text[*end - 1]))
        --*end;
}

/* `>= 3` after `Is`. */
static void read_relation(struct case_test *test, struct str text, uint32_t at, uint32_t end)
{
    static const struct {
        const char *sign;
        enum relation relation;
        bool negated;
    } signs[] = {{"<>", RELATION_EQUAL, true},          {"<=", RELATION_LESS_EQUAL, false},
                 {">=", RELATION_GREATER_EQUAL, false}, {"<", RELATION_LESS, false},
                 {">", RELATION_GREATER, false},        {"=", RELATION_EQUAL, false}};
    struct str rest = {text.text + at, end - at};
    test->relation = RELATION_UNKNOWN;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (str_starts(rest, signs[i].sign)) {
            test->relation = signs[i].relation;
            test->negated = signs[i].negated;
            return;
        }
}

static void add_case_test(struct tests *tests, struct case_test test)
{
    tests->failed |= tests->count == TESTS_MAX || test.relation == RELATION_UNKNOWN;
    if (!tests->failed)
        tests->items[tests->count++] = test;
}

static bool is_zero_constant(struct str text, uint32_t start, uint32_t end)
{
    return is_basic_word(text, start, end, "false") || is_basic_word(text, start, end, "nothing") ||
           (end == start + 1 && text.text[start] == '0');
}

/* What stands between commas. `to`: where the word `To` is, or the end. */
static void add_item(struct tests *tests, struct str text, uint32_t start, uint32_t end,
                     uint32_t to)
{
    trim_span(text, &start, &end);
    if (start == end) {
        tests->failed = true;
    } else if (to < end) {
        add_case_test(tests, (struct case_test){.start = start,
                                                .end = to + 2,
                                                .relation = RELATION_GREATER_EQUAL,
                                                .leads_on = true});
        add_case_test(tests,
                      (struct case_test){.start = to, .end = end, .relation = RELATION_LESS_EQUAL});
    } else if (is_basic_word(text, start, end, "is") || !ascii_is_word(text.text[start])) {
        struct case_test test = {.start = start, .end = end, .relation = RELATION_EQUAL};
        uint32_t at = start;
        bool has_is = is_basic_word(text, start, end, "is");
        for (at += has_is ? 2 : 0; at < end && ascii_is_space(text.text[at]);)
            at++;
        if (has_is || text.text[at] == '<' || text.text[at] == '>' || text.text[at] == '=')
            read_relation(&test, text, at, end);
        add_case_test(tests, test);
    } else {
        add_case_test(tests, (struct case_test){.start = start,
                                                .end = end,
                                                .relation = RELATION_EQUAL,
                                                .is_zero = is_zero_constant(text, start, end)});
    }
}

/* The text from `Case` to the end of the statement. */
static void read_case_tests(struct tests *tests, struct str text, uint32_t start, uint32_t end)
{
    uint32_t first = start + CASE_LEN, to = end, depth = 0;
    bool is_case = is_basic_word(text, start, end, "case");
    *tests = (struct tests){.failed = !is_case};
    for (uint32_t at = first; is_case && at <= end;) {
        char c = at < end ? text.text[at] : ',';
        size_t skip = at < end ? comments_skip(str_from(text, at), LANGUAGE_VISUAL_BASIC) : 0;
        if (c == ',' && depth == 0) {
            add_item(tests, text, first, at < end ? at : end, to);
            first = at + 1;
            to = end;
        } else if (depth == 0 && is_basic_word(text, at, end, "to") &&
                   ascii_is_space(text.text[at - 1])) {
            to = at;
        }
        depth += c == '(';
        depth -= c == ')' && depth != 0;
        tests->failed |= skip != 0 && c == '\'';
        at += skip != 0 ? (uint32_t)skip : 1;
    }
}

/* --- text and code ---------------------------------------------------------------------------- */

/* A value other than zero differs from the constant 0, and so do values of which a comparison is
 * not 0. */
static bool differs_from_zero(const struct flow *flow, uint32_t root, const struct case_test *test)
{
    if (root == NO_INDEX)
        return test->is_zero;
    const struct instr *instr = &flow->il.instrs[root];
    if (instr->op == OP_CALL)
        return str_starts(name_of_member(flow->context.md, instr->operand), "Compare");
    return test->is_zero && instr->op != OP_CALLVIRT;
}

static enum polarity compare_test(const struct flow *flow, const struct tested_value *code,
                                  const struct case_test *test)
{
    enum polarity polarity = polarity_of_orders(code->relation, test->relation);
    if (test->relation == RELATION_EQUAL && code->relation == RELATION_EQUAL)
        polarity = POLARITY_SAME;
    else if (test->relation == RELATION_EQUAL && code->relation == RELATION_TRUTH &&
             differs_from_zero(flow, code->root, test))
        polarity = POLARITY_OPPOSITE;
    return code->negated != test->negated ? polarity_opposite(polarity) : polarity;
}

/* Which outcome is the true one: 0, 1, or 2: that is not certain. */
static uint32_t true_outcome(const struct decisions *decisions, const struct decision *decision,
                             const struct flow *flow, const struct case_test *test)
{
    struct tested_value code = tested_value_of(decisions, decision);
    enum polarity polarity = compare_test(flow, &code, test);
    uint32_t by_code = polarity == POLARITY_SAME       ? code.outcome
                       : polarity == POLARITY_OPPOSITE ? 1 - code.outcome
                                                       : 2;
    uint32_t body = next_point_in_text(decisions, &decisions->points->points[decision->point]);
    uint32_t by_place = test->leads_on ? 2 : outcome_to_point(decisions, decision, body);
    if (counts_value(decisions, decision))
        by_place = 1; /* nothing is negated on the way from a test to the value of its Case */
    if (by_code != 2 && by_place != 2 && by_code != by_place)
        return 2;
    return by_code != 2 ? by_code : by_place;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Of a `For`: the way back is that to another round. */
static enum outcome_words words_of_for(const struct decisions *decisions,
                                       const struct decision *decision, const struct flow *flow)
{
    for (uint32_t i = decision->first_part; i < decision->first_part + decision->part_count; i++) {
        const struct outcome_part *part = &decisions->parts[i];
        if (part->source == SOURCE_EDGE &&
            flow->edges[part->index].to <= flow->edges[part->index].from)
            return part->outcome == 1 ? WORDS_END_BODY : WORDS_BODY_END;
    }
    return WORDS_UNKNOWN;
}

void case_text_find(enum outcome_words *words, struct decisions *decisions, uint32_t first,
                    const struct flow *flow, const struct line_index *index, uint32_t start,
                    uint32_t end)
{
    uint32_t conditions[TESTS_MAX], count = 0;
    struct tests tests;
    for (uint32_t i = first; i != NO_INDEX; i = decisions->items[i].next_on_point) {
        struct decision *decision = &decisions->items[i];
        if (is_basic_word(index->text, start, end, "for") && !decision->is_switch) {
            words[i] = words_of_for(decisions, decision, flow);
            decision->is_exact = words[i] != WORDS_UNKNOWN && decision->span.start_column != 0;
        }
        if (decisions->items[i].is_switch || count == TESTS_MAX)
            return;
        conditions[count++] = i;
    }
    read_case_tests(&tests, index->text, start, end);
    if (tests.failed || tests.count != count)
        return;
    for (uint32_t i = 0; i < count; i++) {
        struct decision *decision = &decisions->items[conditions[i]];
        uint32_t holds = true_outcome(decisions, decision, flow, &tests.items[i]);
        if (holds == 2)
            continue;
        if (count != 1)
            decision->span = line_index_span(index, tests.items[i].start, tests.items[i].end);
        decision->is_exact = decision->span.start_column != 0;
        words[conditions[i]] = holds == 1 ? WORDS_FALSE_TRUE : WORDS_TRUE_FALSE;
    }
}
