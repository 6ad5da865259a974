/* results.h - what `run` and `report` do once there are facts: the report, its files, the
 * threshold, the summary. */
#ifndef ILCOV_CLI_RESULTS_H
#define ILCOV_CLI_RESULTS_H

#include "cli/options.h"

/* Can this file be written, or made? Nothing is left behind, and what is there stays. */
NODISCARD bool results_can_write(const char *path, struct err *err);

/* `root`: absolute, or empty for that of the run. --deterministic makes it ".". */
NODISCARD bool results_build(struct report *out, const struct facts *facts,
                             const struct options *options, struct str root, struct arena *arena,
                             struct err *err);

/* Each says what is wrong itself. */
NODISCARD bool results_write(const struct option_format *format, const struct report *report);
NODISCARD bool results_reach_threshold(const struct report *report, const struct options *options);

/* "87.5 % of 1,234 lines, 80 % of 400 branches covered; cobertura.xml, coverage.ilcov"; `data` may
 * be NULL. */
void results_summarise(const struct report *report, const struct options *options,
                       const char *data);

/* Warns once where --deterministic makes a report that Codecov rejects for its age. */
void results_warn(const struct options *options);

#endif
