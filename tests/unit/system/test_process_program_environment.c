/* test_process_program_environment.c - the variables that a child was started with. */
#include "system/process.h"

#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/child.h"

static void check(char *const *environment, const char *expected, size_t len)
{
    struct arena arena;
    struct str text;
    struct err err = {0};
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    pid_t pid = child_start(environment);
    assert_true(process_program_environment(&text, pid, &arena, &err));
    assert_non_null(text.text);
    assert_int_equal(text.len, len);
    assert_memory_equal(text.text, expected, len + 1);
    child_end(pid);
    arena_free(&arena);
}

static void each_variable_has_a_nul_after_it(void **state)
{
    static char one[] = "ONE=1", two[] = "TWO=2=3";
    (void)state;
    check((char *[]){one, two, NULL}, "ONE=1\0TWO=2=3\0", sizeof "ONE=1\0TWO=2=3");
}

/* As opposed to one that may not be read. */
static void empty_environment_is_a_text(void **state)
{
    (void)state;
    check((char *[]){NULL}, "", 0);
}

static void long_variable_is_whole(void **state)
{
    static char variable[100001]; /* another NUL after it */
    (void)state;
    memset(variable, 'x', sizeof variable - 2);
    variable[1] = '=';
    check((char *[]){variable, NULL}, variable, sizeof variable - 1);
}

static void what_may_not_be_read_has_no_text(void **state)
{
    struct arena arena;
    struct str text = STR("old");
    struct err err = {0};
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_true(process_program_environment(&text, 0, &arena, &err));
    assert_null(text.text);
    assert_int_equal(text.len, 0);
    arena_free(&arena);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_variable_has_a_nul_after_it),
    cmocka_unit_test(empty_environment_is_a_text),
    cmocka_unit_test(long_variable_is_whole),
    cmocka_unit_test(what_may_not_be_read_has_no_text),
};
UNIT_TESTS(tests);
