/* process_life.h - whether another process lives, and how it is ended. An ID is taken again by
 * another process at any time after it ended: who must be sure compares process_stat's start. */
#ifndef ILCOV_SYSTEM_PROCESS_PROCESS_LIFE_H
#define ILCOV_SYSTEM_PROCESS_PROCESS_LIFE_H

#include "base/base.h"

/* Is there a process of this ID, whoever it belongs to? One that has ended is there until its
 * parent has waited for it. */
bool process_lives(int pid);

/* Asks it to end in order (SIGTERM). */
void process_ask_to_end(int pid);

/* Ends it at once (SIGKILL). */
void process_kill(int pid);

#endif
