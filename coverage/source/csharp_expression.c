#include "coverage/source/csharp_expression.h"

#include "coverage/source/csharp_pattern.h"

enum {
    OPERANDS_MAX = 20000 /* tuples are read twice, tuples in tuples four times */
};

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
    if (parser_kind(p) == TOKEN_QUESTION)
        return !(parser_kind_at(p, p->at + 1) == TOKEN_OPEN_SQUARE &&
                 p->tokens[p->at + 1].start == parser_here(p)->end) &&
               parser_is_ternary(p, p->at);
    return token_is_one_of(parser_kind(p), ONE(TOKEN_AND) | ONE(TOKEN_OR) | ONE(TOKEN_COALESCE) |
                                               ONE(TOKEN_COALESCE_ASSIGN) | ONE(TOKEN_COLON) |
                                               ONE(TOKEN_ARROW) | ONE(TOKEN_ASSIGN) |
                                               ONE(TOKEN_CLOSE) | ONE(TOKEN_CLOSE_SQUARE) |
                                               ONE(TOKEN_CLOSE_BRACE) | ONE(TOKEN_COMMA) |
                                               ONE(TOKEN_SEMICOLON) | ONE(TOKEN_END));
}

/* Called after the opening bracket; takes the closing one. */
static void parse_list(struct parser *p, struct node *value, enum token_kind close, uint32_t chain)
{
    while (!p->failed && parser_kind(p) != close) {
        if (parser_kind(p) == TOKEN_WORD && parser_kind_at(p, p->at + 1) == TOKEN_COLON)
            p->at += 2; /* name: value */
        else if (parser_kind(p) == TOKEN_OPERATOR &&
                 parser_here(p)->end - parser_here(p)->start == 2)
            p->at++; /* .. of a spread */
        node_add_part(value, csharp_expression_parse(p), chain);
        if (!parser_takes(p, TOKEN_COMMA) && parser_kind(p) != close)
            parser_fail(p);
    }
    if (!parser_takes(p, close))
        parser_fail(p);
}

static void take_brackets(struct parser *p, struct operand *o)
{
    static const char *const of_types[] = {"typeof", "sizeof", "nameof", "default", NULL};
    enum token_kind k = parser_kind(p);
    bool types = p->at > o->first && parser_is_any_word(p, p->at - 1, of_types);
    bool called = o->is_chain || o->is_new;
    if (!called)
        o->primary = p->at;
    if (types || (k == TOKEN_OPEN_BRACE && o->is_delegate)) {
        p->at = parser_past_brackets(p, p->at);
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
    struct node *node = parser_make(p, node_kind, NULL, NULL);
    if (!o->is_chain || p->at == o->primary) {
        parser_fail(p);
        return node;
    }
    node->start = p->tokens[o->primary].start;
    node->end = p->tokens[p->at - 1].end;
    node_add_part(o->value, node, o->primary);
    return node;
}

/* `x switch { ... }`; anything before x may belong to it. */
static void take_switch(struct parser *p, struct operand *o)
{
    if (o->primary != o->first)
        parser_fail(p);
    (void)add_chain(p, o, NODE_SWITCH);
    p->at++;
    if (parser_kind(p) != TOKEN_OPEN_BRACE)
        parser_fail(p);
    p->at = parser_past_brackets(p, p->at);
}

static void take_word(struct parser *p, struct operand *o)
{
    static const char *const operators[] = {"as",  "await", "in",   "ref",        "out", "scoped",
                                            "var", "throw", "with", "stackalloc", NULL};
    bool query = parser_is_word(p, p->at, "from") && parser_kind_at(p, p->at + 1) == TOKEN_WORD;
    bool constant = parser_is_word(p, p->at, "await");
    p->awaits |= constant;
    o->is_delegate |= parser_is_word(p, p->at, "delegate");
    if (query)
        parser_fail(p);
    o->value->names_null |= parser_is_null(p) || parser_is_word(p, p->at, "HasValue");
    if (parser_is_word(p, p->at, "as"))
        o->value->asks = CONDITION_CAST;
    if (parser_is_any_word(p, p->at, operators)) {
        o->is_chain = o->is_linked = false;
        o->is_new = parser_is_word(p, p->at, "stackalloc") || parser_is_word(p, p->at, "with");
    } else {
        if (!o->is_linked && !o->is_new)
            o->primary = p->at;
        o->is_new |= parser_is_word(p, p->at, "new");
        o->is_chain = !parser_is_word(p, p->at, "new");
        o->is_linked = false;
    }
    p->at++;
}

static void take_other(struct parser *p, struct operand *o)
{
    enum token_kind k = parser_kind(p);
    bool postfix = o->is_chain && (k == TOKEN_NOT || k == TOKEN_STEP);
    uint32_t past = k == TOKEN_LESS ? parser_past_type_arguments(p, p->at, 0) : 0;
    if (k == TOKEN_UNKNOWN)
        parser_fail(p);
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
    return parser_kind(p) == TOKEN_QUESTION && parser_kind_at(p, p->at + 1) == TOKEN_OPEN_SQUARE &&
           parser_kind_at(p, p->at + 2) != TOKEN_CLOSE_SQUARE;
}

/* The opaque text of an operand, with all conditions in it. */
static struct node *parse_opaque(struct parser *p)
{
    struct operand o = {.first = p->at, .primary = p->at, .value = parser_make_value(p)};
    while (!p->failed && !ends_operand(p)) {
        enum token_kind k = parser_kind(p);
        if (parser_is_word(p, p->at, "is") && p->at != o.first) {
            p->at++;
            struct node *asked = csharp_pattern_parse(p, o.value, o.first);
            if (!ends_operand(p))
                parser_fail(p);
            return asked;
        }
        if (parser_is_word(p, p->at, "switch") && p->at != o.first) {
            take_switch(p, &o);
        } else if (k == TOKEN_ACCESS || is_index(p)) {
            (void)add_chain(p, &o, NODE_ACCESS);
            o.is_linked = k == TOKEN_ACCESS;
            p->at++;
        } else if (token_opens(k)) {
            take_brackets(p, &o);
        } else if (k == TOKEN_WORD) {
            take_word(p, &o);
        } else {
            take_other(p, &o);
        }
    }
    if (p->at == o.first || (o.is_tuple && o.value->is_equality))
        parser_fail(p);
    parser_end_value(p, o.value, o.first);
    return o.value;
}

/* Is the whole operand in the brackets that open at `at`? */
static bool is_enclosed(struct parser *p, uint32_t at)
{
    uint32_t before = p->at;
    bool enclosed = parser_kind_at(p, at) == TOKEN_OPEN;
    if (enclosed) {
        p->at = parser_past_brackets(p, at);
        enclosed = ends_operand(p) && parser_kind(p) != TOKEN_ARROW;
        p->at = before;
    }
    return enclosed;
}

static struct node *parse_operand(struct parser *p)
{
    if (p->nesting == NESTING_MAX || p->operands++ == OPERANDS_MAX)
        parser_fail(p);
    if (p->failed)
        return parser_make_value(p);
    p->nesting++;
    uint32_t first = p->at;
    bool negated = parser_kind(p) == TOKEN_NOT && is_enclosed(p, p->at + 1);
    struct node *node = NULL;
    if (negated || is_enclosed(p, p->at)) {
        uint32_t start = parser_here(p)->start;
        p->at += negated ? 2 : 1;
        node = csharp_expression_parse(p);
        if (parser_kind(p) != TOKEN_CLOSE && !p->failed) { /* a tuple */
            p->at = first;
            if (negated)
                parser_fail(p);
            node = parse_opaque(p);
        } else if (!p->failed) { /* or the text may have ended */
            p->at++;
            if (negated) {
                node = parser_make(p, NODE_NOT, node, NULL);
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
    while (!p->failed && parser_takes(p, TOKEN_AND))
        node = parser_make(p, NODE_AND, node, parse_operand(p));
    return node;
}

static struct node *parse_or(struct parser *p)
{
    struct node *node = parse_and(p);
    while (!p->failed && parser_takes(p, TOKEN_OR))
        node = parser_make(p, NODE_OR, node, parse_and(p));
    return node;
}

static struct node *parse_coalesce(struct parser *p)
{
    struct node *node = parse_or(p);
    if (p->failed || !parser_takes(p, TOKEN_COALESCE))
        return node;
    if (node->kind != NODE_VALUE)
        parser_fail(p);
    node = parser_make(p, NODE_COALESCE, node, parse_coalesce(p));
    return node;
}

static struct node *parse_conditional(struct parser *p)
{
    struct node *node = parse_coalesce(p);
    if (p->failed || !parser_takes(p, TOKEN_QUESTION))
        return node;
    node = parser_make(p, NODE_TERNARY, node, csharp_expression_parse(p));
    if (!p->failed && !parser_takes(p, TOKEN_COLON))
        parser_fail(p);
    node->c = csharp_expression_parse(p);
    node->end = node->c->end;
    return node;
}

static struct node *parse_lambda(struct parser *p, struct node *parameters)
{
    if (parser_kind(p) == TOKEN_OPEN_BRACE)
        p->at = parser_past_brackets(p, p->at);
    else
        (void)csharp_expression_parse(p);
    parameters->parts = parameters->last_part = NULL;
    parameters->end = p->tokens[p->at - 1].end;
    if (parameters->kind != NODE_VALUE)
        parser_fail(p);
    return parameters;
}

struct node *csharp_expression_parse(struct parser *p)
{
    struct node *left = parse_conditional(p);
    if (p->nesting == NESTING_MAX)
        parser_fail(p);
    if (p->failed)
        return left;
    p->nesting++;
    struct node *node = left;
    if (parser_takes(p, TOKEN_ARROW)) {
        node = parse_lambda(p, left);
    } else if (parser_takes(p, TOKEN_COALESCE_ASSIGN)) {
        p->assigns = true;
        if (left->kind != NODE_VALUE)
            parser_fail(p);
        node = parser_make(p, NODE_COALESCE, left, csharp_expression_parse(p));
    } else if (parser_takes(p, TOKEN_ASSIGN)) {
        p->assigns = true;
        struct node *right = csharp_expression_parse(p);
        node = parser_make(p, NODE_VALUE, NULL, NULL);
        node->start = left->start;
        node->end = right->end;
        node_add_part(node, left, UINT32_MAX);
        node_add_part(node, right, UINT32_MAX);
    }
    p->nesting--;
    return node;
}
