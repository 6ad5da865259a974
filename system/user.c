#include "system/user.h"

#include <unistd.h>

uint32_t user_self(void)
{
    return geteuid();
}

uint32_t user_own_group(void)
{
    return getegid();
}
