/* diff_views.h - the reports that a comparison reads: they have the same lines and differ only in
 * counts. The same package, class, method, line and condition has the same index in all reports of
 * HEAD.
 * Owner:  everything lives in the arena. */
#ifndef ILCOV_COVERAGE_DIFF_DIFF_VIEWS_H
#define ILCOV_COVERAGE_DIFF_DIFF_VIEWS_H

#include "coverage/pairing/pairing.h"
#include "coverage/report/report.h"

struct diff_views {
    struct report real;    /* HEAD */
    struct report carried; /* including carried counts */
    struct report ran;     /* 1 where HEAD ran the method */
    /* Empty without BASE, and if BASE is compared by line: */
    struct report base;  /* BASE's counts at HEAD's indices */
    struct report known; /* 1 where BASE had that statement or decision */
    struct report left;  /* over BASE's own lines: 1 if HEAD still has the line */
    struct pairing pairing;
    /* Empty without BASE: */
    struct report old; /* BASE's own report */
};

/* `base` may be NULL. */
NODISCARD bool diff_views_make(struct diff_views *out, const struct facts *head,
                               const struct facts *base, bool by_line,
                               const struct report_options *options, struct arena *arena,
                               struct err *err);

#endif
