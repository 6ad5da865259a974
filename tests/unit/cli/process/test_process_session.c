#include "cli/process/other_process.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/path.h"
#include "tests/support/check.h"
#include "tests/support/child.h"
#include "tests/support/temporary.h"

static void make_session(struct temporary *t, pid_t pid, char record[PROCESS_RECORD_ROOM])
{
    struct process process;
    struct err err = {0};
    assert_true(process_read(&process, pid, &t->arena, &err));
    process_record_name(record, &process);
    (void)temporary_file(t, "config", "", 0);
    (void)temporary_file(t, record, "", 0);
}

static void check_session(const struct temporary *t, pid_t pid)
{
    char path[PATH_ROOM];
    struct err err = {0};
    if (!process_session(path, sizeof path, pid, &err))
        fail_msg("%s", err.text);
    assert_string_equal(path, t->folder);
}

static void session_is_found_by_the_open_record(void **state)
{
    struct temporary t;
    char record[PROCESS_RECORD_ROOM], path[PATH_ROOM];
    struct err err = {0};
    (void)state;
    temporary_open(&t);
    make_session(&t, getpid(), record);
    assert_failed(process_session(path, sizeof path, getpid(), &err), err, ERR_UNSUPPORTED);
    int fd = open(temporary_path(&t, record), O_WRONLY | O_CLOEXEC);
    check_session(&t, getpid());
    (void)close(fd);
    temporary_close(&t);
}

static void session_is_found_by_mapped_counters(void **state)
{
    struct temporary t;
    char record[PROCESS_RECORD_ROOM];
    static const char page[4096];
    (void)state;
    temporary_open(&t);
    make_session(&t, getpid(), record);
    int fd = open(temporary_file(&t, "a.counts", page, sizeof page), O_RDONLY | O_CLOEXEC);
    void *map = mmap(NULL, sizeof page, PROT_READ, MAP_SHARED, fd, 0);
    assert_true(map != MAP_FAILED);
    (void)close(fd);
    check_session(&t, getpid());
    assert_int_equal(munmap(map, sizeof page), 0);
    temporary_close(&t);
}

/* /proc/PID/root is gone as soon as the process is, and who collects then must still find it. */
static void shared_session_is_named_by_a_path_that_outlives_the_process(void **state)
{
    struct temporary t;
    char record[PROCESS_RECORD_ROOM], variable[300];
    int namespaces = CLONE_NEWNS | (geteuid() != 0 ? CLONE_NEWUSER : 0);
    (void)state;
    if (!child_may_have(namespaces))
        skip();
    temporary_open(&t);
    (void)snprintf(variable, sizeof variable, "ILCOV_SESSION=%s", t.folder);
    char *environment[] = {variable, NULL};
    pid_t pid = child_apart(environment, namespaces);
    make_session(&t, pid, record);
    check_session(&t, pid);
    child_end(pid);
    temporary_close(&t);
}

/* Others of the session inherit the variable without counting there. */
static void session_of_the_variable_needs_a_record_of_just_this_process(void **state)
{
    struct temporary t;
    char record[PROCESS_RECORD_ROOM], variable[300], path[PATH_ROOM];
    struct err err = {0};
    (void)state;
    temporary_open(&t);
    (void)snprintf(variable, sizeof variable, "ILCOV_SESSION=%s", t.folder);
    char *environment[] = {variable, NULL};
    pid_t pid = child_start(environment), other = child_start(environment);
    make_session(&t, pid, record);
    check_session(&t, pid);
    assert_failed(process_session(path, sizeof path, other, &err), err, ERR_UNSUPPORTED);
    assert_int_equal(unlink(temporary_path(&t, "config")), 0);
    assert_failed(process_session(path, sizeof path, pid, &err), err, ERR_UNSUPPORTED);
    child_end(pid);
    child_end(other);
    temporary_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(session_is_found_by_the_open_record),
    cmocka_unit_test(session_is_found_by_mapped_counters),
    cmocka_unit_test(shared_session_is_named_by_a_path_that_outlives_the_process),
    cmocka_unit_test(session_of_the_variable_needs_a_record_of_just_this_process),
};
UNIT_TESTS(tests);
