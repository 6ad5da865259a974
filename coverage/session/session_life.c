#include "coverage/session/session_life.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/path.h"
#include "contract/session_format.h"
#include "coverage/session/session_directory.h"
#include "system/clock.h"
#include "system/file.h"
#include "system/file_status.h"
#include "system/folder.h"
#include "system/process.h"
#include "system/process_status.h"
#include "system/user.h"

enum {
    YOUNG_SECONDS = 60, /* a program between creating and locking its config has not left an
                         * orphan */
    NANOSECONDS = 1000000000,
    LAST_MS = 10 * 1000, /* how long the last reader may take */
    LAST_STEP_MS = 10,
};

static int open_config(const char *session)
{
    char path[PATH_ROOM];
    if (!path_join_in(path, str_of(session), STR(SESSION_CONFIG)))
        return -1;
    return file_open(path, FILE_READ | FILE_NO_LINK);
}

/* The descriptor stays open because it holds the lock. */
bool session_hold(const char *path)
{
    int fd = open_config(path);
    if (fd >= 0 && file_lock_try(fd, FILE_LOCK_EXCLUSIVE) == FILE_LOCKED)
        return true;
    (void)file_close(fd);
    return false;
}

static bool lock_shared(int share)
{
    enum file_locked locked = file_lock_try(share, FILE_LOCK_SHARED);
    for (int waited = 0; locked == FILE_LOCK_TAKEN && waited < LAST_MS; waited += LAST_STEP_MS) {
        clock_rest(LAST_STEP_MS);
        locked = file_lock_try(share, FILE_LOCK_SHARED);
    }
    return locked == FILE_LOCKED;
}

int session_share(const char *path)
{
    int fd = file_open(path, FILE_READ | FILE_FOLDER | FILE_NO_LINK);
    if (fd >= 0 && lock_shared(fd))
        return fd;
    (void)file_close(fd);
    return -1;
}

bool session_share_is_last(int share)
{
    return share < 0 || file_lock_try(share, FILE_LOCK_EXCLUSIVE) != FILE_LOCK_TAKEN;
}

void session_share_on(int share)
{
    if (share >= 0)
        (void)lock_shared(share);
}

static int owner_of_session(const char *path)
{
    return session_owner(path_file(str_of(path)).text);
}

/* Process IDs are reused: is it a program that may have made a session? */
static bool is_ilcov_process(int pid)
{
    char name[PROCESS_NAME_ROOM];
    return process_name_read(name, pid) && str_starts(str_of(name), "ilcov");
}

/* A process that can't be examined counts as busy. */
static bool is_locked(int folder, const char *name)
{
    int fd = file_open_in(folder, name, FILE_READ | FILE_NO_LINK);
    if (fd < 0)
        return errno != ENOENT;
    bool locked = file_lock_try(fd, FILE_LOCK_SHARED) != FILE_LOCKED;
    (void)file_close(fd);
    return locked;
}

/* process-<pid>-<start ticks>: the process may not have loaded any measured code yet. In another
 * PID namespace its ID means nothing; only the locks count there. */
static bool names_living_process(const char *name)
{
    int pid = 0;
    unsigned long long recorded = 0;
    struct process_stat stat;
    char end = '\0';
    return str_starts(str_of(name), SESSION_PROCESS) &&
           sscanf(name + strlen(SESSION_PROCESS), "%d-%llu%c", &pid, &recorded, &end) == 2 &&
           process_stat_read(&stat, pid) && !process_stat_has_ended(&stat) &&
           stat.start_ticks == recorded;
}

/* Until one is found that counts. */
static bool counts_not(void *folder, const char *name)
{
    bool is_counts = str_ends(str_of(name), SESSION_COUNTS);
    return !(is_counts && is_locked(*(int *)folder, name)) && !names_living_process(name);
}

static bool is_counted_in(const char *path)
{
    int folder = file_open(path, FILE_READ | FILE_FOLDER);
    if (folder < 0)
        return true;
    bool counted = !folder_each_entry_in(folder, counts_not, &folder) || errno != 0;
    (void)file_close(folder);
    return counted;
}

static bool is_young_config(const struct file_status *config)
{
    return time(NULL) - config->written / NANOSECONDS < YOUNG_SECONDS;
}

/* `config` is that of the session, locked by the caller or, with false, by another process. */
static enum session_state judge_session(const char *path, int config, bool locked)
{
    struct file_status status;
    if (!locked)
        return SESSION_IN_USE;
    if (!file_status_open(&status, config))
        return SESSION_NONE;
    int owner = owner_of_session(path);
    if (process_lives(owner) && (is_ilcov_process(owner) || is_young_config(&status)))
        return SESSION_IN_USE;
    return is_counted_in(path) ? SESSION_RUNS_ON : SESSION_ORPHANED;
}

/* A directory of this user with the name of a session. */
static bool is_own_session(const char *path)
{
    struct file_status status;
    return owner_of_session(path) != 0 && file_status_itself(&status, path) &&
           status.kind == FILE_IS_FOLDER && status.owner == user_self();
}

static enum session_state take_state(const char *path, enum file_lock lock, int *config)
{
    *config = is_own_session(path) ? open_config(path) : -1;
    if (*config < 0)
        return SESSION_NONE;
    return judge_session(path, *config, file_lock_try(*config, lock) == FILE_LOCKED);
}

enum session_state session_state(const char *path)
{
    int config = -1;
    enum session_state state = take_state(path, FILE_LOCK_SHARED, &config);
    (void)file_close(config);
    return state;
}

bool session_remove_orphan(const char *path)
{
    int config = -1;
    bool removed = take_state(path, FILE_LOCK_EXCLUSIVE, &config) == SESSION_ORPHANED &&
                   session_remove(path, NULL);
    (void)file_close(config);
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
    enum file_locked locked = file_lock_try(config, FILE_LOCK_EXCLUSIVE);
    if (locked == FILE_LOCK_TAKEN)
        state = SESSION_IN_USE;
    else if (locked == FILE_LOCK_FAILED)
        (void)err_set_errno(err, "session %s cannot be locked, and is kept", path);
    else if (is_counted_in(path))
        state = SESSION_RUNS_ON;
    else if (session_remove(path, err))
        state = SESSION_ORPHANED;
    (void)file_close(config);
    return state;
}

void session_leave(const char *path)
{
    if (is_own_session(path) && !is_counted_in(path))
        (void)session_remove(path, NULL);
}

struct visit {
    const char *parent;
    void (*session)(void *context, const char *path, int owner, enum session_state state);
    void (*kept)(void *context, const char *path, uint32_t user);
    void *context;
};

static bool visit_session(void *context, const char *name)
{
    const struct visit *visit = context;
    char path[PATH_ROOM];
    int owner = session_owner(name);
    enum session_state state = SESSION_NONE;
    if (owner != 0 && path_join_in(path, str_of(visit->parent), str_of(name)))
        state = session_state(path);
    if (state != SESSION_NONE)
        visit->session(visit->context, path, owner, state);
    return true;
}

void session_visit(const char *parent,
                   void (*visit)(void *context, const char *path, int owner,
                                 enum session_state state),
                   void *context)
{
    struct visit it = {.parent = parent, .session = visit, .context = context};
    (void)folder_each_entry(parent, visit_session, &it);
}

static bool visit_kept(void *context, const char *name)
{
    const struct visit *visit = context;
    char path[PATH_ROOM];
    struct file_status status;
    if (str_starts(str_of(name), SESSION_NAME_KEPT) &&
        path_join_in(path, str_of(visit->parent), str_of(name)) &&
        file_status_itself(&status, path) && status.kind == FILE_IS_FOLDER)
        visit->kept(visit->context, path, status.owner);
    return true;
}

void session_visit_kept(const char *parent,
                        void (*visit)(void *context, const char *path, uint32_t user),
                        void *context)
{
    struct visit it = {.parent = parent, .kept = visit, .context = context};
    (void)folder_each_entry(parent, visit_kept, &it);
}

/* Until the record of a living process is found that begins with `start`. */
static bool runs_not(void *start, const char *name)
{
    return !str_starts(str_of(name), start) || !names_living_process(name);
}

bool session_process_runs(const char *path, uint32_t pid)
{
    char start[sizeof SESSION_PROCESS + 24];
    (void)snprintf(start, sizeof start, SESSION_PROCESS "%" PRIu32 "-", pid);
    return !folder_each_entry(path, runs_not, start);
}
