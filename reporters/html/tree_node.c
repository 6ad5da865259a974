#include "reporters/html/tree_node.h"

struct tree_node *tree_add(struct tree_node *parent, enum tree_kind kind, struct str label,
                           struct arena *arena, struct err *err)
{
    struct tree_node *node = ARENA_NEW(arena, struct tree_node, 1, err);
    if (node == NULL)
        return NULL;
    node->kind = kind;
    node->label = label;
    node->parent = parent;
    if (parent->first == NULL)
        parent->first = node;
    else
        parent->last->next = node;
    parent->last = node;
    return node;
}

static bool has_totals(const struct tree_node *node)
{
    return node->kind == TREE_FILE || node->kind == TREE_TYPE || node->kind == TREE_METHOD;
}

/* The node after `node` in the order of the rows, within the tree. */
static struct tree_node *next_row(struct tree_node *node, bool *goes_up)
{
    if (!*goes_up && node->first != NULL)
        return node->first;
    *goes_up = node->next == NULL;
    return node->next != NULL ? node->next : node->parent;
}

/* Children are complete. */
static void finish_node(struct tree_node *node)
{
    node->row_count = node->kind != TREE_ROOT;
    node->not_loaded = node->first != NULL ? true : node->not_loaded;
    for (const struct tree_node *child = node->first; child != NULL; child = child->next) {
        node->row_count += child->row_count;
        node->not_loaded = node->not_loaded && child->not_loaded;
        if (!has_totals(node))
            report_add_totals(&node->totals, &child->totals);
        if (node->missed_page.len == 0) {
            node->missed_page = child->missed_page;
            node->missed_line = child->missed_line;
        }
    }
}

void tree_finish(struct tree_node *root)
{
    uint32_t number = 0;
    bool goes_up = false;
    struct tree_node *node = root;
    for (;;) {
        if (!goes_up)
            node->number = number++;
        if (node->first == NULL || goes_up)
            finish_node(node);
        if (node == root && (goes_up || node->first == NULL))
            return;
        node = next_row(node, &goes_up);
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
static uint32_t rows_of(const struct tree_node *child)
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
static struct tree_node *take_range(struct tree_node *parent, struct tree_node **left,
                                    uint32_t row_max, struct arena *arena, struct err *err)
{
    struct tree_node *range = tree_add(parent, TREE_RANGE, STR(""), arena, err);
    uint32_t rows = 1;
    while (range != NULL && *left != NULL &&
           (range->first == NULL || rows + rows_of(*left) <= row_max)) {
        struct tree_node *child = *left;
        *left = child->next;
        rows += rows_of(child);
        child->next = NULL;
        child->parent = range;
        if (range->first == NULL)
            range->first = child;
        else
            range->last->next = child;
        range->last = child;
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
            if (take_range(node, &left, row_max, arena, err) == NULL)
                return false;
    }
    return true;
}
