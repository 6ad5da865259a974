#include "coverage/report/line_misses.h"

bool report_line_misses(const struct report_line *line)
{
    return line->hits == 0 || line->covered_count < line->outcome_count || line->missed_count != 0;
}

static bool holds(const struct column_range *range, uint32_t line, const struct fact_span *span)
{
    if (span->start_line != line)
        return range->end == 0 && span->start_line > line;
    return span->start_column >= range->start &&
           (range->end == 0 || span->start_column < range->end);
}

bool report_condition_lacks(const struct report_line *line,
                            const struct report_condition *condition)
{
    for (uint32_t i = 0; i < line->missed_count && condition->covered_count == 0; i++)
        if (condition->span.start_column != 0 &&
            holds(&line->missed[i], line->number, &condition->span))
            return false;
    bool was_asked = line->hits != 0 || (condition->is_switch && condition->covered_count != 0);
    return was_asked && condition->covered_count < condition->outcome_count;
}

uint32_t report_first_miss(const struct report_lines *lines)
{
    for (uint32_t i = 0; i < lines->count; i++)
        if (report_line_misses(&lines->lines[i]))
            return lines->lines[i].number;
    return 0;
}
