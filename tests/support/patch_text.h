/* patch_text.h - what a patch tells, as a line to compare: for each file
 *
 *   KIND PATH[<OLD_PATH][ binary][ submodule][ link][ FIRST[-LAST]]...;
 */
#pragma once

#include "coverage/diff/patch.h"

/* With a NUL behind it. */
struct str patch_text(const struct patch *patch, struct arena *arena);
