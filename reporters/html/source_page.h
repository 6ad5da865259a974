/* source_page.h - the page of a source file: what it missed, its methods, and its text beside line
 * numbers and hits. The columns hold plain text, with marks only where something is missing, so
 * that a page stays small and the browser's own search, selection and printing work.
 * A page takes at most 2.5 times its source and SOURCE_PAGE_FIXED; where the lists above the text
 * would take more they are cut, and say so. */
#pragma once

#include "reporters/html/site.h"

enum {
    SOURCE_PAGE_FIXED = 4096
};

/* `previous` and `next` may be NULL. */
NODISCARD bool source_page_write(struct site *site, const struct site_file *file,
                                 const struct site_file *previous, const struct site_file *next,
                                 struct err *err);
