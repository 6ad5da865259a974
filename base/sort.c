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

size_t sorted_place(const void *key, const void *items, size_t count, size_t item_size,
                    int (*order)(const void *left, const void *right))
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (order((const uint8_t *)items + middle * item_size, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
