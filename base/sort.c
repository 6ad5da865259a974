#include "base/sort.h"

#include <stdlib.h>

void sort_unless_sorted(void *items, size_t count, size_t item_size,
                        int (*order)(const void *left, const void *right))
{
    const uint8_t *item = items;
    for (size_t i = 1; i < count; i++, item += item_size)
        if (order(item, item + item_size) > 0) {
            qsort(items, count, item_size, order);
            return;
        }
}
