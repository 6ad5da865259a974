/* test_patch_changes.c - files of a patch that are no sources need the tests that read files, or
 * all tests, apart from those that only people read; of sources the build says more. */
#include "impact/input_changes.h"

#include <string.h>

#include "coverage/diff/patch_reader.h"
#include "tests/support/check.h"

static struct arena arena;

static int open_arena(void **state)
{
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    return 0;
}

static int close_arena(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

/* "WHY; WHY": why tests are needed, all of them last. */
static const char *changes_of(const char *diff, const char *ignore)
{
    struct fact_input inputs[] = {{.folder = STR("/r/bin"), .path = STR("read.md")}};
    const struct facts base = {.inputs = inputs, .input_count = ARRAY_LEN(inputs)};
    const struct str glob = str_of(ignore != NULL ? ignore : "");
    struct patch patch;
    const struct impact_request request = {
        .patch = &patch, .ignore = &glob, .ignore_count = ignore != NULL};
    const struct new_build build = {.unreadable = {0}};
    struct build_changes c;
    struct err err = {0};
    struct str drawn = STR("");
    if (!patch_read(&patch, (struct view){(const uint8_t *)diff, strlen(diff)}, &arena, &err) ||
        !build_changes_open(&c, &base, &build, &arena, &err) ||
        !input_changes_of_patch(&c, &request))
        fail_msg("%s", err.text);
    struct text text = text_in(&arena);
    const struct build_change *some = c.list.items;
    for (uint32_t i = 0; i < c.list.count; i++)
        text_addf(&text, "%s%.*s", i != 0 ? "; " : "", (int)strcspn(some[i].text.text, ","),
                  some[i].text.text);
    for (uint32_t i = 0; i < c.all.count; i++)
        text_addf(&text, "%sall: %s", i + c.list.count != 0 ? "; " : "",
                  ((const struct str *)c.all.items)[i].text);
    assert_true(text_take(&drawn, &text, &err));
    return drawn.text;
}

#define GIT(path) "diff --git a/" path " b/" path "\nold mode 100644\nnew mode 100755\n"
#define RENAME(from, to)                                                                           \
    "diff --git a/" from " b/" to "\nsimilarity index 100%\nrename from " from "\nrename to " to   \
    "\n"

static const struct {
    const char *name, *diff, *expected;
} cases[] = {
    {"nothing", "", ""},
    {"a source", "--- a/A.cs\n+++ b/A.cs\n@@ -4 +4 @@\n-a\n+b\n", ""},
    {"sources of all languages", GIT("A.fs") GIT("A.vb") GIT("A.razor"), ""},
    {"a new source", "--- /dev/null\n+++ b/New.cs\n@@ -0,0 +1 @@\n+// a\n", ""},
    {"a source that went", "--- a/A.cs\n+++ /dev/null\n@@ -1 +0,0 @@\n-class C {\n", ""},
    {"a source that has another name", RENAME("A.cs", "x/B.cs"), ""},
    {"no source any more", RENAME("A.cs", "A.txt"), "A.cs was renamed; A.txt is new"},
    {"a source at last", RENAME("A.txt", "A.cs"), "A.txt was renamed; A.cs is new"},
    {"a submodule with its files", "Submodule lib 1..2:\n" GIT("lib/A.md"), ""},
    {"a submodule alone", "Submodule lib 1..2 (commits not present)\n", "lib changed"},
    {"documentation", GIT("notes/A.md") GIT("LICENSE") GIT(".gitignore"), ""},
    {"documentation that a build copies", GIT("notes/read.md"), "notes/read.md changed"},
    {"a project", GIT("Lib.csproj"), "all: Lib.csproj changed"},
    {"any other file", GIT("data/x.txt"), "data/x.txt changed"},
    {"a file that is new", "--- /dev/null\n+++ b/x.txt\n@@ -0,0 +1 @@\n+a\n", "x.txt is new"},
    {"a file that went", "--- a/x.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", "x.txt is gone"},
};

static void files_that_are_no_sources_need_tests_but_for_documentation(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *got = changes_of(cases[i].diff, NULL);
        if (strcmp(got, cases[i].expected) != 0)
            fail_msg("%s: \"%s\" instead of \"%s\"", cases[i].name, got, cases[i].expected);
    }
}

static void ignored_files_change_nothing(void **state)
{
    (void)state;
    assert_string_equal(changes_of(GIT("data/x.txt"), "data/*"), "");
    assert_string_equal(changes_of(GIT("x.txt"), "data/*"), "x.txt changed");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(files_that_are_no_sources_need_tests_but_for_documentation),
    cmocka_unit_test(ignored_files_change_nothing),
};
UNIT_TESTS_WITH(tests, open_arena, close_arena);
