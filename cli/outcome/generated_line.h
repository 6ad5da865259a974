/* generated_line.h - the line that says how much generated code is not counted. */
#ifndef ILCOV_CLI_OUTCOME_GENERATED_LINE_H
#define ILCOV_CLI_OUTCOME_GENERATED_LINE_H

#include "coverage/report/report.h"

/* "143 lines in 4 files are generated code, and not counted; --include-generated counts them";
 * nothing if there is none. */
void generated_line_say(struct report_left_out left_out);

#endif
