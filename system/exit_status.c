#include "system/exit_status.h"

#include <sys/wait.h>

int exit_status_of(int wait_status)
{
    return WIFSIGNALED(wait_status) ? EXIT_STATUS_SIGNAL + WTERMSIG(wait_status)
                                    : WEXITSTATUS(wait_status);
}
