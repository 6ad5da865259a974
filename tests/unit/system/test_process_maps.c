/* test_process_maps.c - files that this process has mapped. */
#include "system/process_maps.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/temporary.h"

struct search {
    const char *path;
    unsigned seen, calls;
};

static bool count(void *context, struct str path)
{
    struct search *search = context;
    search->calls++;
    assert_int_equal(path.text[0], '/');
    search->seen += str_is(path, search->path);
    return true;
}

static bool take_one(void *context, struct str path)
{
    struct search *search = context;
    (void)path;
    search->calls++;
    return false;
}

static void mapped_file_is_seen_until_it_is_unmapped(void **state)
{
    static const char page[4096];
    struct temporary t;
    (void)state;
    temporary_open(&t);
    struct search before = {.path = temporary_file(&t, "with a blank", page, sizeof page)};
    struct search during = before, after = before;
    assert_true(process_maps_visit(PROCESS_SELF, count, &before));
    int fd = open(before.path, O_RDONLY | O_CLOEXEC);
    void *map = mmap(NULL, sizeof page, PROT_READ, MAP_SHARED, fd, 0);
    assert_true(map != MAP_FAILED);
    (void)close(fd);
    assert_true(process_maps_visit(getpid(), count, &during));
    assert_int_equal(munmap(map, sizeof page), 0);
    assert_true(process_maps_visit(PROCESS_SELF, count, &after));
    assert_int_equal(before.seen, 0);
    assert_int_equal(during.seen, 1);
    assert_int_equal(after.seen, 0);
    temporary_close(&t);
}

static void visit_ends_when_enough_was_seen(void **state)
{
    struct search all = {.path = ""}, one = {.path = ""};
    (void)state;
    assert_true(process_maps_visit(PROCESS_SELF, count, &all));
    assert_true(process_maps_visit(PROCESS_SELF, take_one, &one));
    assert_true(all.calls > 1);
    assert_int_equal(one.calls, 1);
}

static void maps_of_no_process_cannot_be_read(void **state)
{
    struct search search = {.path = ""};
    char path[PROCESS_PATH_ROOM];
    (void)state;
    assert_false(process_maps_visit(0, count, &search));
    assert_int_equal(search.calls, 0);
    process_maps_path(path, 17);
    assert_string_equal(path, "/proc/17/maps");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(mapped_file_is_seen_until_it_is_unmapped),
    cmocka_unit_test(visit_ends_when_enough_was_seen),
    cmocka_unit_test(maps_of_no_process_cannot_be_read),
};
UNIT_TESTS(tests);
