#include <inttypes.h>

#include "reporters/html/report_page.h"
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

static void put_node_name(struct page *page, const struct tree_node *node)
{
    page_put(page, "<th scope=row>");
    if (node->page.len != 0)
        report_page_open_link(page, node);
    page_put(page, "%.*s%s", STR_ARGS(node->label), node->page.len != 0 ? "</a>" : "");
    if (node->remark.len != 0)
        page_put(page, " <small>%.*s</small>", STR_ARGS(node->remark));
    if (node->not_loaded && (!node->parent->not_loaded || node->parent->kind == TREE_ROOT))
        page_put(page, " <em>never loaded</em>");
}

static void put_node_row(struct page *page, const struct tree_node *node, unsigned depth)
{
    const struct report_totals *totals = &node->totals;
    page_put(page, "<tr id=n%u class=\"%s d%u\">", node->number, kinds[node->kind], depth);
    put_node_name(page, node);
    page_put(page, "<td>");
    page_put_bar(page, totals->lines_covered, totals->lines_valid);
    report_page_put_cells(page, node, totals->lines_covered, totals->lines_valid);
    report_page_put_cells(page, node, totals->branches_covered, totals->branches_valid);
    report_page_put_cells(page, node, totals->methods_covered, totals->methods_valid);
    page_put(page, "<td>%" PRIu64 "\n", totals->complexity);
}

static unsigned depth_below(const struct tree_node *top, const struct tree_node *node)
{
    unsigned depth = 0;
    for (; node->parent != top; node = node->parent)
        depth++;
    return depth < DEPTH_MAX ? depth : DEPTH_MAX;
}

/* All below `top`; only what is directly below it if the rest has pages of its own. */
static void put_rows(struct page *page, const struct tree_node *top)
{
    bool splits = site_tree_splits(top);
    for (const struct tree_node *node = top->first; node != NULL;) {
        put_node_row(page, node, depth_below(top, node));
        node = splits ? node->next : tree_next(top, node);
    }
}

static void put_tree_table(struct page *page, const struct tree_node *top, const char *what)
{
    if (top->first == NULL) {
        page_put(page, "<p>Nothing was measured: no line of code could be covered.</p>\n");
        return;
    }
    page_put(page,
             "<div class=scroll tabindex=0 role=region aria-label=\"%s\"><table class=tree>\n"
             "<thead><tr><th scope=col>%s<td><th scope=col>Lines<th scope=col>missed"
             "<th scope=col>Branches<th scope=col>missed<th scope=col>Methods<th scope=col>missed"
             "<th scope=col><abbr title=\"Cyclomatic complexity\">Complexity</abbr>\n<tbody>\n",
             what, what);
    put_rows(page, top);
    page_put(page, "</table></div>\n");
}

/* --- pages ------------------------------------------------------------------------------------ */

static bool write_page(struct site *site, const struct tree_node *node, const char *what,
                       struct err *err)
{
    struct page page;
    bool is_whole = node->parent == NULL;
    arena_reset(site->scratch);
    report_page_begin(&page, site, node->page, "index", node, NULL, NULL);
    for (uint32_t i = 0; is_whole && i < site->report->note_count; i++)
        page_put(&page, "<p class=note>%.*s.</p>\n", STR_ARGS(site->report->notes[i]));
    put_tree_table(&page, node, what);
    return page_end(&page, is_whole ? site->report : NULL, err);
}

static bool write_tree(struct site *site, const struct tree_node *root, const char *what,
                       struct err *err)
{
    for (const struct tree_node *node = root; node != NULL;) {
        bool has_page = node->page.len != 0 && node->kind != TREE_FILE && node->kind != TREE_TYPE &&
                        node->kind != TREE_METHOD;
        if (has_page && !write_page(site, node, what, err))
            return false;
        node = has_page ? tree_next(root, node) : tree_after(root, node);
    }
    return true;
}

bool tree_page_write_all(struct site *site, struct err *err)
{
    return write_tree(site, &site->folders, "Files", err) &&
           write_tree(site, &site->types, "Types", err);
}
