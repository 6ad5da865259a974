#include "base/list.h"

#include <string.h>

void *list_add(struct list *list, size_t item_size, struct arena *arena, struct err *err)
{
    if (list->count == list->room) {
        uint32_t room = list->room < 16 ? 16 : list->room * 2;
        void *items = room > list->room ? arena_raw(arena, room, item_size, err) : NULL;
        if (items == NULL) {
            if (room <= list->room)
                (void)err_set(err, ERR_LIMIT, "a list of %u items can't grow", list->count);
            return NULL;
        }
        if (list->count != 0)
            memcpy(items, list->items, list->count * item_size);
        list->items = items;
        list->room = room;
    }
    void *item = (uint8_t *)list->items + list->count++ * item_size;
    memset(item, 0, item_size);
    return item;
}
