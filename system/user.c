#include "system/user.h"

#include <unistd.h>

uint32_t user_self(void)
{
    return geteuid();
}

bool user_is_root(void)
{
    return geteuid() == 0;
}
