/* ownership.h - can anybody else change what ilcov puts into a program, or reads out of it? Root
 * can in any case. Errors: ERR_UNSUPPORTED, with what mends it. */
#ifndef ILCOV_SYSTEM_OWNERSHIP_H
#define ILCOV_SYSTEM_OWNERSHIP_H

#include "base/err.h"

/* A file that is to be loaded: the user's or root's, writable by nobody else, and so that nobody
 * else can put another in its place. */
NODISCARD bool ownership_of_file(const char *path, struct err *err);

/* A directory in which a session is to be made: nobody else may rename what is in it. */
NODISCARD bool ownership_of_parent(const char *path, struct err *err);

/* A session that is to be read, as an open directory: the user's, but root may read anybody's; and
 * writable by nobody else. */
NODISCARD bool ownership_of_session(int fd, struct err *err);

#endif
