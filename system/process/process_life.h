/* process_life.h - does a process live, and how it is ended. An ID is taken again by another
 * process at any time after it ended: who must be sure compares process_stat's start. */
#ifndef ILCOV_SYSTEM_PROCESS_PROCESS_LIFE_H
#define ILCOV_SYSTEM_PROCESS_PROCESS_LIFE_H

#include "base/base.h"

/* Asks it to end in order (SIGTERM). */
void process_ask_to_end(int pid);

/* Ends it at once (SIGKILL). */
void process_kill(int pid);

#endif
