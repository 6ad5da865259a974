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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folder_and_name_are_joined_by_one_separator),
        cmocka_unit_test(path_that_has_no_room_is_refused),
    };
    return cmocka_run_group_tests_name("path", tests, NULL, NULL);
}
