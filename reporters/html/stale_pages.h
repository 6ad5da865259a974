/* stale_pages.h - pages of an earlier report or comparison in the same folder that this one does
 * not have: of sources and folders that are gone, of lists that are not written any more. Only what
 * has the name and the foot of a page of ours is removed. */
#ifndef ILCOV_REPORTERS_HTML_STALE_PAGES_H
#define ILCOV_REPORTERS_HTML_STALE_PAGES_H

#include "base/list.h"
#include "reporters/html/site.h"

/* Whose pages to look at, as bits. */
enum stale_scope {
    STALE_REPORT = 1,
    STALE_CHANGES = 2 /* of a comparison */
};

/* A page that was written stays. `pages`: of struct str. */
/* The names of the pages at the top of a folder; NULL after the last. */
const char *stale_pages_index(size_t index);

NODISCARD bool stale_pages_keep(struct list *pages, struct str page, struct arena *arena,
                                struct err *err);
/* After all pages were written. Sorts them. */
void stale_pages_sweep(struct destination *destination, const struct list *pages, unsigned scope);

/* The pages of a report, and those of a comparison that is not beside it now. */
NODISCARD bool stale_pages_remove(struct site *site, struct err *err);

#endif
