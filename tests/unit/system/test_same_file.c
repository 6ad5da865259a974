#include "system/output_path.h"

#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/temporary.h"

static void one_file_under_two_names_is_the_same(void **state)
{
    struct temporary t;
    (void)state;
    temporary_open(&t);
    const char *a = temporary_file(&t, "a", "x", 1), *b = temporary_file(&t, "b", "x", 1);
    const char *link_of_a = temporary_path(&t, "c"), *none = temporary_path(&t, "none");
    assert_int_equal(symlink(a, link_of_a), 0);
    assert_true(same_file(a, a));
    assert_true(same_file(a, link_of_a));
    assert_false(same_file(a, b));
    assert_true(same_file(none, none));
    assert_false(same_file(a, none));
    assert_true(same_file(none, temporary_path(&t, "gone/../none")));
    assert_false(same_file(none, temporary_path(&t, "gone/none")));
    assert_true(same_file(t.folder, temporary_path(&t, ".")));
    const char *link_of_none = temporary_path(&t, "d");
    assert_int_equal(symlink("none", link_of_none), 0);
    assert_true(same_file(none, link_of_none));
    assert_false(same_file("-", temporary_path(&t, "-")));
    assert_false(same_file("/dev/null", "/dev/../dev/null")); /* writing twice there does no harm */
    temporary_close(&t);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(one_file_under_two_names_is_the_same)};
UNIT_TESTS(tests);
