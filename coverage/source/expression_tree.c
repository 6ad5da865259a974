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

#include "coverage/source/csharp_expression.h"

/* `if (x)`: the brackets do not belong to x. */
static struct node *parse_head(struct parser *p)
{
    if (!parser_takes(p, TOKEN_OPEN))
        parser_fail(p);
    struct node *node = csharp_expression_parse(p);
    if (!parser_takes(p, TOKEN_CLOSE))
        parser_fail(p);
    (void)parser_takes(p, TOKEN_SEMICOLON);
    return node;
}

static struct node *parse_plain(struct parser *p, bool *is_bare)
{
    static const char *const heads[] = {"return", "throw", "yield", NULL};
    uint32_t first = p->at;
    while (parser_is_any_word(p, p->at, heads))
        p->at++;
    *is_bare = p->at == first;
    struct node *only = NULL, *value = parser_make_value(p);
    for (;;) {
        struct node *part = csharp_expression_parse(p);
        only = value->parts == NULL ? part : NULL;
        node_add_part(value, part, UINT32_MAX);
        if (p->failed || !parser_takes(p, TOKEN_COMMA))
            break;
    }
    *is_bare &= !parser_takes(p, TOKEN_SEMICOLON) && !p->assigns && only != NULL;
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
    if (parser_is_word(&p, 0, "switch") && parser_kind_at(&p, 1) == TOKEN_OPEN) {
        p.at++;
        struct node *by = parse_head(&p);
        root = parser_make(&p, NODE_SWITCH, NULL, NULL);
        root->start = by->start;
        root->end = by->end;
        root->parts = root->last_part = by;
    } else if (parser_takes_word(&p, "if") || parser_takes_word(&p, "while")) {
        root = parser_make(&p, NODE_ASK, parse_head(&p), NULL);
    } else if (parser_takes_word(&p, "when")) {
        root = parser_make(&p, NODE_ASK, csharp_expression_parse(&p), NULL);
    } else {
        root = parse_plain(&p, &out->is_bare);
    }
    if (!p.failed && parser_kind(&p) == TOKEN_END)
        out->root = root;
    out->awaits = p.awaits;
    return !p.no_memory;
}
