/* sort_list.h - sorts a list whose items others refer to by index. Equal items keep their order.
 * Owner:  the arena. Errors: ERR_MEMORY. */
#pragma once

#include "base/arena.h"

struct sortable {
    uint8_t *items;
    uint32_t count;
    size_t size;
    int (*order)(const void *left, const void *right);
};

/* Sorts the list in place; *new_index gives the new index of each item, or is NULL if none
 * moved. */
NODISCARD bool sort_list(uint32_t **new_index, struct sortable list, struct arena *arena,
                         struct err *err);

/* With `arena` and `err` of the caller. */
#define SORT(new_index, list_items, list_count, by)                                                \
    sort_list((new_index),                                                                         \
              (struct sortable){.items = (uint8_t *)(list_items),                                  \
                                .count = (list_count),                                             \
                                .size = sizeof *(list_items),                                      \
                                .order = (by)},                                                    \
              arena, err)
