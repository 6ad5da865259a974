#include "coverage/facts/packed.h"

#include "base/number.h"

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

/* `counts` may be NULL. */
static bool unpack_counts(uint64_t *counts, uint32_t len, struct view packed)
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
    return unpack_counts(counts, len, packed);
}

bool packed_is_sound(uint32_t len, struct view packed)
{
    return unpack_counts(NULL, len, packed);
}
