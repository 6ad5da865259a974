#include "reporters/html/tree_node.h"

static void append_child(struct tree_node *parent, struct tree_node *child)
{
    child->parent = parent;
    if (parent->first == NULL)
        parent->first = child;
    else
        parent->last->next = child;
    parent->last = child;
}

struct tree_node *tree_add(struct tree_node *parent, enum tree_kind kind, struct str label,
                           struct arena *arena, struct err *err)
{
    struct tree_node *node = ARENA_NEW(arena, struct tree_node, 1, err);
    if (node == NULL)
        return NULL;
    node->kind = kind;
    node->label = label;
    append_child(parent, node);
    return node;
}

static bool has_totals(const struct tree_node *node)
{
    return node->kind == TREE_FILE || node->kind == TREE_TYPE || node->kind == TREE_METHOD;
}

/* Adds to the nodes above what is known of a node before those below it. */
static void add_upwards(const struct tree_node *node)
{
    bool is_leaf = node->first == NULL, adds = is_leaf || has_totals(node);
    for (struct tree_node *above = node->parent; above != NULL; above = above->parent) {
        above->row_count++;
        above->not_loaded = above->not_loaded && (!is_leaf || node->not_loaded);
        adds = adds && !has_totals(above);
        if (adds)
            report_add_totals(&above->totals, &node->totals);
        if (above->missed_page.len == 0) {
            above->missed_page = node->missed_page;
            above->missed_line = node->missed_line;
        }
    }
}

void tree_finish(struct tree_node *root)
{
    uint32_t number = 0;
    for (struct tree_node *node = root; node != NULL; node = tree_next(root, node)) {
        node->number = number++;
        node->row_count += node != root;
        node->not_loaded = node->not_loaded || node->first != NULL;
        add_upwards(node);
    }
}

struct tree_node *tree_next(const struct tree_node *root, const struct tree_node *node)
{
    return node->first != NULL ? node->first : tree_after(root, node);
}

struct tree_node *tree_after(const struct tree_node *root, const struct tree_node *node)
{
    while (node != root && node->next == NULL)
        node = node->parent;
    return node != root ? node->next : NULL;
}

/* --- ranges ----------------------------------------------------------------------------------- */

static uint32_t count_children(const struct tree_node *node)
{
    uint32_t count = 0;
    for (const struct tree_node *child = node->first; child != NULL; child = child->next)
        count++;
    return count;
}

/* Rows of a child on a page that shows all of it: a folder has a page of its own if it is large. */
static uint32_t count_page_rows(const struct tree_node *child)
{
    return 1 + (child->kind == TREE_TYPE ? count_children(child) : 0);
}

static bool name_range(struct tree_node *range, struct arena *arena, struct err *err)
{
    const struct tree_node *first = range->first, *last = range->last;
    if (first == last) {
        range->label = first->label;
        range->path = first->path;
        return true;
    }
    if (!text_format(&range->label, arena, err, "%.*s \xE2\x80\x93 %.*s", STR_ARGS(first->label),
                     STR_ARGS(last->label)))
        return false;
    range->path = range->label;
    return true;
}

/* The first children of `node` go into a range, as many as fit. */
static struct tree_node *take_child_range(struct tree_node *parent, struct tree_node **left,
                                          uint32_t row_max, struct arena *arena, struct err *err)
{
    struct tree_node *range = tree_add(parent, TREE_RANGE, STR(""), arena, err);
    uint32_t rows = 1;
    while (range != NULL && *left != NULL &&
           (range->first == NULL || rows + count_page_rows(*left) <= row_max)) {
        struct tree_node *child = *left;
        *left = child->next;
        rows += count_page_rows(child);
        child->next = NULL;
        append_child(range, child);
    }
    return range != NULL && name_range(range, arena, err) ? range : NULL;
}

bool tree_divide(struct tree_node *root, uint32_t row_max, struct arena *arena, struct err *err)
{
    for (struct tree_node *node = root; node != NULL; node = tree_next(root, node)) {
        if (node->kind == TREE_RANGE || node->kind == TREE_TYPE || count_children(node) <= row_max)
            continue;
        struct tree_node *left = node->first;
        node->first = node->last = NULL;
        while (left != NULL)
            if (take_child_range(node, &left, row_max, arena, err) == NULL)
                return false;
    }
    return true;
}
