/* inspect_data.h - `ilcov inspect` of a data file; of an assembly: inspect.c. */
#ifndef ILCOV_CLI_VERBS_INSPECT_DATA_H
#define ILCOV_CLI_VERBS_INSPECT_DATA_H

#include "base/text.h"

/* Does the file begin as a data file does? */
bool inspect_is_data(const char *path);

/* Prints its runs and modules, and of the methods that are meant by `wanted` (a glob, as for an
 * assembly; empty: none) the identity of the code. Gives the exit status. */
int inspect_data(const char *path, struct str wanted, struct arena *arena);

#endif
