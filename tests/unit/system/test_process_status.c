/* test_process_status.c - whose a process is and which pids it has: of this one, of a thread, of
 * children with another owner or their own namespace of pids. */
#include "system/process_status.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/child.h"

enum {
    NOBODY = 65534
};

static void own_process_leads_its_threads(void **state)
{
    struct process_status status;
    (void)state;
    assert_true(process_status_read(&status, getpid()));
    assert_int_equal(status.leader, getpid());
    assert_int_equal(status.inner_pid, getpid());
    assert_int_equal(status.owner, geteuid());
}

static void *tell_leader(void *argument)
{
    struct process_status status;
    pid_t *leader = argument;
    if (gettid() != getpid() && process_status_read(&status, gettid()))
        *leader = status.leader;
    return NULL;
}

static void thread_has_another_leader(void **state)
{
    pthread_t thread;
    pid_t leader = 0;
    (void)state;
    assert_int_equal(pthread_create(&thread, NULL, tell_leader, &leader), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(leader, getpid());
}

static bool become_nobody(const char *unused)
{
    (void)unused;
    return seteuid(NOBODY) == 0;
}

static void owner_is_the_effective_one(void **state)
{
    struct process_status status;
    (void)state;
    pid_t pid = child_prepared(become_nobody, NULL);
    if (pid == 0)
        skip(); /* only root may */
    assert_true(process_status_read(&status, pid));
    assert_int_equal(status.owner, NOBODY);
    child_end(pid);
    assert_false(process_status_read(&status, pid));
}

/* unshare puts the next child into the new namespace; its first process has number 1. */
static void inner_pid_is_that_of_the_innermost_namespace(void **state)
{
    struct process_status status;
    int ends[2];
    pid_t inner = 0;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    pid_t outer = fork();
    assert_true(outer >= 0);
    if (outer == 0) {
        pid_t child = unshare(CLONE_NEWPID) == 0 ? fork() : 0;
        if (child == 0 && getpid() == 1)
            for (;;)
                (void)pause();
        (void)!write(ends[1], &child, sizeof child);
        _exit(0);
    }
    assert_int_equal(read(ends[0], &inner, sizeof inner), sizeof inner);
    assert_int_equal(waitpid(outer, NULL, 0), outer);
    (void)close(ends[0]);
    (void)close(ends[1]);
    if (inner == 0)
        skip(); /* not allowed here */
    assert_true(process_status_read(&status, inner));
    assert_int_equal(status.leader, inner);
    assert_int_equal(status.inner_pid, 1);
    assert_int_equal(kill(inner, SIGKILL), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(own_process_leads_its_threads),
    cmocka_unit_test(thread_has_another_leader),
    cmocka_unit_test(owner_is_the_effective_one),
    cmocka_unit_test(inner_pid_is_that_of_the_innermost_namespace),
};
UNIT_TESTS(tests);
