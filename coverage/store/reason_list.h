/* reason_list.h - the distinct reasons of a data file, each with the number of its row. Thousands
 * of statements share a few reasons.
 * Owner:  the list lives in the arena; the reasons stay where they are. */
#ifndef ILCOV_COVERAGE_STORE_REASON_LIST_H
#define ILCOV_COVERAGE_STORE_REASON_LIST_H

#include "base/list.h"
#include "contract/reason.h"

struct reason_list {
    struct list items;   /* const struct reason *, in the order of arrival */
    uint32_t *slots;     /* by hash: index + 1, or 0 */
    uint32_t slot_count; /* a power of two */
    struct arena *arena;
};

void reason_list_open(struct reason_list *out, struct arena *arena);

/* *row: the row of an equal reason, else a new row at the end; NO_INDEX if there is no reason. */
NODISCARD bool reason_list_row(uint32_t *row, struct reason_list *list, const struct reason *reason,
                               struct err *err);
const struct reason *reason_list_at(const struct reason_list *list, uint32_t row);

#endif
