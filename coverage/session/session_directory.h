/* session_directory.h - makes a run's session directory before the target starts, and removes it.
 * Errors: ERR_IO the directory can't be made or removed. */
#ifndef ILCOV_COVERAGE_SESSION_SESSION_DIRECTORY_H
#define ILCOV_COVERAGE_SESSION_SESSION_DIRECTORY_H

#include "coverage/session/session_config.h"

/* A session is named ilcov-<pid of the program>-<six characters>, so that one left behind by a kill
 * can be told. */
#define SESSION_NAME "ilcov-"
/* One that is to be kept belongs to nobody. */
#define SESSION_NAME_KEPT "ilcov-kept-"

enum {
    SESSION_ROOM_LEAST = 4 << 20 /* free bytes below which a session goes elsewhere, if it may */
};

/* Makes a new directory below `parent`; NULL: the first of /dev/shm, $TMPDIR and /tmp that can be
 * written and has SESSION_ROOM_LEAST bytes left, else the first that will do. `path` gets its
 * absolute name. Writes the config file, and the room for troubles. */
NODISCARD bool session_create(char *path, size_t path_room, const char *parent,
                              const struct session_config *config, struct err *err);

/* Removes the directory with the files that a session consists of, and nothing else.
 * Async-signal-safe it is not. */
bool session_remove(const char *path, struct err *err);

/* The process that made the session of this name (the last part of its path), or 0 when that is no
 * session's name. */
int session_owner(const char *name);

#endif
