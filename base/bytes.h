/* bytes.h - bounded little-endian reader and writer.
 * The reader remembers failure: read everything, test `failed` once, then trust the values. After
 * an overrun every read returns 0 or NULL, and `pos` stays where the failing read began.
 * The writer mirrors it: it grows in an arena, or fills a fixed buffer, and its failure is sticky.
 */
#pragma once

#include "base/arena.h"

struct reader {
    const uint8_t *data;
    size_t len, pos;
    bool failed;
};

static inline struct reader rd_open(const void *data, size_t len)
{
    return (struct reader){.data = data, .len = len};
}

static inline struct reader rd_view(struct view view)
{
    return rd_open(view.data, view.len);
}

static inline size_t rd_left(const struct reader *r)
{
    return r->len - r->pos;
}

/* `out` may be the view that `bytes` is a copy of. */
NODISCARD bool view_copy(struct view *out, struct view bytes, struct arena *arena, struct err *err);

/* The next `n` bytes, or NULL past the end. A request for 0 bytes returns a pointer that must not
 * be dereferenced. */
static inline const uint8_t *rd_take(struct reader *r, size_t n)
{
    if (r->failed || n > r->len - r->pos) {
        r->failed = true;
        return NULL;
    }
    const uint8_t *p = r->data + r->pos;
    r->pos += n;
    return p;
}

static inline uint8_t rd_u8(struct reader *r)
{
    const uint8_t *p = rd_take(r, 1);
    return p != NULL ? *p : 0;
}

uint16_t rd_u16(struct reader *r);
uint32_t rd_u32(struct reader *r);
uint64_t rd_u64(struct reader *r);
/* ECMA-335 II.23.2: unsigned and signed compressed integers. */
uint32_t rd_compressed(struct reader *r);
int32_t rd_compressed_signed(struct reader *r);
/* LEB128, unsigned; fails if the value does not fit. */
uint64_t rd_leb128(struct reader *r);
void rd_seek(struct reader *r, size_t pos);
void rd_align(struct reader *r, size_t alignment);

/* Little-endian loads; the caller knows that they are in bounds. */
static inline uint16_t load_u16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t load_u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t load_u64(const uint8_t *p)
{
    return (uint64_t)load_u32(p) | (uint64_t)load_u32(p + 4) << 32;
}

struct writer {
    uint8_t *data;
    size_t len, room;
    struct arena *arena; /* NULL: `data` is a fixed buffer */
    bool failed;
};

static inline struct writer wr_in(struct arena *arena)
{
    return (struct writer){.arena = arena};
}

static inline struct writer wr_over(void *data, size_t room)
{
    return (struct writer){.data = data, .room = room};
}

/* The slow way of wr_space: there is no room yet. */
uint8_t *wr_space_growing(struct writer *w, size_t n);
/* Space for `n` bytes at the end, or NULL. */
static inline uint8_t *wr_space(struct writer *w, size_t n)
{
    if (w->failed || n > w->room - w->len)
        return wr_space_growing(w, n);
    uint8_t *p = w->data + w->len;
    w->len += n;
    return p;
}

static inline void wr_u8(struct writer *w, uint8_t value)
{
    uint8_t *p = wr_space(w, 1);
    if (p != NULL)
        *p = value;
}

void wr_bytes(struct writer *w, const void *data, size_t n);
void wr_u16(struct writer *w, uint16_t value);
void wr_u32(struct writer *w, uint32_t value);
void wr_u64(struct writer *w, uint64_t value);
void wr_leb128(struct writer *w, uint64_t value);
void wr_align(struct writer *w, size_t alignment);

static inline void store_u16(uint8_t *p, uint16_t value)
{
    p[0] = (uint8_t)value;
    p[1] = (uint8_t)(value >> 8);
}

static inline void store_u32(uint8_t *p, uint32_t value)
{
    store_u16(p, (uint16_t)value);
    store_u16(p + 2, (uint16_t)(value >> 16));
}

static inline void store_u64(uint8_t *p, uint64_t value)
{
    store_u32(p, (uint32_t)value);
    store_u32(p + 4, (uint32_t)(value >> 32));
}
