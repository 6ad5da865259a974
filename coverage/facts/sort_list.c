#include "coverage/facts/sort_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"

static const uint8_t *item_at(const struct sortable *list, uint32_t index)
{
    return list->items + index * list->size;
}

/* Equal items keep their order, so that the result does not depend on the library's algorithm.
 */
static int order_indexes(const void *left, const void *right, void *context)
{
    const struct sortable *list = context;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    int order = list->order(item_at(list, a), item_at(list, b));
    return order != 0 ? order : number_order(a, b);
}

static bool is_sorted(const struct sortable *list)
{
    for (uint32_t i = 1; i < list->count; i++)
        if (list->order(item_at(list, i - 1), item_at(list, i)) > 0)
            return false;
    return true;
}

bool sort_list(uint32_t **new_index, struct sortable list, struct arena *arena, struct err *err)
{
    *new_index = NULL;
    if (is_sorted(&list))
        return true;
    uint32_t *old_index = ARENA_NEW(arena, uint32_t, list.count, err);
    uint32_t *moved_to = ARENA_NEW(arena, uint32_t, list.count, err);
    uint8_t *copy = arena_raw(arena, list.count, list.size, err);
    if (old_index == NULL || moved_to == NULL || copy == NULL)
        return false;
    for (uint32_t i = 0; i < list.count; i++)
        old_index[i] = i;
    qsort_r(old_index, list.count, sizeof *old_index, order_indexes, &list);
    memcpy(copy, list.items, list.count * list.size);
    for (uint32_t i = 0; i < list.count; i++) {
        memcpy(list.items + i * list.size, copy + old_index[i] * list.size, list.size);
        moved_to[old_index[i]] = i;
    }
    *new_index = moved_to;
    return true;
}
