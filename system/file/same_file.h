/* same_file.h - do two paths name the same file? */
#ifndef ILCOV_SYSTEM_FILE_SAME_FILE_H
#define ILCOV_SYSTEM_FILE_SAME_FILE_H

#include "base/base.h"

/* Equal paths, or one file or directory under two names, even if it does not exist yet. "-", the
 * standard output, is equal only to itself. */
bool same_file(const char *a, const char *b);

#endif
