/* results.h - the report of facts, and the messages about it: the summary and warnings.
 * publish.h has the order of things. */
#pragma once

#include "cli/options/progress_line.h"
#include "cli/options/publish_options.h"
#include "coverage/diff/diff.h"

struct results {
    const struct facts *facts;
    const struct publish_options *options;
    struct report_options report_options;
    struct report report;
    struct diff measured;   /* its totals without carried counts, for gates */
    struct test_sets tests; /* report.tests, if it has any */
    struct str root;
    struct arena *arena;
};

/* Must not be moved afterwards. `root`: absolute, or empty for that of the run. --deterministic
 * makes it ".". `line` may be NULL. */
NODISCARD bool results_open(struct results *out, const struct facts *facts,
                            const struct publish_options *options, struct str root,
                            struct progress_line *line, struct arena *arena, struct err *err);

/* The report, unless a comparison has built it, and the totals for gates. */
NODISCARD bool results_build(struct results *results, bool has_report, struct progress_line *line,
                             struct err *err);

/* Is it empty because options, attributes or comments of the user exclude what was measured? A
 * report of what has no lines, or of generated code alone, is not. */
bool results_all_excluded(const struct results *results);

/* "nothing is left to report (Lib: excluded by -x), so only run.ilcov was written"; `data` may be
 * NULL. */
void results_say_nothing_left(const struct results *results, const char *data);

/* "87.5 % of 1,234 lines, 80 % of 400 branches covered; x.xml, run.ilcov"; `data` may
 * be NULL. */
void results_summarise(const struct results *results, const char *data);

/* For those who want no summary: why there is nothing, in a line, if a generator wrote all of it or
 * if there are gates, which only say that there is nothing. */
void results_warn_empty(const struct results *results);

/* Warns once where --deterministic makes a report that Codecov rejects for its age. */
void results_warn(const struct publish_options *options);

struct outside_line {
    bool any;         /* something was left out, and the line says what */
    bool stops_gates; /* and not because -r names a root without it */
};

/* The line about measured code whose sources are outside the source root: no report shows it, so no
 * gate can pass over it. `root`: as for results_open. */
NODISCARD bool results_say_outside(struct outside_line *out, const struct facts *facts,
                                   const struct publish_options *options, struct str root,
                                   struct arena *arena, struct err *err);
