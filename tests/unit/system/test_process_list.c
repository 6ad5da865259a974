/* test_process_list.c - the processes of this machine. */
#include "system/process.h"

#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/child.h"

struct seen {
    pid_t wanted, before;
    bool found, descends;
    int count, most;
};

static bool see(void *context, pid_t pid)
{
    struct seen *seen = context;
    seen->found = seen->found || pid == seen->wanted;
    seen->descends = seen->descends || pid <= seen->before;
    seen->before = pid;
    return ++seen->count != seen->most;
}

static void processes_are_visited_in_the_order_of_their_ids(void **state)
{
    pid_t child = child_start((char *[]){NULL});
    struct seen own = {.wanted = getpid()}, other = {.wanted = child};
    (void)state;
    assert_true(process_list_visit(see, &own));
    assert_true(own.found);
    assert_false(own.descends);
    assert_true(process_list_visit(see, &other));
    assert_true(other.found);
    child_end(child);
}

static void visit_ends_when_it_is_told_to(void **state)
{
    struct seen one = {.most = 1};
    (void)state;
    assert_true(process_list_visit(see, &one));
    assert_int_equal(one.count, 1);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(processes_are_visited_in_the_order_of_their_ids),
    cmocka_unit_test(visit_ends_when_it_is_told_to),
};
UNIT_TESTS(tests);
