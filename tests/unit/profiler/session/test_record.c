/* test_record.c - what the library tells of its process survives what the target does to its
 * descriptors, its limits and the disk; and never lands in a file of the user's. */
#include "profiler/session/record.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contract/session_format.h"
#include "system/file.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"
#include "tests/support/version.h"

struct fixture {
    struct temporary session;
    struct folder folder;
    struct record record;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    if (f == NULL)
        return -1;
    temporary_open(&f->session);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    temporary_close(&f->session);
    free(f);
    return 0;
}

static void open_all(struct fixture *f)
{
    folder_open(&f->folder, f->session.folder);
    record_open(&f->record, &f->folder);
}

static void close_all(struct fixture *f)
{
    record_close(&f->record);
    folder_close(&f->folder);
}

static struct str text_of(struct fixture *f, const char *name)
{
    return temporary_read(&f->session, temporary_path(&f->session, name));
}

static void lines_are_as_the_format_says(void **state)
{
    struct fixture *f = *state;
    const struct str fields[] = {STR("a\tb"), STR("c\\d"), STR("e\nf")};
    open_all(f);
    record_line(&f->record, "skipped", fields, 3);
    record_warning(&f->record, "%d of %s", 3, "four");
    assert_str(text_of(f, f->record.name), "ilcov-process\t" TEST_VERSION "\n"
                                           "skipped\ta\\tb\tc\\\\d\te\\nf\n"
                                           "trouble\t3 of four\n");
    close_all(f);
}

static void record_continues_when_the_target_closes_its_descriptor(void **state)
{
    struct fixture *f = *state;
    open_all(f);
    assert_int_equal(close(f->record.file.fd), 0);
    assert_int_equal(close(f->folder.directory.fd), 0);
    record_warning(&f->record, "still told");
    assert_non_null(strstr(text_of(f, f->record.name).text, "\ntrouble\tstill told\n"));
    close_all(f);
}

static void users_file_under_our_number_stays_as_it_is(void **state)
{
    struct fixture *f = *state;
    open_all(f);
    int user = open(temporary_path(&f->session, "user"), O_RDWR | O_CREAT, 0600);
    int number = f->record.file.fd;
    assert_int_equal(dup2(user, number), number);
    record_warning(&f->record, "still told");
    assert_int_equal(text_of(f, "user").len, 0);
    assert_non_null(strstr(text_of(f, f->record.name).text, "\ntrouble\tstill told\n"));
    close_all(f);
    assert_true(fcntl(number, F_GETFD) >= 0); /* theirs: not closed */
    (void)close(number);
    (void)close(user);
}

static void standard_streams_that_are_closed_are_not_taken(void **state)
{
    struct fixture *f = *state;
    int saved = dup(STDIN_FILENO);
    (void)close(STDIN_FILENO);
    open_all(f);
    assert_true(f->record.file.fd > STDERR_FILENO && f->folder.directory.fd > STDERR_FILENO);
    assert_int_equal(fcntl(STDIN_FILENO, F_GETFD), -1);
    assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
    (void)close(saved);
    close_all(f);
}

/* Beyond it the kernel would kill the process. */
static void limit_of_file_size_loses_lines_and_nothing_else(void **state)
{
    struct fixture *f = *state;
    struct rlimit before, none;
    open_all(f);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    none = before;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    record_warning(&f->record, "lost");
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_str(text_of(f, f->record.name), "ilcov-process\t" TEST_VERSION "\n");
    close_all(f);
}

/* The disk is full: a trouble finds the room that was kept, and the record ends with what was
 * whole. */
static void warning_on_a_full_disk_goes_where_room_was_kept(void **state)
{
    static char much[3000];
    struct fixture *f = *state;
    const char *folder = f->session.folder;
    if (mount("none", folder, "tmpfs", 0, "size=16k") != 0)
        skip();
    int warnings = open(temporary_path(&f->session, SESSION_WARNINGS), O_WRONLY | O_CREAT, 0600);
    assert_int_equal(fallocate(warnings, FALLOC_FL_KEEP_SIZE, 0, 4096), 0);
    (void)close(warnings);
    assert_int_equal(chmod(folder, 0700), 0);
    open_all(f);
    memset(much, 'x', sizeof much);
    const struct str field = {much, sizeof much};
    for (unsigned i = 0; i < 10; i++)
        record_line(&f->record, "program", &field, 1);
    record_warning(&f->record, "told all the same");
    struct str record = text_of(f, f->record.name), reported = text_of(f, SESSION_WARNINGS);
    close_all(f);
    assert_int_equal(umount(folder), 0);
    assert_true(record.len > sizeof much && record.len <= 16384);
    assert_null(strstr(record.text, "told"));
    assert_str(reported, "trouble\ttold all the same\n");
}

/* As root's is in a session of a user's: it may write there, but makes nothing. */
static void process_without_a_record_tells_its_warning(void **state)
{
    struct fixture *f = *state;
    if (geteuid() != 0)
        skip();
    const char *path = temporary_file(&f->session, SESSION_WARNINGS, "", 0);
    assert_int_equal(chown(path, 65534, 65534), 0);
    assert_int_equal(chown(f->session.folder, 65534, 65534), 0);
    open_all(f);
    record_warning(&f->record, "not measured");
    close_all(f);
    assert_int_equal(temporary_count(&f->session), 1);
    assert_str(text_of(f, SESSION_WARNINGS), "trouble\tnot measured\n");
}

static void warning_is_not_written_through_a_link(void **state)
{
    struct fixture *f = *state;
    const char *target = temporary_file(&f->session, "target", "", 0);
    const char *warnings = temporary_path(&f->session, SESSION_WARNINGS);
    assert_int_equal(chmod(f->session.folder, 0770), 0); /* no record is made there */
    assert_int_equal(link(target, warnings), 0);
    open_all(f);
    record_warning(&f->record, "not measured");
    assert_int_equal(unlink(warnings), 0);
    assert_int_equal(symlink(target, warnings), 0);
    record_warning(&f->record, "not measured");
    assert_int_equal(text_of(f, "target").len, 0);
    assert_int_equal(unlink(warnings), 0);
    assert_int_equal(mkfifo(warnings, 0600), 0);
    record_warning(&f->record, "does not wait for a reader");
    close_all(f);
}

/* A process that changed its user after it started still tells through what it opened before. */
static void record_continues_when_the_user_changes(void **state)
{
    struct fixture *f = *state;
    if (geteuid() != 0)
        skip();
    open_all(f);
    record_watch_user(&f->record);
    assert_int_equal(seteuid(65534), 0);
    record_warning(&f->record, "still told");
    record_watch_user(&f->record);
    record_watch_user(&f->record);
    assert_int_equal(folder_file(&f->folder, "new", FILE_WRITE | FILE_MAKE), -1);
    assert_int_equal(seteuid(0), 0);
    const char *text = text_of(f, f->record.name).text;
    assert_non_null(strstr(text, "\ntrouble\tstill told\ntrouble\tprocess "));
    const char *change = strstr(text, "runs as user 65534, no longer as user 0");
    assert_non_null(change);
    assert_null(strstr(change + 1, "runs as user")); /* told once */
    close_all(f);
}

/* exec keeps process id and start: the record is gone on with. */
static void record_of_this_process_is_gone_on_with(void **state)
{
    struct fixture *f = *state;
    open_all(f);
    close_all(f);
    open_all(f);
    assert_str(text_of(f, f->record.name),
               "ilcov-process\t" TEST_VERSION "\nilcov-process\t" TEST_VERSION "\n");
    close_all(f);
}

/* Whole or not at all, however many characters must be escaped. */
static void field_with_too_much_to_escape_is_left_out(void **state)
{
    static char tabs[4000], written[2 * 40 + 1];
    struct fixture *f = *state;
    memset(tabs, '\t', sizeof tabs);
    for (unsigned i = 0; i < 40; i++)
        memcpy(written + 2 * i, "\\t", 2);
    const struct str fields[] = {{tabs, sizeof tabs}, STR("b"), {tabs, 40}, {tabs, sizeof tabs}};
    open_all(f);
    record_line(&f->record, "skipped", fields, 4);
    struct str text = text_of(f, f->record.name), expected;
    assert_true(text_format(&expected, &f->session.arena, NULL,
                            "ilcov-process\t" TEST_VERSION "\nskipped\t\tb\t%s\t\n", written));
    assert_true(str_eq(text, expected));
    close_all(f);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
static const struct CMUnitTest tests[] = {
    TEST(lines_are_as_the_format_says),
    TEST(record_continues_when_the_target_closes_its_descriptor),
    TEST(users_file_under_our_number_stays_as_it_is),
    TEST(standard_streams_that_are_closed_are_not_taken),
    TEST(limit_of_file_size_loses_lines_and_nothing_else),
    TEST(warning_on_a_full_disk_goes_where_room_was_kept),
    TEST(process_without_a_record_tells_its_warning),
    TEST(warning_is_not_written_through_a_link),
    TEST(record_continues_when_the_user_changes),
    TEST(record_of_this_process_is_gone_on_with),
    TEST(field_with_too_much_to_escape_is_left_out),
};
UNIT_TESTS(tests);
