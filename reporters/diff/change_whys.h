/* change_whys.h - why lines of a section did not run, as a folded list in HTML, like that of a
 * source page.
 * Errors: those of struct text, reported by text_take. */
#ifndef ILCOV_REPORTERS_DIFF_CHANGE_WHYS_H
#define ILCOV_REPORTERS_DIFF_CHANGE_WHYS_H

#include "reporters/diff/change_columns.h"

/* Of the lines in the columns, once these are filled: those for which that is known. Nothing if
 * there are none, or if the page has no room. */
void change_whys_put(struct text *out, const struct change_columns *columns);

#endif
