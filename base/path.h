/* path.h - the parts of a path as text: no file is looked at. */
#ifndef ILCOV_BASE_PATH_H
#define ILCOV_BASE_PATH_H

#include "base/text.h"

/* What is before the last '/'; "/" for what lies there; empty when there is none. */
struct str path_dir(struct str path);

/* What is behind the last '/'. */
struct str path_file(struct str path);

#endif
