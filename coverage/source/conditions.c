/* How Roslyn emits them, in any build: && and || from left to right; of ?: the condition, then what
 * follows the colon, then what precedes it (EmitConditionalOperator); of ?? and ?. the value first;
 * and before a condition, the conditions in its own operands. */
#include "coverage/source/conditions.h"

struct condition_emitter {
    const struct tokens *tokens;
    struct text_condition items[CONDITIONS_MAX];
    const struct node *nodes[CONDITIONS_MAX][2]; /* the next ones of each; NULL: the end */
    uint32_t count;
    uint32_t negations; /* around what is emitted */
    struct conditions_options options;
    bool awaits;
    bool failed;
};

/* In place of the node that is next: the expression ends, and does not hold, or holds; that of a
 * value, and what a statement asks. */
static const struct node ends[2][2] = {
    {{.condition = NODE_NO_CONDITION}, {.condition = NODE_NO_CONDITION}},
    {{.condition = NODE_NO_CONDITION}, {.condition = NODE_NO_CONDITION}}};

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

static void emit_condition(struct condition_emitter *e, struct node *node, enum condition_kind kind,
                           const struct node *if_false, const struct node *if_true)
{
    bool is_list = node->end == 0; /* of statements, which is none */
    if (e->count == CONDITIONS_MAX || is_list) {
        e->failed = true;
        return;
    }
    node->condition = (int32_t)e->count;
    e->items[e->count] = (struct text_condition){.start = e->tokens->items[node->first].start,
                                                 .end = e->tokens->items[node->end - 1].end,
                                                 .kind = kind,
                                                 .is_negated = e->negations != 0,
                                                 .node = node};
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

static void emit_node(struct condition_emitter *e, struct node *node, bool asks,
                      const struct node *if_false, const struct node *if_true);

static void emit_value(struct condition_emitter *e, struct node *node)
{
    emit_node(e, node, false, &ends[0][0], &ends[0][1]);
}

static void emit_parts(struct condition_emitter *e, const struct node *value)
{
    for (struct node *part = value->parts; part != NULL; part = part->next) {
        if (part->kind == NODE_ACCESS)
            emit_condition(e, part, CONDITION_NULL, NULL, guarded_by(part));
        else
            emit_value(e, part);
    }
}

static void emit_ternary(struct condition_emitter *e, struct node *node, bool asks,
                         const struct node *if_false, const struct node *if_true)
{
    emit_node(e, node->a, true, node->c, node->b);
    uint32_t before = e->count;
    emit_node(e, node->c, asks, if_false, if_true);
    uint32_t between = e->count;
    emit_node(e, node->b, asks, if_false, if_true);
    /* reversed in async methods */
    e->failed |= e->awaits && between != before && e->count != between;
}

static bool tests_pattern(const struct node *node)
{
    return node->is_equality || node->asks == CONDITION_COMPARE || node->asks == CONDITION_EQUAL ||
           node->asks == CONDITION_TYPE_TEST;
}

static bool is_joined(const struct condition_emitter *e, const struct node *node)
{
    const struct node *a = node->a, *b = node->b;
    if (!e->options.joins || (node->kind != NODE_AND && node->kind != NODE_OR))
        return false;
    return b->kind == NODE_VALUE && b->end == b->first + 1 &&
           e->tokens->items[b->first].kind == TOKEN_WORD &&
           e->tokens->items[b->first].around == e->tokens->items[a->first].around &&
           (a->kind == NODE_VALUE || is_joined(e, a));
}

/* All of `a && b`, whose conditions in operands come first. */
static void emit_joined(struct condition_emitter *e, struct node *node, const struct node *if_false,
                        const struct node *if_true)
{
    struct node *first = node;
    while (first->kind != NODE_VALUE)
        first = first->a;
    emit_value(e, first);
    emit_condition(e, node, CONDITION_TEST, if_false, if_true);
}

/* `a?.b ?? false` */
static bool says_what_null_is(const struct condition_emitter *e, const struct node *node)
{
    const struct node *part = node->a->kind == NODE_VALUE ? node->a->parts : NULL;
    while (part != NULL && part->kind != NODE_ACCESS)
        part = part->next;
    return part != NULL && node->b->kind == NODE_VALUE && node->b->end == node->b->first + 1 &&
           tokens_is(e->tokens, node->b->first, "true false");
}

/* `asks`: it is a condition, or part of one that has these successors; operands of && and || are in
 * any case. */
static void emit_node(struct condition_emitter *e, struct node *node, bool asks,
                      const struct node *if_false, const struct node *if_true)
{
    if (is_joined(e, node)) {
        emit_joined(e, node, if_false, if_true);
        return;
    }
    switch (node->kind) {
    case NODE_ASK:
        emit_node(e, node->a, true, &ends[1][0], &ends[1][1]);
        return;
    case NODE_AND:
        emit_node(e, node->a, true, if_false, node->b);
        emit_node(e, node->b, true, if_false, if_true);
        return;
    case NODE_OR:
        emit_node(e, node->a, true, node->b, if_true);
        emit_node(e, node->b, true, if_false, if_true);
        return;
    case NODE_NOT:
        e->negations++;
        emit_node(e, node->a, asks, if_true, if_false);
        e->negations--;
        return;
    case NODE_TERNARY:
        emit_ternary(e, node, asks, if_false, if_true);
        return;
    case NODE_VALUE:
        emit_parts(e, node);
        if (asks || node->asks == CONDITION_SEVERAL || (e->options.stored && tests_pattern(node)))
            emit_condition(e, node, node->asks, if_false, if_true);
        if (!asks && e->count != 0 && !e->failed)
            e->items[e->count - 1].is_stored |= e->items[e->count - 1].node == node;
        return;
    case NODE_COALESCE:
        if (asks && says_what_null_is(e, node)) {
            emit_value(e, node->a);
            emit_condition(e, node, CONDITION_TEST, if_false, if_true);
            return;
        }
        if (asks) { /* `if (a ?? b)`: the compiler may test both at once */
            emit_condition(e, node, CONDITION_SEVERAL, if_false, if_true);
            return;
        }
        emit_value(e, node->a);
        emit_condition(e, node->a, CONDITION_NULL, node->b, NULL);
        emit_value(e, node->b);
        return;
    case NODE_SWITCH:
        e->failed |= asks;
        emit_parts(e, node);
        emit_condition(e, node, CONDITION_SWITCH, NULL, NULL);
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

static void note_answers(struct text_condition *item, const struct node *const next[2])
{
    for (int k = 0; k < 2; k++) {
        item->next[k] = first_of(next[k]);
        item->answer[k] = NO_ANSWER;
        for (int holds = 0; holds < 2; holds++)
            if (next[k] == &ends[0][holds] || next[k] == &ends[1][holds])
                item->answer[k] = holds;
        item->asks |= next[k] == &ends[1][0] || next[k] == &ends[1][1];
    }
}

bool conditions_find(struct text_conditions *out, struct str text, enum text_reading reading,
                     struct conditions_options options, struct arena *arena, struct err *err)
{
    struct expression_tree tree;
    struct condition_emitter e; /* large: what is not counted is not cleared either */
    *out = (struct text_conditions){.items = NULL};
    if (!expression_tree_make(&tree, text, reading, arena, err))
        return false;
    if (tree.root == NULL)
        return true;
    out->tokens = tree.tokens;
    e.tokens = &tree.tokens;
    e.count = e.negations = 0;
    e.options = options;
    e.awaits = tree.awaits;
    e.failed = false;
    emit_value(&e, tree.root);
    if (e.failed)
        return true;
    out->items = ARENA_NEW(arena, struct text_condition, e.count, err);
    if (out->items == NULL)
        return false;
    for (uint32_t i = 0; i < e.count; i++) {
        out->items[i] = e.items[i];
        note_answers(&out->items[i], e.nodes[i]);
    }
    out->count = e.count;
    out->is_all = e.count == 1 && reading != READ_LOOP && asks_one_value(tree.root);
    out->is_known = true;
    return true;
}
