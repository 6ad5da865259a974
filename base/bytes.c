#include "base/bytes.h"

#include <string.h>

bool view_copy(struct view *out, struct view bytes, struct arena *arena, struct err *err)
{
    uint8_t *copy = arena_raw(arena, bytes.len, 1, err);
    if (copy != NULL && bytes.len != 0)
        memcpy(copy, bytes.data, bytes.len);
    *out = (struct view){copy, bytes.len};
    return copy != NULL;
}

uint16_t rd_u16(struct reader *r)
{
    const uint8_t *p = rd_take(r, 2);
    return p != NULL ? load_u16(p) : 0;
}

uint32_t rd_u32(struct reader *r)
{
    const uint8_t *p = rd_take(r, 4);
    return p != NULL ? load_u32(p) : 0;
}

uint64_t rd_u64(struct reader *r)
{
    const uint8_t *p = rd_take(r, 8);
    return p != NULL ? load_u64(p) : 0;
}

/* The top bits of the first byte give the size; the value follows, most significant byte first. */
static uint32_t read_compressed(struct reader *r, unsigned *value_bits)
{
    size_t start = r->pos;
    uint8_t first = rd_u8(r);
    *value_bits = 7;
    if ((first & 0x80) == 0)
        return first;
    if ((first & 0xC0) == 0x80) {
        *value_bits = 14;
        uint32_t value = (uint32_t)(first & 0x3F) << 8 | rd_u8(r);
        if (!r->failed)
            return value;
    } else if ((first & 0xE0) == 0xC0) {
        *value_bits = 29;
        const uint8_t *p = rd_take(r, 3);
        if (p != NULL)
            return (uint32_t)(first & 0x1F) << 24 | (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 |
                   p[2];
    }
    r->failed = true;
    r->pos = start;
    return 0;
}

uint32_t rd_compressed(struct reader *r)
{
    unsigned value_bits = 0;
    return read_compressed(r, &value_bits);
}

int32_t rd_compressed_signed(struct reader *r)
{
    unsigned value_bits = 0;
    uint32_t value = read_compressed(r, &value_bits);
    /* The sign was rotated into the lowest bit. */
    int32_t magnitude = (int32_t)(value >> 1);
    return (value & 1) != 0 ? magnitude - (int32_t)(1u << (value_bits - 1)) : magnitude;
}

uint64_t rd_leb128(struct reader *r)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = rd_u8(r);
        uint64_t bits = (uint64_t)(byte & 0x7F) << shift;
        if (bits >> shift != (byte & 0x7F))
            break;
        value |= bits;
        if (byte < 0x80)
            return value;
    }
    r->failed = true;
    return 0;
}

void rd_seek(struct reader *r, size_t pos)
{
    if (pos > r->len)
        r->failed = true;
    if (!r->failed)
        r->pos = pos;
}

void rd_align(struct reader *r, size_t alignment)
{
    size_t over = r->pos % alignment;
    if (over != 0)
        (void)rd_take(r, alignment - over);
}

static bool grow_writer(struct writer *w, size_t n)
{
    size_t room = w->room < 256 ? 256 : w->room * 2;
    if (w->arena == NULL || n > SIZE_MAX / 2 - w->len)
        return false;
    if (room < w->len + n)
        room = w->len + n;
    uint8_t *data = arena_grow(w->arena, w->data, w->room, room, NULL);
    if (data == NULL)
        return false;
    w->data = data;
    w->room = room;
    return true;
}

uint8_t *wr_space_growing(struct writer *w, size_t n)
{
    if (w->failed || !grow_writer(w, n)) {
        w->failed = true;
        return NULL;
    }
    uint8_t *p = w->data + w->len;
    w->len += n;
    return p;
}

void wr_bytes(struct writer *w, const void *data, size_t n)
{
    uint8_t *p = wr_space(w, n);
    if (p != NULL && n != 0)
        memcpy(p, data, n);
}

void wr_u16(struct writer *w, uint16_t value)
{
    uint8_t *p = wr_space(w, 2);
    if (p != NULL)
        store_u16(p, value);
}

void wr_u32(struct writer *w, uint32_t value)
{
    uint8_t *p = wr_space(w, 4);
    if (p != NULL)
        store_u32(p, value);
}

void wr_u64(struct writer *w, uint64_t value)
{
    uint8_t *p = wr_space(w, 8);
    if (p != NULL)
        store_u64(p, value);
}

void wr_leb128(struct writer *w, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        wr_u8(w, (uint8_t)(value | 0x80));
    wr_u8(w, (uint8_t)value);
}

void wr_align(struct writer *w, size_t alignment)
{
    while (!w->failed && w->len % alignment != 0)
        wr_u8(w, 0);
}
