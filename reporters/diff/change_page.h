/* change_page.h - the pages of a source file that changed: its methods, each as it was beside as it
 * is. A page takes at most 2.5 times the source text that it shows and CHANGE_PAGE_FIXED bytes, and
 * not much more than CHANGE_PAGE_MAX: what does not fit is on further pages.
 * Errors: ERR_IO, ERR_MEMORY. */
#ifndef ILCOV_REPORTERS_DIFF_CHANGE_PAGE_H
#define ILCOV_REPORTERS_DIFF_CHANGE_PAGE_H

#include "reporters/diff/changes.h"

enum {
    CHANGE_PAGE_FIXED = 4096,
    CHANGE_PAGE_MAX = 512 * 1024
};

/* The first page of each file. */
NODISCARD bool change_pages_name(struct changes *changes, struct err *err);

/* Fills in the parts of the file. */
NODISCARD bool change_page_write(struct changes *changes, struct change_file *file,
                                 struct err *err);

#endif
