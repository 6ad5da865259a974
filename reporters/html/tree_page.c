#include "reporters/html/tree_page.h"

#include "reporters/html/html_text.h"
#include "reporters/html/page.h"
#include "reporters/html/site_tree.h"

enum {
    DEPTH_MAX = 9 /* of style.css; what is deeper is not set in further */
};

static const char *const kinds[] = {
    [TREE_ROOT] = "root", [TREE_FOLDER] = "folder",   [TREE_RANGE] = "folder",
    [TREE_FILE] = "file", [TREE_ASSEMBLY] = "folder", [TREE_NAMESPACE] = "namespace",
    [TREE_TYPE] = "type", [TREE_METHOD] = "method",
};

/* --- rows ------------------------------------------------------------------------------------- */

static void put_name(struct page *page, const struct tree_node *node)
{
    page_put(page, "<th scope=row>");
    if (node->page.len != 0) {
        page_put(page, "<a");
        page_put_node_link(page, node);
        page_put(page, ">");
    }
    html_text(&page->text, node->label);
    if (node->page.len != 0)
        page_put(page, "</a>");
    if (node->remark.len != 0) {
        page_put(page, " <small>");
        html_text(&page->text, node->remark);
        page_put(page, "</small>");
    }
    if (node->not_loaded &&
        (node->parent == NULL || !node->parent->not_loaded || node->parent->kind == TREE_ROOT))
        page_put(page, " <em>never loaded</em>");
}

static void put_share(struct page *page, const struct tree_node *node, uint64_t covered,
                      uint64_t valid)
{
    page_put(page, "<td>");
    page_put_share(page, node, covered, valid);
    page_put(page, "<td>");
    if (covered < valid)
        html_number(&page->text, valid - covered);
}

static void put_row(struct page *page, const struct tree_node *node, unsigned depth)
{
    const struct report_totals *totals = &node->totals;
    text_addf(&page->text, "<tr id=n%u class=\"%s d%u\">", node->number, kinds[node->kind],
              depth < DEPTH_MAX ? depth : DEPTH_MAX);
    put_name(page, node);
    page_put(page, "<td>");
    page_put_bar(page, totals->lines_covered, totals->lines_valid);
    put_share(page, node, totals->lines_covered, totals->lines_valid);
    put_share(page, node, totals->branches_covered, totals->branches_valid);
    put_share(page, node, totals->methods_covered, totals->methods_valid);
    page_put(page, "<td>");
    html_number(&page->text, totals->complexity);
    page_put(page, "\n");
}

/* All below `top`; only what is directly below it if the rest has pages of its own. */
static void put_rows(struct page *page, const struct tree_node *top)
{
    unsigned depth = 0;
    bool splits = site_tree_splits(top);
    for (const struct tree_node *node = top->first; node != NULL;) {
        put_row(page, node, depth);
        if (node->first != NULL && !splits) {
            node = node->first;
            depth++;
            continue;
        }
        while (node != top && node->next == NULL) {
            node = node->parent;
            depth--;
        }
        node = node != top ? node->next : NULL;
    }
}

static void put_table(struct page *page, const struct tree_node *top, const char *what)
{
    if (top->first == NULL) {
        page_put(page, "<p>Nothing was measured: no line of code could be covered.</p>\n");
        return;
    }
    text_addf(&page->text,
              "<div class=scroll tabindex=0 role=region aria-label=\"%s\"><table "
              "class=tree>\n<thead><tr><th scope=col>%s",
              what, what);
    page_put(page,
             "<td><th scope=col>Lines<th scope=col>missed<th scope=col>Branches"
             "<th scope=col>missed<th scope=col>Methods<th scope=col>missed"
             "<th scope=col><abbr title=\"Cyclomatic complexity\">Complexity</abbr>\n<tbody>\n");
    put_rows(page, top);
    page_put(page, "</table></div>\n");
}

/* --- pages ------------------------------------------------------------------------------------ */

static void put_notes(struct page *page)
{
    const struct report *report = page->site->report;
    for (uint32_t i = 0; i < report->note_count; i++) {
        page_put(page, "<p class=note>");
        html_text(&page->text, report->notes[i]);
        page_put(page, ".</p>\n");
    }
}

static bool write_page(struct site *site, const struct tree_node *node, struct str name,
                       const char *what, struct err *err)
{
    struct page page;
    arena_reset(site->scratch);
    page_begin(&page, site, name, "index", node);
    page_put_heading(&page, node, NULL, NULL);
    if (node->parent == NULL)
        put_notes(&page);
    put_table(&page, node, what);
    return page_end(&page, node->parent == NULL, err);
}

static bool is_index(const struct tree_node *node)
{
    return node->page.len != 0 && (node->kind == TREE_FOLDER || node->kind == TREE_RANGE ||
                                   node->kind == TREE_ASSEMBLY || node->kind == TREE_NAMESPACE);
}

static bool write_tree(struct site *site, const struct tree_node *root, struct str name,
                       const char *what, struct err *err)
{
    if (!write_page(site, root, name, what, err))
        return false;
    for (const struct tree_node *node = root->first; node != NULL;) {
        bool has_page = is_index(node);
        if (has_page && !write_page(site, node, node->page, what, err))
            return false;
        node = has_page ? tree_next(root, node) : tree_after(root, node);
    }
    return true;
}

bool tree_page_write_all(struct site *site, struct err *err)
{
    return write_tree(site, &site->folders, STR("index.html"), "Files", err) &&
           write_tree(site, &site->types, STR("types.html"), "Types", err);
}
