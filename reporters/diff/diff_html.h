/* diff_html.h - a comparison as a folder of pages, or as further pages in that of a report: an
 * overview, lists of what was lost, gained or is new and missed, the methods, and for each source
 * file that has something to tell its methods as they were beside as they are. */
#ifndef ILCOV_REPORTERS_DIFF_DIFF_HTML_H
#define ILCOV_REPORTERS_DIFF_DIFF_HTML_H

#include "reporters/format.h"

/* The pages of `job->diff`. `is_beside`: those of a report are in the folder, with style and
 * script. `tells_times`: they say when the runs were. */
NODISCARD bool diff_pages_write(const struct format_job *job, bool is_beside, bool tells_times,
                                struct err *err);

#endif
