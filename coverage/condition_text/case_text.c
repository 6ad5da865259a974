#include "coverage/condition_text/case_text.h"

#include "coverage/condition_text/outcome_words.h"
#include "coverage/condition_text/tested_value.h"
#include "coverage/source/basic_tokens.h"

enum {
    TESTS_MAX = 32 /* of one Case */
};

struct case_test {
    uint32_t start, end; /* offsets in the statement */
    struct condition_meaning meaning;
    bool leads_on; /* where it holds, another test decides: the first of `To` */
};

struct tests {
    struct case_test items[TESTS_MAX];
    uint32_t count;
    bool failed;
};

/* --- the text --------------------------------------------------------------------------------- */

static void add_case_test(struct tests *tests, const struct tokens *tokens, uint32_t first,
                          uint32_t end, struct condition_meaning meaning)
{
    tests->failed |= tests->count == TESTS_MAX || meaning.relation == RELATION_UNKNOWN;
    if (!tests->failed)
        tests->items[tests->count++] = (struct case_test){
            tokens->items[first].start, tokens->items[end - 1].end, meaning, false};
}

/* What stands between commas, in tokens [first, end). */
static void add_item(struct tests *tests, const struct tokens *tokens, uint32_t first, uint32_t end)
{
    uint32_t to = first, at = first;
    while (to < end && !(tokens->items[to].around == NO_INDEX && tokens_is_basic(tokens, to, "to")))
        to++;
    if (to == first || to + 1 == end) {
        tests->failed = true;
    } else if (to < end) {
        add_case_test(tests, tokens, first, to + 1,
                      (struct condition_meaning){.relation = RELATION_GREATER_EQUAL});
        add_case_test(tests, tokens, to, end,
                      (struct condition_meaning){.relation = RELATION_LESS_EQUAL});
        tests->items[tests->failed ? 0 : tests->count - 2].leads_on = true;
    } else {
        at += tokens_is_sign(tokens, at, "=="); /* Is */
        add_case_test(tests, tokens, first, end, condition_meaning_compared(tokens, at, end));
    }
}

static void read_case_tests(struct tests *tests, const struct tokens *tokens)
{
    uint32_t first = 1; /* after `Case` */
    *tests = (struct tests){.failed = tokens->count < 2};
    for (uint32_t at = first; at <= tokens->count && !tests->failed; at++) {
        tests->failed = at < tokens->count && tokens->items[at].kind == TOKEN_UNKNOWN;
        if (at < tokens->count &&
            (tokens->items[at].kind != TOKEN_COMMA || tokens->items[at].around != NO_INDEX))
            continue;
        add_item(tests, tokens, first, at);
        first = at + 1;
    }
}

/* --- text and code ---------------------------------------------------------------------------- */

/* Which outcome is the true one: 0, 1, or 2: that is not certain. */
static uint32_t true_outcome(const struct decisions *decisions, const struct decision *decision,
                             const struct case_test *test)
{
    enum polarity polarity = outcome_polarity(decisions, decision, &test->meaning);
    uint32_t by_code = polarity == POLARITY_SAME ? 1 : polarity == POLARITY_OPPOSITE ? 0 : 2;
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

static bool is_of_for(struct str text)
{
    return str_eq_nocase(str_word(text), STR("for"));
}

bool case_text_find(enum outcome_words *words, struct decisions *decisions, uint32_t first,
                    const struct line_index *index, uint32_t start, uint32_t end,
                    struct arena *arena, struct err *err)
{
    uint32_t conditions[TESTS_MAX], count = 0;
    struct str text = {index->text.text + start, end - start};
    enum basic_head head;
    struct tokens tokens;
    struct tests tests;
    for (uint32_t i = first; i != NO_INDEX; i = decisions->items[i].next_on_point) {
        struct decision *decision = &decisions->items[i];
        if (is_of_for(text) && !decision->is_switch) {
            words[i] = words_of_for(decisions, decision, decisions->map.flow);
            decision->is_exact = words[i] != WORDS_UNKNOWN && decision->span.start_column != 0;
        }
        if (decision->is_switch || count == TESTS_MAX)
            return true;
        conditions[count++] = i;
    }
    if (is_of_for(text))
        return true;
    if (!basic_tokens_find(&tokens, &head, text, true, arena, err))
        return false;
    read_case_tests(&tests, &tokens);
    for (uint32_t i = 0; !tests.failed && tests.count == count && i < count; i++) {
        struct decision *decision = &decisions->items[conditions[i]];
        const struct case_test *test = &tests.items[i];
        uint32_t holds = true_outcome(decisions, decision, test);
        if (holds == 2)
            continue;
        if (count != 1)
            decision->span = line_index_span(index, start + test->start, start + test->end);
        decision->is_exact = decision->span.start_column != 0;
        words[conditions[i]] = holds == 1 ? WORDS_FALSE_TRUE : WORDS_TRUE_FALSE;
    }
    return true;
}
