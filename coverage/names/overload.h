/* overload.h - which of several methods of one name contains a lambda or local function that no
 * code leads to. Ordinals (made_name.h) rise with the rows of the methods, and by at least as much:
 * other members have ordinals, too. So those whose method is known say where the others can be.
 * Among the methods that are left the lines decide: the smallest that enclose the function, else
 * the nearest that begin before it.
 * Owner:  lives in the arena. */
#ifndef ILCOV_COVERAGE_NAMES_OVERLOAD_H
#define ILCOV_COVERAGE_NAMES_OVERLOAD_H

#include "coverage/names/user_method.h"
#include "metadata/heaps.h"

struct overloads {
    const struct metadata *md;
    const struct user_method *methods; /* by row, from 1 */
    uint32_t method_count;
    struct anchor *anchors; /* ascending type, ordinal, row (overload.c) */
    uint32_t count;
};

/* After user_rid is filled in as far as it is known; 0 where it is not. */
NODISCARD bool overloads_open(struct overloads *out, const struct metadata *md,
                              const struct user_method *methods, uint32_t method_count,
                              struct arena *arena, struct err *err);

/* The method that contains this one; 0 if its name does not say so. Ask in the order of rows. */
uint32_t overloads_find(struct overloads *overloads, uint32_t rid);

#endif
