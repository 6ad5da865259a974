#include "cli/process/process_session.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "contract/session_format.h"
#include "system/file.h"
#include "system/file_status.h"
#include "system/process.h"
#include "system/process_maps.h"

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

static bool take_counts(void *context, struct str path)
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
    (void)process_maps_visit(process->pid, take_counts, &search);
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
    struct arena arena;
    struct process process;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
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
