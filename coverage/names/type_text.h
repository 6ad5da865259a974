/* type_text.h - finds a type by its name in the text of a signature or member (identity_token). */
#ifndef ILCOV_COVERAGE_NAMES_TYPE_TEXT_H
#define ILCOV_COVERAGE_NAMES_TYPE_TEXT_H

#include "base/text.h"

/* Where the text first names the type, or a type nested in it; NULL: nowhere. "N.C" is not named by
 * "N.C2", "M.N.C" or "N.B/N.C". */
const char *type_text_find(struct str text, struct str type);

#endif
