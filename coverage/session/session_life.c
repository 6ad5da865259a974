#include "coverage/session/session_life.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/path.h"
#include "contract/session_format.h"
#include "coverage/session/session_directory.h"
#include "system/process/process_name.h"
#include "system/process/process_stat.h"

enum {
    YOUNG_SECONDS =
        60 /* a program between creating and locking its config has not left an orphan */
};

static int open_config(const char *session)
{
    char path[PATH_ROOM];
    int len = snprintf(path, sizeof path, "%s/" SESSION_CONFIG, session);
    if (len < 0 || (size_t)len >= sizeof path)
        return -1;
    return open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

/* The descriptor stays open because it holds the lock. */
bool session_hold(const char *path)
{
    int fd = open_config(path);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
        return true;
    if (fd >= 0)
        (void)close(fd);
    return false;
}

int session_share(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) != 0) {
        (void)close(fd);
        fd = -1;
    }
    return fd;
}

static int owner_of(const char *path)
{
    return session_owner(path_file(str_of(path)).text);
}

static bool is_alive(int pid)
{
    return kill(pid, 0) == 0 || errno == EPERM;
}

/* Process IDs are reused: is it a program that may have made a session? */
static bool is_ilcov(int pid)
{
    char name[PROCESS_NAME_ROOM];
    return process_name_read(name, pid) && str_starts(str_of(name), "ilcov");
}

/* A process that can't be examined counts as busy. */
static bool is_locked(int directory, const char *name)
{
    int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return errno != ENOENT;
    bool locked = flock(fd, LOCK_SH | LOCK_NB) != 0;
    (void)close(fd);
    return locked;
}

/* process-<pid>-<start ticks>: the process may not have loaded any measured code yet. In another
 * PID namespace its ID means nothing; only the locks count there. */
static bool names_living_process(const char *name)
{
    long pid = 0;
    unsigned long long recorded = 0;
    struct process_stat stat;
    char end = '\0';
    return str_starts(str_of(name), SESSION_PROCESS) &&
           sscanf(name + strlen(SESSION_PROCESS), "%ld-%llu%c", &pid, &recorded, &end) == 2 &&
           process_stat_read(&stat, (int)pid) && !process_stat_has_ended(&stat) &&
           stat.start_ticks == recorded;
}

static bool is_counted_in(const char *path)
{
    DIR *dir = opendir(path);
    bool counted = false;
    if (dir == NULL)
        return true;
    for (struct dirent *entry = readdir(dir); entry != NULL && !counted; entry = readdir(dir)) {
        bool is_counts = str_ends(str_of(entry->d_name), SESSION_COUNTS);
        counted = (is_counts && is_locked(dirfd(dir), entry->d_name)) ||
                  names_living_process(entry->d_name);
    }
    (void)closedir(dir);
    return counted;
}

/* `config` is that of the session, locked by the caller or, with false, by another process. */
static enum session_state judge(const char *path, int config, bool locked)
{
    struct stat st;
    if (!locked)
        return SESSION_IN_USE;
    if (fstat(config, &st) != 0)
        return SESSION_NONE;
    int owner = owner_of(path);
    if (is_alive(owner) && (is_ilcov(owner) || time(NULL) - st.st_mtime < YOUNG_SECONDS))
        return SESSION_IN_USE;
    return is_counted_in(path) ? SESSION_RUNS_ON : SESSION_ORPHANED;
}

/* A directory of this user with the name of a session. */
static bool is_own_session(const char *path)
{
    struct stat st;
    return owner_of(path) != 0 && lstat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
           st.st_uid == geteuid();
}

static enum session_state take(const char *path, int operation, int *config)
{
    *config = is_own_session(path) ? open_config(path) : -1;
    if (*config < 0)
        return SESSION_NONE;
    return judge(path, *config, flock(*config, operation | LOCK_NB) == 0);
}

enum session_state session_state(const char *path)
{
    int config = -1;
    enum session_state state = take(path, LOCK_SH, &config);
    if (config >= 0)
        (void)close(config);
    return state;
}

bool session_remove_orphan(const char *path)
{
    int config = -1;
    bool removed = take(path, LOCK_EX, &config) == SESSION_ORPHANED && session_remove(path, NULL);
    if (config >= 0)
        (void)close(config);
    return removed;
}

/* A kept session has no owner to check. */
enum session_state session_remove_unused(const char *path, struct err *err)
{
    int config = open_config(path);
    enum session_state state = SESSION_NONE;
    if (config < 0) {
        (void)err_set_errno(err, "session %s cannot be removed", path);
        return state;
    }
    if (flock(config, LOCK_EX | LOCK_NB) != 0)
        state = SESSION_IN_USE;
    else if (is_counted_in(path))
        state = SESSION_RUNS_ON;
    else if (session_remove(path, err))
        state = SESSION_ORPHANED;
    (void)close(config);
    return state;
}

void session_leave(const char *path)
{
    if (is_own_session(path) && !is_counted_in(path))
        (void)session_remove(path, NULL);
}

void session_visit(const char *parent,
                   void (*visit)(void *context, const char *path, int owner,
                                 enum session_state state),
                   void *context)
{
    DIR *dir = opendir(parent);
    if (dir == NULL)
        return;
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        char path[PATH_ROOM];
        int owner = session_owner(entry->d_name);
        int len = owner != 0 ? snprintf(path, sizeof path, "%s/%s", parent, entry->d_name) : -1;
        enum session_state state = SESSION_NONE;
        if (len > 0 && (size_t)len < sizeof path)
            state = session_state(path);
        if (state != SESSION_NONE)
            visit(context, path, owner, state);
    }
    (void)closedir(dir);
}

void session_visit_kept(const char *parent,
                        void (*visit)(void *context, const char *path, uid_t user), void *context)
{
    DIR *dir = opendir(parent);
    if (dir == NULL)
        return;
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        char path[PATH_ROOM];
        struct stat st;
        if (!str_starts(str_of(entry->d_name), SESSION_NAME_KEPT))
            continue;
        int len = snprintf(path, sizeof path, "%s/%s", parent, entry->d_name);
        if (len > 0 && (size_t)len < sizeof path && lstat(path, &st) == 0 && S_ISDIR(st.st_mode))
            visit(context, path, st.st_uid);
    }
    (void)closedir(dir);
}

bool session_is_empty(const char *path)
{
    DIR *dir = opendir(path);
    bool empty = dir != NULL;
    if (dir == NULL)
        return false;
    for (struct dirent *entry = readdir(dir); entry != NULL && empty; entry = readdir(dir)) {
        struct str name = str_of(entry->d_name);
        empty = !str_starts(name, SESSION_PROCESS) && !str_ends(name, SESSION_COUNTS) &&
                !str_ends(name, SESSION_MODULE);
    }
    (void)closedir(dir);
    return empty;
}

bool session_process_runs(const char *path, uint32_t pid)
{
    char start[sizeof SESSION_PROCESS + 24];
    bool runs = false;
    DIR *dir = opendir(path);
    (void)snprintf(start, sizeof start, SESSION_PROCESS "%lu-", (unsigned long)pid);
    for (struct dirent *entry = dir != NULL ? readdir(dir) : NULL; entry != NULL && !runs;
         entry = readdir(dir))
        runs = str_starts(str_of(entry->d_name), start) && names_living_process(entry->d_name);
    if (dir != NULL)
        (void)closedir(dir);
    return runs;
}
