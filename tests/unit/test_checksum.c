/* test_checksum.c - a file is what a document says it was, by either algorithm of the specification. */
#include "coverage/checksum.h"

#include "tests/support/check.h"
#include "tests/support/temporary.h"

/* PortablePdb-Metadata.md, "Document Table": ff1816ec-aa5e-4d10-87f7-6f4963833460 and
 * 8829d00f-11b8-4213-878b-770e8597ac16, as they lie in the file. */
#define SHA1   "\xec\x16\x18\xff\x5e\xaa\x10\x4d\x87\xf7\x6f\x49\x63\x83\x34\x60"
#define SHA256 "\x0f\xd0\x29\x88\xb8\x11\x13\x42\x87\x8b\x77\x0e\x85\x97\xac\x16"

/* FIPS 180: the digests of "abc". */
#define ABC_SHA1 "\xa9\x99\x3e\x36\x47\x06\x81\x6a\xba\x3e\x25\x71\x78\x50\xc2\x6c\x9c\xd0\xd8\x9d"
#define ABC_SHA256                                                                                 \
    "\xba\x78\x16\xbf\x8f\x01\xcf\xea\x41\x41\x40\xde\x5d\xae\x22\x23\xb0\x03\x61\xa3\x96\x17\x7a" \
    "\x9c\xb4\x10\xff\x61\xf2\x00\x15\xad"

static bool matches(const char *path, const char *algorithm, const char *hash, size_t len)
{
    return checksum_matches(path, (const uint8_t *)algorithm,
                            (struct view){(const uint8_t *)hash, len});
}

static void both_algorithms_of_the_specification_are_known(void **state)
{
    struct temporary t;
    (void)state;
    temporary_open(&t);
    const char *same = temporary_file(&t, "same", "abc", 3);
    const char *other = temporary_file(&t, "other", "abd", 3);
    assert_true(matches(same, SHA1, ABC_SHA1, 20));
    assert_true(matches(same, SHA256, ABC_SHA256, 32));
    assert_false(matches(other, SHA1, ABC_SHA1, 20));
    assert_false(matches(other, SHA256, ABC_SHA256, 32));
    temporary_close(&t);
}

static void what_cannot_be_compared_does_not_match(void **state)
{
    struct temporary t;
    (void)state;
    temporary_open(&t);
    const char *file = temporary_file(&t, "file", "abc", 3);
    assert_false(matches(file, SHA256, ABC_SHA1, 20));
    assert_false(matches(file, "another algorithm", ABC_SHA1, 20));
    assert_false(matches(temporary_path(&t, "none"), SHA1, ABC_SHA1, 20));
    temporary_close(&t);
}

static void document_without_hash_is_any_file_that_can_be_read(void **state)
{
    struct temporary t;
    (void)state;
    temporary_open(&t);
    assert_true(matches(temporary_file(&t, "file", "abc", 3), SHA1, "", 0));
    assert_false(matches(temporary_path(&t, "none"), SHA1, "", 0));
    temporary_close(&t);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_algorithms_of_the_specification_are_known),
        cmocka_unit_test(what_cannot_be_compared_does_not_match),
        cmocka_unit_test(document_without_hash_is_any_file_that_can_be_read),
    };
    return cmocka_run_group_tests_name("checksum", tests, NULL, NULL);
}
