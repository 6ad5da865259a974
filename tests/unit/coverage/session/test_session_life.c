/* test_session_life.c - a session belongs to its program as long as that lives, and to its command
 * as long as that counts; then it is an orphan, and goes. */
#include "coverage/session/session_life.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "coverage/session/session.h"
#include "coverage/session/session_directory.h"
#include "coverage/session/session_text.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"

static const struct session_config config = {.mode = MODE_COUNT};

/* Makes a session in a process that holds it, and is gone when this returns. */
static void make_orphan(char *path, size_t room, const char *parent)
{
    int ends[2], status = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        bool made = session_create(path, room, parent, &config, NULL) && session_hold(path);
        _exit(!made || session_state(path) != SESSION_IN_USE ||
              write(ends[1], path, room) != (ssize_t)room);
    }
    assert_int_equal(read(ends[0], path, room), room);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    (void)close(ends[0]);
    (void)close(ends[1]);
}

struct seen {
    unsigned count;
    enum session_state state;
};

static void see(void *context, const char *path, pid_t owner, enum session_state state)
{
    struct seen *seen = context;
    assert_true(owner > 0 && path[0] == '/');
    seen->count++;
    seen->state = state;
}

static void session_is_in_use_while_its_program_lives(void **state)
{
    (void)state;
    struct temporary t;
    char path[512];
    struct err err = {0};
    struct seen seen = {0};
    temporary_open(&t);
    assert_true(session_create(path, sizeof path, t.folder, &config, &err));
    assert_int_equal(session_state(path), SESSION_IN_USE); /* not locked yet, but young */
    assert_true(session_hold(path));
    assert_false(session_hold(path));
    assert_int_equal(session_state(path), SESSION_IN_USE);
    assert_false(session_remove_orphan(path));
    session_visit(t.folder, see, &seen);
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.state, SESSION_IN_USE);
    assert_true(session_remove(path, &err));
    temporary_close(&t);
}

static void session_of_a_program_that_is_gone_is_removed_once(void **state)
{
    (void)state;
    struct temporary t;
    char path[512] = "";
    struct seen seen = {0};
    temporary_open(&t);
    make_orphan(path, sizeof path, t.folder);
    session_visit(t.folder, see, &seen);
    assert_int_equal(seen.count, 1);
    assert_int_equal(seen.state, SESSION_ORPHANED);
    assert_true(session_remove_orphan(path));
    assert_false(session_remove_orphan(path));
    assert_int_equal(temporary_count(&t), 0);
    temporary_close(&t);
}

static void session_in_which_somebody_counts_stays(void **state)
{
    (void)state;
    struct temporary t;
    char path[512] = "", counts[600];
    temporary_open(&t);
    make_orphan(path, sizeof path, t.folder);
    (void)snprintf(counts, sizeof counts, "%s/x.counts", path);
    int fd = open(counts, O_RDWR | O_CREAT, 0600);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    assert_int_equal(session_state(path), SESSION_RUNS_ON);
    assert_false(session_remove_orphan(path));
    (void)close(fd);
    assert_int_equal(session_state(path), SESSION_ORPHANED);
    assert_true(session_remove_orphan(path));
    temporary_close(&t);
}

/* The name of the record that the library in this process would write. */
static void record_name(char *out, size_t room, const char *session, unsigned long long later)
{
    char stat[1024] = "";
    unsigned long long ticks = 0;
    FILE *file = fopen("/proc/self/stat", "re");
    assert_true(file != NULL && fgets(stat, sizeof stat, file) != NULL);
    (void)fclose(file);
    const char *field = strrchr(stat, ')');
    for (int i = 2; i < 22; i++)
        field = strchr(field + 1, ' ');
    assert_int_equal(sscanf(field, "%llu", &ticks), 1);
    (void)snprintf(out, room, "%s/process-%ld-%llu", session, (long)getpid(), ticks + later);
}

static void make_file(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT, 0600);
    assert_true(fd >= 0);
    (void)close(fd);
}

static void session_of_a_process_that_counted_nothing_yet_stays(void **state)
{
    (void)state;
    struct temporary t;
    char path[512] = "", record[700], earlier[700];
    temporary_open(&t);
    make_orphan(path, sizeof path, t.folder);
    record_name(record, sizeof record, path, 0);
    record_name(earlier, sizeof earlier, path, 1); /* another that had our number */
    make_file(earlier);
    assert_int_equal(session_state(path), SESSION_ORPHANED);
    make_file(record);
    assert_int_equal(session_state(path), SESSION_RUNS_ON);
    assert_false(session_remove_orphan(path));
    assert_int_equal(unlink(record), 0);
    assert_true(session_remove_orphan(path));
    temporary_close(&t);
}

static void kept_session_is_removed_when_nobody_uses_it(void **state)
{
    (void)state;
    static const char *const files[] = {"baseline", "baseline.part", "control-17", "process-1-2"};
    struct temporary t;
    struct session_config kept = {.mode = MODE_COUNT, .keep = true};
    struct err err = {0};
    char path[512], record[700];
    temporary_open(&t);
    assert_true(session_create(path, sizeof path, t.folder, &kept, &err));
    record_name(record, sizeof record, path, 0);
    make_file(record);
    assert_int_equal(session_remove_unused(path, &err), SESSION_RUNS_ON);
    assert_int_equal(unlink(record), 0);
    (void)snprintf(record, sizeof record, "%s/config", path);
    int fd = open(record, O_RDONLY | O_CLOEXEC);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    assert_int_equal(session_remove_unused(path, &err), SESSION_IN_USE);
    (void)close(fd);
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        (void)snprintf(record, sizeof record, "%s/%s", path, files[i]);
        make_file(record);
    }
    assert_int_equal(session_remove_unused(path, &err), SESSION_ORPHANED);
    assert_int_equal(temporary_count(&t), 0);
    assert_int_equal(session_remove_unused(path, &err), SESSION_NONE);
    assert_non_null(strstr(err.text, path));
    temporary_close(&t);
}

/* Whose number has another process by now. */
/* Of all that are attached to a process, the last reverts it; who comes meanwhile waits. */
static void the_last_that_shares_a_session_is_told(void **state)
{
    (void)state;
    struct temporary t;
    char path[512];
    struct err err = {0};
    temporary_open(&t);
    assert_true(session_create(path, sizeof path, t.folder, &config, &err));
    int one = session_share(path), other = session_share(path);
    assert_true(one >= 0 && other >= 0);
    assert_false(session_share_is_last(one));
    session_share_on(one);
    assert_false(session_share_is_last(other)); /* the other still reads */
    assert_true(session_share_is_last(one));    /* ... but asked in vain, and did not share on */
    (void)close(other);
    pid_t child = fork();
    if (child == 0)
        _exit(session_share(path) < 0);
    (void)usleep(50000);
    int status = 0;
    assert_int_equal(waitpid(child, &status, WNOHANG), 0);
    session_share_on(one);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(session_share_is_last(-1)); /* there are no locks */
    (void)close(one);
    assert_true(session_remove(path, &err));
    temporary_close(&t);
}

static void number_that_came_again_protects_nothing(void **state)
{
    (void)state;
    struct temporary t;
    char name[64], path[512], file[600];
    const struct timespec long_ago[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    temporary_open(&t);
    (void)snprintf(name, sizeof name, SESSION_NAME "%ld-abcdef", (long)getpid());
    (void)snprintf(path, sizeof path, "%s", temporary_path(&t, name));
    (void)snprintf(file, sizeof file, "%s/config", path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(session_state(path), SESSION_NONE); /* no config, no session */
    int fd = open(file, O_WRONLY | O_CREAT, 0600);
    assert_true(fd >= 0);
    (void)close(fd);
    assert_int_equal(session_state(path), SESSION_IN_USE);
    assert_int_equal(utimensat(AT_FDCWD, file, long_ago, 0), 0);
    assert_int_equal(session_state(path), SESSION_ORPHANED);
    assert_true(session_remove_orphan(path));
    temporary_close(&t);
}

static void what_ilcov_did_not_make_is_not_a_session(void **state)
{
    (void)state;
    struct temporary t;
    char path[512] = "";
    struct seen seen = {0};
    temporary_open(&t);
    make_orphan(path, sizeof path, t.folder);
    assert_int_equal(symlink(path, temporary_path(&t, "ilcov-1-abcdef")), 0);
    assert_int_equal(session_state(temporary_path(&t, "ilcov-1-abcdef")), SESSION_NONE);
    assert_int_equal(session_state("/nonexistent/ilcov-1-abcdef"), SESSION_NONE);
    (void)temporary_file(&t, "ilcov-2-abcdef", "x", 1);
    session_visit(t.folder, see, &seen);
    assert_int_equal(seen.count, 1);
    if (geteuid() == 0) {
        assert_int_equal(chown(path, 65534, 65534), 0);
        assert_int_equal(session_state(path), SESSION_NONE);
        assert_false(session_remove_orphan(path));
        assert_int_equal(chown(path, 0, 0), 0);
    }
    session_visit("/nonexistent", see, &seen);
    assert_int_equal(seen.count, 1);
    assert_true(session_remove_orphan(path));
    temporary_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(session_is_in_use_while_its_program_lives),
    cmocka_unit_test(session_of_a_program_that_is_gone_is_removed_once),
    cmocka_unit_test(session_in_which_somebody_counts_stays),
    cmocka_unit_test(session_of_a_process_that_counted_nothing_yet_stays),
    cmocka_unit_test(kept_session_is_removed_when_nobody_uses_it),
    cmocka_unit_test(the_last_that_shares_a_session_is_told),
    cmocka_unit_test(number_that_came_again_protects_nothing),
    cmocka_unit_test(what_ilcov_did_not_make_is_not_a_session),
};
UNIT_TESTS(tests);
