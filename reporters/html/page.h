/* page.h - what the pages of a report share beyond their frame (frame.h): titles, totals, the way
 * to what they show, and links between them. */
#ifndef ILCOV_REPORTERS_HTML_PAGE_H
#define ILCOV_REPORTERS_HTML_PAGE_H

#include "reporters/html/site.h"

struct page {
    struct text text;
    const struct site *site;
    struct str name; /* of its file: "files/0f6a3c2b91d4-Order.cs.html" */
};

/* Begins a page. `node` is what it shows, for its title, its totals and the way to it; `kind` is
 * "source" or "index", for the style sheet. */
void page_begin(struct page *page, const struct site *site, struct str name, const char *kind,
                const struct tree_node *node);
/* The heading with the totals; `previous` and `next` may be NULL. */
void page_put_heading(struct page *page, const struct tree_node *node,
                      const struct site_file *previous, const struct site_file *next);
/* Writes it, unless the file has these bytes already. `with_time`: the foot says when and from
 * where; a page that says so changes with each run. */
NODISCARD bool page_end(struct page *page, bool with_time, struct err *err);

/* A literal, or any text that is HTML. */
void page_put(struct page *page, const char *html);
/* ` href="…"` to another page, and to a line or row of it. */
void page_put_link(struct page *page, struct str name, const char *prefix, uint32_t number);

/* A share as a bar and in percent, which links to what is missing. */
void page_put_share(struct page *page, const struct tree_node *node, uint64_t covered,
                    uint64_t valid);
void page_put_bar(struct page *page, uint64_t covered, uint64_t valid);

/* Where a node is shown: its own page, or its row. */
void page_put_node_link(struct page *page, const struct tree_node *node);

/* The index that a tree is shown in. */
struct str page_of_tree(const struct site *site, const struct tree_node *node);

#endif
