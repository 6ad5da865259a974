/* list.h - an array that grows in an arena (arena_grow). */
#pragma once

#include "base/arena.h"

struct list {
    void *items;
    uint32_t count, room;
};

/* A new zeroed item at the end, or NULL with `err` set. Moves the items: pointers to them become
 * invalid. */
NODISCARD void *list_add(struct list *list, size_t item_size, struct arena *arena, struct err *err);

/* Adds a copy of the item. */
NODISCARD bool list_put(struct list *list, const void *item, size_t item_size, struct arena *arena,
                        struct err *err);

/* Room for so many items in all: until there are more, items stay where they are. */
NODISCARD bool list_reserve(struct list *list, size_t item_size, uint32_t count,
                            struct arena *arena, struct err *err);
