#include "coverage/align.h"

#include <string.h>

#include "base/bytes.h"

enum {
    ENTRY_LEN_MIN = 5,
    EDITS_MAX = 2000 /* instructions added and removed: the trace grows with their square */
};

static uint32_t rd_leb128(struct reader *r)
{
    uint32_t value = 0;
    for (unsigned shift = 0; shift < 32; shift += 7) {
        uint8_t byte = rd_u8(r);
        value |= (uint32_t)(byte & 0x7F) << shift;
        if (byte < 0x80)
            return value;
    }
    r->failed = true;
    return 0;
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
    while (rd_left(&r) != 0 && !r.failed && out->count < room) {
        out->offsets[out->count] = (uint32_t)offset;
        offset += rd_leb128(&r);
        out->hashes[out->count++] = rd_u32(&r);
    }
    out->offsets[out->count] = (uint32_t)offset;
    return (!r.failed && rd_left(&r) == 0 && offset <= UINT32_MAX) ||
           err_set(err, ERR_FORMAT, "damaged: %zu bytes are no instructions", instructions.len);
}

uint32_t align_at(const struct aligned_body *body, uint32_t il_offset)
{
    uint32_t low = 0, high = body->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (body->offsets[middle] < il_offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low < body->count && body->offsets[low] == il_offset ? low : NO_INDEX;
}

/* What is between common beginning and common end: a[0, n) and b[0, m). Diagonal k is x - y; furthest[k] is the
 * furthest x on it with d edits, and trace keeps it for each d. */
struct middle {
    const uint32_t *a, *b;
    int n, m;
    int *trace; /* d * (d + 1) places before those of d: -d … d in steps of 2 need d + 1 */
};

static int *row_of(const struct middle *w, int d)
{
    return w->trace + (size_t)d * ((size_t)d + 1) / 2;
}

static int furthest(const struct middle *w, int d, int k)
{
    return row_of(w, d)[(k + d) / 2];
}

/* Where the snake on diagonal k with d edits begins. */
static int start_of(const struct middle *w, int d, int k)
{
    if (d == 0)
        return 0;
    bool down = k == -d || (k != d && furthest(w, d - 1, k - 1) < furthest(w, d - 1, k + 1));
    return down ? furthest(w, d - 1, k + 1) : furthest(w, d - 1, k - 1) + 1;
}

/* The number of edits, or -1. */
static int search(struct middle *w, int limit)
{
    for (int d = 0; d <= limit; d++)
        for (int k = -d; k <= d; k += 2) {
            int x = start_of(w, d, k), y = x - k;
            while (x >= 0 && y >= 0 && x < w->n && y < w->m && w->a[x] == w->b[y]) {
                x++;
                y++;
            }
            row_of(w, d)[(k + d) / 2] = x;
            if (x >= w->n && y >= w->m)
                return d;
        }
    return -1;
}

static void trace_back(const struct middle *w, int d, uint32_t *base_of, uint32_t base_first)
{
    int x = w->n, y = w->m;
    for (; d >= 0; d--) {
        int k = x - y, start = start_of(w, d, k);
        while (x > start && y > 0 && x > 0) {
            x--;
            y--;
            base_of[x] = base_first + (uint32_t)y;
        }
        if (d == 0)
            return;
        bool down = k == -d || (k != d && furthest(w, d - 1, k - 1) < furthest(w, d - 1, k + 1));
        if (down)
            y--;
        else
            x--;
    }
}

bool align_bodies(uint32_t **base_of, const struct aligned_body *head,
                  const struct aligned_body *base, struct arena *arena, struct err *err)
{
    uint32_t first = 0, head_end = head->count, base_end = base->count;
    *base_of = arena_raw(arena, head->count, sizeof **base_of, err);
    if (*base_of == NULL)
        return false;
    memset(*base_of, 0xFF, head->count * sizeof **base_of); /* NO_INDEX */
    while (first < head_end && first < base_end && head->hashes[first] == base->hashes[first]) {
        (*base_of)[first] = first;
        first++;
    }
    while (head_end > first && base_end > first &&
           head->hashes[head_end - 1] == base->hashes[base_end - 1])
        (*base_of)[--head_end] = --base_end;
    struct middle w = {.a = head->hashes + first,
                       .b = base->hashes + first,
                       .n = (int)(head_end - first),
                       .m = (int)(base_end - first)};
    if (w.n == 0 || w.m == 0)
        return true;
    int limit = w.n > EDITS_MAX - w.m ? EDITS_MAX : w.n + w.m;
    w.trace = ARENA_NEW(arena, int, ((size_t)limit + 1) * ((size_t)limit + 2) / 2, err);
    if (w.trace == NULL)
        return false;
    int edits = search(&w, limit);
    if (edits >= 0)
        trace_back(&w, edits, *base_of + first, first);
    return true;
}
