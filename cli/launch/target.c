#include "cli/launch/target.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/path.h"
#include "base/text.h"
#include "cli/base/exit.h"
#include "cli/launch/dotnet.h"
#include "system/clock.h"
#include "system/file/file_read.h"

static const int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/* A signal that was ignored when ilcov started (nohup, a background job of sh) stays ignored: the
 * kernel would queue a blocked signal even if it is ignored. */
static bool is_ignored(int number)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

void target_hold(struct target *out)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, plain = {.sa_handler = SIG_DFL};
    *out = (struct target){.pid = -1};
    (void)sigemptyset(&out->watched);
    (void)sigaddset(&out->watched, SIGCHLD);
    for (size_t i = 0; i < ARRAY_LEN(forwarded); i++) {
        if (!is_ignored(forwarded[i]))
            (void)sigaddset(&out->watched, forwarded[i]);
    }
    (void)sigprocmask(SIG_BLOCK, &out->watched, &out->old_mask);
    (void)sigaction(SIGCHLD, &plain,
                    &out->old_child); /* ignored, it would leave no status to wait for */
    (void)sigaction(SIGPIPE, &ignore,
                    &out->old_pipe); /* a closed standard error must not keep the session */
}

/* In the child: never returns. */
static void become(const struct target *target, char **argv, char **environment, int fd)
{
    (void)sigaction(SIGCHLD, &target->old_child, NULL);
    (void)sigaction(SIGPIPE, &target->old_pipe, NULL);
    (void)sigprocmask(SIG_SETMASK, &target->old_mask, NULL);
    (void)execvpe(argv[0], argv, environment);
    int why = errno;
    ssize_t written = write(fd, &why, sizeof why);
    (void)written;
    _exit(EXIT_NOT_EXECUTABLE);
}

/* execvp also reports EACCES if a folder of PATH may not be searched: then the command was not
 * found either. */
static bool refused(int why, const char *command, int *status, struct err *err)
{
    char path[PATH_ROOM];
    if (why == EACCES && strchr(command, '/') == NULL && !dotnet_find_program(path, command, F_OK))
        why = ENOENT;
    *status = why == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
    if (why == ENOENT && strchr(command, '/') == NULL)
        return err_set(err, ERR_IO, "%s: command not found", command);
    struct stat file;
    if (stat(command, &file) == 0 && S_ISDIR(file.st_mode))
        return err_set(err, ERR_IO, "%s is a directory and cannot be executed", command);
    if (why == EACCES && str_ends(str_of(command), ".dll"))
        return err_set(err, ERR_IO, "%s cannot be executed by itself: run 'dotnet %s'", command,
                       command);
    errno = why;
    return err_set_errno(err, "%s cannot be executed", command);
}

/* The pipe closes by itself when exec succeeds; otherwise it carries the reason. */
bool target_start(struct target *target, char **argv, char **environment, int *status,
                  struct err *err)
{
    int ends[2], why = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return refused(errno, argv[0], status, err);
    int pid = fork();
    if (pid == 0)
        become(target, argv, environment, ends[1]);
    int fork_errno = errno;
    (void)close(ends[1]);
    int64_t len = pid > 0 ? file_read_some(ends[0], &why, sizeof why) : 0;
    (void)close(ends[0]);
    if (pid < 0)
        return refused(fork_errno, argv[0], status, err);
    if (len != sizeof why) {
        target->pid = pid;
        return true;
    }
    (void)waitpid(pid, NULL, 0);
    return refused(why, argv[0], status, err);
}

static bool was_sent_by_kernel(const siginfo_t *info)
{
    return info->si_code > 0;
}

static void forward(const struct target *target, const siginfo_t *info)
{
    if (was_sent_by_kernel(info) && getpgid(target->pid) == getpgrp())
        return;
    if (!was_sent_by_kernel(info) && info->si_pid == target->pid)
        return; /* the command signalled its whole group, itself included */
    (void)kill(target->pid, info->si_signo);
}

/* Reaps every child that ended: as the first process of a container, ilcov inherits the children of
 * others. */
static bool reap(const struct target *target, int *wait_status)
{
    bool ended = false;
    for (;;) {
        int status = 0;
        int pid = waitpid(-1, &status, WNOHANG);
        if (pid <= 0)
            return ended;
        if (pid == target->pid) {
            *wait_status = status;
            ended = true;
        }
    }
}

/* Calls the watch when it is due, no matter how many signals arrive; false when there is no
 * signal. */
static bool await_signal(siginfo_t *info, const struct target *target, int64_t *due_ms)
{
    if (target->watch == NULL)
        return sigwaitinfo(&target->watched, info) > 0;
    int64_t left_ms = *due_ms - clock_ms();
    if (left_ms <= 0) {
        uint32_t next_ms = target->watch->look(target->watch->context, target->pid);
        *due_ms = clock_ms() + next_ms;
        return false;
    }
    struct timespec left = {.tv_sec = left_ms / 1000, .tv_nsec = left_ms % 1000 * 1000000};
    return sigtimedwait(&target->watched, info, &left) > 0;
}

int target_wait(struct target *target)
{
    int status = 0;
    int64_t due_ms = 0;
    while (!reap(target, &status)) {
        siginfo_t info;
        if (await_signal(&info, target, &due_ms) && info.si_signo != SIGCHLD)
            forward(target, &info);
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int target_interrupted(const struct target *target)
{
    sigset_t pending;
    if (sigpending(&pending) != 0)
        return 0;
    for (size_t i = 0; i < ARRAY_LEN(forwarded); i++) {
        if (sigismember(&target->watched, forwarded[i]) == 1 &&
            sigismember(&pending, forwarded[i]) == 1)
            return forwarded[i];
    }
    return 0;
}
