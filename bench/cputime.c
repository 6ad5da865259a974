/* cputime.c - runs a command and appends what it cost to a file: "<CPU ms> <wall ms> <peak MB>".
 *
 *     cputime [--cgroup DIR] FILE COMMAND [ARG...]
 *
 * CPU is user and system time of the command and of all that came from it, and what it took to
 * start it and to clear it away. The kernel does the latter in whoever waits for a process, and for
 * one of .NET it takes 2 ms; if this program's share were left out, a command that starts another
 * one would seem to cost that much more than the other one alone. The peak is the resident memory
 * of the largest of them. A shell's `time` misses processes whose parent ended first, as the test
 * host does under `dotnet test`; here they become our children, and are waited for. What still runs
 * LEFT_OVER_MS after the command has ended, a server, is told and not counted. With --cgroup all
 * that runs in that cgroup, v1 or v2, whose own account of the CPU time the caller reads. The exit
 * status is the command's. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    LEFT_OVER_MS = 3000,
    POLL_MS = 2,
};

static double wall_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static double ms_of(struct timeval time)
{
    return (double)time.tv_sec * 1e3 + (double)time.tv_usec / 1e3;
}

/* Of this process, or of those that it waited for. */
static double cpu_ms(int whose)
{
    struct rusage used;
    (void)getrusage(whose, &used);
    return ms_of(used.ru_utime) + ms_of(used.ru_stime);
}

static int wait_for(pid_t pid)
{
    int status = 0;
    for (pid_t ended = 0; ended != pid;) {
        ended = waitpid(-1, &status, 0);
        if (ended < 0 && errno != EINTR)
            return 126;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* False when something is left. */
static bool wait_for_orphans(void)
{
    for (int waited = 0; waited < LEFT_OVER_MS;) {
        pid_t ended = waitpid(-1, NULL, WNOHANG);
        if (ended < 0 && errno == ECHILD)
            return true;
        if (ended != 0)
            continue;
        (void)nanosleep(&(struct timespec){.tv_nsec = POLL_MS * 1000000L}, NULL);
        waited += POLL_MS;
    }
    return false;
}

/* Moves this process, and what it will start, into the cgroup. */
static bool enter(const char *cgroup)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/cgroup.procs", cgroup);
    FILE *processes = fopen(path, "w");
    if (processes == NULL)
        return false;
    bool written = fputs("0", processes) >= 0;
    return fclose(processes) == 0 && written;
}

int main(int argc, char **argv)
{
    const char *cgroup = NULL;
    if (argc > 2 && strcmp(argv[1], "--cgroup") == 0) {
        cgroup = argv[2];
        argv += 2;
        argc -= 2;
    }
    if (argc < 3) {
        fputs("usage: cputime [--cgroup DIR] FILE COMMAND [ARG...]\n", stderr);
        return 2;
    }
    (void)prctl(PR_SET_CHILD_SUBREAPER, 1);
    if (cgroup != NULL && !enter(cgroup)) {
        fprintf(stderr, "cputime: %s: %s\n", cgroup, strerror(errno));
        return 126;
    }
    double started = wall_ms(), before = cpu_ms(RUSAGE_SELF);
    pid_t pid = fork();
    if (pid == 0) {
        (void)execvp(argv[2], argv + 2);
        fprintf(stderr, "cputime: %s: %s\n", argv[2], strerror(errno));
        _exit(127);
    }
    if (pid < 0)
        return 126;
    int status = wait_for(pid);
    double wall = wall_ms() - started;
    if (!wait_for_orphans())
        fprintf(stderr, "cputime: something that %s started still runs, and is not counted\n",
                argv[2]);
    double cpu = cpu_ms(RUSAGE_CHILDREN) + cpu_ms(RUSAGE_SELF) - before;
    struct rusage used;
    (void)getrusage(RUSAGE_CHILDREN, &used);
    FILE *out = fopen(argv[1], "a");
    if (out == NULL ||
        fprintf(out, "%.1f %.1f %.1f\n", cpu, wall, (double)used.ru_maxrss / 1024) < 0 ||
        fclose(out) != 0) {
        fprintf(stderr, "cputime: %s: %s\n", argv[1], strerror(errno));
        return 3;
    }
    return status;
}
