#include "system/user_name.h"

#include <pwd.h>
#include <stdio.h>
#include <string.h>

const char *user_name(char out[USER_NAME_ROOM], uint32_t user)
{
    const struct passwd *entry = getpwuid(user);
    if (entry != NULL && strlen(entry->pw_name) < USER_NAME_ROOM)
        (void)snprintf(out, USER_NAME_ROOM, "%s", entry->pw_name);
    else
        (void)snprintf(out, USER_NAME_ROOM, "#%u", user);
    return out;
}
