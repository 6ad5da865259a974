#include "system/process/process_life.h"

#include <errno.h>
#include <signal.h>

bool process_lives(int pid)
{
    return kill(pid, 0) == 0 || errno == EPERM;
}

void process_ask_to_end(int pid)
{
    (void)kill(pid, SIGTERM);
}

void process_kill(int pid)
{
    (void)kill(pid, SIGKILL);
}
