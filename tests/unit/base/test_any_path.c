/* test_any_path.c - paths of any system: both separators count, and drives are roots. */
#include "base/path.h"

#include "tests/support/check.h"

static void both_separators_and_drives_begin_absolute_paths(void **state)
{
    static const char *const absolute[] = {"/a.cs", "\\\\host\\a.cs", "C:\\a.cs", "c:a.cs", "/"};
    static const char *const relative[] = {"", "a.cs", "./a.cs", "1:a", "..\\a.cs", ":"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(absolute); i++)
        assert_true(any_path_is_absolute(str_of(absolute[i])));
    for (size_t i = 0; i < ARRAY_LEN(relative); i++)
        assert_false(any_path_is_absolute(str_of(relative[i])));
    assert_true(any_path_has_drive(STR("z:")));
    assert_false(any_path_has_drive(STR("/:")));
}

static void parts_end_at_either_separator(void **state)
{
    static const char *const parts[] = {"", "app", "", "obj", "A.cs"};
    struct str path = STR("/app//obj\\A.cs");
    size_t at = 0;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        assert_true(str_is(any_path_part(path, &at), parts[i]));
    assert_int_equal(at, path.len);
    assert_int_equal(any_path_part(path, &at).len, 0);
}

static void file_is_what_follows_the_last_separator(void **state)
{
    (void)state;
    assert_true(str_is(any_path_file(STR("C:\\src/obj\\A.cs")), "A.cs"));
    assert_true(str_is(any_path_file(STR("A.cs")), "A.cs"));
    assert_true(str_is(any_path_file(STR("src\\")), ""));
    assert_true(str_is(any_path_file((struct str){NULL, 0}), ""));
}

static void copy_has_slashes_alone(void **state)
{
    struct arena arena;
    struct str copy;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_true(any_path_with_slashes(&copy, STR("..\\src/A.cs"), &arena, NULL));
    assert_true(str_is(copy, "../src/A.cs"));
    arena_free(&arena);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(both_separators_and_drives_begin_absolute_paths),
    cmocka_unit_test(parts_end_at_either_separator),
    cmocka_unit_test(file_is_what_follows_the_last_separator),
    cmocka_unit_test(copy_has_slashes_alone),
};
UNIT_TESTS(tests);
