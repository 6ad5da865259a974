/* inspect_data.h - `ilcov inspect` of a data file; verb_inspect.c does assemblies. */
#pragma once

#include "base/text.h"

/* Does the file begin as a data file does? */
bool inspect_is_data(const char *path);

/* Prints its runs and modules, and the identity of the code of the methods that `wanted` selects (a
 * glob, as for an assembly; empty: none). Returns the exit status. */
int inspect_data(const char *path, struct str wanted, bool json, struct arena *arena);
