/* test_path.c - paths are taken apart and joined as text. */
#include "base/path.h"

#include <string.h>

#include "tests/support/check.h"

static void folder_and_name_are_joined_by_one_separator(void **state)
{
    static const struct {
        const char *folder, *path, *joined;
    } cases[] = {
        {"/a/b", "c", "/a/b/c"},
        {"/a/b/", "c", "/a/b/c"},
        {"/", "c", "/c"},
        {".", "b/c", "./b/c"},
    };
    char out[PATH_ROOM];
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_true(path_join_in(out, str_of(cases[i].folder), str_of(cases[i].path)));
        assert_string_equal(out, cases[i].joined);
    }
}

static void path_that_has_no_room_is_refused(void **state)
{
    char out[PATH_ROOM], folder[PATH_ROOM];
    (void)state;
    memset(folder, 'a', sizeof folder);
    assert_true(path_join_in(out, (struct str){folder, PATH_ROOM - 4}, STR("bc")));
    assert_int_equal(strlen(out), PATH_ROOM - 1);
    assert_false(path_join_in(out, (struct str){folder, PATH_ROOM - 3}, STR("bc")));
    assert_string_equal(out, "");
    assert_false(path_join_in(out, (struct str){folder, PATH_ROOM}, STR("")));
}

static void folder_may_be_where_the_path_goes(void **state)
{
    char path[PATH_ROOM];
    (void)state;
    assert_true(path_join_in(path, STR("/a"), STR("b")));
    assert_true(path_join_in(path, str_of(path), STR("c")));
    assert_string_equal(path, "/a/b/c");
}

static void path_is_split_at_its_last_separator(void **state)
{
    static const struct {
        const char *path, *folder, *file;
    } cases[] = {{"/a/b", "/a", "b"}, {"/a", "/", "a"}, {"a", "", "a"}, {"a/", "a", ""}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_true(str_is(path_dir(str_of(cases[i].path)), cases[i].folder));
        assert_true(str_is(path_file(str_of(cases[i].path)), cases[i].file));
    }
}

static void parts_are_taken_one_after_another(void **state)
{
    static const char *const parts[] = {"", "a", "", "b\\c"};
    struct str path = STR("/a//b\\c");
    size_t at = 0;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        assert_true(str_is(path_part(path, &at), parts[i]));
    assert_int_equal(at, path.len);
}

static void only_what_a_folder_has_is_below_it(void **state)
{
    (void)state;
    assert_true(path_is_below(STR("/a/b"), STR("/a")));
    assert_false(path_is_below(STR("/a"), STR("/a")));
    assert_false(path_is_below(STR("/ab/c"), STR("/a")));
    assert_false(path_is_below(STR("/b/a/c"), STR("/a")));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(folder_and_name_are_joined_by_one_separator),
    cmocka_unit_test(path_that_has_no_room_is_refused),
    cmocka_unit_test(folder_may_be_where_the_path_goes),
    cmocka_unit_test(path_is_split_at_its_last_separator),
    cmocka_unit_test(parts_are_taken_one_after_another),
    cmocka_unit_test(only_what_a_folder_has_is_below_it),
};
UNIT_TESTS(tests);
