#include "cli/process/other_process.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "cli/process/other_profilers.h"
#include "contract/session_format.h"
#include "system/file.h"
#include "system/file_status.h"
#include "system/process.h"
#include "system/process_maps.h"
#include "system/process_status.h"
#include "system/temporary_file.h"

enum {
    COMMAND_ROOM = 8192
};

bool process_number(int *out, const char *text)
{
    char *end = NULL;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || value <= 0 ||
        value > INT_MAX)
        return false;
    *out = (int)value;
    return true;
}

/* --- what anyone may read --------------------------------------------------------------------- */

static bool no_such_process(struct err *err, int pid)
{
    return err_set(err, ERR_IO, "there is no process %d", pid);
}

static bool read_stat(struct process *out, struct err *err)
{
    struct process_stat stat;
    if (!process_stat_read(&stat, out->pid))
        return no_such_process(err, out->pid);
    if (process_stat_has_ended(&stat))
        return err_set(err, ERR_IO, "process %d has ended", out->pid);
    out->start_ticks = stat.start_ticks;
    out->age_seconds = process_stat_age(&stat);
    out->started = process_stat_started(&stat);
    return true;
}

static bool read_process_status(struct process *out, struct err *err)
{
    struct process_status status;
    if (!process_status_read(&status, out->pid))
        return no_such_process(err, out->pid);
    out->owner = status.owner;
    if (status.leader != out->pid)
        return err_set(err, ERR_IO, "%d is not a process, but a thread of process %d", out->pid,
                       status.leader);
    out->inner_pid = status.inner_pid;
    return true;
}

/* --- what its owner may read ------------------------------------------------------------------ */

static void keep_path(char out[PATH_ROOM], struct str path)
{
    if (out[0] == '\0')
        (void)snprintf(out, PATH_ROOM, "%.*s", STR_ARGS(path));
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
        out->profiler = other_profilers_name_of_file(file);
    return true;
}

static bool read_process_environment(struct process *out, struct arena *arena, struct err *err)
{
    struct str text;
    if (!process_program_environment(&text, out->pid, arena, err))
        return false;
    out->environment = (struct view){(const uint8_t *)text.text, text.len};
    out->is_closed = out->is_closed || text.text == NULL;
    return true;
}

/* The rest of the command is not read: an assembly is near its start. The program of another user
 * may not be read, but the name that the kernel has for it. */
static void read_process_name(struct process *out)
{
    char kernel[PROCESS_NAME_ROOM];
    char command[COMMAND_ROOM];
    size_t len = 0;
    struct str name = path_file(str_of(out->program));
    if (str_is(name, "dotnet") &&
        process_program_arguments(command, &len, sizeof command, out->pid)) {
        for (size_t at = 0; at < len; at += strlen(command + at) + 1) {
            struct str file = path_file(str_of(command + at));
            if (!str_ends(file, ".dll"))
                continue;
            name = (struct str){file.text, file.len - strlen(".dll")};
            break;
        }
    }
    if (name.len == 0)
        name = process_name_read(kernel, out->pid) ? str_of(kernel) : STR("unknown program");
    (void)snprintf(out->name, sizeof out->name, "%.*s", STR_ARGS(name));
}

bool process_read(struct process *out, int pid, struct arena *arena, struct err *err)
{
    *out = (struct process){.pid = pid};
    if (!read_stat(out, err) || !read_process_status(out, err))
        return false;
    out->has_our_files = process_root_is_same(pid);
    (void)process_program_path(out->program, sizeof out->program, pid, NULL);
    read_process_name(out);
    out->is_closed = !process_maps_visit(pid, take_library, out);
    return read_process_environment(out, arena, err);
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
    bool fits = false;
    if (process->has_our_files) {
        int len = snprintf(out, room, "%s", path);
        fits = len >= 0 && (size_t)len < room;
    } else {
        fits = process_root_path(out, room, process->pid, path);
    }
    return fits || err_set(err, ERR_LIMIT, "the path %s is longer than %zu bytes", path, room);
}

bool process_temporary(char *out, size_t room, const struct process *process, struct err *err)
{
    const char *folder = process_variable(process, "TMPDIR");
    if (folder == NULL || *folder == '\0')
        folder = TEMPORARY_FOLDER;
    if (path_is_absolute(str_of(folder)))
        return process_path(out, room, process, folder, err);
    /* from where it is now: where it started is not known */
    return process_root_path_from_cwd(out, room, process->pid, folder) ||
           err_set(err, ERR_LIMIT, "the path %s is longer than %zu bytes", folder, room);
}

/* --- its session ------------------------------------------------------------------------------ */

void process_record_name(char out[PROCESS_RECORD_ROOM], const struct process *process)
{
    (void)snprintf(out, PROCESS_RECORD_ROOM, SESSION_PROCESS "%d-%llu", process->inner_pid,
                   (unsigned long long)process->start_ticks);
}

struct session_search {
    const struct process *process;
    char record[PROCESS_RECORD_ROOM];
    char root[PATH_ROOM]; /* of the process, as /proc shows its other paths */
    char *path;
    size_t room;
    bool found;
};

/* A folder with a config and a record of just this process; both are plain files of its owner. */
static bool is_session(const struct session_search *search, const char *folder)
{
    char file[PATH_ROOM];
    const char *names[] = {SESSION_CONFIG, search->record};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct file_status st;
        if (!path_join_in(file, str_of(folder), str_of(names[i])) ||
            !file_status_itself(&st, file) || st.kind != FILE_IS_REGULAR ||
            (i != 0 && st.owner != search->process->owner))
            return false;
    }
    return true;
}

/* After a chroot, the paths that /proc shows start outside of the process's root. */
static const char *below_root(const struct session_search *search, const char *path)
{
    struct str root = str_of(search->root);
    return root.len > 1 && path_is_below(str_of(path), root) ? path + root.len : path;
}

/* The root of a process goes away when it ends; the same folder by a path that ilcov sees stays. */
static void prefer_own_path(struct session_search *search, const char *path)
{
    if (file_is_same(path, search->path))
        (void)snprintf(search->path, search->room, "%s", path);
}

static void try_folder(struct session_search *search, struct str folder)
{
    char path[PATH_ROOM];
    int len = snprintf(path, sizeof path, "%.*s", STR_ARGS(folder));
    const char *inner = below_root(search, path);
    if (search->found || len <= 0 || (size_t)len >= sizeof path ||
        !path_is_absolute(str_of(path)) ||
        !process_path(search->path, search->room, search->process, inner, NULL) ||
        !is_session(search, search->path))
        return;
    search->found = true;
    prefer_own_path(search, inner);
    prefer_own_path(search, path);
}

static bool take_counter_file(void *context, struct str path)
{
    struct session_search *search = context;
    if (str_ends(path, SESSION_COUNTS))
        try_folder(search, path_dir(path));
    return !search->found;
}

/* The library keeps its record open. */
static bool take_record(void *context, struct str target)
{
    struct session_search *search = context;
    if (str_is(path_file(target), search->record))
        try_folder(search, path_dir(target));
    return !search->found;
}

bool process_find_session(char *path, size_t room, const struct process *process, struct err *err)
{
    struct session_search search = {.process = process, .path = path, .room = room};
    const char *variable = process_variable(process, SESSION_ENV);
    (void)process_root_read(search.root, sizeof search.root, process->pid);
    process_record_name(search.record, process);
    (void)process_maps_visit(process->pid, take_counter_file, &search);
    if (!search.found)
        process_descriptors_visit(process->pid, take_record, &search);
    if (!search.found && variable != NULL)
        try_folder(&search, str_of(variable));
    if (search.found)
        return true;
    char maps[PROCESS_PATH_ROOM];
    process_maps_path(maps, process->pid);
    if (process->is_closed)
        return err_set(err, ERR_UNSUPPORTED,
                       "process %d cannot be inspected (%s): run this as the user who started it",
                       process->pid, maps);
    return err_set(err, ERR_UNSUPPORTED,
                   "process %d (%s) is not measured: start it under 'ilcov run', or 'ilcov attach "
                   "%d'",
                   process->pid, process->name, process->pid);
}

bool process_session(char *path, size_t room, int pid, struct err *err)
{
    struct process process;
    struct arena arena = ARENA_EMPTY;
    bool ok =
        process_read(&process, pid, &arena, err) && process_find_session(path, room, &process, err);
    arena_free(&arena);
    return ok;
}

bool process_record(struct session_process *out, const struct process *process, const char *session,
                    struct arena *arena, struct err *err)
{
    char name[PROCESS_RECORD_ROOM], path[PATH_ROOM];
    struct str text;
    process_record_name(name, process);
    int fd = path_join_in(path, str_of(session), str_of(name))
                 ? file_open(path, FILE_READ | FILE_NO_LINK)
                 : -1;
    if (fd < 0)
        return err_set_errno(err, "%s has no record of process %d", session, process->pid);
    bool ok =
        file_text_read(&text, fd, SESSION_RECORD_LIMIT, arena, err) &&
        session_parse_process(out, str_of(name),
                              (struct view){(const uint8_t *)text.text, text.len}, arena, err);
    (void)file_close(fd);
    if (!ok)
        err_prefix(err, "%s", path);
    return ok;
}
