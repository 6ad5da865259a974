#include "coverage/merge/align.h"

#include <string.h>

#include "base/bytes.h"
#include "base/sort.h"

enum {
    ENTRY_LEN_MIN = 5,
    EDITS_MAX = 2000 /* instructions added and removed: the trace grows with their square */
};

bool align_is(uint32_t hash, enum align_opcode opcode)
{
    uint32_t first = (2166136261u ^ (uint32_t)opcode) * 16777619u; /* FNV-1a of its two bytes */
    return hash == first * 16777619u;
}

bool align_read(struct aligned_body *out, struct view instructions, struct arena *arena,
                struct err *err)
{
    struct reader r = rd_view(instructions);
    size_t room = instructions.len / ENTRY_LEN_MIN;
    uint64_t offset = 0;
    *out = (struct aligned_body){.offsets = ARENA_NEW(arena, uint32_t, room + 1, err),
                                 .hashes = ARENA_NEW(arena, uint32_t, room, err)};
    if (out->offsets == NULL || out->hashes == NULL)
        return false;
    for (size_t i = 0; rd_left(&r) != 0 && !r.failed && i < room; i++) {
        out->offsets[out->count] = (uint32_t)offset;
        offset += rd_leb128(&r);
        out->hashes[out->count] = rd_u32(&r);
        out->count += !align_is(out->hashes[out->count], ALIGN_NOP);
    }
    out->offsets[out->count] = (uint32_t)offset;
    return (!r.failed && rd_left(&r) == 0 && offset <= UINT32_MAX) ||
           err_set(err, ERR_FORMAT, "damaged: %zu bytes are not instructions", instructions.len);
}

uint32_t align_at(const struct aligned_body *body, uint32_t il_offset)
{
    return (uint32_t)sorted_place(&il_offset, body->offsets, body->count, sizeof il_offset,
                                  u32_order);
}

/* What is between common beginning and common end: a[0, n) and b[0, m). Diagonal k is x - y;
 * furthest[k] is the furthest x on it with d edits, and trace keeps it for each d. */
struct middle {
    const uint32_t *a, *b;
    int n, m;
    int *trace; /* d * (d + 1) places before those of d: -d … d in steps of 2 need d + 1 */
};

static int *trace_row_of(const struct middle *w, int d)
{
    return w->trace + (size_t)d * ((size_t)d + 1) / 2;
}

static int furthest_at(const struct middle *w, int d, int k)
{
    return trace_row_of(w, d)[(k + d) / 2];
}

/* Where the snake on diagonal k with d edits begins. */
static int snake_start(const struct middle *w, int d, int k)
{
    if (d == 0)
        return 0;
    bool down = k == -d || (k != d && furthest_at(w, d - 1, k - 1) < furthest_at(w, d - 1, k + 1));
    return down ? furthest_at(w, d - 1, k + 1) : furthest_at(w, d - 1, k - 1) + 1;
}

/* The number of edits, or -1. */
static int search_edits(struct middle *w, int limit)
{
    for (int d = 0; d <= limit; d++)
        for (int k = -d; k <= d; k += 2) {
            int x = snake_start(w, d, k), y = x - k;
            while (x >= 0 && y >= 0 && x < w->n && y < w->m && w->a[x] == w->b[y]) {
                x++;
                y++;
            }
            trace_row_of(w, d)[(k + d) / 2] = x;
            if (x >= w->n && y >= w->m)
                return d;
        }
    return -1;
}

static void trace_back(const struct middle *w, int d, uint32_t *base_of, uint32_t base_first)
{
    int x = w->n, y = w->m;
    for (; d >= 0; d--) {
        int k = x - y, start = snake_start(w, d, k);
        while (x > start && y > 0 && x > 0) {
            x--;
            y--;
            base_of[x] = base_first + (uint32_t)y;
        }
        if (d == 0)
            return;
        bool down =
            k == -d || (k != d && furthest_at(w, d - 1, k - 1) < furthest_at(w, d - 1, k + 1));
        if (down)
            y--;
        else
            x--;
    }
}

static bool align_gap(uint32_t *base_of, uint32_t base_first, const uint32_t *head,
                      uint32_t head_end, const uint32_t *base, uint32_t base_end,
                      struct arena *arena, struct err *err)
{
    uint32_t first = 0;
    while (first < head_end && first < base_end && head[first] == base[first]) {
        base_of[first] = base_first + first;
        first++;
    }
    while (head_end > first && base_end > first && head[head_end - 1] == base[base_end - 1]) {
        head_end--;
        base_end--;
        base_of[head_end] = base_first + base_end;
    }
    struct middle w = {.a = head + first,
                       .b = base + first,
                       .n = (int)(head_end - first),
                       .m = (int)(base_end - first)};
    if (w.n == 0 || w.m == 0)
        return true;
    int limit = w.n > EDITS_MAX - w.m ? EDITS_MAX : w.n + w.m;
    w.trace = ARENA_NEW(arena, int, ((size_t)limit + 1) * ((size_t)limit + 2) / 2, err);
    if (w.trace == NULL)
        return false;
    int edits = search_edits(&w, limit);
    if (edits >= 0)
        trace_back(&w, edits, base_of + first, base_first + first);
    return true;
}

bool align_rows(uint32_t *base_of, const uint32_t *head, uint32_t head_count, const uint32_t *base,
                uint32_t base_count, struct arena *arena, struct err *err)
{
    uint32_t base_first = 0;
    for (uint32_t i = 0, end = 0; i < head_count; i = end) {
        if (base_of[i] != NO_INDEX) {
            base_first = base_of[i] + 1;
            end = i + 1;
            continue;
        }
        while (end < head_count && base_of[end] == NO_INDEX)
            end++;
        uint32_t base_end = end < head_count ? base_of[end] : base_count;
        if (!align_gap(base_of + i, base_first, head + i, end - i, base + base_first,
                       base_end - base_first, arena, err))
            return false;
    }
    return true;
}
