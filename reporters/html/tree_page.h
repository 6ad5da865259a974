/* tree_page.h - the indexes: index.html with folders and files, types.html with assemblies,
 * namespaces, types and methods, and a page for each of their branches if they are large. */
#ifndef ILCOV_REPORTERS_HTML_TREE_PAGE_H
#define ILCOV_REPORTERS_HTML_TREE_PAGE_H

#include "reporters/html/site.h"

NODISCARD bool tree_page_write_all(struct site *site, struct err *err);

#endif
