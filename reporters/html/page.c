#include "reporters/html/page.h"

#include "base/text.h"
#include "reporters/html/frame.h"
#include "reporters/html/html_text.h"

void page_put(struct page *page, const char *html)
{
    text_add_c(&page->text, html);
}

/* --- links ------------------------------------------------------------------------------------ */

void page_put_link(struct page *page, struct str name, const char *prefix, uint32_t number)
{
    frame_link(&page->text, page->name, name, prefix, number);
}

struct str page_of_tree(const struct site *site, const struct tree_node *node)
{
    while (node->parent != NULL)
        node = node->parent;
    return node == &site->types ? STR("types.html") : STR("index.html");
}

void page_put_node_link(struct page *page, const struct tree_node *node)
{
    if (node->page.len != 0) {
        page_put_link(page, node->page, "L", node->line);
        return;
    }
    const struct tree_node *shown = node;
    while (shown->parent != NULL && shown->page.len == 0)
        shown = shown->parent;
    struct str name = shown->page.len != 0 ? shown->page : page_of_tree(page->site, node);
    page_put_link(page, name, "n", node->number);
}

/* --- shares ----------------------------------------------------------------------------------- */

void page_put_bar(struct page *page, uint64_t covered, uint64_t valid)
{
    frame_bar(&page->text, covered, valid);
}

void page_put_share(struct page *page, const struct tree_node *node, uint64_t covered,
                    uint64_t valid)
{
    bool links = covered < valid && node->missed_page.len != 0;
    if (links) {
        page_put(page, "<a");
        page_put_link(page, node->missed_page, "L", node->missed_line);
        page_put(page, ">");
    }
    html_percent(&page->text, covered, valid);
    if (links)
        page_put(page, "</a>");
}

/* --- the document ----------------------------------------------------------------------------- */

static void put_title(struct page *page, const struct tree_node *node)
{
    if (node->parent != NULL) {
        html_text(&page->text, node->label);
        page_put(page, " ");
    } else {
        page_put(page, "Coverage ");
    }
    html_percent(&page->text, node->totals.lines_covered, node->totals.lines_valid);
}

/* The way from the top, as links. */
static void put_way(struct page *page, const struct tree_node *node)
{
    if (node->parent == NULL)
        return;
    put_way(page, node->parent);
    if (node->parent->parent == NULL) {
        page_put(page, "<li><a");
        page_put_link(page, page_of_tree(page->site, node), "", 0);
    } else {
        page_put(page, "<li><a");
        page_put_node_link(page, node->parent);
    }
    page_put(page, ">");
    if (node->parent->parent == NULL)
        page_put(page, "Coverage");
    else
        html_text(&page->text, node->parent->label);
    page_put(page, "</a>");
}

void page_begin(struct page *page, const struct site *site, struct str name, const char *kind,
                const struct tree_node *node)
{
    *page = (struct page){.site = site, .name = name};
    text_open(&page->text, site->scratch);
    frame_begin(&page->text);
    put_title(page, node);
    frame_report_tabs(&page->text, name, kind, site->parts);
    if (node->parent != NULL) {
        page_put(page, "<nav aria-label=\"Where this is\"><ol class=way>");
        put_way(page, node);
        page_put(page, "</ol></nav>\n");
    }
}

static void put_total(struct page *page, const struct tree_node *node, const char *name,
                      uint64_t covered, uint64_t valid)
{
    text_addf(&page->text, "<div><dt>%s<dd>", name);
    page_put_share(page, node, covered, valid);
    page_put(page, " <small>");
    html_number(&page->text, covered);
    page_put(page, " of ");
    html_number(&page->text, valid);
    page_put(page, "</small>");
    page_put_bar(page, covered, valid);
    page_put(page, "</div>");
}

static void put_neighbour(struct page *page, const struct site_file *file, const char *rel,
                          const char *label)
{
    if (file == NULL)
        return;
    page_put(page, "<a rel=");
    page_put(page, rel);
    page_put_link(page, file->page, "", 0);
    page_put(page, " title=\"");
    html_attribute(&page->text, file->source.path);
    page_put(page, "\">");
    page_put(page, label);
    page_put(page, "</a> ");
}

void page_put_heading(struct page *page, const struct tree_node *node,
                      const struct site_file *previous, const struct site_file *next)
{
    page_put(page, "<h1>");
    if (node->parent != NULL)
        html_text(&page->text, node->label);
    else
        page_put(page, "Coverage");
    page_put(page, "</h1>\n");
    if (node->remark.len != 0) {
        page_put(page, "<p class=of>");
        html_text(&page->text, node->remark);
        page_put(page, "</p>\n");
    }
    page_put(page, "<dl class=totals>");
    put_total(page, node, "Lines", node->totals.lines_covered, node->totals.lines_valid);
    put_total(page, node, "Branches", node->totals.branches_covered, node->totals.branches_valid);
    put_total(page, node, "Methods", node->totals.methods_covered, node->totals.methods_valid);
    page_put(page, "</dl>\n");
    if (previous != NULL || next != NULL) {
        page_put(page, "<nav class=files aria-label=\"Files beside this one\">");
        put_neighbour(page, previous, "prev", "Previous file");
        put_neighbour(page, next, "next", "Next file");
        page_put(page, "</nav>\n");
    }
    page_put(page, "</header>\n<main id=main>\n");
}

/* --- the end ---------------------------------------------------------------------------------- */

static void put_time(struct page *page)
{
    const struct report *report = page->site->report;
    if (report->timestamp != 0) {
        char when[UTC_ROOM];
        page_put(page, " at ");
        page_put(page, utc_text(when, report->timestamp));
    }
    if (!str_is(report->root, ".")) {
        page_put(page, " for ");
        html_text(&page->text, report->root);
    }
}

bool page_end(struct page *page, bool with_time, struct err *err)
{
    struct str bytes;
    frame_foot(&page->text);
    if (with_time)
        put_time(page);
    frame_end(&page->text);
    return text_take(&bytes, &page->text, err) &&
           destination_put_file(page->site->destination, page->name.text, bytes, err);
}
