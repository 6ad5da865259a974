/* nearest.h - the known word that an unknown one was probably meant to be. */
#pragma once

#include "base/text.h"

/* The one of `names` (which ends with NULL) that takes the fewest changed letters, or NULL if more
 * than half of `word` would change. */
const char *nearest_word(struct str word, const char *const *names);

/* The same with at most `most` changed letters. */
const char *nearest_within(struct str word, const char *const *names, size_t most);
