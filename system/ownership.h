/* ownership.h - can another user change what ilcov loads into a program, or reads from it? Root can
 * in any case. Errors: ERR_UNSUPPORTED, with how to fix it. */
#ifndef ILCOV_SYSTEM_OWNERSHIP_H
#define ILCOV_SYSTEM_OWNERSHIP_H

#include "base/err.h"

/* A file that is to be loaded: it belongs to the user or root, and no other user can write or
 * replace it. */
NODISCARD bool ownership_of_file(const char *path, struct err *err);

/* A directory in which a session is to be created: it belongs to the user or root, and no other
 * user may rename what is in it. */
NODISCARD bool ownership_of_parent(const char *path, struct err *err);

/* A session that is to be read, as an open directory: it belongs to the user (root may read
 * anyone's), and no other user can write to it. */
NODISCARD bool ownership_of_session(int fd, struct err *err);

#endif
