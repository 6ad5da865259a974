/* diff_views.h - what a comparison looks at: reports over the same lines, so that only what they
 * counted is another. The same package, class, method, line and condition has the same place in all
 * of HEAD's.
 * Owner:  everything lives in the arena. */
#ifndef ILCOV_COVERAGE_DIFF_DIFF_VIEWS_H
#define ILCOV_COVERAGE_DIFF_DIFF_VIEWS_H

#include "coverage/pairing/pairing.h"
#include "coverage/report/report.h"

struct diff_views {
    struct report real;    /* HEAD */
    struct report carried; /* with what was carried */
    struct report ran;     /* 1 where HEAD ran the method */
    /* Without BASE, and where it is compared by line, empty: */
    struct report base;  /* BASE's counts at HEAD's places */
    struct report known; /* 1 where BASE had that statement or decision */
    struct report left;  /* over BASE's own lines: 1 where HEAD still has them */
    struct pairing pairing;
    /* Without BASE empty: */
    struct report old; /* BASE's own */
};

/* `base` may be NULL. */
NODISCARD bool diff_views_make(struct diff_views *out, const struct facts *head,
                               const struct facts *base, bool by_line,
                               const struct report_options *options, struct arena *arena,
                               struct err *err);

#endif
