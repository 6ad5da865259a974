/* test_source_root.c - paths of a data file begin in the root that -r names, if that is another
 * root of the same place, and stay as they are where a copy of the tree is. */
#include "cli/publish/source_root.h"

#include <stdio.h>

#include "base/path.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"
#include "tests/support/test_arena.h"

enum {
    DOCUMENTS_MAX = 4,
    RUNS_MAX = 2
};

struct tree {
    struct fact_run runs[RUNS_MAX];
    struct fact_document documents[DOCUMENTS_MAX];
    struct fact_module module;
    struct facts facts;
};

struct source {
    const char *path, *relative;
    enum reason_code reason;
};

static struct tree t;
static struct temporary folder;
static struct str left_out;

static void plant(const struct source *sources, const char *root, const char *other_root)
{
    t = (struct tree){.runs = {{.root = str_of(root)}}};
    t.module = (struct fact_module){.name = STR("Lib"), .documents = t.documents};
    for (uint32_t i = 0; i < DOCUMENTS_MAX && sources[i].path != NULL; i++) {
        enum reason_code reason = sources[i].reason;
        t.documents[t.module.document_count++] =
            (struct fact_document){.path = str_of(sources[i].path),
                                   .relative = str_of(sources[i].relative),
                                   .reason = reason != REASON_NONE ? reason_of(reason) : NULL};
    }
    t.facts =
        (struct facts){.modules = &t.module, .module_count = 1, .runs = t.runs, .run_count = 1};
    if (other_root != NULL)
        t.runs[t.facts.run_count++].root = str_of(other_root);
}

static void apply(const char *root)
{
    struct err err = {0};
    if (!new_root_apply(&t.facts, str_of(root), false, &left_out, &arena, &err))
        fail_msg("%s", err.text);
}

static void is_left_out(uint32_t document)
{
    assert_str(t.documents[document].relative, "");
    assert_true(reason_is(t.documents[document].reason, REASON_OUTSIDE_GIVEN_ROOT));
}

static void is_at(uint32_t document, const char *relative)
{
    assert_str(t.documents[document].relative, relative);
    assert_null(t.documents[document].reason);
}

static const struct source one_outside[DOCUMENTS_MAX] = {
    {"/src/app/A.cs", "A.cs", REASON_NONE}, {"/src/shared/B.cs", "", REASON_OUTSIDE_ROOT}};

static void sources_outside_are_taken_in(void **state)
{
    (void)state;
    plant(one_outside, "/src/app", NULL);
    apply("/src");
    is_at(0, "app/A.cs");
    is_at(1, "shared/B.cs");
    plant(one_outside, "/src/app", NULL);
    apply("/src/shared");
    is_left_out(0);
    is_at(1, "B.cs");
}

/* A package's source is not the user's. */
static void a_package_is_not_taken_in(void **state)
{
    static const struct source sources[DOCUMENTS_MAX] = {
        {"/src/app/A.cs", "A.cs", REASON_NONE},
        {"/home/me/.nuget/packages/xunit.v3.core/2.0.1/build/Entry.cs", "", REASON_OUTSIDE_ROOT}};
    (void)state;
    plant(sources, "/src/app", NULL);
    apply("/home/me");
    is_at(0, "A.cs");
    assert_true(reason_is(t.documents[1].reason, REASON_OUTSIDE_ROOT));
}

/* Its build named it /_/A.cs; the root says where that was. */
static void mapped_sources_move_with_the_root(void **state)
{
    static const struct source sources[DOCUMENTS_MAX] = {
        {"/_/A.cs", "A.cs", REASON_NONE},
        {"/src/shared/B.cs", "", REASON_OUTSIDE_ROOT},
        {"/_/C.cs", "C.cs", REASON_EXCLUDED_FILE}};
    (void)state;
    plant(sources, "/src/app", NULL);
    apply("/src");
    is_at(0, "app/A.cs");
    assert_str(t.documents[2].relative, "app/C.cs");
    assert_true(reason_is(t.documents[2].reason, REASON_EXCLUDED_FILE));
}

static const struct source inside[DOCUMENTS_MAX] = {{"/src/app/A.cs", "A.cs", REASON_NONE},
                                                    {"/src/app/lib/B.cs", "lib/B.cs", REASON_NONE}};

static void folder_above_or_below_is_another_root(void **state)
{
    (void)state;
    plant(inside, "/src/app", NULL);
    apply("/src");
    is_at(0, "app/A.cs");
    is_at(1, "app/lib/B.cs");
    plant(inside, "/src/app", NULL);
    assert_str(left_out, "");
    apply("/src/app/lib");
    is_left_out(0);
    is_at(1, "B.cs");
    assert_str(left_out, "A.cs");
}

static void another_place_changes_nothing(void **state)
{
    static const char *const roots[] = {"/elsewhere", "/src/app", "/src/application", ""};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(roots); i++) {
        plant(one_outside, "/src/app", NULL);
        apply(roots[i]);
        is_at(0, "A.cs");
        assert_true(reason_is(t.documents[1].reason, REASON_OUTSIDE_ROOT));
    }
}

/* A run that found no source names them as their repository does; its root does not have them. */
static void names_of_a_repository_stay(void **state)
{
    static const struct source sources[DOCUMENTS_MAX] = {{"/_/A/A.cs", "A/A.cs", REASON_NONE}};
    static const char *const roots[] = {"/src", "/src/app/A", "/src/app/A/sub"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(roots); i++) {
        plant(sources, "/src/app/A", NULL);
        apply(roots[i]);
        is_at(0, "A/A.cs");
    }
}

static void each_source_goes_by_its_own_root(void **state)
{
    static const struct source sources[DOCUMENTS_MAX] = {
        {"/one/A.cs", "A.cs", REASON_NONE}, {"/two/deep/B.cs", "deep/B.cs", REASON_NONE}};
    (void)state;
    plant(sources, "/one", "/two");
    apply("/two/deep");
    is_at(0, "A.cs");
    is_at(1, "B.cs");
    plant(sources, "/one", "/two");
    apply("/one");
    is_at(0, "A.cs");
    is_at(1, "deep/B.cs");
}

/* --- with files ------------------------------------------------------------------------------- */

static int open_both(void **state)
{
    temporary_open(&folder);
    return open_arena(state);
}

static int close_both(void **state)
{
    temporary_close(&folder);
    return close_arena(state);
}

static const char *below(const char *name)
{
    return temporary_path(&folder, name);
}

/* Above the run's root lies a file that has the name of a source, and its contents or not. */
static void only_the_source_itself_makes_a_copy_of_the_tree(void **state)
{
    static const uint8_t of_abc[20] = {0xA9, 0x99, 0x3E, 0x36, 0x47, 0x06, 0x81, 0x6A, 0xBA, 0x3E,
                                       0x25, 0x71, 0x78, 0x50, 0xC2, 0x6C, 0x9C, 0xD0, 0xD8, 0x9D};
    static const uint8_t sha1[16] = {0xEC, 0x16, 0x18, 0xFF, 0x5E, 0xAA, 0x10, 0x4D,
                                     0x87, 0xF7, 0x6F, 0x49, 0x63, 0x83, 0x34, 0x60};
    (void)state;
    for (int is_copy = 0; is_copy < 2; is_copy++) {
        const struct source sources[DOCUMENTS_MAX] = {{below("app/A.cs"), "A.cs", REASON_NONE},
                                                      {below("app/B.cs"), "B.cs", REASON_NONE}};
        (void)temporary_file(&folder, "A.cs", is_copy ? "abc" : "abd", 3);
        plant(sources, below("app"), NULL);
        memcpy(t.documents[0].hash_algorithm, sha1, sizeof sha1);
        t.documents[0].hash = (struct view){of_abc, sizeof of_abc};
        apply(folder.folder);
        is_at(0, is_copy ? "A.cs" : "app/A.cs");
        is_at(1, is_copy ? "B.cs" : "app/B.cs");
    }
}

/* The compiler wrote where it was built; --map said where it is. */
static void a_source_that_is_there_goes_before_what_the_compiler_wrote(void **state)
{
    static const struct source sources[DOCUMENTS_MAX] = {{"/tmp/A.cs", "A.cs", REASON_NONE}};
    struct str above = path_dir(str_of(folder.folder)), root;
    struct err err = {0};
    char expected[PATH_ROOM];
    (void)state;
    (void)temporary_file(&folder, "A.cs", "", 0);
    plant(sources, folder.folder, NULL);
    assert_true(str_copy(&root, above, &arena, &err));
    apply(root.text);
    (void)snprintf(expected, sizeof expected, "%s/A.cs", folder.folder + above.len + 1);
    is_at(0, expected);
}

static void reports_read_with_the_root_stay(void **state)
{
    struct err err = {0};
    (void)state;
    plant(inside, "/src/app", NULL);
    t.module.state = MODULE_EXTERNAL;
    assert_true(new_root_apply(&t.facts, STR("/src"), true, NULL, &arena, &err));
    is_at(0, "A.cs");
    apply("/src");
    is_at(0, "app/A.cs");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_both, close_both)

static const struct CMUnitTest tests[] = {
    TEST(sources_outside_are_taken_in),
    TEST(a_package_is_not_taken_in),
    TEST(mapped_sources_move_with_the_root),
    TEST(folder_above_or_below_is_another_root),
    TEST(another_place_changes_nothing),
    TEST(names_of_a_repository_stay),
    TEST(each_source_goes_by_its_own_root),
    TEST(only_the_source_itself_makes_a_copy_of_the_tree),
    TEST(a_source_that_is_there_goes_before_what_the_compiler_wrote),
    TEST(reports_read_with_the_root_stay),
};
UNIT_TESTS(tests);
