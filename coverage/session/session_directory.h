/* session_directory.h - makes a run's session directory before the target starts, and removes it.
 * Errors: ERR_IO the directory can't be created or removed. */
#pragma once

#include "base/path.h"
#include "coverage/session/session_config.h"

/* A session is named ilcov-<pid of the program>-<six characters>, so that one left behind by a
 * killed program can be recognised. */
#define SESSION_NAME "ilcov-"
/* The name of a session to be kept, which has no owner. */
#define SESSION_NAME_KEPT "ilcov-kept-"

enum {
    SESSION_ROOM_LEAST =
        4 << 20 /* free bytes below which a session is created elsewhere, if allowed */
};

/* Creates a new directory below `parent`; if NULL, below the first of /dev/shm, $TMPDIR and /tmp
 * that is writable and has SESSION_ROOM_LEAST bytes left, else the first usable one. `path` gets
 * its absolute name. Writes the config file and reserves space for troubles. */
NODISCARD bool session_create(char *path, size_t path_room, const char *parent,
                              const struct session_config *config, struct err *err);

/* Removes the directory with the files that a session consists of, and nothing else. Not
 * async-signal-safe. */
bool session_remove(const char *path, struct err *err);

/* The name that a session gets when it is to be kept: it has no owner, so no later run removes it.
 * False if it has none already, or such a name would be too long. */
bool session_kept_name(char out[PATH_ROOM], const char *path);

/* Gives it that name, if possible. */
void session_keep(char path[PATH_ROOM]);

/* The process that made the session of this name (the last part of its path), or 0 if it is not the
 * name of a session. */
int session_owner(const char *name);
