/* building.h - what the files share that build a report: what it is built from, what it leaves out,
 * and the memory for both.
 * Owner:  what the report holds lives in `arena`; `scratch` is emptied for each package, `slice`
 *         for some files. */
#ifndef ILCOV_COVERAGE_REPORT_BUILDING_H
#define ILCOV_COVERAGE_REPORT_BUILDING_H

#include "base/progress.h"
#include "coverage/report/excluded_lines.h"

struct building {
    const struct facts *facts;
    const struct report_options *options;
    const struct test_sets *tests; /* NULL: lines need none */
    struct list omissions;         /* struct report_omission */
    struct report_omission first_empty;
    struct excluded_lines excluded;
    bool forgets_omissions; /* nobody asks for them */
    const char *doing;      /* "reporting statements" */
    uint64_t done, total;   /* statements, of all packages */
    struct arena *arena;
    struct arena scratch;              /* of one package */
    struct arena slice, slice_scratch; /* classes with their lines; what is needed to make them */
    struct err *err;
};

static inline void building_open(struct building *b)
{
    arena_init(&b->scratch, NULL, 0, ARENA_NO_LIMIT);
    arena_init(&b->slice, NULL, 0, ARENA_NO_LIMIT);
    arena_init(&b->slice_scratch, NULL, 0, ARENA_NO_LIMIT);
}

static inline void building_close(struct building *b)
{
    arena_free(&b->slice_scratch);
    arena_free(&b->slice);
    arena_free(&b->scratch);
}

#endif
