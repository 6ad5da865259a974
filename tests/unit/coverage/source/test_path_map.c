#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "coverage/source/path_map.h"
#include "tests/support/test_arena.h"
#include "tests/unit/unit.h"

enum {
    MAPS_MAX = 3
};

static void assert_place(const char *const *texts, const char *root, const char *document,
                         const char *expected)
{
    struct path_map items[MAPS_MAX];
    struct path_maps maps = {.items = items};
    struct err err = {0};
    struct str relative = STR("");
    enum path_place place = PATH_OUTSIDE;
    bool fits = true;
    for (uint32_t i = 0; i < MAPS_MAX && texts[i] != NULL; i++)
        assert_true(path_map_parse(&items[maps.count++], str_of(texts[i]), &err));
    assert_true(path_maps_place(&fits, &place, &relative, &maps, str_of(root), str_of(document),
                                &arena, &err));
    if (expected == NULL ? fits : !fits || place != PATH_INSIDE || !str_is(relative, expected))
        fail_msg("%s by %s: '%.*s' instead of '%s'", document, texts[0], STR_ARGS(relative),
                 expected != NULL ? expected : "nothing");
}

static void documents_are_where_the_map_says(void **state)
{
    static const struct {
        const char *map, *document, *expected;
    } cases[] = {
        {"/src=.", "/src/A.cs", "A.cs"},
        {"/src=.", "/src/a/B.cs", "a/B.cs"},
        {"/src/=.", "/src/A.cs", "A.cs"},
        {"/src=lib", "/src/A.cs", "lib/A.cs"},
        {"/src=lib/", "/src//A.cs", "lib/A.cs"},
        {"/src=lib/../x", "/src/A.cs", "x/A.cs"},
        {"/src=/root/lib", "/src/A.cs", "lib/A.cs"},
        {"/src=a=b", "/src/A.cs", "a=b/A.cs"},
        {"/src/A.cs=B.cs", "/src/A.cs", "B.cs"},
        {"/src/x=lib", "/src/x/../A.cs", "A.cs"},
        {"/_=src", "/_/A.cs", "src/A.cs"},
        {"/_/=src", "/_/A.cs", "src/A.cs"},
        {"/=.", "/src/A.cs", "src/A.cs"},
        {"obj=gen", "obj/A.cs", "gen/A.cs"},
        {"C:\\s=.", "C:\\s\\a\\B.cs", "a/B.cs"},
        {"c:/S=.", "C:\\s\\a/B.cs", "a/B.cs"},
        {"C:\\=.", "c:\\s\\B.cs", "s/B.cs"},
        {"\\\\Host\\s=.", "\\\\host\\S\\B.cs", "B.cs"},
        {"\\\\Host\\s=.", "//host/S/B.cs", "B.cs"},
        /* nothing */
        {"/src=.", "/src2/A.cs", NULL},
        {"/src=.", "/Src/A.cs", NULL},
        {"/src=.", "src/A.cs", NULL},
        {"/src=.", "/sr", NULL},
        {"/src/a=.", "/src/A.cs", NULL},
        {"C:\\s=.", "D:\\s\\A.cs", NULL},
        {"C:\\s=.", "C:\\s2\\A.cs", NULL},
        {"src=.", "/src/A.cs", NULL},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *const texts[MAPS_MAX] = {cases[i].map};
        assert_place(texts, "/root", cases[i].document, cases[i].expected);
    }
}

static void longest_from_counts_and_of_equal_ones_the_last(void **state)
{
    static const char *const maps[] = {"/b=1", "/b/src=2", "/b=3"};
    static const char *const turned[] = {"/b/src=2", "/b=3", "/b=1"};
    (void)state;
    assert_place(maps, "/root", "/b/src/A.cs", "2/A.cs");
    assert_place(maps, "/root", "/b/A.cs", "3/A.cs");
    assert_place(turned, "/root", "/b/src/A.cs", "2/A.cs");
    assert_place(turned, "/root", "/b/A.cs", "1/A.cs");
    assert_place(turned, "/root", "/c/A.cs", NULL);
}

static void root_need_not_be_known(void **state)
{
    static const char *const maps[MAPS_MAX] = {"/b=lib"};
    (void)state;
    assert_place(maps, "", "/b/A.cs", "lib/A.cs");
    assert_place(maps, ".", "/b/A.cs", "lib/A.cs");
    assert_place(maps, "/", "/b/A.cs", "lib/A.cs");
}

static void what_leads_out_of_the_root_is_outside(void **state)
{
    static const char *const texts[] = {"/b=..", "/b=/other", "/b=../rooted"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct path_map map;
        struct path_maps maps = {&map, 1};
        struct err err = {0};
        struct str relative;
        enum path_place place = PATH_INSIDE;
        bool fits = false;
        assert_true(path_map_parse(&map, str_of(texts[i]), &err));
        assert_true(path_maps_place(&fits, &place, &relative, &maps, STR("/root"), STR("/b/A.cs"),
                                    &arena, &err));
        assert_true(fits && place == PATH_OUTSIDE && relative.len == 0);
    }
}

static void what_is_no_map_is_refused(void **state)
{
    static const char *const texts[] = {"", "=", "=.", "/src", "/src="};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct path_map map;
        struct err err = {0};
        assert_false(path_map_parse(&map, str_of(texts[i]), &err));
        assert_int_equal(err.code, ERR_USAGE);
    }
}

static void only_a_map_that_was_needed_is_used(void **state)
{
    struct path_map items[2];
    struct path_maps maps = {items, 2};
    struct fact_document documents[] = {{.path = STR("/b/src/A.cs"), .reason = NULL}};
    struct fact_module module = {.documents = documents, .document_count = 1};
    struct facts facts = {.modules = &module, .module_count = 1};
    struct err err = {0};
    (void)state;
    assert_true(path_map_parse(&items[0], STR("/b=1"), &err));
    assert_true(path_map_parse(&items[1], STR("/b/src=2"), &err));
    documents[0].reason = reason_of(REASON_OUTSIDE_ROOT);
    assert_true(path_maps_apply(&maps, &facts, STR(""), &arena, &err));
    assert_false(items[0].is_used);
    assert_true(items[1].is_used);
    assert_true(str_is(documents[0].relative, "2/A.cs"));
    assert_null(documents[0].reason);
    documents[0].reason = reason_of(REASON_EXCLUDED_FILE);
    assert_true(path_maps_apply(&maps, &facts, STR(""), &arena, &err));
    assert_true(reason_is(documents[0].reason, REASON_EXCLUDED_FILE));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

static const struct CMUnitTest tests[] = {
    TEST(documents_are_where_the_map_says), TEST(longest_from_counts_and_of_equal_ones_the_last),
    TEST(root_need_not_be_known),           TEST(what_leads_out_of_the_root_is_outside),
    TEST(what_is_no_map_is_refused),        TEST(only_a_map_that_was_needed_is_used),
};
UNIT_TESTS(tests);
