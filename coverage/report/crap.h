/* crap.h - how much a method is in need of a test: its CRAP score, from complexity and missed lines
 * (Savoia and Evans, 2007). */
#ifndef ILCOV_COVERAGE_REPORT_CRAP_H
#define ILCOV_COVERAGE_REPORT_CRAP_H

#include "coverage/report/report.h"

/* complexity^2 * (missed share of lines)^3 + complexity, as 100 * score, rounded down. */
static inline uint64_t crap_x100(const struct report_totals *totals)
{
    double complexity = (double)totals->complexity;
    double missed = (double)(totals->lines_valid - totals->lines_covered);
    double share = totals->lines_valid != 0 ? missed / (double)totals->lines_valid : 0;
    return (uint64_t)(100 * (complexity * complexity * share * share * share + complexity));
}

#endif
