#include "cli/process/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/path.h"
#include "cli/launch/rivals.h"
#include "contract/counters.h"
#include "system/proc_stat.h"

enum {
    PROC_ROOM = 64, /* "/proc/<pid>/..." */
    MAPS_LINE_ROOM = PATH_MAX + 128,
    STATUS_ROOM = 8192,
    COMMAND_ROOM = 8192,
};

bool process_number(pid_t *out, const char *text)
{
    char *end = NULL;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value <= 0 ||
        value > INT_MAX)
        return false;
    *out = (pid_t)value;
    return true;
}

static void proc_path(char out[PROC_ROOM], pid_t pid, const char *file)
{
    (void)snprintf(out, PROC_ROOM, "/proc/%ld/%s", (long)pid, file);
}

/* --- what anyone may read --------------------------------------------------------------------- */

/* The start of a file of /proc, followed by a NUL. */
static bool read_small(char *out, size_t *len, size_t room, pid_t pid, const char *file)
{
    char path[PROC_ROOM];
    proc_path(path, pid, file);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd >= 0 ? 1 : -1;
    *len = 0;
    while (got > 0 && *len + 1 < room) {
        got = read(fd, out + *len, room - 1 - *len);
        *len += got > 0 ? (size_t)got : 0;
    }
    out[*len] = '\0';
    if (fd >= 0)
        (void)close(fd);
    return got >= 0 && *len != 0;
}

static bool no_such_process(struct err *err, pid_t pid)
{
    return err_set(err, ERR_IO, "there is no process %ld", (long)pid);
}

static bool read_stat(struct process *out, struct err *err)
{
    struct proc_stat stat;
    if (!proc_stat_read(&stat, out->pid))
        return no_such_process(err, out->pid);
    if (proc_stat_has_ended(&stat))
        return err_set(err, ERR_IO, "process %ld has ended", (long)out->pid);
    out->start_ticks = stat.start_ticks;
    struct timespec now;
    if (clock_gettime(CLOCK_BOOTTIME, &now) == 0)
        out->age_seconds = (double)now.tv_sec + (double)now.tv_nsec / 1e9 -
                           (double)stat.start_ticks / (double)sysconf(_SC_CLK_TCK);
    return true;
}

/* The text after "Name:" in /proc/PID/status, up to the end of the line. */
static const char *status_field(const char *status, const char *name)
{
    size_t len = strlen(name);
    for (const char *line = status; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, len) == 0 && line[len] == ':')
            return line + len + 1;
    }
    return NULL;
}

/* NSpid has a number for each namespace, the innermost last. */
static pid_t last_number(const char *field, pid_t otherwise)
{
    while (field != NULL && *field != '\n' && *field != '\0') {
        char *end = NULL;
        long value = strtol(field, &end, 10);
        if (end == field)
            break;
        otherwise = (pid_t)value;
        field = end + strspn(end, "\t ");
    }
    return otherwise;
}

static bool read_status(struct process *out, struct err *err)
{
    char text[STATUS_ROOM];
    size_t len = 0;
    if (!read_small(text, &len, sizeof text, out->pid, "status"))
        return no_such_process(err, out->pid);
    unsigned long owner = 0;
    const char *ids = status_field(text, "Uid"), *group = status_field(text, "Tgid");
    if (ids == NULL || sscanf(ids, "%*s %lu", &owner) != 1)
        return no_such_process(err, out->pid);
    out->owner = (uid_t)owner;
    long leader = group != NULL ? strtol(group, NULL, 10) : out->pid;
    if (leader != out->pid)
        return err_set(err, ERR_IO, "%ld is not a process, but a thread of process %ld",
                       (long)out->pid, leader);
    out->inner_pid = last_number(status_field(text, "NSpid"), out->pid);
    return true;
}

/* --- what its owner may read ------------------------------------------------------------------ */

bool process_visit_files(pid_t pid, bool (*take)(void *context, struct str path), void *context)
{
    char name[PROC_ROOM], line[MAPS_LINE_ROOM];
    proc_path(name, pid, "maps");
    FILE *file = fopen(name, "re");
    if (file == NULL)
        return false;
    bool more = true;
    while (more && fgets(line, sizeof line, file) != NULL) {
        const char *path = strchr(line, '/');
        if (path != NULL)
            more = take(context, (struct str){path, strcspn(path, "\n")});
    }
    bool ok = ferror(file) == 0;
    (void)fclose(file);
    return ok;
}

static void keep_path(char out[PATH_MAX], struct str path)
{
    if (out[0] == '\0')
        (void)snprintf(out, PATH_MAX, "%.*s", STR_ARGS(path));
}

static bool take_library(void *context, struct str path)
{
    struct process *out = context;
    struct str file = path_file(path);
    if (str_starts(file, "libcoreclr.so"))
        keep_path(out->runtime, path);
    else if (str_starts(file, "libilcov.so"))
        keep_path(out->library, path);
    else if (out->profiler == NULL)
        out->profiler = rivals_name_of_file(file);
    return true;
}

static bool is_same_link(pid_t pid, const char *file)
{
    char path[PROC_ROOM], theirs[PROC_ROOM] = "", ours[PROC_ROOM] = "";
    proc_path(path, pid, file);
    ssize_t len = readlink(path, theirs, sizeof theirs - 1);
    (void)snprintf(path, sizeof path, "/proc/self/%s", file);
    return len > 0 && readlink(path, ours, sizeof ours - 1) == len && strcmp(theirs, ours) == 0;
}

/* Does it have another root, by chroot? */
static bool has_our_root(pid_t pid)
{
    char path[PROC_ROOM];
    struct stat ours, theirs;
    proc_path(path, pid, "root");
    return stat("/", &ours) == 0 && stat(path, &theirs) == 0 && ours.st_dev == theirs.st_dev &&
           ours.st_ino == theirs.st_ino;
}

bool process_read_text(struct str *out, int fd, size_t limit, struct arena *arena, struct err *err)
{
    struct text text;
    char chunk[4096];
    ssize_t len = 0;
    text_open(&text, arena);
    while (text.len < limit && (len = read(fd, chunk, sizeof chunk)) > 0)
        text_add(&text, (struct str){chunk, (size_t)len});
    if (len < 0)
        return err_set_errno(err, "it cannot be read");
    return text_take(out, &text, err);
}

static bool read_environment(struct process *out, struct arena *arena, struct err *err)
{
    char path[PROC_ROOM];
    struct str text = {NULL, 0};
    proc_path(path, out->pid, "environ");
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool ok = fd < 0 || process_read_text(&text, fd, PROCESS_ENVIRONMENT_LIMIT, arena, err);
    if (fd >= 0)
        (void)close(fd);
    out->environment = (struct view){(const uint8_t *)text.text, text.len};
    out->is_closed = out->is_closed || fd < 0;
    return ok;
}

/* The rest of the command is not read: an assembly is near its start. */
static void read_name(struct process *out)
{
    char command[COMMAND_ROOM];
    size_t len = 0;
    struct str name = path_file(str_of(out->program));
    if (str_is(name, "dotnet") && read_small(command, &len, sizeof command, out->pid, "cmdline")) {
        for (size_t at = 0; at < len; at += strlen(command + at) + 1) {
            struct str file = path_file(str_of(command + at));
            if (!str_ends(file, ".dll"))
                continue;
            name = (struct str){file.text, file.len - strlen(".dll")};
            break;
        }
    }
    (void)snprintf(out->name, sizeof out->name, "%.*s", STR_ARGS(name));
}

bool process_read(struct process *out, pid_t pid, struct arena *arena, struct err *err)
{
    char path[PROC_ROOM];
    *out = (struct process){.pid = pid};
    if (!read_stat(out, err) || !read_status(out, err))
        return false;
    out->has_our_files = is_same_link(pid, "ns/mnt") && has_our_root(pid);
    proc_path(path, pid, "exe");
    ssize_t len = readlink(path, out->program, sizeof out->program - 1);
    out->program[len > 0 ? len : 0] = '\0';
    read_name(out);
    out->is_closed = !process_visit_files(pid, take_library, out);
    return read_environment(out, arena, err);
}

const char *process_variable(const struct process *process, const char *name)
{
    size_t name_len = strlen(name);
    const char *text = (const char *)process->environment.data;
    for (size_t at = 0; at < process->environment.len; at += strlen(text + at) + 1) {
        if (strncmp(text + at, name, name_len) == 0 && text[at + name_len] == '=')
            return text + at + name_len + 1;
    }
    return NULL;
}

bool process_path(char *out, size_t room, const struct process *process, const char *path,
                  struct err *err)
{
    int len = process->has_our_files
                  ? snprintf(out, room, "%s", path)
                  : snprintf(out, room, "/proc/%ld/root%s", (long)process->pid, path);
    return (len >= 0 && (size_t)len < room) ||
           err_set(err, ERR_LIMIT, "the path %s is longer than %zu bytes", path, room);
}

bool process_temporary(char *out, size_t room, const struct process *process, struct err *err)
{
    const char *folder = process_variable(process, "TMPDIR");
    if (folder == NULL || *folder == '\0')
        folder = "/tmp";
    if (*folder == '/')
        return process_path(out, room, process, folder, err);
    /* from where it is now: where it started is not known */
    int len = snprintf(out, room, "/proc/%ld/cwd/%s", (long)process->pid, folder);
    return (len >= 0 && (size_t)len < room) ||
           err_set(err, ERR_LIMIT, "the path %s is longer than %zu bytes", folder, room);
}
