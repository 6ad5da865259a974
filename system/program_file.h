/* program_file.h - the file of the program that a command means, found as execvp(3) finds it. */
#ifndef ILCOV_SYSTEM_PROGRAM_FILE_H
#define ILCOV_SYSTEM_PROGRAM_FILE_H

#include "base/path.h"

/* A command that is a path, not a name to be looked up along PATH. */
bool program_file_is_path(const char *command);

/* Its path; false if there is none that this process may start. */
bool program_file_find(char path[PATH_ROOM], const char *command);

/* The same for a file that may be not executable. */
bool program_file_find_any(char path[PATH_ROOM], const char *command);

#endif
