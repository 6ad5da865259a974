/* touches.h - the lines that the statements of a module touch: from them come its entries (what
 * each user method has on a line) and the pieces of text of lines on which not all may have run.
 * lines.h says which statement a line takes its hits from. */
#ifndef ILCOV_COVERAGE_REPORT_TOUCHES_H
#define ILCOV_COVERAGE_REPORT_TOUCHES_H

#include "coverage/report/lines_work.h"

/* One line of one statement. */
struct touch {
    uint32_t file, line, owner; /* NO_INDEX: left out */
    uint64_t rank;              /* facts_rank */
    const struct fact_statement *statement;
};

/* At most as many touches have all modules together. ERR_LIMIT: more than any program has. */
NODISCARD bool touches_count(size_t *out, const struct lines_work *work);

/* Fills in the touches of the module, in the order that the next two need. Returns how many. */
size_t touches_find(struct touch *touches, const struct lines_module *m);

/* For each first copy, the count of all copies that are shown. */
NODISCARD bool touches_sum_copies(uint64_t **out, const struct lines_module *m,
                                  const struct copies *copies, const struct lines_work *work);

/* Fills in the entries of the module, and returns how many: at most one for each touch. `sums` are
 * those of touches_sum_copies. */
size_t touches_join(struct line_entry *entries, const struct touch *touches, size_t touch_count,
                    uint32_t module, const struct lines_module *m, const struct copies *copies,
                    const uint64_t *sums);

/* Adds to the pieces, of each line, the statements that start or end on it. */
NODISCARD bool touches_keep_pieces(const struct touch *touches, size_t touch_count,
                                   const struct lines_module *m, const struct copies *copies,
                                   const uint64_t *sums, const struct lines_work *work);

/* Adds to what is told, in the order of lines, which tests ran each of them. */
NODISCARD bool touches_tell_tests(const struct touch *touches, size_t touch_count,
                                  const struct lines_module *m, const struct lines_work *work);

#endif
