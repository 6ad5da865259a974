#include "coverage/report/report.h"

void report_add_totals(struct report_totals *into, const struct report_totals *from)
{
    into->lines_valid += from->lines_valid;
    into->lines_covered += from->lines_covered;
    into->branches_valid += from->branches_valid;
    into->branches_covered += from->branches_covered;
    into->methods_valid += from->methods_valid;
    into->methods_covered += from->methods_covered;
    into->complexity += from->complexity;
}

void report_count_lines(struct report_totals *totals, const struct report_line *lines,
                        uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct report_line *line = &lines[i];
        totals->lines_valid++;
        totals->lines_covered += line->hits != 0;
        totals->branches_valid += line->outcome_count;
        totals->branches_covered += line->covered_count;
    }
}

/* complexity^2 * (missed share of lines)^3 + complexity */
uint64_t crap_x100(const struct report_totals *totals)
{
    double complexity = (double)totals->complexity;
    double missed = (double)(totals->lines_valid - totals->lines_covered);
    double share = totals->lines_valid != 0 ? missed / (double)totals->lines_valid : 0;
    return (uint64_t)(100 * (complexity * complexity * share * share * share + complexity));
}

bool report_line_misses(const struct report_line *line)
{
    return line->hits == 0 || line->covered_count < line->outcome_count || line->missed_count != 0;
}

static bool covers_span(const struct column_range *range, uint32_t line,
                        const struct fact_span *span)
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
            covers_span(&line->missed[i], line->number, &condition->span))
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
