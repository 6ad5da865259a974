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

static bool is_loop(enum outcome_words words)
{
    return words == WORDS_BODY_END || words == WORDS_END_BODY;
}

const char *sentence_subject(const struct report_condition *condition)
{
    return condition->is_switch                  ? "a switch"
           : is_loop(condition->words)           ? "the loop"
           : condition->words < WORDS_VALUE_NULL ? "a condition"
                                                 : "a value";
}

void sentence_of_condition(struct text *out, const struct report_condition *condition)
{
    uint32_t missed = condition->outcome_count - condition->covered_count;
    if (condition->is_switch)
        text_addf(out, "%" PRIu32 " of %" PRIu32 " cases never happened", missed,
                  condition->outcome_count);
    else if (missed != 1 || condition->outcome_count != 2)
        text_add(out, STR("never had a result"));
    else if (condition->words != WORDS_UNKNOWN)
        text_add_c(out, never[condition->words][condition->outcome_hits[0] != 0]);
    else
        text_add(out, STR("one of its two outcomes never happened"));
}

void sentence_of_missed_lines(struct text *out, uint64_t count, bool not_loaded)
{
    text_addf(out, "%" PRIu64 " %s%s", count, count == 1 ? "line" : "lines",
              not_loaded ? " could not run: the assembly was never loaded" : " did not run");
}
