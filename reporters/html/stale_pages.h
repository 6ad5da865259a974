/* stale_pages.h - pages of an earlier report that this one does not have: of sources and folders
 * that are gone. Only what has the name and the foot of a page of ours is removed. */
#ifndef ILCOV_REPORTERS_HTML_STALE_PAGES_H
#define ILCOV_REPORTERS_HTML_STALE_PAGES_H

#include "reporters/html/site.h"

/* After all pages were written. */
NODISCARD bool stale_pages_remove(struct site *site, struct err *err);

#endif
