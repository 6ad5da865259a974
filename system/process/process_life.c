#include "system/process/process_life.h"

#include <signal.h>

void process_ask_to_end(int pid)
{
    (void)kill(pid, SIGTERM);
}

void process_kill(int pid)
{
    (void)kill(pid, SIGKILL);
}
