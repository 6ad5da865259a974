/* sort.h - lists in order, and the place of a key in one. */
#pragma once

#include <string.h>

#include "base/number.h"
#include "base/text.h"

/* Defines a comparator of items, such as qsort takes, by fields in their order:
 *
 *     ORDER(order_files, struct own_file, BY(relative) BY(module) BY(document))
 *
 * BY: a field that is a number or a text, ascending; BY_BYTES: an array of bytes;
 * BY_ORDER: any other comparison of the items `a` and `b`. */
#define ORDER(name, type, fields)                                                                  \
    static int name(const void *left, const void *right)                                           \
    {                                                                                              \
        const type *a = left;                                                                      \
        const type *b = right;                                                                     \
        int order = 0;                                                                             \
        (void)(false fields);                                                                      \
        return order;                                                                              \
    }
#define BY_ORDER(comparison) || (order = (comparison)) != 0
#define BY_BYTES(field)      BY_ORDER(memcmp(a->field, b->field, sizeof a->field))
/* clang-format off */
#define BY(field)                                                                                  \
    BY_ORDER(_Generic(a->field, struct str: str_cmp, int64_t: number_order_signed,                  \
                      default: number_order)(a->field, b->field))
/* clang-format on */

/* qsort for lists that mostly are in order already, such as what metadata lists: they are looked at
 * once, and stay where they are. `items` may be NULL if there are none. */
void sort_unless_sorted(void *items, size_t count, size_t item_size,
                        int (*order)(const void *left, const void *right));

/* Sorts them and leaves each of them once, the first of equal ones; returns how many are left. */
size_t sort_distinct(void *items, size_t count, size_t item_size,
                     int (*order)(const void *left, const void *right));

/* Numbers, as `order`. */
int u32_order(const void *left, const void *right);

/* The first place in [0, count) that `is_before` does not hold for, where it holds for none after
 * that; `count` if there is none. */
size_t sorted_first(size_t count, bool (*is_before)(const void *context, size_t place),
                    const void *context);
/* Where the key is, or would be: the place of the first item that is not before it, or `count`. */
size_t sorted_place(const void *key, const void *items, size_t count, size_t item_size,
                    int (*order)(const void *left, const void *right));
/* That item, if it equals the key, or NULL. `items` may be NULL if there are none. */
const void *sorted_find(const void *key, const void *items, size_t count, size_t item_size,
                        int (*order)(const void *left, const void *right));
