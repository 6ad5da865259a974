#include "coverage/report/sentence.h"

#include <inttypes.h>

void sentence_of_condition(struct text *out, const struct report_condition *condition)
{
    uint32_t missed = condition->outcome_count - condition->covered_count;
    text_addf(out, "%" PRIu32 " of %" PRIu32 " %s never happened", missed, condition->outcome_count,
              condition->is_switch ? "cases" : "outcomes");
}

void sentence_of_missed_lines(struct text *out, uint64_t count, bool not_loaded)
{
    text_addf(out, "%" PRIu64 " %s%s", count, count == 1 ? "line" : "lines",
              not_loaded ? " could not run: the assembly was never loaded" : " did not run");
}
