#include "coverage/diff/side_by_side.h"

#include "coverage/merge/align.h"

/* Between two lines that are the same. */
static void add_gap(struct side_by_side *out, uint32_t was, uint32_t was_end, uint32_t now,
                    uint32_t now_end)
{
    while (was < was_end || now < now_end) {
        struct side_by_side_row *row = &out->rows[out->count++];
        *row = (struct side_by_side_row){NO_INDEX, NO_INDEX, false};
        if (was < was_end)
            row->was = was++;
        if (now < now_end)
            row->now = now++;
    }
}

bool side_by_side_make(struct side_by_side *out, const uint32_t *was, uint32_t was_count,
                       const uint32_t *now, uint32_t now_count, struct arena *arena,
                       struct err *err)
{
    uint32_t *was_of = ARENA_NEW(arena, uint32_t, now_count, err);
    *out = (struct side_by_side){.rows = NULL};
    out->rows = ARENA_NEW(arena, struct side_by_side_row, (size_t)was_count + now_count, err);
    if (was_of == NULL || out->rows == NULL)
        return false;
    for (uint32_t i = 0; i < now_count; i++)
        was_of[i] = NO_INDEX;
    if (!align_rows(was_of, now, now_count, was, was_count, arena, err))
        return false;
    uint32_t was_next = 0, now_next = 0;
    for (uint32_t i = 0; i < now_count; i++) {
        if (was_of[i] == NO_INDEX)
            continue;
        add_gap(out, was_next, was_of[i], now_next, i);
        out->rows[out->count++] = (struct side_by_side_row){was_of[i], i, true};
        was_next = was_of[i] + 1;
        now_next = i + 1;
    }
    add_gap(out, was_next, was_count, now_next, now_count);
    return true;
}
