#include "system/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/path.h"
#include "system/clock.h"
#include "system/command.h"
#include "system/file.h"
#include "system/file_status.h"

/* --- program file ----------------------------------------------------------------------------- */

static bool is_program(const char *path, int right)
{
    return file_is_regular(path) && access(path, right) == 0;
}

bool program_file_is_path(const char *command)
{
    return strchr(command, '/') != NULL;
}

static bool find_on_path(char path[PATH_ROOM], const char *command, int right)
{
    if (program_file_is_path(command)) {
        int n = snprintf(path, PATH_ROOM, "%s", command);
        return n >= 0 && n < PATH_ROOM && is_program(path, right);
    }
    const char *folders = getenv("PATH");
    while (folders != NULL) {
        const char *end = strchrnul(folders, ':');
        int len = (int)(end - folders);
        int n = snprintf(path, PATH_ROOM, "%.*s/%s", len != 0 ? len : 1, len != 0 ? folders : ".",
                         command);
        if (n >= 0 && n < PATH_ROOM && is_program(path, right))
            return true;
        folders = *end == ':' ? end + 1 : NULL;
    }
    return false;
}

bool program_file_find(char path[PATH_ROOM], const char *command)
{
    return find_on_path(path, command, X_OK);
}

bool program_file_find_any(char path[PATH_ROOM], const char *command)
{
    return find_on_path(path, command, F_OK);
}

/* --- program output --------------------------------------------------------------------------- */

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
static bool take_stream(struct str *out, int file, size_t limit, struct arena *arena,
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

/* Without input, and with output to the streams; NULL: to nowhere, in a session of its own, so that
 * closing the terminal does not close it. 0, or the reason why it cannot be started. */
static int start_program(pid_t *pid, char *const *arguments, char *const *environment,
                         const struct streams *streams)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed != 0)
        return failed;
    failed = posix_spawnattr_init(&attributes);
    if (failed != 0) {
        (void)posix_spawn_file_actions_destroy(&actions);
        return failed;
    }
    if (streams != NULL)
        failed = posix_spawn_file_actions_adddup2(&actions, streams->output, STDOUT_FILENO);
    if (streams != NULL && failed == 0)
        failed = posix_spawn_file_actions_adddup2(&actions, streams->errors, STDERR_FILENO);
    for (int fd = STDIN_FILENO; failed == 0 && fd <= (streams != NULL ? 0 : STDERR_FILENO); fd++)
        failed = posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
    if (streams == NULL && failed == 0)
        failed = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    if (failed == 0)
        failed = posix_spawnp(pid, arguments[0], &actions, &attributes, arguments, environment);
    (void)posix_spawnattr_destroy(&attributes);
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

static bool wait_for_program(int *status, pid_t pid, uint32_t time_ms, struct err *err)
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
static bool run_program(struct program_output *out, char *const *arguments,
                        char *const *environment, const struct streams *streams, uint32_t time_ms,
                        struct err *err)
{
    pid_t pid = -1;
    int failed = start_program(&pid, arguments, environment, streams);
    if (failed != 0 && failed != ENOENT)
        return err_set(err, ERR_IO, "it cannot be run: %s", strerror(failed));
    if (failed == 0 && !wait_for_program(&out->status, pid, time_ms, err))
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
        ok = run_program(out, arguments, environment, &streams, limits->time_ms, err);
        (void)sigaction(SIGCHLD, &old, NULL);
    }
    ok = ok && (out->is_missing ||
                (take_stream(&out->output, streams.output, limits->bytes, arena, err) &&
                 take_stream(&out->errors, streams.errors, limits->bytes, arena, err)));
    (void)file_close(streams.output);
    (void)file_close(streams.errors);
    return ok;
}

/* --- browser ---------------------------------------------------------------------------------- */

/* What goes wrong does so at once. */
enum {
    BROWSER_LOOKS = 40,
    BROWSER_LOOK_MS = 50
};

static bool name_browser(char name[PATH_ROOM])
{
    const char *wanted = getenv("BROWSER");
    if (wanted == NULL || wanted[0] == '\0')
        wanted = "xdg-open";
    size_t len = strcspn(wanted, ":");
    if (len == 0 || len >= PATH_ROOM)
        return false;
    memcpy(name, wanted, len);
    name[len] = '\0';
    return true;
}

bool browser_open(const char *path, struct err *err)
{
    char name[PATH_ROOM], real[PATH_ROOM];
    pid_t pid = 0;
    int status = 0;
    if (realpath(path, real) == NULL)
        return err_set_errno(err, "%s", path);
    if (!name_browser(name))
        return err_set(err, ERR_IO, "BROWSER names no program");
    char *arguments[] = {name, real, NULL};
    errno = start_program(&pid, arguments, environ, NULL);
    if (errno != 0)
        return err_set_errno(err, "%s cannot be started", name);
    for (int i = 0; i < BROWSER_LOOKS; i++) {
        pid_t ended = waitpid(pid, &status, WNOHANG);
        if (ended == pid && !(WIFEXITED(status) && WEXITSTATUS(status) == 0))
            return err_set(err, ERR_IO, "%s failed", name);
        if (ended != 0)
            return true;
        clock_rest(BROWSER_LOOK_MS);
    }
    return true;
}
