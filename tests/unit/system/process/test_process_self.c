/* test_process_self.c - this process knows itself, its parent, its program and its room. */
#include "system/process/process_self.h"

#include <unistd.h>

#include "system/library.h"
#include "system/memory_room.h"
#include "tests/support/check.h"

static void process_knows_itself_and_its_parent(void **state)
{
    (void)state;
    assert_int_equal(process_self(), getpid());
    assert_int_equal(process_self_parent(), getppid());
    assert_string_equal(process_self_name(), "test_process_self");
}

static void memory_may_be_used(void **state)
{
    (void)state;
    assert_true(memory_room() > 0);
}

/* Of the program itself, which stays in any case, and of no library at all. */
static void what_stays_can_be_pinned(void **state)
{
    (void)state;
    library_pin("");
    library_pin(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(process_knows_itself_and_its_parent),
        cmocka_unit_test(memory_may_be_used),
        cmocka_unit_test(what_stays_can_be_pinned),
    };
    return cmocka_run_group_tests_name("process_self", tests, NULL, NULL);
}
