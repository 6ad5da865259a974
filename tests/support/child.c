#include "tests/support/child.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "system/process_status.h"
#include "tests/support/check.h"

enum {
    TRIES = 24000 /* of 5 ms */
};

bool child_may_have(int namespaces)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0)
        _exit(unshare(namespaces) != 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status == 0;
}

/* The kernel closes files before it sets arguments and environment: until the program waits for
 * something. */
static void wait_until_it_rests(pid_t pid)
{
    struct process_stat stat;
    for (unsigned i = 0; i < TRIES && process_stat_read(&stat, pid); i++) {
        if (stat.state == 'S' || process_stat_has_ended(&stat))
            return;
        (void)usleep(5000);
    }
}

pid_t child_program(const char *program, char *const *arguments, char *const *environment,
                    int namespaces)
{
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    pid_t pid = fork();
    if (pid == 0) {
        if (namespaces == 0 || unshare(namespaces) == 0)
            (void)execvpe(program, arguments, environment);
        _exit(127);
    }
    char nothing;
    assert_true(pid > 0);
    (void)close(ends[1]);
    assert_int_equal(read(ends[0], &nothing, 1), 0); /* closed by exec */
    (void)close(ends[0]);
    wait_until_it_rests(pid);
    return pid;
}

pid_t child_apart(char *const *environment, int namespaces)
{
    static char name[] = "sleep", time[] = "60";
    char *arguments[] = {name, time, NULL};
    return child_program(name, arguments, environment, namespaces);
}

pid_t child_start(char *const *environment)
{
    return child_apart(environment, 0);
}

pid_t child_prepared(bool (*prepare)(const char *path), const char *path)
{
    int ends[2];
    char answer = 0;
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        answer = prepare(path) ? 'y' : 'n';
        (void)!write(ends[1], &answer, 1);
        for (;;)
            (void)pause();
    }
    assert_int_equal(read(ends[0], &answer, 1), 1);
    (void)close(ends[0]);
    (void)close(ends[1]);
    if (answer == 'y')
        return pid;
    child_end(pid);
    return 0;
}

void child_end(pid_t pid)
{
    (void)kill(pid, SIGKILL);
    assert_int_equal(waitpid(pid, NULL, 0), pid);
}
