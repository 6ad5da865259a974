#include "coverage/session/session_directory.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/path.h"
#include "contract/protocol.h"
#include "contract/session_format.h"
#include "coverage/session/baseline.h"
#include "system/clock.h"
#include "system/file.h"
#include "system/file_status.h"
#include "system/folder.h"
#include "system/places.h"
#include "system/process.h"
#include "system/user.h"

enum {
    REMOVE_TRIES = 10,
    READERS_MS = 10 * 1000, /* to wait for processes that still read the session */
    READERS_STEP_MS = 20,
    WARNINGS_ROOM = 4096
};

/* --- making ----------------------------------------------------------------------------------- */

/* Opens a new file of the session for writing. */
static int make_new_file(const char *session, struct str name)
{
    char path[PATH_ROOM];
    errno = ENAMETOOLONG;
    return path_join_in(path, str_of(session), name) ? file_open(path, FILE_WRITE | FILE_NEW) : -1;
}

static bool write_config(const char *session, const struct session_config *config, struct err *err)
{
    struct arena arena = ARENA_EMPTY;
    struct str text;
    bool ok = session_config_write(&text, config, &arena, err) &&
              (session_write_new(make_new_file(session, STR(SESSION_CONFIG)), text.text, text.len,
                                 false) ||
               err_set_errno(err, "its config cannot be written"));
    arena_free(&arena);
    return ok;
}

/* Reserves space for a few lines now, in case the file system fills up later. A file system that
 * can't reserve space does not fill up that quickly. */
static bool make_warnings(const char *session, struct err *err)
{
    int fd = make_new_file(session, STR(SESSION_WARNINGS));
    bool ok = fd >= 0 && (file_reserve_beyond(fd, WARNINGS_ROOM) || errno != ENOSPC);
    if (!ok)
        (void)err_set_errno(err, "its file of troubles cannot be created");
    (void)file_close(fd);
    return ok;
}

/* Some file systems, such as VFAT, show every directory as writable by everybody, or as owned by
 * root. */
static bool is_private_folder(const char *path)
{
    struct file_status status;
    return file_status_itself(&status, path) && status.owner == user_self() &&
           (status.mode & 0777) == 0700;
}

/* With letters in place of the XXXXXX. */
static bool name_directory(char *path, size_t path_room, const char *parent, bool keep)
{
    char name[sizeof SESSION_NAME_KEPT + sizeof SESSION_NAME + 32], full[PATH_ROOM];
    if (keep)
        (void)snprintf(name, sizeof name, SESSION_NAME_KEPT "XXXXXX");
    else
        (void)snprintf(name, sizeof name, SESSION_NAME "%d-XXXXXX", process_self());
    if (!path_join_in(full, str_of(parent), str_of(name)) || strlen(full) >= path_room)
        return false;
    memcpy(path, full, strlen(full) + 1);
    return true;
}

static bool make_directory(char *path, size_t path_room, const char *parent, bool keep,
                           struct err *err)
{
    char real[PATH_ROOM];
    if (!file_real_path(real, parent))
        return err_set_errno(err, "cannot create a session in %s", parent);
    if (!ownership_of_parent(real, err)) {
        err_prefix(err, "cannot create a session in %s", parent);
        return false;
    }
    if (!name_directory(path, path_room, real, keep))
        return err_set(err, ERR_IO, "cannot create a session in %s: its path is too long", parent);
    if (!file_make_unique_folder(path))
        return err_set_errno(err, "cannot create a session in %s", parent);
    if (is_private_folder(path))
        return true;
    (void)file_remove_folder(path);
    return err_set(err, ERR_UNSUPPORTED,
                   "cannot create a session in %s: its file system does not keep the owner and "
                   "mode of directories; choose another directory with --session-dir",
                   parent);
}

static bool make_session_in(char *path, size_t path_room, const char *parent,
                            const struct session_config *config, struct err *err)
{
    if (!make_directory(path, path_room, parent, config->keep, err))
        return false;
    if (write_config(path, config, err) && make_warnings(path, err))
        return true;
    err_prefix(err, "cannot create a session in %s", parent);
    (void)session_remove(path, NULL);
    return false;
}

static bool parent_has_room(const char *parent)
{
    struct file_system_size size;
    return file_system_size(&size, parent) && size.free >= (uint64_t)SESSION_ROOM_LEAST;
}

static bool make_somewhere(char *path, size_t path_room, const struct session_config *config,
                           struct err *err)
{
    const char *places[SESSION_PLACES_MOST];
    size_t count = session_places(places);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < count; i++)
            if ((pass == 1 || parent_has_room(places[i])) &&
                make_session_in(path, path_room, places[i], config, err))
                return true;
    return false;
}

bool session_create(char *path, size_t path_room, const char *parent,
                    const struct session_config *config, struct err *err)
{
    return parent != NULL ? make_session_in(path, path_room, parent, config, err)
                          : make_somewhere(path, path_room, config, err);
}

int session_owner(const char *name)
{
    struct str rest = str_of(name);
    int64_t pid = 0;
    if (!str_take(&rest, SESSION_NAME) || rest.len == 0 || rest.text[0] == '0')
        return 0;
    while (rest.len != 0 && ascii_is_digit(rest.text[0]) && pid <= INT_MAX) {
        pid = 10 * pid + (rest.text[0] - '0');
        rest = str_from(rest, 1);
    }
    return pid <= INT_MAX && str_starts(rest, "-") && rest.len == 7 ? (int)pid : 0;
}

/* --- keeping ---------------------------------------------------------------------------------- */

bool session_kept_name(char out[PATH_ROOM], const char *path)
{
    struct str name = path_file(str_of(path));
    if (session_owner(name.text) == 0)
        return false;
    const char *letters = name.text + name.len - 6; /* mkdtemp's */
    int len = snprintf(out, PATH_ROOM, "%.*s" SESSION_NAME_KEPT "%s", (int)(name.text - path), path,
                       letters);
    return len > 0 && len < PATH_ROOM;
}

void session_keep(char path[PATH_ROOM])
{
    char kept[PATH_ROOM];
    if (session_kept_name(kept, path) && file_rename(path, kept))
        memcpy(path, kept, strlen(kept) + 1);
}

/* --- removing --------------------------------------------------------------------------------- */

static bool is_own_file(const char *name)
{
    struct str file = str_of(name);
    return str_is(file, SESSION_CONFIG) || str_starts(file, SESSION_PROCESS) ||
           str_is(file, SESSION_WARNINGS) || str_starts(file, SESSION_BASELINE) ||
           str_starts(file, SESSION_CONTROL) || str_starts(file, SESSION_HITS) ||
           str_starts(file, SESSION_CONTEXTS) || str_starts(file, SESSION_MANAGED) ||
           str_ends(file, SESSION_COUNTS) || str_ends(file, SESSION_MODULE) ||
           str_ends(file, SESSION_PDB) || str_ends(file, SESSION_PART);
}

struct removal {
    const char *session;
    int folder;
    bool failed;
    struct err *err;
};

static bool remove_entry(void *context, const char *name)
{
    struct removal *removal = context;
    if (is_own_file(name) && !file_remove_in(removal->folder, name) && errno != ENOENT) {
        (void)err_set_errno(removal->err, "session %s: %s cannot be removed", removal->session,
                            name);
        removal->failed = true;
    }
    return !removal->failed;
}

static bool remove_files(const char *path, struct err *err)
{
    struct removal removal = {.session = path, .err = err};
    removal.folder = file_open(path, FILE_READ | FILE_FOLDER | FILE_NO_LINK);
    bool listed = removal.folder >= 0;
    if (listed && folder_each_entry_in(removal.folder, remove_entry, &removal))
        listed = errno == 0;
    if (!listed)
        (void)err_set_errno(err, "session %s cannot be removed", path);
    (void)file_close(removal.folder);
    return listed && !removal.failed;
}

/* Readers hold a lock on the directory (session_share). */
static void await_readers(const char *path)
{
    int fd = file_open(path, FILE_READ | FILE_FOLDER | FILE_NO_LINK);
    for (int waited = 0; fd >= 0 && waited < READERS_MS; waited += READERS_STEP_MS) {
        if (file_lock_try(fd, FILE_LOCK_EXCLUSIVE) != FILE_LOCK_TAKEN)
            break;
        clock_rest(READERS_STEP_MS);
    }
    (void)file_close(fd);
}

/* A process that outlives the command may add another file meanwhile: hence several tries.
 */
bool session_remove(const char *path, struct err *err)
{
    await_readers(path);
    for (unsigned i = 0; i < REMOVE_TRIES; i++) {
        if (!remove_files(path, err))
            return false;
        if (file_remove_folder(path))
            return true;
        if (errno != ENOTEMPTY && errno != EEXIST)
            break;
    }
    return err_set_errno(err, "session %s cannot be removed", path);
}
