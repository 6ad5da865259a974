#include "reporters/html/sentence.h"

#include "reporters/html/html_text.h"

void sentence_of_condition(struct text *out, const struct report_condition *condition)
{
    uint32_t missed = condition->outcome_count - condition->covered_count;
    html_number(out, missed);
    text_addf(out, " of %u %s never happened", condition->outcome_count,
              condition->is_switch ? "cases" : "outcomes");
}

void sentence_of_missed_lines(struct text *out, uint64_t count, bool not_loaded)
{
    html_count(out, count, "line");
    text_add_c(out, not_loaded ? " could not run: the assembly was never loaded" : " did not run");
}
