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
