#include "system/program_output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "system/clock.h"
#include "system/exit_status.h"
#include "system/file/file_read.h"
#include "system/file/open_file.h"

enum {
    LOOK_MS = 1
};

struct streams {
    int output, errors;
};

static bool open_streams(struct streams *out, struct err *err)
{
    out->output = memfd_create("ilcov-output", MFD_CLOEXEC);
    out->errors = memfd_create("ilcov-errors", MFD_CLOEXEC);
    return (out->output >= 0 && out->errors >= 0) || err_set_errno(err, "memory for its output");
}

/* Its whole content, followed by a NUL. */
static bool read_stream(struct str *out, int file, size_t limit, struct arena *arena,
                        struct err *err)
{
    struct stat status;
    if (fstat(file, &status) != 0)
        return err_set_errno(err, "its output cannot be read");
    if ((uint64_t)status.st_size > limit)
        return err_set(err, ERR_LIMIT, "its output has %lld bytes, more than %zu",
                       (long long)status.st_size, limit);
    size_t len = (size_t)status.st_size;
    char *data = arena_raw(arena, len + 1, 1, err);
    if (data == NULL)
        return false;
    if (!file_read_at(data, len, file, 0))
        return err_set_errno(err, "its output cannot be read");
    data[len] = '\0';
    *out = (struct str){data, len};
    return true;
}

/* 0, or the reason why it cannot be started. */
static int start(pid_t *pid, char *const *arguments, char *const *environment,
                 const struct streams *streams)
{
    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed != 0)
        return failed;
    failed = posix_spawn_file_actions_adddup2(&actions, streams->output, STDOUT_FILENO);
    if (failed == 0)
        failed = posix_spawn_file_actions_adddup2(&actions, streams->errors, STDERR_FILENO);
    if (failed == 0)
        failed = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (failed == 0)
        failed = posix_spawnp(pid, arguments[0], &actions, NULL, arguments, environment);
    (void)posix_spawn_file_actions_destroy(&actions);
    return failed;
}

/* False when the time is over. */
static bool ends_in_time(pid_t pid, uint32_t time_ms)
{
    int64_t until = clock_ms() + time_ms;
    for (;;) {
        siginfo_t info = {.si_pid = 0};
        if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0)
            return true;
        if (clock_ms() >= until)
            return false;
        clock_rest(LOOK_MS);
    }
}

static bool wait_for(int *status, pid_t pid, uint32_t time_ms, struct err *err)
{
    int wait_status = 0;
    bool ends = ends_in_time(pid, time_ms);
    if (!ends)
        (void)kill(pid, SIGKILL);
    while (waitpid(pid, &wait_status, 0) < 0)
        if (errno != EINTR)
            return err_set_errno(err, "its exit status");
    *status = exit_status_of(wait_status);
    return ends || err_set(err, ERR_LIMIT, "it did not end in %u seconds", time_ms / 1000);
}

/* Where vfork is a fork (valgrind, qemu), posix_spawn can't report a failed exec: its child exits
 * with the status of a program that was not found. */
static bool run(struct program_output *out, char *const *arguments, char *const *environment,
                const struct streams *streams, uint32_t time_ms, struct err *err)
{
    pid_t pid = -1;
    int failed = start(&pid, arguments, environment, streams);
    if (failed != 0 && failed != ENOENT)
        return err_set(err, ERR_IO, "it cannot be run: %s", strerror(failed));
    if (failed == 0 && !wait_for(&out->status, pid, time_ms, err))
        return false;
    out->is_missing = failed == ENOENT || out->status == EXIT_STATUS_NOT_FOUND;
    return true;
}

bool program_output_take(struct program_output *out, char *const *arguments,
                         char *const *environment, const struct program_limits *limits,
                         struct arena *arena, struct err *err)
{
    struct sigaction plain = {.sa_handler = SIG_DFL}, old;
    struct streams streams;
    *out = (struct program_output){.status = -1};
    bool ok = open_streams(&streams, err);
    if (ok) {
        /* An ignored SIGCHLD, which is inherited, would leave no status to wait for. */
        (void)sigaction(SIGCHLD, &plain, &old);
        ok = run(out, arguments, environment, &streams, limits->time_ms, err);
        (void)sigaction(SIGCHLD, &old, NULL);
    }
    ok = ok && (out->is_missing ||
                (read_stream(&out->output, streams.output, limits->bytes, arena, err) &&
                 read_stream(&out->errors, streams.errors, limits->bytes, arena, err)));
    (void)file_close(streams.output);
    (void)file_close(streams.errors);
    return ok;
}
