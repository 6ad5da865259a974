/* test_checksum.c - a file is the one that was compiled when its SHA-1 or SHA-256 says so. */
#include "coverage/source/checksum.h"

#include <gcrypt.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/temporary.h"

/* PortablePdb-Metadata.md, "Document Table": ff1816ec-aa5e-4d10-87f7-6f4963833460 and
 * 8829d00f-11b8-4213-878b-770e8597ac16 */
static const uint8_t sha1[16] = {0xec, 0x16, 0x18, 0xff, 0x5e, 0xaa, 0x10, 0x4d,
                                 0x87, 0xf7, 0x6f, 0x49, 0x63, 0x83, 0x34, 0x60};
static const uint8_t sha256[16] = {0x0f, 0xd0, 0x29, 0x88, 0xb8, 0x11, 0x13, 0x42,
                                   0x87, 0x8b, 0x77, 0x0e, 0x85, 0x97, 0xac, 0x16};

/* FIPS 180-4, of "abc" */
static const uint8_t sha1_of_abc[20] = {0xa9, 0x99, 0x3e, 0x36, 0x47, 0x06, 0x81, 0x6a, 0xba, 0x3e,
                                        0x25, 0x71, 0x78, 0x50, 0xc2, 0x6c, 0x9c, 0xd0, 0xd8, 0x9d};
static const uint8_t sha256_of_abc[32] = {
    0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
    0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad};

static struct view abc(void)
{
    return (struct view){(const uint8_t *)"abc", 3};
}

static void both_algorithms_are_known(void **state)
{
    struct temporary folder;
    (void)state;
    temporary_open(&folder);
    const char *path = temporary_file(&folder, "a.cs", "abc", 3);
    struct view of_sha1 = {sha1_of_abc, sizeof sha1_of_abc};
    struct view of_sha256 = {sha256_of_abc, sizeof sha256_of_abc};
    assert_true(checksum_matches(path, sha1, of_sha1));
    assert_true(checksum_matches(path, sha256, of_sha256));
    assert_true(checksum_matches_bytes(abc(), sha1, of_sha1));
    assert_true(checksum_matches_bytes(abc(), sha256, of_sha256));
    temporary_close(&folder);
}

static void anything_else_does_not_match(void **state)
{
    static const uint8_t unknown[16] = {1};
    struct view of_sha1 = {sha1_of_abc, sizeof sha1_of_abc};
    struct view of_sha256 = {sha256_of_abc, sizeof sha256_of_abc};
    struct view changed = {(const uint8_t *)"abd", 3}, none = {NULL, 0};
    (void)state;
    assert_false(checksum_matches_bytes(changed, sha256, of_sha256));
    assert_false(checksum_matches_bytes(abc(), sha1, of_sha256));
    assert_false(checksum_matches_bytes(abc(), sha256, of_sha1));
    assert_false(checksum_matches_bytes(abc(), unknown, of_sha256));
    assert_false(checksum_matches_bytes(abc(), sha256, none));
    assert_false(checksum_matches("/nowhere/a.cs", sha256, of_sha256));
}

static bool matches(const char *text, size_t len, struct view hash)
{
    struct temporary folder;
    temporary_open(&folder);
    const char *path = temporary_file(&folder, "a.cs", text, len);
    bool file = checksum_matches(path, sha256, hash);
    temporary_close(&folder);
    assert_int_equal(
        checksum_matches_bytes((struct view){(const uint8_t *)text, len}, sha256, hash), file);
    return file;
}

/* git checks a text out with either, and a file that has both may have been compiled with one. */
static void line_ends_do_not_matter_and_all_else_does(void **state)
{
    static const char *const compiled[] = {"a\nb\n", "a\r\nb\r\n"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(compiled); i++) {
        uint8_t digest[32];
        struct view hash = {digest, sizeof digest};
        gcry_md_hash_buffer(GCRY_MD_SHA256, digest, compiled[i], strlen(compiled[i]));
        assert_true(matches("a\nb\n", 4, hash));
        assert_true(matches("a\r\nb\r\n", 6, hash));
        assert_true(matches("a\r\nb\n", 5, hash));
        assert_false(matches("a\nb", 3, hash));
        assert_false(matches("a\rb\n", 4, hash));
        assert_false(matches("a\r\r\nb\n", 6, hash));
        assert_false(matches("a\n\nb\n", 5, hash));
        assert_false(matches("ab", 2, hash));
        assert_false(matches("", 0, hash));
        assert_false(matches("\n", 1, hash));
    }
}

/* A lone carriage return is text. */
static void only_line_feeds_end_lines(void **state)
{
    uint8_t digest[32];
    struct view hash = {digest, sizeof digest};
    (void)state;
    gcry_md_hash_buffer(GCRY_MD_SHA256, digest, "\ra\r", 3);
    assert_true(matches("\ra\r", 3, hash));
    assert_false(matches("\na\n", 3, hash));
}

/* Both would be read for ever. */
static void pipes_and_devices_are_not_read(void **state)
{
    static const uint8_t unknown[16] = {0};
    struct temporary folder;
    struct view of_sha256 = {sha256_of_abc, sizeof sha256_of_abc}, none = {NULL, 0};
    (void)state;
    temporary_open(&folder);
    const char *pipe_path = temporary_path(&folder, "pipe.cs");
    assert_int_equal(mkfifo(pipe_path, 0600), 0);
    const char *zero_path = temporary_path(&folder, "zero.cs");
    assert_int_equal(symlink("/dev/zero", zero_path), 0);
    assert_false(checksum_matches(pipe_path, sha256, of_sha256));
    assert_false(checksum_matches(zero_path, sha256, of_sha256));
    assert_false(checksum_matches(zero_path, unknown, none));
    temporary_close(&folder);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(pipes_and_devices_are_not_read),
    cmocka_unit_test(both_algorithms_are_known),
    cmocka_unit_test(anything_else_does_not_match),
    cmocka_unit_test(line_ends_do_not_matter_and_all_else_does),
    cmocka_unit_test(only_line_feeds_end_lines),
};
UNIT_TESTS(tests);
