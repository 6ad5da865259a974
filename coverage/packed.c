#include "coverage/packed.h"

#include "base/number.h"

static void wr_leb128(struct writer *w, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        wr_u8(w, (uint8_t)(value | 0x80));
    wr_u8(w, (uint8_t)value);
}

void packed_write(struct writer *w, const uint64_t *counts, uint32_t len)
{
    uint32_t zeros = 0;
    for (uint32_t i = 0; i < len; i++) {
        if (counts[i] == 0) {
            zeros++;
            continue;
        }
        wr_leb128(w, zeros);
        wr_leb128(w, counts[i]);
        zeros = 0;
    }
}

static uint64_t rd_leb128(struct reader *r)
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

/* `counts` may be NULL. */
static bool unpack(uint64_t *counts, uint32_t len, struct view packed)
{
    struct reader r = rd_view(packed);
    for (uint32_t next = 0; rd_left(&r) != 0; next++) {
        uint64_t zeros = rd_leb128(&r), count = rd_leb128(&r);
        if (r.failed || count == 0 || next >= len || zeros >= len - next)
            return false;
        next += (uint32_t)zeros;
        if (counts != NULL)
            counts[next] = number_add(counts[next], count);
    }
    return true;
}

bool packed_add(uint64_t *counts, uint32_t len, struct view packed)
{
    return unpack(counts, len, packed);
}

bool packed_is_sound(uint32_t len, struct view packed)
{
    return unpack(NULL, len, packed);
}
