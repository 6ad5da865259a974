#include "reporters/html/report_page.h"

#include <inttypes.h>

#include "reporters/html/html_text.h"

void report_page_open_link(struct page *page, const struct tree_node *node)
{
    const struct tree_node *shown = node;
    while (shown->page.len == 0)
        shown = shown->parent;
    if (shown == node)
        page_open_link(page, node->page, "L", node->line);
    else
        page_open_link(page, shown->page, "n", node->number);
}

/* --- shares ----------------------------------------------------------------------------------- */

static void put_linked_share(struct page *page, const struct tree_node *node, uint64_t covered,
                             uint64_t valid)
{
    bool links = node != NULL && covered < valid && node->missed_page.len != 0;
    if (links)
        page_open_link(page, node->missed_page, "L", node->missed_line);
    html_percent(&page->text, covered, valid);
    if (links)
        page_put(page, "</a>");
}

void report_page_put_cells(struct page *page, const struct tree_node *node, uint64_t covered,
                           uint64_t valid)
{
    page_put(page, "<td>");
    put_linked_share(page, node, covered, valid);
    page_put(page, "<td>");
    if (covered < valid)
        html_number(&page->text, valid - covered);
}

/* --- the head --------------------------------------------------------------------------------- */

/* The way from the top, as links. */
static void put_way(struct page *page, const struct tree_node *node)
{
    if (node->parent == NULL)
        return;
    put_way(page, node->parent);
    page_put(page, "<li>");
    report_page_open_link(page, node->parent);
    page_put(page, "%.*s</a>", STR_ARGS(node->parent->label));
}

static void put_total(struct page *page, const struct tree_node *node, const char *name,
                      uint64_t covered, uint64_t valid)
{
    page_put(page, "<div><dt>%s<dd>", name);
    put_linked_share(page, node, covered, valid);
    page_put(page, " <small>%" PRIu64 " of %" PRIu64 "</small>", covered, valid);
    page_put_bar(page, covered, valid);
    page_put(page, "</div>");
}

static void put_node_totals(struct page *page, const struct tree_node *node)
{
    const struct report_totals *totals = &node->totals;
    page_put(page, "<dl class=totals>");
    put_total(page, node, "Lines", totals->lines_covered, totals->lines_valid);
    put_total(page, node, "Branches", totals->branches_covered, totals->branches_valid);
    put_total(page, node, "Methods", totals->methods_covered, totals->methods_valid);
    page_put(page, "</dl>\n");
}

static void put_neighbours(struct page *page, const struct site_file *previous,
                           const struct site_file *next)
{
    page_put(page, "<nav class=files aria-label=\"Files beside this one\">");
    if (previous != NULL)
        page_put_neighbour(page, previous->page, previous->source.path, "prev", "Previous file");
    if (next != NULL)
        page_put_neighbour(page, next->page, next->source.path, "next", "Next file");
    page_put(page, "</nav>\n");
}

void report_page_begin(struct page *page, struct site *site, struct str name, const char *kind,
                       const struct tree_node *node, const struct site_file *previous,
                       const struct site_file *next)
{
    page_begin(page, &site->pages, name);
    page_put(page, "%.*s ", STR_ARGS(node->label));
    html_percent(&page->text, node->totals.lines_covered, node->totals.lines_valid);
    page_put_head(page, kind, NULL);
    if (node->parent != NULL) {
        page_put(page, "<nav aria-label=\"Where this is\"><ol class=way>");
        put_way(page, node);
        page_put(page, "</ol></nav>\n");
    }
    page_put(page, "<h1>%.*s</h1>\n", STR_ARGS(node->label));
    if (node->remark.len != 0)
        page_put(page, "<p class=of>%.*s</p>\n", STR_ARGS(node->remark));
    put_node_totals(page, node);
    if (previous != NULL || next != NULL)
        put_neighbours(page, previous, next);
    page_put(page, "</header>\n<main id=main>\n");
}
