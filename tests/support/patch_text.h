/* patch_text.h - what a patch tells, as a line to compare: for each file
 *
 *   KIND PATH[<OLD_PATH][ binary][ submodule][ link][ FIRST[-LAST]]...;
 */
#ifndef ILCOV_TESTS_SUPPORT_PATCH_TEXT_H
#define ILCOV_TESTS_SUPPORT_PATCH_TEXT_H

#include "coverage/diff/patch.h"

/* With a NUL behind it. */
struct str patch_text(const struct patch *patch, struct arena *arena);

#endif
