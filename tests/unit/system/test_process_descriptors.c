/* test_process_descriptors.c - files that this process has open. */
#include "system/process.h"

#include <fcntl.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/temporary.h"

struct search {
    const char *path;
    unsigned seen, calls;
};

static bool count(void *context, struct str target)
{
    struct search *search = context;
    search->calls++;
    search->seen += str_is(target, search->path);
    return true;
}

static bool take_one(void *context, struct str target)
{
    struct search *search = context;
    (void)target;
    search->calls++;
    return false;
}

static void open_file_is_seen_until_it_is_closed(void **state)
{
    struct temporary t;
    (void)state;
    temporary_open(&t);
    struct search before = {.path = temporary_file(&t, "file", "", 0)};
    struct search during = before, after = before;
    process_descriptors_visit(PROCESS_SELF, count, &before);
    int fd = open(before.path, O_RDONLY | O_CLOEXEC), other = dup(fd);
    process_descriptors_visit(getpid(), count, &during);
    (void)close(fd);
    (void)close(other);
    process_descriptors_visit(PROCESS_SELF, count, &after);
    assert_int_equal(before.seen, 0);
    assert_int_equal(during.seen, 2);
    assert_int_equal(after.seen, 0);
    temporary_close(&t);
}

static void visit_ends_when_enough_was_seen(void **state)
{
    struct search all = {.path = ""}, one = {.path = ""};
    (void)state;
    process_descriptors_visit(PROCESS_SELF, count, &all);
    process_descriptors_visit(PROCESS_SELF, take_one, &one);
    assert_true(all.calls > 1);
    assert_int_equal(one.calls, 1);
}

static void no_process_has_nothing_open(void **state)
{
    struct search search = {.path = ""};
    (void)state;
    process_descriptors_visit(0, count, &search);
    assert_int_equal(search.calls, 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(open_file_is_seen_until_it_is_closed),
    cmocka_unit_test(visit_ends_when_enough_was_seen),
    cmocka_unit_test(no_process_has_nothing_open),
};
UNIT_TESTS(tests);
