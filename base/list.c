#include "base/list.h"

#include <string.h>

bool list_reserve(struct list *list, size_t item_size, uint32_t count, struct arena *arena,
                  struct err *err)
{
    if (count <= list->room)
        return true;
    size_t bytes = 0;
    if (__builtin_mul_overflow(count, item_size, &bytes))
        return err_set(err, ERR_LIMIT, "a list of %u items of %zu bytes is too large", count,
                       item_size);
    void *items = arena_grow(arena, list->items, list->room * item_size, bytes, err);
    if (items == NULL)
        return false;
    list->items = items;
    list->room = count;
    return true;
}

void *list_add(struct list *list, size_t item_size, struct arena *arena, struct err *err)
{
    if (list->count == list->room) {
        uint32_t room = list->room < 16 ? 16 : list->room * 2;
        if (room <= list->room) {
            (void)err_set(err, ERR_LIMIT, "a list of %u items cannot grow", list->count);
            return NULL;
        }
        if (!list_reserve(list, item_size, room, arena, err))
            return NULL;
    }
    void *item = (uint8_t *)list->items + list->count++ * item_size;
    memset(item, 0, item_size);
    return item;
}

bool list_put(struct list *list, const void *item, size_t item_size, struct arena *arena,
              struct err *err)
{
    void *added = list_add(list, item_size, arena, err);
    if (added != NULL)
        memcpy(added, item, item_size);
    return added != NULL;
}
