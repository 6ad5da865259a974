/* fact_copy.h - facts of a file that is about to be closed, copied to where the union of several
 * files is.
 * Owner:  copies live in the arena. What a pointer points to is replaced by its copy: a text, a
 *         list, a module's lists and texts. */
#ifndef ILCOV_COVERAGE_MERGE_FACT_COPY_H
#define ILCOV_COVERAGE_MERGE_FACT_COPY_H

#include "coverage/facts/facts.h"

NODISCARD bool fact_copy_text(struct str *text, struct arena *arena, struct err *err);
NODISCARD bool fact_copy_bytes(struct view *bytes, struct arena *arena, struct err *err);

/* The items alone, not what they point to. NULL with `err` set. */
NODISCARD void *fact_copy_list(const void *items, uint32_t count, size_t size, struct arena *arena,
                               struct err *err);

NODISCARD bool fact_copy_module(struct fact_module *module, struct arena *arena, struct err *err);

#endif
