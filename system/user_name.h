/* user_name.h - what a user is called. */
#ifndef ILCOV_SYSTEM_USER_NAME_H
#define ILCOV_SYSTEM_USER_NAME_H

#include "base/base.h"

enum {
    USER_NAME_ROOM = 264 /* LOGIN_NAME_MAX is 256 */
};

/* "bob", or "#1001" if this machine has no name for that user, or too long a one. */
const char *user_name(char out[USER_NAME_ROOM], uint32_t user);

#endif
