/* find_above.h - a file that belongs to the whole work tree, wherever in it a command is run. */
#pragma once

#include "base/path.h"

/* The nearest file of this name, or link, in the current directory or above it, up to the top of
 * the git work tree. Outside of one, in the current directory. There it is the name itself, which
 * is shorter than PATH_ROOM. */
NODISCARD bool find_above(char out[PATH_ROOM], const char *name);
