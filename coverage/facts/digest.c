#include "coverage/facts/digest.h"

#include <gcrypt.h>
#include <string.h>

#include "base/bytes.h"

void digest_start(void)
{
    if (gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P))
        return;
    (void)gcry_check_version(NULL);
    (void)gcry_control(GCRYCTL_DISABLE_SECMEM, 0); /* nothing that it hashes is secret */
    (void)gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
}

bool digest_open(struct digest *out, struct err *err)
{
    digest_start();
    out->state = NULL;
    out->len = 0;
    gcry_error_t rc = gcry_md_open(&out->state, GCRY_MD_SHA256, 0);
    return rc == 0 ||
           err_set(err, ERR_UNSUPPORTED, "SHA-256 is not available: %s", gcry_strerror(rc));
}

static void flush_digest(struct digest *digest)
{
    gcry_md_write(digest->state, digest->buffer, digest->len);
    digest->len = 0;
}

void digest_large(struct digest *digest, const void *data, size_t len)
{
    flush_digest(digest);
    if (len > sizeof digest->buffer) {
        gcry_md_write(digest->state, data, len);
        return;
    }
    memcpy(digest->buffer, data, len);
    digest->len = len;
}

void digest_u32(struct digest *digest, uint32_t value)
{
    uint8_t bytes[4];
    store_u32(bytes, value);
    digest_bytes(digest, bytes, sizeof bytes);
}

void digest_u64(struct digest *digest, uint64_t value)
{
    uint8_t bytes[8];
    store_u64(bytes, value);
    digest_bytes(digest, bytes, sizeof bytes);
}

void digest_text(struct digest *digest, struct str text)
{
    digest_u64(digest, text.len);
    digest_bytes(digest, text.text, text.len);
}

void digest_take(uint8_t out[DIGEST_LEN], struct digest *digest)
{
    flush_digest(digest);
    memcpy(out, gcry_md_read(digest->state, GCRY_MD_SHA256), DIGEST_LEN);
    gcry_md_reset(digest->state);
}

void digest_close(struct digest *digest)
{
    if (digest->state != NULL)
        gcry_md_close(digest->state);
    digest->state = NULL;
}
