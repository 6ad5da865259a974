/* How Roslyn emits them, in any build: && and || from left to right; of ?: the condition, then what
 * follows the colon, then what precedes it (EmitConditionalOperator); of ?? and ?. the value first;
 * and before a condition, the conditions in its own operands. */
#include "coverage/source/conditions.h"

struct emitter {
    struct text_condition items[CONDITIONS_MAX];
    const struct node *nodes[CONDITIONS_MAX][2]; /* the next ones of each; NULL: the end */
    uint32_t count;
    bool awaits;
    bool failed;
};

static void emit_value(struct emitter *e, struct node *node);

/* The last test of adjacent parts, because the others are evaluated whatever the results are;
 * except what a ?. guards. */
static int32_t first_of(const struct node *node)
{
    int32_t first = CONDITION_END;
    uint32_t guarded = UINT32_MAX;
    if (node == NULL || node->condition != NODE_NO_CONDITION)
        return node != NULL ? node->condition : CONDITION_END;
    if (node->kind != NODE_VALUE)
        return first_of(node->a);
    for (const struct node *part = node->parts; part != NULL; part = part->next) {
        bool is_guarded = guarded != UINT32_MAX && part->chain == guarded;
        int32_t of_part = first_of(part);
        if (!is_guarded && of_part != CONDITION_END)
            first = of_part;
        if (part->kind == NODE_ACCESS && !is_guarded)
            guarded = part->chain;
    }
    return first;
}

static void add(struct emitter *e, struct node *node, enum condition_kind kind,
                const struct node *if_false, const struct node *if_true)
{
    if (e->count == CONDITIONS_MAX) {
        e->failed = true;
        return;
    }
    node->condition = (int32_t)e->count;
    e->items[e->count] = (struct text_condition){.start = node->start,
                                                 .end = node->end,
                                                 .kind = kind,
                                                 .names_null = node->names_null,
                                                 .is_equality = node->is_equality,
                                                 .is_pattern = node->is_pattern,
                                                 .name = node->name};
    e->nodes[e->count][0] = if_false;
    e->nodes[e->count++][1] = if_true;
}

/* The part that a ?. guards: the next ?. of its chain, or else the last part. */
static const struct node *guarded_by(const struct node *access)
{
    const struct node *last = NULL;
    for (const struct node *part = access->next; part != NULL; part = part->next) {
        if (part->chain != access->chain)
            continue;
        last = part;
        if (part->kind == NODE_ACCESS)
            break;
    }
    return last;
}

static void emit_parts(struct emitter *e, struct node *value)
{
    for (struct node *part = value->parts; part != NULL; part = part->next) {
        if (part->kind == NODE_ACCESS)
            add(e, part, CONDITION_NULL, NULL, guarded_by(part));
        else
            emit_value(e, part);
    }
}

static void emit_condition(struct emitter *e, struct node *node, const struct node *if_false,
                           const struct node *if_true);

/* `if_false` and `if_true`: the successors of the whole, if it is a condition. */
static void emit_ternary(struct emitter *e, struct node *node, bool is_condition,
                         const struct node *if_false, const struct node *if_true)
{
    emit_condition(e, node->a, node->c, node->b);
    uint32_t before = e->count;
    if (is_condition)
        emit_condition(e, node->c, if_false, if_true);
    else
        emit_value(e, node->c);
    uint32_t between = e->count;
    if (is_condition)
        emit_condition(e, node->b, if_false, if_true);
    else
        emit_value(e, node->b);
    /* reversed in async methods */
    e->failed |= e->awaits && between != before && e->count != between;
}

static void emit_condition(struct emitter *e, struct node *node, const struct node *if_false,
                           const struct node *if_true)
{
    switch (node->kind) {
    case NODE_AND:
        emit_condition(e, node->a, if_false, node->b);
        emit_condition(e, node->b, if_false, if_true);
        return;
    case NODE_OR:
        emit_condition(e, node->a, node->b, if_true);
        emit_condition(e, node->b, if_false, if_true);
        return;
    case NODE_NOT:
        emit_condition(e, node->a, if_true, if_false);
        return;
    case NODE_TERNARY:
        emit_ternary(e, node, true, if_false, if_true);
        return;
    case NODE_VALUE:
        emit_parts(e, node);
        add(e, node, node->asks, if_false, if_true);
        return;
    case NODE_COALESCE:
    case NODE_ASK:
    case NODE_ACCESS:
    case NODE_SWITCH:
        e->failed = true; /* `if (a ?? b)`: the compiler may test both at once */
        return;
    }
}

static bool is_condition(const struct node *node)
{
    while (node->kind == NODE_NOT)
        node = node->a;
    return node->kind == NODE_AND || node->kind == NODE_OR;
}

static void emit_value(struct emitter *e, struct node *node)
{
    switch (node->kind) {
    case NODE_ASK:
        emit_condition(e, node->a, NULL, NULL);
        return;
    case NODE_AND:
    case NODE_OR:
        emit_condition(e, node, NULL, NULL);
        return;
    case NODE_NOT:
        if (is_condition(node))
            emit_condition(e, node, NULL, NULL);
        else
            emit_value(e, node->a);
        return;
    case NODE_TERNARY:
        emit_ternary(e, node, false, NULL, NULL);
        return;
    case NODE_COALESCE:
        emit_value(e, node->a);
        add(e, node->a, CONDITION_NULL, node->b, NULL);
        emit_value(e, node->b);
        return;
    case NODE_SWITCH:
        emit_parts(e, node);
        add(e, node, CONDITION_SWITCH, NULL, NULL);
        return;
    case NODE_VALUE:
        emit_parts(e, node);
        return;
    case NODE_ACCESS:
        break;
    }
    e->failed = true;
}

static bool asks_one_value(const struct node *root)
{
    const struct node *node = root->kind == NODE_ASK ? root->a : root;
    while (node->kind == NODE_NOT)
        node = node->a;
    return root->kind == NODE_ASK && node->kind == NODE_VALUE;
}

bool conditions_find(struct text_conditions *out, struct str text, bool asks, struct arena *arena,
                     struct err *err)
{
    struct expression_tree tree;
    struct emitter e; /* large: what is not counted is not cleared either */
    *out = (struct text_conditions){NULL, 0, false, false};
    if (!expression_tree_make(&tree, text, arena, err))
        return false;
    if (tree.root == NULL || (asks && !tree.is_bare))
        return true;
    e.count = 0;
    e.awaits = tree.awaits;
    e.failed = false;
    struct node ask = {.kind = NODE_ASK, .a = tree.root, .condition = NODE_NO_CONDITION};
    emit_value(&e, asks ? &ask : tree.root);
    if (e.failed)
        return true;
    out->items = ARENA_NEW(arena, struct text_condition, e.count, err);
    if (out->items == NULL)
        return false;
    for (uint32_t i = 0; i < e.count; i++) {
        out->items[i] = e.items[i];
        for (int k = 0; k < 2; k++)
            out->items[i].next[k] = first_of(e.nodes[i][k]);
    }
    out->count = e.count;
    out->is_all = e.count == 1 && !asks && asks_one_value(tree.root);
    out->is_known = true;
    return true;
}
