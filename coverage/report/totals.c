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
