/* user.h - whose process this is. A user is a number, as the system has it in the owner of a file.
 * Target: safe to call there on any thread: no locks, no allocations, libc only. */
#ifndef ILCOV_SYSTEM_USER_H
#define ILCOV_SYSTEM_USER_H

#include "base/base.h"

/* The user whose rights this process has. */
uint32_t user_self(void);

/* The group of users that its new files belong to. */
uint32_t user_own_group(void);

#endif
