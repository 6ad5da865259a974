/* test_measured_sources.c - a writer gets each line of a source as it was compiled, in whatever
 * order it asks. */
#include "cli/publish/measured_sources.h"

#include "tests/support/check.h"
#include "tests/support/temporary.h"

static struct temporary folder;
/* sha256sum of the files */
static const uint8_t hash_a[] = {0x81, 0x79, 0x84, 0x12, 0x23, 0x3C, 0x21, 0x52, 0xC6, 0xA2, 0xF4,
                                 0x5C, 0x7A, 0x92, 0x7F, 0xDE, 0x79, 0xAB, 0x72, 0x76, 0xA5, 0x6A,
                                 0xC5, 0x3D, 0x6A, 0xA8, 0x8D, 0x27, 0xFE, 0xE8, 0xEA, 0x83};
static const uint8_t hash_b[] = {0x7E, 0x4F, 0xA2, 0xEB, 0x8C, 0x7A, 0xC0, 0x89, 0x73, 0x9D, 0x5D,
                                 0xEF, 0xC4, 0x48, 0x9F, 0xAD, 0x68, 0xA1, 0x00, 0xD9, 0x20, 0x82,
                                 0xCA, 0x35, 0xC6, 0xB4, 0x0A, 0x45, 0x24, 0x82, 0x1F, 0x87};
static const uint8_t hash_ends[] = {
    0xb3, 0x23, 0x61, 0x14, 0xae, 0x06, 0x02, 0x73, 0xbf, 0x95, 0x5d, 0xb7, 0xf6, 0x9a, 0x05, 0x05,
    0xc7, 0xa7, 0x73, 0x54, 0xda, 0xd5, 0xb6, 0x64, 0x14, 0x89, 0x1d, 0xe2, 0x56, 0x0b, 0xc9, 0x0d};
/* The GUID of SHA-256, PortablePdb-Metadata.md, "Document Table". */
#define SHA256                                                                                     \
    {                                                                                              \
        0x0F, 0xD0, 0x29, 0x88, 0xB8, 0x11, 0x13, 0x42, 0x87, 0x8B, 0x77, 0x0E, 0x85, 0x97, 0xAC,  \
            0x16                                                                                   \
    }
static struct fact_document documents[] = {
    {.relative = {"a.cs", 4}, .hash_algorithm = SHA256, .hash = {hash_a, sizeof hash_a}},
    {.relative = {"b.cs", 4}, .hash_algorithm = SHA256, .hash = {hash_b, sizeof hash_b}},
    {.relative = {"ends.cs", 7}, .hash_algorithm = SHA256, .hash = {hash_ends, sizeof hash_ends}},
    {.relative = {"edited.cs", 9}, .hash_algorithm = SHA256, .hash = {hash_b, sizeof hash_b}},
    {.relative = {"gone.cs", 7}, .hash_algorithm = SHA256, .hash = {hash_b, sizeof hash_b}},
};
static struct fact_module module = {
    .name = {"App", 3}, .documents = documents, .document_count = ARRAY_LEN(documents)};
static const struct facts facts = {.modules = &module, .module_count = 1};
static struct measured_sources measured;

/* Each way in which a line of C# ends, and what only looks like one. */
static const char ends[] = "\xEF\xBB\xBF"
                           "1\r2\n3\r\n4\xC2\x85"
                           "5\xE2\x80\xA8"
                           "6\xE2\x80\xA9"
                           "7\xC2\x84\v\f\n\r\n\r";

static int open_folder(void **state)
{
    static const char a[] = "one\n\nthree\r\nfour", b[] = "other\n";
    (void)state;
    temporary_open(&folder);
    (void)temporary_file(&folder, "a.cs", a, sizeof a - 1);
    (void)temporary_file(&folder, "b.cs", b, sizeof b - 1);
    (void)temporary_file(&folder, "ends.cs", ends, sizeof ends - 1);
    (void)temporary_file(&folder, "edited.cs", a, sizeof a - 1);
    measured_sources_open(&measured, &facts, str_of(folder.folder));
    return 0;
}

static int close_folder(void **state)
{
    (void)state;
    measured_sources_close(&measured);
    temporary_close(&folder);
    return 0;
}

/* Of a line that is not there NULL. */
static void assert_line(const char *path, uint32_t number, const char *expected)
{
    const struct source_place place = {&measured.sources, STR("App"), str_of(path)};
    struct str line = sources_line(&place, number);
    if (expected == NULL)
        assert_null(line.text);
    else
        assert_str(line, expected);
    assert_int_equal(line.text != NULL, expected != NULL);
}

static void lines_come_in_any_order(void **state)
{
    static const char *const lines[] = {NULL, "one", "", "three", "four", NULL, NULL};
    (void)state;
    for (uint32_t first = 0; first < ARRAY_LEN(lines); first++)
        for (uint32_t second = 0; second < ARRAY_LEN(lines); second++) {
            assert_line("a.cs", first, lines[first]);
            assert_line("a.cs", second, lines[second]);
        }
    for (uint32_t number = 0; number < ARRAY_LEN(lines); number++)
        assert_line("a.cs", number, lines[number]);
}

static void lines_end_as_in_csharp(void **state)
{
    static const char *const lines[] = {"1", "2", "3", "4", "5", "6", "7\xC2\x84\v\f",
                                        "",  "",  NULL};
    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(lines); i++)
        assert_line("ends.cs", i + 1, lines[i]);
}

static void another_file_begins_at_its_first_line(void **state)
{
    (void)state;
    for (int again = 0; again < 2; again++) {
        assert_line("a.cs", 3, "three");
        assert_line("b.cs", 1, "other");
        assert_line("b.cs", 2, NULL);
        assert_line("a.cs", 4, "four");
    }
}

static void source_that_is_not_known_has_no_line(void **state)
{
    (void)state;
    assert_line("gone.cs", 1, NULL);
    assert_line("edited.cs", 1, NULL);
    assert_line("unknown.cs", 1, NULL);
    const struct source_place place = {&measured.sources, STR("Other"), STR("a.cs")};
    struct str line = sources_line(&place, 1);
    assert_null(line.text);
    assert_line("a.cs", 1, "one");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_folder, close_folder)

static const struct CMUnitTest tests[] = {
    TEST(lines_come_in_any_order),
    TEST(lines_end_as_in_csharp),
    TEST(another_file_begins_at_its_first_line),
    TEST(source_that_is_not_known_has_no_line),
};
UNIT_TESTS(tests);
