/* left_out_page.h - left-out.html: assemblies and methods that were not measured, and code that the
 * user excluded, each with its reason. */
#ifndef ILCOV_REPORTERS_HTML_LEFT_OUT_PAGE_H
#define ILCOV_REPORTERS_HTML_LEFT_OUT_PAGE_H

#include "reporters/html/site.h"

NODISCARD bool left_out_page_write(struct site *site, struct err *err);

#endif
