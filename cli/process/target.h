/* target.h - the command under measurement is started. system/command.h waits for it. */
#pragma once

#include "base/err.h"

/* Starts argv[0], found along PATH: its process ID. False when it can't be: *status is
 * EXIT_NOT_FOUND or EXIT_NOT_EXECUTABLE. */
NODISCARD bool target_start(int *pid, char *const *argv, char *const *environment, int *status,
                            struct err *err);
