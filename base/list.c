#include "base/list.h"

#include <string.h>

bool list_reserve(struct list *list, size_t item_size, uint32_t count, struct arena *arena,
                  struct err *err)
{
    if (count <= list->room)
        return true;
    void *items = arena_raw(arena, count, item_size, err);
    if (items == NULL)
        return false;
    if (list->count != 0)
        memcpy(items, list->items, list->count * item_size);
    list->items = items;
    list->room = count;
    return true;
}

void *list_add(struct list *list, size_t item_size, struct arena *arena, struct err *err)
{
    if (list->count == list->room) {
        uint32_t room = list->room < 16 ? 16 : list->room * 2;
        if (room <= list->room) {
            (void)err_set(err, ERR_LIMIT, "a list of %u items can't grow", list->count);
            return NULL;
        }
        if (!list_reserve(list, item_size, room, arena, err))
            return NULL;
    }
    void *item = (uint8_t *)list->items + list->count++ * item_size;
    memset(item, 0, item_size);
    return item;
}
