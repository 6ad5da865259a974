/* digest.h - SHA-256 over bytes that come piece by piece (libgcrypt). Pieces go through a buffer,
 * because most are only a few bytes.
 * Errors: ERR_UNSUPPORTED if libgcrypt has no SHA-256. */
#pragma once

#include <string.h>

#include "base/bytes.h"
#include "base/text.h"

enum {
    DIGEST_LEN = 32
};

struct digest {
    struct gcry_md_handle *state;
    size_t len;
    uint8_t buffer[4096];
};

/* Must come before any other use of libgcrypt, which complains in the system's log if it was not
 * started. May be called again. digest_open calls it. */
void digest_start(void);

NODISCARD bool digest_open(struct digest *out, struct err *err);
/* The slow way of digest_bytes: what has no room in the buffer. */
void digest_large(struct digest *digest, const void *data, size_t len);

static inline void digest_bytes(struct digest *digest, const void *data, size_t len)
{
    if (len > sizeof digest->buffer - digest->len) {
        digest_large(digest, data, len);
        return;
    }
    if (len != 0)
        memcpy(digest->buffer + digest->len, data, len);
    digest->len += len;
}

void digest_u32(struct digest *digest, uint32_t value); /* little-endian, as the next */
void digest_u64(struct digest *digest, uint64_t value);
/* A byte and a number: most of what a data file is hashed from. */
static inline void digest_tagged(struct digest *digest, uint8_t tag, uint64_t value)
{
    uint8_t *at = digest->buffer + digest->len;
    if (sizeof digest->buffer - digest->len < 1 + sizeof value) {
        digest_bytes(digest, &tag, 1);
        digest_u64(digest, value);
        return;
    }
    *at = tag;
    store_u64(at + 1, value);
    digest->len += 1 + sizeof value;
}
/* Its length and its bytes, so that two texts in a row differ from one. */
void digest_text(struct digest *digest, struct str text);
/* The hash of everything written since the last call; then starts again. */
void digest_take(uint8_t out[DIGEST_LEN], struct digest *digest);
void digest_close(struct digest *digest);
