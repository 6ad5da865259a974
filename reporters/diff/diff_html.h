/* diff_html.h - a comparison as a folder of pages, or as further pages in that of a report: an
 * overview, lists of what was lost, gained or is new and missed, the methods, and for each source
 * file that has something to tell its methods as they were beside as they are. */
#ifndef ILCOV_REPORTERS_DIFF_DIFF_HTML_H
#define ILCOV_REPORTERS_DIFF_DIFF_HTML_H

#include "reporters/html/page.h"

/* The pages of the job's diff: beside those of its report, if it has one, with style and script.
 * site_folder_sweep must follow. */
NODISCARD bool diff_pages_write(struct pages *pages, struct err *err);

#endif
