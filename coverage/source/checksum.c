#include "coverage/source/checksum.h"

#include <gcrypt.h>
#include <string.h>

#include "coverage/facts/digest.h"
#include "system/file.h"
#include "system/file_status.h"

/* No compiler reads so much; a sparse file can have any size. */
enum {
    SOURCE_LEN_MAX = 1 << 29
};

/* GUIDs in memory order. */
static const uint8_t sha1_guid[16] = {0xec, 0x16, 0x18, 0xff, 0x5e, 0xaa, 0x10, 0x4d,
                                      0x87, 0xf7, 0x6f, 0x49, 0x63, 0x83, 0x34, 0x60};
static const uint8_t sha256_guid[16] = {0x0f, 0xd0, 0x29, 0x88, 0xb8, 0x11, 0x13, 0x42,
                                        0x87, 0x8b, 0x77, 0x0e, 0x85, 0x97, 0xac, 0x16};

static int algorithm_of(const uint8_t guid[16])
{
    if (memcmp(guid, sha1_guid, sizeof sha1_guid) == 0)
        return GCRY_MD_SHA1;
    return memcmp(guid, sha256_guid, sizeof sha256_guid) == 0 ? GCRY_MD_SHA256 : GCRY_MD_NONE;
}

/* In bytes, or 0 for an unknown algorithm. */
static size_t digest_len(int kind)
{
    return kind != GCRY_MD_NONE ? gcry_md_get_algo_dlen(kind) : 0;
}

/* Does the text have the hash if all its lines end in this way? */
static bool matches_with_ends(struct view text, struct str end, int kind, struct view hash)
{
    gcry_md_hd_t state;
    if (gcry_md_open(&state, kind, 0) != 0)
        return false;
    for (size_t at = 0; at < text.len;) {
        const uint8_t *line = text.data + at, *feed = memchr(line, '\n', text.len - at);
        size_t len = feed != NULL ? (size_t)(feed - line) : text.len - at;
        at += len + (feed != NULL);
        gcry_md_write(state, line, len - (feed > line && feed[-1] == '\r'));
        if (feed != NULL)
            gcry_md_write(state, end.text, end.len);
    }
    bool matches = memcmp(gcry_md_read(state, kind), hash.data, hash.len) == 0;
    gcry_md_close(state);
    return matches;
}

bool checksum_matches_bytes(struct view bytes, const uint8_t algorithm[16], struct view hash)
{
    uint8_t digest[32]; /* large enough for SHA-256, the longer one */
    int kind = algorithm_of(algorithm);
    digest_start();
    if (hash.len == 0 || hash.len != digest_len(kind))
        return false;
    gcry_md_hash_buffer(kind, digest, bytes.data, bytes.len);
    return memcmp(digest, hash.data, hash.len) == 0 ||
           matches_with_ends(bytes, STR("\n"), kind, hash) ||
           matches_with_ends(bytes, STR("\r\n"), kind, hash);
}

bool checksum_matches(const char *path, const uint8_t algorithm[16], struct view hash)
{
    struct file_status status;
    struct view text = {NULL, 0};
    int fd = file_read_open(path);
    if (fd < 0)
        return false;
    bool is_sized = file_status_open(&status, fd) && status.size <= SOURCE_LEN_MAX;
    (void)file_close(fd);
    if (hash.len == 0 || !is_sized)
        return hash.len == 0;
    bool matches = (status.size == 0 || file_bytes_read(&text, path, NULL)) &&
                   checksum_matches_bytes(text, algorithm, hash);
    file_bytes_release(&text);
    return matches;
}
