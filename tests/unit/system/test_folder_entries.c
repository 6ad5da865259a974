/* test_folder_entries.c - each entry of a folder is visited, until the visitor has seen enough. */
#include "system/folder.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "system/file.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"

struct seen {
    unsigned count, most, dots;
    bool has_file, has_folder;
};

static bool see(void *context, const char *name)
{
    struct seen *seen = context;
    seen->dots += strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
    seen->has_file |= strcmp(name, "file") == 0;
    seen->has_folder |= strcmp(name, ".folder") == 0;
    errno = EDOM; /* a visitor has errors of its own */
    return ++seen->count != seen->most;
}

static void fill(struct temporary *t)
{
    temporary_open(t);
    (void)temporary_file(t, "file", "", 0);
    assert_int_equal(mkdir(temporary_path(t, ".folder"), 0700), 0);
}

static void all_entries_but_the_folder_and_its_parent_are_visited(void **state)
{
    struct temporary t;
    struct seen seen = {.count = 0};
    (void)state;
    fill(&t);
    assert_true(folder_each_entry(t.folder, see, &seen));
    assert_int_equal(errno, 0);
    assert_int_equal(seen.count, 2);
    assert_int_equal(seen.dots, 0);
    assert_true(seen.has_file && seen.has_folder);
    temporary_close(&t);
}

static void visitor_ends_the_visit(void **state)
{
    struct temporary t;
    struct seen seen = {.most = 1};
    (void)state;
    fill(&t);
    assert_false(folder_each_entry(t.folder, see, &seen));
    assert_int_equal(seen.count, 1);
    temporary_close(&t);
}

static void open_folder_is_visited_from_its_first_entry_each_time(void **state)
{
    struct temporary t;
    struct seen first = {.count = 0}, second = {.count = 0};
    (void)state;
    fill(&t);
    int folder = file_open(t.folder, FILE_READ | FILE_FOLDER);
    assert_true(folder_each_entry_in(folder, see, &first));
    assert_true(folder_each_entry_in(folder, see, &second));
    assert_int_equal(errno, 0);
    assert_int_equal(first.count, 2);
    assert_int_equal(second.count, 2);
    (void)file_close(folder);
    temporary_close(&t);
}

static void folder_that_cannot_be_read_has_no_entries_and_a_reason(void **state)
{
    struct temporary t;
    struct seen seen = {.count = 0};
    (void)state;
    fill(&t);
    assert_true(folder_each_entry(temporary_path(&t, "missing"), see, &seen));
    assert_int_equal(errno, ENOENT);
    assert_true(folder_each_entry(temporary_path(&t, "file"), see, &seen));
    assert_int_equal(errno, ENOTDIR);
    assert_true(folder_each_entry_in(-1, see, &seen));
    assert_int_equal(errno, EBADF);
    assert_int_equal(seen.count, 0);
    temporary_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(all_entries_but_the_folder_and_its_parent_are_visited),
    cmocka_unit_test(visitor_ends_the_visit),
    cmocka_unit_test(open_folder_is_visited_from_its_first_entry_each_time),
    cmocka_unit_test(folder_that_cannot_be_read_has_no_entries_and_a_reason),
};
UNIT_TESTS(tests);
