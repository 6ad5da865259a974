/* folder_entries.h - the entries of a folder, in no order.
 * Target: allocates (a buffer of the C library's), which is freed on return. */
#ifndef ILCOV_SYSTEM_FILE_FOLDER_ENTRIES_H
#define ILCOV_SYSTEM_FILE_FOLDER_ENTRIES_H

#include "base/base.h"

/* Calls `take` for each entry but "." and "..", until it returns false; then returns false. True
 * for a folder that cannot be read, with errno; otherwise errno is 0. */
bool folder_each_entry(const char *folder, bool (*take)(void *context, const char *name),
                       void *context);

/* The same for an open folder, from its first entry on, as often as one likes. */
bool folder_each_entry_in(int folder, bool (*take)(void *context, const char *name), void *context);

#endif
