/* test_session_places.c - sessions are created in memory if they can be, else where the user wants
 * temporary files. */
#include "system/places.h"

#include <stdlib.h>

#include "tests/support/check.h"

static void memory_comes_before_the_users_and_the_systems_folder(void **state)
{
    const char *places[SESSION_PLACES_MOST];
    (void)state;
    assert_int_equal(setenv("TMPDIR", "/elsewhere", 1), 0);
    assert_int_equal(session_places(places), 3);
    assert_string_equal(places[0], "/dev/shm");
    assert_string_equal(places[1], "/elsewhere");
    assert_string_equal(places[2], "/tmp");
}

static void user_may_have_no_folder(void **state)
{
    const char *places[SESSION_PLACES_MOST];
    (void)state;
    assert_int_equal(setenv("TMPDIR", "", 1), 0);
    assert_int_equal(session_places(places), 2);
    assert_int_equal(unsetenv("TMPDIR"), 0);
    assert_int_equal(session_places(places), 2);
    assert_string_equal(places[1], "/tmp");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(memory_comes_before_the_users_and_the_systems_folder),
    cmocka_unit_test(user_may_have_no_folder),
};
UNIT_TESTS(tests);
