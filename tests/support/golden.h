/* golden.h - output compared byte for byte with a file in tests/golden, in which @VERSION@ stands
 * for the version of ilcov. With UPDATE_GOLDEN=1 in the environment the file is written instead:
 * read the diff. */
#pragma once

#include "base/text.h"

/* Prints the first line that differs. Tests run in the top folder of the repository. */
bool golden_matches(const char *name, struct str text, struct arena *arena);
