#include "coverage/store/reason_list.h"

#include "base/fnv.h"
#include "coverage/facts/facts.h"

enum {
    SLOTS_FIRST = 64
};

void reason_list_open(struct reason_list *out, struct arena *arena)
{
    *out = (struct reason_list){.arena = arena};
}

const struct reason *reason_list_at(const struct reason_list *list, uint32_t row)
{
    return ((const struct reason *const *)list->items.items)[row];
}

static uint64_t hash_text(uint64_t hash, struct str text)
{
    return fnv_bytes(fnv_word(hash, text.len), text.text, text.len);
}

/* The slot where the reason is, or would be. */
static uint32_t *slot_of(const struct reason_list *list, const struct reason *reason)
{
    uint64_t hash = fnv_word(FNV_START, reason->code);
    hash = hash_text(hash_text(hash, reason->subject), reason->remark);
    uint32_t at = (uint32_t)(hash ^ hash >> 32) & (list->slot_count - 1);
    while (list->slots[at] != 0 && !reason_eq(reason_list_at(list, list->slots[at] - 1), reason))
        at = (at + 1) & (list->slot_count - 1);
    return &list->slots[at];
}

/* At most half of the slots are in use, so that a search ends. */
static bool make_room(struct reason_list *list, struct err *err)
{
    if (list->items.count < list->slot_count / 2)
        return true;
    uint32_t count = list->slot_count != 0 ? 2 * list->slot_count : SLOTS_FIRST;
    uint32_t *slots = ARENA_NEW(list->arena, uint32_t, count, err);
    if (slots == NULL)
        return false;
    list->slots = slots;
    list->slot_count = count;
    for (uint32_t i = 0; i < list->items.count; i++)
        *slot_of(list, reason_list_at(list, i)) = i + 1;
    return true;
}

bool reason_list_row(uint32_t *row, struct reason_list *list, const struct reason *reason,
                     struct err *err)
{
    *row = NO_INDEX;
    if (reason == NULL)
        return true;
    if (!make_room(list, err))
        return false;
    uint32_t *slot = slot_of(list, reason);
    if (*slot == 0) {
        const struct reason **added = list_add(&list->items, sizeof *added, list->arena, err);
        if (added == NULL)
            return false;
        *added = reason;
        *slot = list->items.count;
    }
    *row = *slot - 1;
    return true;
}
