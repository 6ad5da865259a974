/* session_places.h - folders in which a session may be created if the user names none: in memory,
 * where the user wants temporary files ($TMPDIR), where the system has them. Not all need exist. */
#ifndef ILCOV_SYSTEM_SESSION_PLACES_H
#define ILCOV_SYSTEM_SESSION_PLACES_H

#include "base/base.h"

/* The one in memory: the first. */
#define SESSION_PLACE_IN_MEMORY "/dev/shm"

enum {
    SESSION_PLACES_MOST = 3
};

/* How many there are, best first. They stay valid until the environment is changed. */
size_t session_places(const char *out[SESSION_PLACES_MOST]);

#endif
