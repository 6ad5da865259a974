/* same_file.h - do two paths name one file? */
#ifndef ILCOV_SYSTEM_SAME_FILE_H
#define ILCOV_SYSTEM_SAME_FILE_H

#include <stdbool.h>

/* Equal paths, or one regular file under two names. Standard output under "-" is equal to itself
 * only. */
bool same_file(const char *a, const char *b);

#endif
