/* path.h - the parts of a path as text, without access to the file system. */
#ifndef ILCOV_BASE_PATH_H
#define ILCOV_BASE_PATH_H

#include "base/text.h"

/* The part before the last '/'; "/" for a file in the root; empty if there is no '/'. */
struct str path_dir(struct str path);

/* The part after the last '/'. */
struct str path_file(struct str path);

#endif
