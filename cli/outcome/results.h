/* results.h - what `run` and `report` do once there are facts: the report, its files, the
 * threshold, the summary. */
#ifndef ILCOV_CLI_OUTCOME_RESULTS_H
#define ILCOV_CLI_OUTCOME_RESULTS_H

#include "cli/base/outcome_options.h"
#include "cli/base/verb.h"
#include "coverage/report/report.h"

struct results {
    const struct facts *facts;
    const struct outcome_options *options;
    struct report report;
    struct report_totals real; /* its totals without what was carried, which is no gate's */
    struct str root;
    bool
        may_be_empty; /* a report without any line is not below the threshold; else it counts as 0 % */
    struct arena *arena;
};

/* `root`: absolute, or empty for that of the run. --deterministic makes it ".". */
NODISCARD bool results_build(struct results *out, const struct facts *facts,
                             const struct outcome_options *options, struct str root,
                             struct arena *arena, struct err *err);

/* Writes the report in one of the options' formats. Both say themselves what is wrong. */
NODISCARD bool results_write(const struct results *results, uint32_t format);
NODISCARD bool results_reach_threshold(const struct results *results);
/* Do all gates hold? *status is EXIT_FINE, EXIT_THRESHOLD, or what is wrong with them. */
void results_test_gates(int *status, const struct results *results);
/* Is there what the gates compare with? To be asked before anything is measured; gives the status. */
int results_check_gates(const struct outcome_options *options, const struct verb *verb);

/* "87.5 % of 1,234 lines, 80 % of 400 branches covered; cobertura.xml, coverage.ilcov"; `data` may
 * be NULL. */
void results_summarise(const struct results *results, const char *data);

/* Warns once where --deterministic makes a report that Codecov rejects for its age. */
void results_warn(const struct outcome_options *options);

#endif
