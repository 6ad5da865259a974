#include "tests/fuzz/mutate.h"

#include <string.h>

enum {
    CHANGES_MAX = 8,
    PART_LEN_MAX = 64
};

/* SplitMix64: any state is a good one. */
static uint64_t next(struct mutator *m)
{
    uint64_t z = m->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static size_t below(struct mutator *m, size_t limit)
{
    return limit != 0 ? (size_t)(next(m) % limit) : 0;
}

struct buffer {
    uint8_t *bytes;
    size_t len, room;
};

static void flip_bit(struct mutator *m, struct buffer *b)
{
    if (b->len != 0)
        b->bytes[below(m, b->len)] ^= (uint8_t)(1u << below(m, 8));
}

static void set_byte(struct mutator *m, struct buffer *b)
{
    if (b->len != 0)
        b->bytes[below(m, b->len)] = (uint8_t)next(m);
}

static void put_integer(struct mutator *m, struct buffer *b)
{
    static const uint64_t values[] = {
        0,          1,          2,          4,          8,          0x10,
        0x20,       0x3F,       0x40,       0x7F,       0x80,       0xFF,
        0x100,      0x3FFF,     0x4000,     0x7FFF,     0x8000,     0xFFFF,
        0x10000,    0xFFFFFF,   0x1000000,  0x1FFFFFFF, 0x20000000, 0x7FFFFFFF,
        0x80000000, 0xFFFFFFF0, 0xFFFFFFFE, 0xFFFFFFFF, UINT64_MAX, INT64_MAX,
    };
    static const size_t widths[] = {1, 2, 4, 8};
    size_t width = widths[below(m, ARRAY_LEN(widths))];
    uint64_t value = values[below(m, ARRAY_LEN(values))];
    if (b->len < width)
        return;
    uint8_t *at = b->bytes + below(m, b->len - width + 1);
    for (size_t i = 0; i < width; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* A small step up or down: off by one where a length or an index stands. */
static void step_integer(struct mutator *m, struct buffer *b)
{
    if (b->len != 0)
        b->bytes[below(m, b->len)] += (uint8_t)(below(m, 9) - 4);
}

static void cut_end(struct mutator *m, struct buffer *b)
{
    b->len = below(m, b->len + 1);
}

static void remove_part(struct mutator *m, struct buffer *b)
{
    size_t at = below(m, b->len), len = below(m, PART_LEN_MAX);
    if (b->len == 0)
        return;
    if (len > b->len - at)
        len = b->len - at;
    memmove(b->bytes + at, b->bytes + at + len, b->len - at - len);
    b->len -= len;
}

static void insert_part(struct mutator *m, struct buffer *b, struct view from)
{
    size_t at = below(m, b->len + 1), start = below(m, from.len);
    size_t len = below(m, PART_LEN_MAX);
    if (len > from.len - start)
        len = from.len - start;
    if (len > b->room - b->len)
        return;
    uint8_t part[PART_LEN_MAX];
    memcpy(part, from.data + start, len); /* `from` may be the buffer itself */
    memmove(b->bytes + at + len, b->bytes + at, b->len - at);
    memcpy(b->bytes + at, part, len);
    b->len += len;
}

static void overwrite_part(struct mutator *m, struct buffer *b, struct view from)
{
    size_t at = below(m, b->len), start = below(m, from.len);
    size_t len = below(m, PART_LEN_MAX);
    if (len > from.len - start)
        len = from.len - start;
    if (len > b->len - at)
        len = b->len - at;
    if (len != 0)
        memmove(b->bytes + at, from.data + start, len);
}

static void fill_part(struct mutator *m, struct buffer *b)
{
    size_t at = below(m, b->len), len = below(m, PART_LEN_MAX);
    if (len > b->len - at)
        len = b->len - at;
    memset(b->bytes + at, next(m) % 2 == 0 ? 0 : 0xFF, len);
}

static void change(struct mutator *m, struct buffer *b, struct view other)
{
    struct view self = {b->bytes, b->len};
    switch (below(m, 16)) {
    case 0:
    case 1:
    case 2:
        flip_bit(m, b);
        break;
    case 3:
    case 4:
        set_byte(m, b);
        break;
    case 5:
    case 6:
    case 7:
        put_integer(m, b);
        break;
    case 8:
    case 9:
        step_integer(m, b);
        break;
    case 10:
        cut_end(m, b);
        break;
    case 11:
        remove_part(m, b);
        break;
    case 12:
        insert_part(m, b, self);
        break;
    case 13:
        insert_part(m, b, other);
        break;
    case 14:
        overwrite_part(m, b, other);
        break;
    default:
        fill_part(m, b);
        break;
    }
}

struct view mutate(struct mutator *mutator, uint8_t *bytes, size_t room, const struct view *inputs,
                   size_t input_count)
{
    struct view from = inputs[below(mutator, input_count)];
    struct view other = inputs[below(mutator, input_count)];
    struct buffer b = {.bytes = bytes, .len = from.len < room ? from.len : room, .room = room};
    if (b.len != 0)
        memcpy(b.bytes, from.data, b.len);
    for (size_t changes = 1 + below(mutator, CHANGES_MAX); changes != 0; changes--)
        change(mutator, &b, other);
    return (struct view){bytes, b.len};
}
