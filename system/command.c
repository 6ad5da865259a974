#include "system/command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "system/clock.h"
#include "system/file.h"

/* --- command ---------------------------------------------------------------------------------- */

enum {
    TWICE_MS = 100 /* in which one key may come twice: from the terminal and from the parent */
};

static const int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

static struct {
    sigset_t signals;  /* that are held */
    sigset_t old_mask; /* what the command gets back */
    struct sigaction old_pipe, old_child;
    int came;     /* the first one that came while command_wait waited; 0: none */
    int ended_by; /* what the command died of then; 0: nothing */
} held;

/* A signal that was ignored when this program started (nohup, a background job of sh) stays
 * ignored: the kernel would queue a blocked signal even if it is ignored. */
static bool is_signal_ignored(int number)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

void command_hold_signals(void)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, plain = {.sa_handler = SIG_DFL};
    (void)sigemptyset(&held.signals);
    (void)sigaddset(&held.signals, SIGCHLD);
    for (size_t i = 0; i < ARRAY_LEN(forwarded); i++) {
        if (!is_signal_ignored(forwarded[i]))
            (void)sigaddset(&held.signals, forwarded[i]);
    }
    (void)sigprocmask(SIG_BLOCK, &held.signals, &held.old_mask);
    /* ignored, it would leave no status to wait for */
    (void)sigaction(SIGCHLD, &plain, &held.old_child);
    /* a closed standard error must not keep what is to be removed */
    (void)sigaction(SIGPIPE, &ignore, &held.old_pipe);
}

void command_release_signals(void)
{
    (void)sigaction(SIGCHLD, &held.old_child, NULL);
    (void)sigaction(SIGPIPE, &held.old_pipe, NULL);
    (void)sigprocmask(SIG_SETMASK, &held.old_mask, NULL);
}

/* In the child: never returns. */
static void become_command(char *const *argv, char *const *environment, int fd)
{
    command_release_signals();
    (void)execvpe(argv[0], argv, environment);
    int why = errno;
    ssize_t written = write(fd, &why, sizeof why);
    (void)written;
    _exit(EXIT_STATUS_NOT_EXECUTABLE);
}

/* The pipe closes by itself when exec succeeds; otherwise it carries the reason. Until then the
 * child has this program's memory, which is cheaper than a copy: it writes to nothing but `errno`.
 */
int command_start(char *const *argv, char *const *environment)
{
    int ends[2], why = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    int pid = vfork();
    if (pid == 0)
        become_command(argv, environment, ends[1]);
    int fork_errno = errno;
    (void)close(ends[1]);
    int64_t len = pid > 0 ? file_read_some(ends[0], &why, sizeof why) : 0;
    (void)close(ends[0]);
    errno = pid < 0 ? fork_errno : why;
    if (pid < 0 || len != sizeof why)
        return pid;
    (void)waitpid(pid, NULL, 0);
    errno = why;
    return -1;
}

static bool was_sent_by_kernel(const siginfo_t *info)
{
    return info->si_code > 0;
}

static void forward_signal(int command, const siginfo_t *info)
{
    if (was_sent_by_kernel(info) && getpgid(command) == getpgrp())
        return;
    if (!was_sent_by_kernel(info) && info->si_pid == command)
        return; /* the command signalled its whole group, itself included */
    (void)kill(command, info->si_signo);
}

/* Reaps every child that ended: as the first process of a container, this program inherits the
 * children of others. */
static bool reap_children(int command, int *wait_status)
{
    bool ended = false;
    for (;;) {
        int status = 0;
        int pid = waitpid(-1, &status, WNOHANG);
        if (pid <= 0)
            return ended;
        if (pid == command) {
            *wait_status = status;
            ended = true;
        }
    }
}

/* Calls the watches that are due: the time of the next call. */
static int64_t look_at_watches(struct command_watch *watches, int command)
{
    int64_t next_ms = INT64_MAX;
    for (struct command_watch *watch = watches; watch != NULL; watch = watch->next) {
        if (watch->due_ms <= clock_ms()) {
            uint32_t after_ms = watch->look(watch->context, command);
            watch->due_ms = clock_ms() + after_ms;
        }
        next_ms = watch->due_ms < next_ms ? watch->due_ms : next_ms;
    }
    return next_ms;
}

/* Calls watches when they are due, no matter how many signals arrive; false when there is no
 * signal. */
static bool await_any(siginfo_t *info, int command, struct command_watch *watches)
{
    if (watches == NULL)
        return sigwaitinfo(&held.signals, info) > 0;
    int64_t left_ms = look_at_watches(watches, command) - clock_ms();
    left_ms = left_ms > 0 ? left_ms : 0;
    struct timespec left = {.tv_sec = left_ms / 1000, .tv_nsec = left_ms % 1000 * 1000000};
    return sigtimedwait(&held.signals, info, &left) > 0;
}

int command_wait(int command, struct command_watch *watches)
{
    int status = 0;
    held.came = 0;
    while (!reap_children(command, &status)) {
        siginfo_t info;
        if (!await_any(&info, command, watches) || info.si_signo == SIGCHLD)
            continue;
        held.came = held.came != 0 ? held.came : info.si_signo;
        forward_signal(command, &info);
    }
    held.ended_by = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return exit_status_of(status);
}

int command_interrupted(void)
{
    return held.came;
}

int command_ended_by(void)
{
    return held.ended_by;
}

int command_signal(void)
{
    sigset_t pending;
    if (sigpending(&pending) != 0)
        return 0;
    for (size_t i = 0; i < ARRAY_LEN(forwarded); i++) {
        if (sigismember(&held.signals, forwarded[i]) == 1 &&
            sigismember(&pending, forwarded[i]) == 1)
            return forwarded[i];
    }
    return 0;
}

static bool take_signals(int signals)
{
    struct signalfd_siginfo info;
    bool came = false;
    for (int again = 0; again < 2; again++) {
        while (read(signals, &info, sizeof info) == (ssize_t)sizeof info)
            came = came || info.ssi_signo != SIGCHLD;
        if (!came)
            break;
        (void)poll(NULL, 0, again == 0 ? TWICE_MS : 0);
    }
    return came;
}

bool command_await_signal(int process, uint32_t limit_ms)
{
    int signals = signalfd(-1, &held.signals, SFD_CLOEXEC | SFD_NONBLOCK);
    /* an old kernel has no pidfd: then only the time ends the wait */
    int ended = (int)syscall(SYS_pidfd_open, process, 0);
    struct pollfd items[] = {{.fd = signals, .events = POLLIN}, {.fd = ended, .events = POLLIN}};
    bool came = poll(items, ARRAY_LEN(items), (int)limit_ms) > 0 && items[0].revents != 0 &&
                take_signals(signals);
    (void)file_close(ended);
    (void)file_close(signals);
    return came;
}

int exit_status_of(int wait_status)
{
    return WIFSIGNALED(wait_status) ? EXIT_STATUS_SIGNAL + WTERMSIG(wait_status)
                                    : WEXITSTATUS(wait_status);
}
