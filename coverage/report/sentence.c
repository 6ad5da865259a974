#include "coverage/report/sentence.h"

#include <inttypes.h>

/* What to say of a condition of which only the one outcome happened. */
static const char *const never[WORDS_LAST + 1][2] = {
    [WORDS_FALSE_TRUE] = {"was never false", "was never true"},
    [WORDS_TRUE_FALSE] = {"was never true", "was never false"},
    [WORDS_VALUE_NULL] = {"was always null", "was never null"},
    [WORDS_NULL_VALUE] = {"was never null", "was always null"},
    [WORDS_BODY_END] = {"never had an item", "never came to its end"},
    [WORDS_END_BODY] = {"never came to its end", "never had an item"},
};

const char *sentence_never(enum outcome_words words, uint32_t outcome)
{
    return never[words][outcome];
}

const char *sentence_noun(enum outcome_words words)
{
    return words_are_of_loop(words)                                 ? "the loop"
           : words == WORDS_VALUE_NULL || words == WORDS_NULL_VALUE ? "a value"
                                                                    : "a condition";
}

bool sentence_has_text(const struct report_condition *condition)
{
    return condition->is_exact && !words_are_of_loop(condition->words);
}

bool sentence_needs_subject(const struct report_condition *condition)
{
    return !condition->is_switch &&
           (condition->covered_count == 0 ||
            (condition->words != WORDS_UNKNOWN && condition->covered_count == 1));
}

/* Of a condition that gave no result; the operator `?.` asks, and a loop begins. */
static const char *never_any(const struct report_condition *condition)
{
    if (condition->never_asked)
        return "was never evaluated";
    return words_are_of_loop(condition->words) ? "never began" : "never gave a result";
}

void sentence_of_condition(struct text *out, const struct report_condition *condition)
{
    uint32_t missed = condition->outcome_count - condition->covered_count;
    if (!condition->is_switch && condition->covered_count == 0)
        text_add_c(out, never_any(condition));
    else if (sentence_needs_subject(condition))
        text_add_c(out, never[condition->words][condition->outcome_hits[0] != 0]);
    else
        text_addf(out, "%" PRIu32 " of %" PRIu32 " %s never happened", missed,
                  condition->outcome_count, condition->is_switch ? "cases" : "outcomes");
}

void sentence_of_cases(struct text *out, const struct missed_cases *cases,
                       void (*quote)(struct text *out, struct str code))
{
    for (uint32_t i = 0; i < cases->named; i++) {
        text_add_c(out, i == 0 ? "never took " : ", ");
        quote(out, cases->labels[i]);
    }
    if (cases->count > cases->named)
        text_addf(out, " and %" PRIu32 " more", cases->count - cases->named);
    if (cases->always_matched)
        text_add_c(out,
                   cases->named != 0 ? ", and always matched a case" : "always matched a case");
}

void sentence_of_missed_lines(struct text *out, uint64_t count, bool not_loaded)
{
    text_addf(out, "%" PRIu64 " %s%s", count, count == 1 ? "line" : "lines",
              not_loaded ? " could not run: the assembly was never loaded" : " did not run");
}
