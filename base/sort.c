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

size_t sort_distinct(void *items, size_t count, size_t item_size,
                     int (*order)(const void *left, const void *right))
{
    uint8_t *bytes = items;
    size_t left = 0;
    sort_unless_sorted(items, count, item_size, order);
    for (size_t i = 0; i < count; i++) {
        uint8_t *item = bytes + i * item_size, *next = bytes + left * item_size;
        if (left != 0 && order(next - item_size, item) == 0)
            continue;
        if (next != item)
            memcpy(next, item, item_size);
        left++;
    }
    return left;
}

int u32_order(const void *left, const void *right)
{
    return number_order(*(const uint32_t *)left, *(const uint32_t *)right);
}

size_t sorted_first(size_t count, bool (*is_before)(const void *context, size_t place),
                    const void *context)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_before(context, middle))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct key_search {
    const void *key;
    const uint8_t *items;
    size_t item_size;
    int (*order)(const void *left, const void *right);
};

static bool is_before_key(const void *context, size_t place)
{
    const struct key_search *s = context;
    return s->order(s->items + place * s->item_size, s->key) < 0;
}

size_t sorted_place(const void *key, const void *items, size_t count, size_t item_size,
                    int (*order)(const void *left, const void *right))
{
    const struct key_search search = {key, items, item_size, order};
    return sorted_first(count, is_before_key, &search);
}

const void *sorted_find(const void *key, const void *items, size_t count, size_t item_size,
                        int (*order)(const void *left, const void *right))
{
    size_t place = sorted_place(key, items, count, item_size, order);
    if (place == count)
        return NULL;
    const uint8_t *item = (const uint8_t *)items + place * item_size;
    return order(item, key) == 0 ? item : NULL;
}
