/* The grammar, as far as it matters here (C# standard, 12.4.2 and 11.2):
 *
 *   statement   = ("if" | "while") "(" assignment ")" [";"] | "when" assignment
 *               | "switch" "(" assignment ")"
 *               | ["return" | "throw" | "yield" "return"] list [";"]
 *   list        = assignment {"," assignment}
 *   assignment  = conditional [("=" | "+=" | "??=" ...) assignment | "=>" (assignment | block)]
 *   conditional = coalesce ["?" assignment ":" assignment]
 *   coalesce    = or ["??" coalesce]
 *   or          = and {"||" and}
 *   and         = operand {"&&" operand}
 *   operand     = "!" "(" assignment ")" | "(" assignment ")" | opaque ["is" pattern]
 *
 * A lambda's body has statements of its own in the symbols and is skipped, as are the arms of a
 * switch. */
#include "coverage/source/expression_tree.h"

#include <string.h>

enum {
    NESTING_MAX = 64,
    OPERANDS_MAX = 20000 /* tuples are read twice, tuples in tuples four times */
};

struct parser {
    struct str text;
    const struct token *tokens;
    uint32_t at;
    unsigned nesting, operands;
    bool failed; /* it can't be read with certainty */
    bool awaits, assigns;
    unsigned relations, values; /* in the pattern that is being read: `> 3`; other than null */
    struct arena *arena;
    struct err *err;
    bool no_memory;
};

static struct node *parse_assignment(struct parser *p);

/* --- tokens ----------------------------------------------------------------------------------- */

static const struct token *here(const struct parser *p)
{
    return &p->tokens[p->at];
}

static enum token_kind kind_at(const struct parser *p, uint32_t at)
{
    return p->tokens[at].kind;
}

static enum token_kind kind(const struct parser *p)
{
    return here(p)->kind;
}

static bool is_word_at(const struct parser *p, uint32_t at, const char *word)
{
    const struct token *token = &p->tokens[at];
    return token->kind == TOKEN_WORD &&
           str_is((struct str){p->text.text + token->start, token->end - token->start}, word);
}

static bool is_any_word(const struct parser *p, uint32_t at, const char *const *words)
{
    for (; *words != NULL; words++)
        if (is_word_at(p, at, *words))
            return true;
    return false;
}

#define ONE(token_kind) ((uint32_t)1 << (token_kind))

static bool is_one_of(enum token_kind k, uint32_t kinds)
{
    return (ONE(k) & kinds) != 0;
}

static bool takes(struct parser *p, enum token_kind wanted)
{
    if (kind(p) != wanted)
        return false;
    p->at++;
    return true;
}

static bool takes_word(struct parser *p, const char *word)
{
    if (!is_word_at(p, p->at, word))
        return false;
    p->at++;
    return true;
}

static void fail(struct parser *p)
{
    p->failed = true;
}

static bool opens(enum token_kind k)
{
    return k == TOKEN_OPEN || k == TOKEN_OPEN_SQUARE || k == TOKEN_OPEN_BRACE;
}

static bool closes(enum token_kind k)
{
    return k == TOKEN_CLOSE || k == TOKEN_CLOSE_SQUARE || k == TOKEN_CLOSE_BRACE;
}

/* The position after the bracket that closes the one at `at`, or the end. */
static uint32_t past_brackets(const struct parser *p, uint32_t at)
{
    uint32_t depth = 0;
    for (; kind_at(p, at) != TOKEN_END; at++) {
        depth += opens(kind_at(p, at));
        depth -= closes(kind_at(p, at));
        if (depth == 0)
            return at + 1;
    }
    return at;
}

/* The position after the `>` that closes the type arguments opened by the `<` at `at`; 0 if it is a
 * comparison. C# 6.2.5: one of a few tokens follows; a name only if a type is expected. */
static uint32_t past_type_arguments(const struct parser *p, uint32_t at, uint32_t first)
{
    static const char *const before_type[] = {"is",  "not", "as",  "new",    "out",
                                              "ref", "in",  "and", "static", NULL};
    bool type_expected = at == first + 1 || (at >= 2 && is_any_word(p, at - 2, before_type));
    uint32_t depth = 0;
    if (at == 0 || kind_at(p, at - 1) != TOKEN_WORD)
        return 0;
    for (;; at++) {
        enum token_kind k = kind_at(p, at);
        depth += k == TOKEN_LESS;
        depth -= k == TOKEN_GREATER;
        if (depth == 0)
            break;
        if (!is_one_of(k, ONE(TOKEN_LESS) | ONE(TOKEN_GREATER) | ONE(TOKEN_WORD) |
                              ONE(TOKEN_COMMA) | ONE(TOKEN_DOT) | ONE(TOKEN_QUESTION) |
                              ONE(TOKEN_OPEN_SQUARE) | ONE(TOKEN_CLOSE_SQUARE)))
            return 0;
    }
    if (kind_at(p, ++at) == TOKEN_WORD)
        return type_expected || is_word_at(p, at, "and") || is_word_at(p, at, "or") ? at : 0;
    return is_one_of(kind_at(p, at), ONE(TOKEN_NUMBER) | ONE(TOKEN_LITERAL) | ONE(TOKEN_NOT) |
                                         ONE(TOKEN_OPERATOR) | ONE(TOKEN_STEP) | ONE(TOKEN_LESS) |
                                         ONE(TOKEN_GREATER))
               ? 0
               : at;
}

/* Does a `:` belong to the `?` at `at`? If not, it belongs to a type: `int? x = a ? b : c`. */
static bool is_ternary(const struct parser *p, uint32_t at)
{
    uint32_t first = at + 1;
    for (unsigned open = 1; open != 0;) {
        enum token_kind k = kind_at(p, ++at);
        uint32_t past = k == TOKEN_LESS ? past_type_arguments(p, at, first) : 0;
        if (opens(k))
            past = past_brackets(p, at);
        if (past != 0)
            at = past - 1;
        else if (k == TOKEN_QUESTION)
            open++;
        else if (k == TOKEN_COLON)
            open--;
        else if (closes(k) || k == TOKEN_COMMA || k == TOKEN_SEMICOLON || k == TOKEN_END)
            return false;
    }
    return true;
}

/* --- nodes ------------------------------------------------------------------------------------ */

static struct node *make(struct parser *p, enum node_kind node_kind, struct node *a, struct node *b)
{
    static struct node spare; /* if out of memory; its contents are not used */
    struct node *node = ARENA_NEW(p->arena, struct node, 1, p->err);
    if (node == NULL) {
        p->no_memory = p->failed = true;
        return &spare;
    }
    *node = (struct node){.kind = node_kind, .a = a, .b = b, .condition = NODE_NO_CONDITION};
    if (a != NULL) {
        node->start = a->start;
        node->end = b != NULL ? b->end : a->end;
    }
    return node;
}

static struct node *make_value(struct parser *p)
{
    struct node *node = make(p, NODE_VALUE, NULL, NULL);
    node->start = node->end = here(p)->start;
    return node;
}

static void end_value(const struct parser *p, struct node *node, uint32_t first)
{
    if (p->at > first)
        node->end = p->tokens[p->at - 1].end;
}

static void add_part(struct node *value, struct node *part, uint32_t chain)
{
    part->chain = chain;
    if (value->last_part != NULL)
        value->last_part->next = part;
    else
        value->parts = part;
    value->last_part = part;
}

/* --- patterns --------------------------------------------------------------------------------- */

static struct node *parse_pattern(struct parser *p);

static bool is_pattern_word(const struct parser *p, uint32_t at)
{
    static const char *const words[] = {"and", "or", "when", NULL};
    return is_any_word(p, at, words);
}

static bool is_null(const struct parser *p)
{
    return is_word_at(p, p->at, "null");
}

/* A number or a character. */
static bool is_number(const struct parser *p)
{
    return kind(p) == TOKEN_NUMBER ||
           (kind(p) == TOKEN_LITERAL && p->text.text[here(p)->start] == '\'');
}

/* The last word of the name at `first`, of a type or of a constant: B of `A.B c`. */
static struct str last_word(const struct parser *p, uint32_t first)
{
    uint32_t last = first;
    while (kind_at(p, last) == TOKEN_WORD && kind_at(p, last + 1) == TOKEN_DOT &&
           kind_at(p, last + 2) == TOKEN_WORD)
        last += 2;
    const struct token *token = &p->tokens[last];
    return (struct str){p->text.text + token->start, token->end - token->start};
}

/* A type, a name for it, a constant. */
static struct node *parse_test(struct parser *p)
{
    uint32_t first = p->at;
    struct node *leaf = make_value(p);
    leaf->is_pattern = true;
    enum token_kind k = kind(p);
    bool compares = k == TOKEN_LESS || k == TOKEN_GREATER || k == TOKEN_RELATION;
    if (compares || k == TOKEN_OPERATOR)
        p->at++;
    leaf->asks = compares || is_number(p)               ? CONDITION_COMPARE
                 : kind(p) == TOKEN_LITERAL             ? CONDITION_EQUAL
                 : kind(p) == TOKEN_WORD && !is_null(p) ? CONDITION_TYPE_TEST
                                                        : CONDITION_TEST;
    leaf->names_null = is_null(p);
    p->relations += compares;
    p->values += leaf->asks == CONDITION_COMPARE || leaf->asks == CONDITION_TYPE_TEST;
    if (is_word_at(p, p->at, "var") || is_word_at(p, p->at, "_"))
        fail(p);
    while (!p->failed && !is_pattern_word(p, p->at)) {
        k = kind(p);
        uint32_t past = k == TOKEN_LESS ? past_type_arguments(p, p->at, p->at) : 0;
        bool is_empty = opens(k) && closes(kind_at(p, p->at + 1));
        if (past != 0)
            p->at = past;
        else if (is_empty && (k == TOKEN_OPEN_BRACE) == (p->at == first)) /* `{ }`, `int[]` */
            p->at += 2;
        else if (k == TOKEN_WORD || k == TOKEN_NUMBER || k == TOKEN_LITERAL || k == TOKEN_DOT ||
                 k == TOKEN_OPERATOR || (k == TOKEN_QUESTION && !is_ternary(p, p->at)))
            p->at++;
        else
            break;
    }
    if (p->at == first || opens(kind(p)))
        fail(p);
    end_value(p, leaf, first);
    if (leaf->asks == CONDITION_TYPE_TEST)
        leaf->name = last_word(p, first);
    return leaf;
}

static struct node *parse_not_pattern(struct parser *p)
{
    uint32_t start = here(p)->start;
    if (p->nesting == NESTING_MAX)
        fail(p);
    if (p->failed)
        return make_value(p);
    struct node *node;
    p->nesting++;
    if (takes_word(p, "not")) {
        struct node *inner = parse_not_pattern(p);
        node = inner->kind == NODE_VALUE ? inner : make(p, NODE_NOT, inner, NULL);
        node->start = start;
    } else if (takes(p, TOKEN_OPEN)) {
        node = parse_pattern(p);
        if (!takes(p, TOKEN_CLOSE) || (kind(p) == TOKEN_WORD && !is_pattern_word(p, p->at)))
            fail(p);
    } else {
        node = parse_test(p);
    }
    p->nesting--;
    return node;
}

static struct node *parse_and_pattern(struct parser *p)
{
    struct node *node = parse_not_pattern(p);
    while (!p->failed && takes_word(p, "and"))
        node = make(p, NODE_AND, node, parse_not_pattern(p));
    return node;
}

static struct node *parse_pattern(struct parser *p)
{
    struct node *node = parse_and_pattern(p);
    while (!p->failed && takes_word(p, "or"))
        node = make(p, NODE_OR, node, parse_and_pattern(p));
    return node;
}

/* Does the compiler ask in the order of the text? It sorts constants, and three relations or more.
 */
static bool keeps_order(const struct parser *p)
{
    return p->values <= 1 || (p->values == 2 && p->relations == 2);
}

/* `value is PATTERN`: one condition including the value, or one for each test of the pattern. */
static struct node *parse_is(struct parser *p, struct node *value, uint32_t first)
{
    p->relations = p->values = 0;
    struct node *pattern = parse_pattern(p);
    if (!keeps_order(p))
        fail(p);
    if (pattern->kind == NODE_VALUE) {
        value->asks = pattern->asks;
        value->names_null |= pattern->names_null;
        value->name = pattern->name;
        end_value(p, value, first);
        return value;
    }
    struct node *leftmost = pattern;
    while (leftmost->kind != NODE_VALUE)
        leftmost = leftmost->a;
    leftmost->parts = value->parts;
    leftmost->last_part = value->last_part;
    return pattern;
}

/* --- operands --------------------------------------------------------------------------------- */

/* An operand that is being read. */
struct operand {
    struct node *value;
    uint32_t first;   /* token */
    uint32_t primary; /* first token of `a.b(c)[d]`, or of the last part */
    bool is_chain;    /* a chain may continue here */
    bool is_linked;   /* ... and must: after a dot */
    bool is_new;      /* after `new`, before the type */
    bool is_delegate; /* `delegate (...) { }` */
    bool is_tuple;
};

static bool ends_operand(const struct parser *p)
{
    if (kind(p) == TOKEN_QUESTION)
        return !(kind_at(p, p->at + 1) == TOKEN_OPEN_SQUARE &&
                 p->tokens[p->at + 1].start == here(p)->end) &&
               is_ternary(p, p->at);
    return is_one_of(kind(p), ONE(TOKEN_AND) | ONE(TOKEN_OR) | ONE(TOKEN_COALESCE) |
                                  ONE(TOKEN_COALESCE_ASSIGN) | ONE(TOKEN_COLON) | ONE(TOKEN_ARROW) |
                                  ONE(TOKEN_ASSIGN) | ONE(TOKEN_CLOSE) | ONE(TOKEN_CLOSE_SQUARE) |
                                  ONE(TOKEN_CLOSE_BRACE) | ONE(TOKEN_COMMA) | ONE(TOKEN_SEMICOLON) |
                                  ONE(TOKEN_END));
}

/* Called after the opening bracket; takes the closing one. */
static void parse_list(struct parser *p, struct node *value, enum token_kind close, uint32_t chain)
{
    while (!p->failed && kind(p) != close) {
        if (kind(p) == TOKEN_WORD && kind_at(p, p->at + 1) == TOKEN_COLON)
            p->at += 2; /* name: value */
        else if (kind(p) == TOKEN_OPERATOR && here(p)->end - here(p)->start == 2)
            p->at++; /* .. of a spread */
        add_part(value, parse_assignment(p), chain);
        if (!takes(p, TOKEN_COMMA) && kind(p) != close)
            fail(p);
    }
    if (!takes(p, close))
        fail(p);
}

static void take_brackets(struct parser *p, struct operand *o)
{
    static const char *const of_types[] = {"typeof", "sizeof", "nameof", "default", NULL};
    enum token_kind k = kind(p);
    bool types = p->at > o->first && is_any_word(p, p->at - 1, of_types);
    bool called = o->is_chain || o->is_new;
    if (!called)
        o->primary = p->at;
    if (types || (k == TOKEN_OPEN_BRACE && o->is_delegate)) {
        p->at = past_brackets(p, p->at);
    } else {
        struct node *last = o->value->last_part;
        p->at++;
        parse_list(p, o->value,
                   k == TOKEN_OPEN          ? TOKEN_CLOSE
                   : k == TOKEN_OPEN_SQUARE ? TOKEN_CLOSE_SQUARE
                                            : TOKEN_CLOSE_BRACE,
                   o->primary);
        o->is_tuple |= !called && k == TOKEN_OPEN && o->value->last_part != last &&
                       (last != NULL ? last->next : o->value->parts)->next != NULL;
    }
    o->is_chain = true;
    o->is_linked = o->is_new = false;
}

static struct node *add_chain(struct parser *p, struct operand *o, enum node_kind node_kind)
{
    struct node *node = make(p, node_kind, NULL, NULL);
    if (!o->is_chain || p->at == o->primary) {
        fail(p);
        return node;
    }
    node->start = p->tokens[o->primary].start;
    node->end = p->tokens[p->at - 1].end;
    add_part(o->value, node, o->primary);
    return node;
}

/* `x switch { ... }`; anything before x may belong to it. */
static void take_switch(struct parser *p, struct operand *o)
{
    if (o->primary != o->first)
        fail(p);
    (void)add_chain(p, o, NODE_SWITCH);
    p->at++;
    if (kind(p) != TOKEN_OPEN_BRACE)
        fail(p);
    p->at = past_brackets(p, p->at);
}

static void take_word(struct parser *p, struct operand *o)
{
    static const char *const operators[] = {"as",  "await", "in",   "ref",        "out", "scoped",
                                            "var", "throw", "with", "stackalloc", NULL};
    bool query = is_word_at(p, p->at, "from") && kind_at(p, p->at + 1) == TOKEN_WORD;
    bool constant = is_word_at(p, p->at, "await");
    p->awaits |= constant;
    o->is_delegate |= is_word_at(p, p->at, "delegate");
    if (query)
        fail(p);
    o->value->names_null |= is_null(p) || is_word_at(p, p->at, "HasValue");
    if (is_word_at(p, p->at, "as"))
        o->value->asks = CONDITION_CAST;
    if (is_any_word(p, p->at, operators)) {
        o->is_chain = o->is_linked = false;
        o->is_new = is_word_at(p, p->at, "stackalloc") || is_word_at(p, p->at, "with");
    } else {
        if (!o->is_linked && !o->is_new)
            o->primary = p->at;
        o->is_new |= is_word_at(p, p->at, "new");
        o->is_chain = !is_word_at(p, p->at, "new");
        o->is_linked = false;
    }
    p->at++;
}

static void take_other(struct parser *p, struct operand *o)
{
    enum token_kind k = kind(p);
    bool postfix = o->is_chain && (k == TOKEN_NOT || k == TOKEN_STEP);
    uint32_t past = k == TOKEN_LESS ? past_type_arguments(p, p->at, 0) : 0;
    if (k == TOKEN_UNKNOWN)
        fail(p);
    o->value->is_equality |= k == TOKEN_EQUALITY;
    if (past != 0) {
        p->at = past;
        return;
    }
    if (k == TOKEN_NUMBER || k == TOKEN_LITERAL) {
        o->primary = p->at;
        o->is_chain = true;
    } else if (!postfix) {
        o->is_chain = k == TOKEN_QUESTION && o->is_chain;
        o->is_linked = k == TOKEN_DOT;
    }
    p->at++;
}

static bool is_index(const struct parser *p)
{
    return kind(p) == TOKEN_QUESTION && kind_at(p, p->at + 1) == TOKEN_OPEN_SQUARE &&
           kind_at(p, p->at + 2) != TOKEN_CLOSE_SQUARE;
}

/* The opaque text of an operand, with all conditions in it. */
static struct node *parse_opaque(struct parser *p)
{
    struct operand o = {.first = p->at, .primary = p->at, .value = make_value(p)};
    while (!p->failed && !ends_operand(p)) {
        enum token_kind k = kind(p);
        if (is_word_at(p, p->at, "is") && p->at != o.first) {
            p->at++;
            struct node *asked = parse_is(p, o.value, o.first);
            if (!ends_operand(p))
                fail(p);
            return asked;
        }
        if (is_word_at(p, p->at, "switch") && p->at != o.first) {
            take_switch(p, &o);
        } else if (k == TOKEN_ACCESS || is_index(p)) {
            (void)add_chain(p, &o, NODE_ACCESS);
            o.is_linked = k == TOKEN_ACCESS;
            p->at++;
        } else if (opens(k)) {
            take_brackets(p, &o);
        } else if (k == TOKEN_WORD) {
            take_word(p, &o);
        } else {
            take_other(p, &o);
        }
    }
    if (p->at == o.first || (o.is_tuple && o.value->is_equality))
        fail(p);
    end_value(p, o.value, o.first);
    return o.value;
}

/* Is the whole operand in the brackets that open at `at`? */
static bool is_enclosed(struct parser *p, uint32_t at)
{
    uint32_t before = p->at;
    bool enclosed = kind_at(p, at) == TOKEN_OPEN;
    if (enclosed) {
        p->at = past_brackets(p, at);
        enclosed = ends_operand(p) && kind(p) != TOKEN_ARROW;
        p->at = before;
    }
    return enclosed;
}

static struct node *parse_operand(struct parser *p)
{
    if (p->nesting == NESTING_MAX || p->operands++ == OPERANDS_MAX)
        fail(p);
    if (p->failed)
        return make_value(p);
    p->nesting++;
    uint32_t first = p->at;
    bool negated = kind(p) == TOKEN_NOT && is_enclosed(p, p->at + 1);
    struct node *node = NULL;
    if (negated || is_enclosed(p, p->at)) {
        uint32_t start = here(p)->start;
        p->at += negated ? 2 : 1;
        node = parse_assignment(p);
        if (kind(p) != TOKEN_CLOSE && !p->failed) { /* a tuple */
            p->at = first;
            if (negated)
                fail(p);
            node = parse_opaque(p);
        } else if (!p->failed) { /* or the text may have ended */
            p->at++;
            if (negated) {
                node = make(p, NODE_NOT, node, NULL);
                node->start = start;
                node->end = p->tokens[p->at - 1].end;
            }
        }
    } else {
        node = parse_opaque(p);
    }
    p->nesting--;
    return node;
}

/* --- operators between them ------------------------------------------------------------------- */

static struct node *parse_and(struct parser *p)
{
    struct node *node = parse_operand(p);
    while (!p->failed && takes(p, TOKEN_AND))
        node = make(p, NODE_AND, node, parse_operand(p));
    return node;
}

static struct node *parse_or(struct parser *p)
{
    struct node *node = parse_and(p);
    while (!p->failed && takes(p, TOKEN_OR))
        node = make(p, NODE_OR, node, parse_and(p));
    return node;
}

static struct node *parse_coalesce(struct parser *p)
{
    struct node *node = parse_or(p);
    if (p->failed || !takes(p, TOKEN_COALESCE))
        return node;
    if (node->kind != NODE_VALUE)
        fail(p);
    node = make(p, NODE_COALESCE, node, parse_coalesce(p));
    return node;
}

static struct node *parse_conditional(struct parser *p)
{
    struct node *node = parse_coalesce(p);
    if (p->failed || !takes(p, TOKEN_QUESTION))
        return node;
    node = make(p, NODE_TERNARY, node, parse_assignment(p));
    if (!p->failed && !takes(p, TOKEN_COLON))
        fail(p);
    node->c = parse_assignment(p);
    node->end = node->c->end;
    return node;
}

static struct node *parse_lambda(struct parser *p, struct node *parameters)
{
    if (kind(p) == TOKEN_OPEN_BRACE)
        p->at = past_brackets(p, p->at);
    else
        (void)parse_assignment(p);
    parameters->parts = parameters->last_part = NULL;
    parameters->end = p->tokens[p->at - 1].end;
    if (parameters->kind != NODE_VALUE)
        fail(p);
    return parameters;
}

static struct node *parse_assignment(struct parser *p)
{
    struct node *left = parse_conditional(p);
    if (p->nesting == NESTING_MAX)
        fail(p);
    if (p->failed)
        return left;
    p->nesting++;
    struct node *node = left;
    if (takes(p, TOKEN_ARROW)) {
        node = parse_lambda(p, left);
    } else if (takes(p, TOKEN_COALESCE_ASSIGN)) {
        p->assigns = true;
        if (left->kind != NODE_VALUE)
            fail(p);
        node = make(p, NODE_COALESCE, left, parse_assignment(p));
    } else if (takes(p, TOKEN_ASSIGN)) {
        p->assigns = true;
        struct node *right = parse_assignment(p);
        node = make(p, NODE_VALUE, NULL, NULL);
        node->start = left->start;
        node->end = right->end;
        add_part(node, left, UINT32_MAX);
        add_part(node, right, UINT32_MAX);
    }
    p->nesting--;
    return node;
}

/* --- statements ------------------------------------------------------------------------------- */

/* `if (x)`: the brackets do not belong to x. */
static struct node *parse_head(struct parser *p)
{
    if (!takes(p, TOKEN_OPEN))
        fail(p);
    struct node *node = parse_assignment(p);
    if (!takes(p, TOKEN_CLOSE))
        fail(p);
    (void)takes(p, TOKEN_SEMICOLON);
    return node;
}

static struct node *parse_plain(struct parser *p, bool *is_bare)
{
    static const char *const heads[] = {"return", "throw", "yield", NULL};
    uint32_t first = p->at;
    while (is_any_word(p, p->at, heads))
        p->at++;
    *is_bare = p->at == first;
    struct node *only = NULL, *value = make_value(p);
    for (;;) {
        struct node *part = parse_assignment(p);
        only = value->parts == NULL ? part : NULL;
        add_part(value, part, UINT32_MAX);
        if (p->failed || !takes(p, TOKEN_COMMA))
            break;
    }
    *is_bare &= !takes(p, TOKEN_SEMICOLON) && !p->assigns && only != NULL;
    return only != NULL ? only : value;
}

bool expression_tree_make(struct expression_tree *out, struct str text, struct arena *arena,
                          struct err *err)
{
    struct tokens tokens;
    *out = (struct expression_tree){.root = NULL};
    if (!tokens_find(&tokens, text, arena, err))
        return false;
    struct parser p = {.text = text, .tokens = tokens.items, .arena = arena, .err = err};
    struct node *root;
    if (is_word_at(&p, 0, "switch") && kind_at(&p, 1) == TOKEN_OPEN) {
        p.at++;
        struct node *by = parse_head(&p);
        root = make(&p, NODE_SWITCH, NULL, NULL);
        root->start = by->start;
        root->end = by->end;
        root->parts = root->last_part = by;
    } else if (takes_word(&p, "if") || takes_word(&p, "while")) {
        root = make(&p, NODE_ASK, parse_head(&p), NULL);
    } else if (takes_word(&p, "when")) {
        root = make(&p, NODE_ASK, parse_assignment(&p), NULL);
    } else {
        root = parse_plain(&p, &out->is_bare);
    }
    if (!p.failed && kind(&p) == TOKEN_END)
        out->root = root;
    out->awaits = p.awaits;
    return !p.no_memory;
}
