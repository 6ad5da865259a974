/* user.h - users: whose process this is, what a user is called, and whether another one can change
 * what ilcov loads into a program, or reads from it. A user is a number, as the system has it in
 * the owner of a file. Root can change anything.
 * Errors: ERR_UNSUPPORTED, with how to fix it.
 * Target: what asks for this process's own user is safe to call there on any thread. */
#pragma once

#include "base/err.h"

/* The user whose rights this process has. */
uint32_t user_self(void);

/* The group of users that its new files belong to. */
uint32_t user_own_group(void);

enum {
    USER_NAME_ROOM = 264 /* LOGIN_NAME_MAX is 256 */
};

/* "bob", or "#1001" if this machine has no name for that user, or too long a one. */
const char *user_name(char out[USER_NAME_ROOM], uint32_t user);

/* A file that is to be loaded: it belongs to the user or root, and no other user can write or
 * replace it. */
NODISCARD bool ownership_of_file(const char *path, struct err *err);

/* A directory in which a session is to be created: it belongs to the user or root, and no other
 * user may rename what is in it. */
NODISCARD bool ownership_of_parent(const char *path, struct err *err);

/* A session that is to be read, as an open directory: it belongs to the user (root may read
 * anyone's), and no other user can write to it. */
NODISCARD bool ownership_of_session(int fd, struct err *err);
