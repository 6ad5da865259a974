#include "system/process/process_self.h"

#include <errno.h>
#include <unistd.h>

int process_self(void)
{
    return getpid();
}

int process_self_parent(void)
{
    return getppid();
}

const char *process_self_name(void)
{
    return program_invocation_short_name;
}
