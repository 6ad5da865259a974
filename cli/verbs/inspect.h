/* inspect.h - `ilcov inspect` of a data file; of an assembly: inspect.c. */
#ifndef ILCOV_CLI_VERBS_INSPECT_H
#define ILCOV_CLI_VERBS_INSPECT_H

#include "base/text.h"

/* Does the file begin as a data file does? */
bool inspect_is_data(const char *path);

/* Prints its runs and modules, and of the methods that are meant by `wanted` (a glob, as for an
 * assembly; empty: none) the identity of the code. Gives the exit status. */
int inspect_data(const char *path, struct str wanted, struct arena *arena);

/* Does METHOD mean this one? A glob for a method's name, its type's, or both as they are printed,
 * "N.Type.Method"; empty means all. */
NODISCARD bool inspect_is_meant(bool *meant, struct str wanted, struct str type, struct str name,
                                struct arena *arena, struct err *err);

/* On standard output, in lower case. */
void print_hex(const uint8_t *bytes, size_t len);

#endif
