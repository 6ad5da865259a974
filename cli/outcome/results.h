/* results.h - the report of facts, and the messages about it: the summary, the threshold, a
 * warning. publish.h has the order of things. */
#ifndef ILCOV_CLI_OUTCOME_RESULTS_H
#define ILCOV_CLI_OUTCOME_RESULTS_H

#include "cli/base/outcome_options.h"
#include "coverage/report/report.h"

struct results {
    const struct facts *facts;
    const struct outcome_options *options;
    struct report_options report_options;
    struct report report;      /* an outline, unless a format needs its lines */
    struct report_totals real; /* its totals without carried counts, which no gate uses */
    struct str root;
    /* a report without any line is not below the threshold; else it counts as 0 % */
    bool may_be_empty;
    struct arena *arena;
};

/* Must not be moved afterwards. `root`: absolute, or empty for that of the run. --deterministic
 * makes it ".". */
NODISCARD bool results_build(struct results *out, const struct facts *facts,
                             const struct outcome_options *options, struct str root,
                             struct arena *arena, struct err *err);

/* Says why not. */
NODISCARD bool results_reach_threshold(const struct results *results);

/* "87.5 % of 1,234 lines, 80 % of 400 branches covered; cobertura.xml, coverage.ilcov"; `data` may
 * be NULL. */
void results_summarise(const struct results *results, const char *data);

/* Warns once where --deterministic makes a report that Codecov rejects for its age. */
void results_warn(const struct outcome_options *options);

#endif
