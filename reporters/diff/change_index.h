/* change_index.h - the pages of a comparison that are about all files: the overview with gates and
 * totals, the lists of lines, the methods. Long lists are cut, and say so.
 * Errors: ERR_IO, ERR_MEMORY. */
#ifndef ILCOV_REPORTERS_DIFF_CHANGE_INDEX_H
#define ILCOV_REPORTERS_DIFF_CHANGE_INDEX_H

#include "reporters/diff/changes.h"

/* After the pages of the files. */
NODISCARD bool change_index_write(const struct changes *changes, struct err *err);

#endif
