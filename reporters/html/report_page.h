/* report_page.h - the pages of a report, and what they share: titles, totals, the way to what they
 * show, and links between them. */
#pragma once

#include "reporters/html/page.h"
#include "reporters/html/site.h"

/* Begins a page, up to its content. `node` is what it shows, for its title, its totals and the way
 * to it; `previous` and `next`, files beside it, may be NULL. */
void report_page_begin(struct page *page, struct site *site, struct str name, const char *kind,
                       const struct tree_node *node, const struct site_file *previous,
                       const struct site_file *next);

/* Two cells: a share in percent, which links to what is missing if a node is given, and how much
 * that is. */
void report_page_put_cells(struct page *page, const struct tree_node *node, uint64_t covered,
                           uint64_t valid);

/* Opens a link to where a node is shown: its own page, or its row. */
void report_page_open_link(struct page *page, const struct tree_node *node);

/* index.html with folders and files, types.html with assemblies, namespaces, types and methods, and
 * a page for each of their branches if they are large. */
NODISCARD bool tree_page_write_all(struct site *site, struct err *err);
/* hotspots.html: the methods where a test is worth most, by their CRAP score: complex code that few
 * tests run. */
NODISCARD bool hotspots_page_write(struct site *site, struct err *err);
/* left-out.html: assemblies and methods that were not measured, and code that the user excluded,
 * each with its reason. */
NODISCARD bool left_out_page_write(struct site *site, struct err *err);
