#include "coverage/source/csharp_parser.h"

const struct token *parser_here(const struct parser *p)
{
    return &p->tokens[p->at];
}

enum token_kind parser_kind_at(const struct parser *p, uint32_t at)
{
    return p->tokens[at].kind;
}

enum token_kind parser_kind(const struct parser *p)
{
    return parser_here(p)->kind;
}

bool parser_is_word(const struct parser *p, uint32_t at, const char *word)
{
    const struct token *token = &p->tokens[at];
    return token->kind == TOKEN_WORD &&
           str_is((struct str){p->text.text + token->start, token->end - token->start}, word);
}

bool parser_is_any_word(const struct parser *p, uint32_t at, const char *const *words)
{
    for (; *words != NULL; words++)
        if (parser_is_word(p, at, *words))
            return true;
    return false;
}

bool token_is_one_of(enum token_kind k, uint32_t kinds)
{
    return (ONE(k) & kinds) != 0;
}

bool parser_takes(struct parser *p, enum token_kind wanted)
{
    if (parser_kind(p) != wanted)
        return false;
    p->at++;
    return true;
}

bool parser_takes_word(struct parser *p, const char *word)
{
    if (!parser_is_word(p, p->at, word))
        return false;
    p->at++;
    return true;
}

void parser_fail(struct parser *p)
{
    p->failed = true;
}

bool token_opens(enum token_kind k)
{
    return k == TOKEN_OPEN || k == TOKEN_OPEN_SQUARE || k == TOKEN_OPEN_BRACE;
}

bool token_closes(enum token_kind k)
{
    return k == TOKEN_CLOSE || k == TOKEN_CLOSE_SQUARE || k == TOKEN_CLOSE_BRACE;
}

uint32_t parser_past_brackets(const struct parser *p, uint32_t at)
{
    uint32_t depth = 0;
    for (; parser_kind_at(p, at) != TOKEN_END; at++) {
        depth += token_opens(parser_kind_at(p, at));
        depth -= token_closes(parser_kind_at(p, at));
        if (depth == 0)
            return at + 1;
    }
    return at;
}

/* C# 6.2.5: one of a few tokens follows; a name only if a type is expected. */
uint32_t parser_past_type_arguments(const struct parser *p, uint32_t at, uint32_t first)
{
    static const char *const before_type[] = {"is",  "not", "as",  "new",    "out",
                                              "ref", "in",  "and", "static", NULL};
    bool type_expected = at == first + 1 || (at >= 2 && parser_is_any_word(p, at - 2, before_type));
    uint32_t depth = 0;
    if (at == 0 || parser_kind_at(p, at - 1) != TOKEN_WORD)
        return 0;
    for (;; at++) {
        enum token_kind k = parser_kind_at(p, at);
        depth += k == TOKEN_LESS;
        depth -= k == TOKEN_GREATER;
        if (depth == 0)
            break;
        if (!token_is_one_of(k, ONE(TOKEN_LESS) | ONE(TOKEN_GREATER) | ONE(TOKEN_WORD) |
                                    ONE(TOKEN_COMMA) | ONE(TOKEN_DOT) | ONE(TOKEN_QUESTION) |
                                    ONE(TOKEN_OPEN_SQUARE) | ONE(TOKEN_CLOSE_SQUARE)))
            return 0;
    }
    if (parser_kind_at(p, ++at) == TOKEN_WORD)
        return type_expected || parser_is_word(p, at, "and") || parser_is_word(p, at, "or") ? at
                                                                                            : 0;
    return token_is_one_of(parser_kind_at(p, at), ONE(TOKEN_NUMBER) | ONE(TOKEN_LITERAL) |
                                                      ONE(TOKEN_NOT) | ONE(TOKEN_OPERATOR) |
                                                      ONE(TOKEN_STEP) | ONE(TOKEN_LESS) |
                                                      ONE(TOKEN_GREATER))
               ? 0
               : at;
}

bool parser_is_ternary(const struct parser *p, uint32_t at)
{
    uint32_t first = at + 1;
    for (unsigned open = 1; open != 0;) {
        enum token_kind k = parser_kind_at(p, ++at);
        uint32_t past = k == TOKEN_LESS ? parser_past_type_arguments(p, at, first) : 0;
        if (token_opens(k))
            past = parser_past_brackets(p, at);
        if (past != 0)
            at = past - 1;
        else if (k == TOKEN_QUESTION)
            open++;
        else if (k == TOKEN_COLON)
            open--;
        else if (token_closes(k) || k == TOKEN_COMMA || k == TOKEN_SEMICOLON || k == TOKEN_END)
            return false;
    }
    return true;
}

bool parser_is_null(const struct parser *p)
{
    return parser_is_word(p, p->at, "null");
}

/* --- nodes ------------------------------------------------------------------------------------ */

struct node *parser_make(struct parser *p, enum node_kind node_kind, struct node *a, struct node *b)
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

struct node *parser_make_value(struct parser *p)
{
    struct node *node = parser_make(p, NODE_VALUE, NULL, NULL);
    node->start = node->end = parser_here(p)->start;
    return node;
}

void parser_end_value(const struct parser *p, struct node *node, uint32_t first)
{
    if (p->at > first)
        node->end = p->tokens[p->at - 1].end;
}

void node_add_part(struct node *value, struct node *part, uint32_t chain)
{
    part->chain = chain;
    if (value->last_part != NULL)
        value->last_part->next = part;
    else
        value->parts = part;
    value->last_part = part;
}
