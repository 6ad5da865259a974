/* generated_line.h - what a report leaves out by the options, and the line about generated code. */
#ifndef ILCOV_CLI_OUTCOME_GENERATED_LINE_H
#define ILCOV_CLI_OUTCOME_GENERATED_LINE_H

#include "cli/base/outcome_options.h"
#include "coverage/report/report.h"

/* As the option says; if it was not given, as the runs did. */
bool generated_counts(const struct filter_options *filter, const struct facts *facts);

/* Sets what the options leave out. Patterns live in the arena. */
NODISCARD bool report_filter(struct report_options *out, const struct filter_options *filter,
                             const struct facts *facts, struct arena *arena, struct err *err);

/* "143 lines in 4 files are generated code, and not counted; --include-generated counts them";
 * nothing if there is none. */
void generated_line_say(struct report_left_out left_out);

#endif
