/* turn.h - one at a time: those who do the same to a process or in a folder take turns. The lock is
 * on the folder itself, of a process that in /proc, so nothing is left behind, whoever is killed.
 * Source: flock(2), proc(5). */
#ifndef ILCOV_SYSTEM_TURN_H
#define ILCOV_SYSTEM_TURN_H

#include "base/base.h"

/* Wait until `until`, a time of clock_ms. -1: it was not to be had. */
int turn_take_process(int pid, int64_t until);
int turn_take_folder(const char *folder, int64_t until);

/* -1 does nothing. */
void turn_end(int turn);

#endif
