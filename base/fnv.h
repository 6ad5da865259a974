/* fnv.h - FNV-1a, 64 bits: the hash of plans (not for anything an adversary could exploit). */
#pragma once

#include "base/bytes.h"

#define FNV_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t fnv_bytes(uint64_t hash, const void *data, size_t len)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* A whole word per step: not FNV to the letter, but eight times as fast, and only ilcov compares
 * the result. */
static inline uint64_t fnv_word(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 29;
}

/* Word by word, and the bytes that are left. */
static inline uint64_t fnv_words(uint64_t hash, struct view bytes)
{
    size_t at = 0;
    for (; at + 8 <= bytes.len; at += 8)
        hash = fnv_word(hash, load_u64(bytes.data + at));
    return fnv_bytes(hash, bytes.data + at, bytes.len - at);
}
