/* nearest.h - the word that was probably meant by one that is not known. */
#ifndef ILCOV_BASE_NEAREST_H
#define ILCOV_BASE_NEAREST_H

#include "base/text.h"

/* Of `names` (ends with NULL) the one with the fewest letters to change, or NULL when more than
 * half of `word` would be another. */
const char *nearest_word(struct str word, const char *const *names);

#endif
