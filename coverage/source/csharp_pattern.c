#include "coverage/source/csharp_pattern.h"

static struct node *parse_pattern(struct parser *p);

static bool is_pattern_word(const struct parser *p, uint32_t at)
{
    static const char *const words[] = {"and", "or", "when", NULL};
    return parser_is_any_word(p, at, words);
}

/* A number or a character. */
static bool is_number(const struct parser *p)
{
    return parser_kind(p) == TOKEN_NUMBER ||
           (parser_kind(p) == TOKEN_LITERAL && p->text.text[parser_here(p)->start] == '\'');
}

/* The last word of the name at `first`, of a type or of a constant: B of `A.B c`. */
static struct str last_word(const struct parser *p, uint32_t first)
{
    uint32_t last = first;
    while (parser_kind_at(p, last) == TOKEN_WORD && parser_kind_at(p, last + 1) == TOKEN_DOT &&
           parser_kind_at(p, last + 2) == TOKEN_WORD)
        last += 2;
    const struct token *token = &p->tokens[last];
    return (struct str){p->text.text + token->start, token->end - token->start};
}

/* One that the code need not compare: `0`, `true`, `false`. */
static bool is_plain_literal(const struct parser *p)
{
    const struct token *token = parser_here(p);
    struct str text = {p->text.text + token->start, token->end - token->start};
    bool is_word = parser_is_word(p, p->at, "true") || parser_is_word(p, p->at, "false");
    return is_word || str_is(text, "0");
}

/* A type, a name for it, a constant. */
static struct node *parse_test(struct parser *p)
{
    uint32_t first = p->at;
    struct node *leaf = parser_make_value(p);
    leaf->is_pattern = true;
    enum token_kind k = parser_kind(p);
    bool compares = k == TOKEN_LESS || k == TOKEN_GREATER || k == TOKEN_RELATION;
    if (compares || k == TOKEN_OPERATOR)
        p->at++;
    bool is_plain = k == parser_kind(p) && is_plain_literal(p);
    leaf->asks = compares || (is_number(p) && !is_plain)              ? CONDITION_COMPARE
                 : parser_kind(p) == TOKEN_LITERAL || is_plain        ? CONDITION_EQUAL
                 : parser_kind(p) == TOKEN_WORD && !parser_is_null(p) ? CONDITION_TYPE_TEST
                                                                      : CONDITION_TEST;
    leaf->names_null = parser_is_null(p);
    p->relations += compares;
    p->values += leaf->asks == CONDITION_COMPARE || leaf->asks == CONDITION_TYPE_TEST || is_plain;
    if (parser_is_word(p, p->at, "var") || parser_is_word(p, p->at, "_"))
        parser_fail(p);
    while (!p->failed && !is_pattern_word(p, p->at)) {
        k = parser_kind(p);
        uint32_t past = k == TOKEN_LESS ? parser_past_type_arguments(p, p->at, p->at) : 0;
        bool is_empty = token_opens(k) && token_closes(parser_kind_at(p, p->at + 1));
        if (past != 0)
            p->at = past;
        else if (is_empty && (k == TOKEN_OPEN_BRACE) == (p->at == first)) /* `{ }`, `int[]` */
            p->at += 2;
        else if (k == TOKEN_WORD || k == TOKEN_NUMBER || k == TOKEN_LITERAL || k == TOKEN_DOT ||
                 k == TOKEN_OPERATOR || (k == TOKEN_QUESTION && !parser_is_ternary(p, p->at)))
            p->at++;
        else
            break;
    }
    if (p->at == first || token_opens(parser_kind(p)))
        parser_fail(p);
    parser_end_value(p, leaf, first);
    if (leaf->asks == CONDITION_TYPE_TEST)
        leaf->name = last_word(p, first);
    return leaf;
}

static struct node *parse_not_pattern(struct parser *p)
{
    uint32_t start = parser_here(p)->start;
    if (p->nesting == NESTING_MAX)
        parser_fail(p);
    if (p->failed)
        return parser_make_value(p);
    struct node *node;
    p->nesting++;
    if (parser_takes_word(p, "not")) {
        struct node *inner = parse_not_pattern(p);
        node = inner->kind == NODE_VALUE ? inner : parser_make(p, NODE_NOT, inner, NULL);
        node->start = start;
    } else if (parser_takes(p, TOKEN_OPEN)) {
        node = parse_pattern(p);
        if (!parser_takes(p, TOKEN_CLOSE) ||
            (parser_kind(p) == TOKEN_WORD && !is_pattern_word(p, p->at)))
            parser_fail(p);
    } else {
        node = parse_test(p);
    }
    p->nesting--;
    return node;
}

static struct node *parse_and_pattern(struct parser *p)
{
    struct node *node = parse_not_pattern(p);
    while (!p->failed && parser_takes_word(p, "and"))
        node = parser_make(p, NODE_AND, node, parse_not_pattern(p));
    return node;
}

static struct node *parse_pattern(struct parser *p)
{
    struct node *node = parse_and_pattern(p);
    while (!p->failed && parser_takes_word(p, "or"))
        node = parser_make(p, NODE_OR, node, parse_and_pattern(p));
    return node;
}

/* Does the compiler ask in the order of the text? It sorts constants, and three relations or more.
 */
static bool keeps_order(const struct parser *p)
{
    return p->values <= 1 || (p->values == 2 && p->relations == 2);
}

/* `value is PATTERN`: one condition including the value, or one for each test of the pattern. */
struct node *csharp_pattern_parse(struct parser *p, struct node *value, uint32_t first)
{
    p->relations = p->values = 0;
    struct node *pattern = parse_pattern(p);
    if (!keeps_order(p))
        parser_fail(p);
    if (pattern->kind == NODE_VALUE) {
        value->asks = pattern->asks;
        value->names_null |= pattern->names_null;
        value->name = pattern->name;
        parser_end_value(p, value, first);
        return value;
    }
    struct node *leftmost = pattern;
    while (leftmost->kind != NODE_VALUE)
        leftmost = leftmost->a;
    leftmost->parts = value->parts;
    leftmost->last_part = value->last_part;
    return pattern;
}
