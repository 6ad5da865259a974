/* test_process_life.c - whether a process lives is known, whoever it belongs to. */
#include "system/process.h"

#include "tests/support/check.h"
#include "tests/support/child.h"

static void this_process_and_others_live(void **state)
{
    (void)state;
    assert_true(process_lives(process_self()));
    assert_true(process_lives(1));
}

static void process_lives_until_it_has_ended(void **state)
{
    int child = child_start((char *[]){NULL});
    (void)state;
    assert_true(process_lives(child));
    child_end(child);
    assert_false(process_lives(child));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(this_process_and_others_live),
    cmocka_unit_test(process_lives_until_it_has_ended),
};
UNIT_TESTS(tests);
