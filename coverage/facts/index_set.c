#include "coverage/facts/index_set.h"

#include "base/sort.h"

static void put_index_run(struct writer *w, uint32_t *end, uint32_t first, uint32_t next)
{
    wr_leb128(w, first - *end);
    wr_leb128(w, next - first);
    *end = next;
}

void index_set_write_at(struct writer *w, const bool *has, uint32_t count, uint32_t base)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < count;) {
        if (!has[i]) {
            i++;
            continue;
        }
        uint32_t first = i;
        while (i < count && has[i])
            i++;
        put_index_run(w, &end, base + first, base + i);
    }
}

void index_set_write_list(struct writer *w, const uint32_t *numbers, uint32_t count)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < count;) {
        uint32_t first = i++;
        while (i < count && numbers[i] == numbers[i - 1] + 1)
            i++;
        put_index_run(w, &end, numbers[first], numbers[i - 1] + 1);
    }
}

struct index_runs index_set_runs(struct view set)
{
    return (struct index_runs){.r = rd_view(set)};
}

bool index_set_next(struct index_runs *runs, uint32_t *first, uint32_t *end)
{
    if (rd_left(&runs->r) == 0)
        return false;
    *first = runs->at + (uint32_t)rd_leb128(&runs->r);
    *end = runs->at = *first + (uint32_t)rd_leb128(&runs->r);
    return !runs->r.failed;
}

/* In its shortest form. */
static bool take_set_number(uint64_t *out, struct reader *r)
{
    size_t start = r->pos;
    *out = rd_leb128(r);
    return !r->failed && (r->pos == start + 1 || r->data[r->pos - 1] != 0);
}

bool index_set_is_sound(struct view set, uint32_t limit)
{
    struct reader r = rd_view(set);
    for (uint64_t at = 0, run = 0; rd_left(&r) != 0; run++) {
        uint64_t gap = 0, len = 0;
        if (!take_set_number(&gap, &r) || !take_set_number(&len, &r) || len == 0 ||
            (run != 0 && gap == 0) || gap > limit - at || len > limit - at - gap)
            return false;
        at += gap + len;
    }
    return true;
}

uint32_t index_set_count(struct view set)
{
    struct index_runs runs = index_set_runs(set);
    uint32_t count = 0, first, end;
    while (index_set_next(&runs, &first, &end))
        count += end - first;
    return count;
}

bool index_set_pack(struct view *out, uint32_t *numbers, uint32_t count, struct arena *arena,
                    struct err *err)
{
    count = (uint32_t)sort_distinct(numbers, count, sizeof *numbers, u32_order);
    struct writer w = wr_in(arena);
    index_set_write_list(&w, numbers, count);
    *out = (struct view){w.data, w.len};
    return !w.failed || err_set(err, ERR_MEMORY, "out of memory: the tests need more");
}

uint32_t *index_set_list(uint32_t *out, struct view set)
{
    struct index_runs runs = index_set_runs(set);
    uint32_t first, end;
    while (index_set_next(&runs, &first, &end))
        while (first < end)
            *out++ = first++;
    return out;
}

bool index_set_renumber(struct view *out, struct view set, const uint32_t *to,
                        struct arena *scratch, struct arena *arena, struct err *err)
{
    uint32_t *numbers = arena_raw(scratch, index_set_count(set), sizeof *numbers, err);
    uint32_t count = 0;
    if (numbers == NULL)
        return false;
    for (const uint32_t *at = numbers, *end = index_set_list(numbers, set); at < end; at++)
        if (to[*at] != NO_INDEX)
            numbers[count++] = to[*at];
    return index_set_pack(out, numbers, count, arena, err);
}

void index_set_mark(bool *has, struct view set)
{
    struct index_runs runs = index_set_runs(set);
    uint32_t first, end;
    while (index_set_next(&runs, &first, &end))
        for (uint32_t i = first; i < end; i++)
            has[i] = true;
}
