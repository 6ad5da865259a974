/* hotspots_page.h - hotspots.html: the methods where a test is worth most, by their CRAP score:
 * complex code that few tests run. */
#ifndef ILCOV_REPORTERS_HTML_HOTSPOTS_PAGE_H
#define ILCOV_REPORTERS_HTML_HOTSPOTS_PAGE_H

#include "reporters/html/site.h"

NODISCARD bool hotspots_page_write(struct site *site, struct err *err);

#endif
