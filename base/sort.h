/* sort.h - lists in order. */
#ifndef ILCOV_BASE_SORT_H
#define ILCOV_BASE_SORT_H

#include "base/base.h"

/* qsort for lists that mostly are in order already, such as what metadata lists: they are looked at
 * once, and stay where they are. `items` may be NULL if there are none. */
void sort_unless_sorted(void *items, size_t count, size_t item_size,
                        int (*order)(const void *left, const void *right));

/* Where the key is, or would be: the place of the first item that is not before it, or `count`. */
size_t sorted_place(const void *key, const void *items, size_t count, size_t item_size,
                    int (*order)(const void *left, const void *right));

#endif
