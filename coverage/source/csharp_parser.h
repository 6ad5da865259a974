/* csharp_parser.h - where the reading of a C# statement is in its tokens, and the nodes that it
 * makes of them (expression_node.h).
 * Units:  `at` and `first` are indexes of tokens.
 * Errors: what cannot be read with certainty sets `failed`; the tree is then not used. */
#ifndef ILCOV_COVERAGE_SOURCE_CSHARP_PARSER_H
#define ILCOV_COVERAGE_SOURCE_CSHARP_PARSER_H

#include "coverage/source/expression_node.h"
#include "coverage/source/tokens.h"

enum {
    NESTING_MAX = 64
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

/* A set of kinds of tokens is a sum of these. */
#define ONE(token_kind) ((uint32_t)1 << (token_kind))
bool token_is_one_of(enum token_kind k, uint32_t kinds);

/* Brackets of any kind. */
bool token_opens(enum token_kind k);
bool token_closes(enum token_kind k);

const struct token *parser_here(const struct parser *p);
enum token_kind parser_kind(const struct parser *p);
enum token_kind parser_kind_at(const struct parser *p, uint32_t at);
bool parser_is_word(const struct parser *p, uint32_t at, const char *word);
bool parser_is_any_word(const struct parser *p, uint32_t at, const char *const *words);
bool parser_is_null(const struct parser *p);

/* Goes past the token, if it is the one that is wanted. */
bool parser_takes(struct parser *p, enum token_kind wanted);
bool parser_takes_word(struct parser *p, const char *word);

void parser_fail(struct parser *p);

/* The position after the bracket that closes the one at `at`, or the end. */
uint32_t parser_past_brackets(const struct parser *p, uint32_t at);

/* The position after the `>` that closes the type arguments opened by the `<` at `at`; 0 if it is a
 * comparison. `first`: where the operand begins. */
uint32_t parser_past_type_arguments(const struct parser *p, uint32_t at, uint32_t first);

/* Does a `:` belong to the `?` at `at`? If not, it belongs to a type: `int? x = a ? b : c`. */
bool parser_is_ternary(const struct parser *p, uint32_t at);

/* A node from the start of `a` to the end of `b`; either may be NULL. Never NULL itself. */
struct node *parser_make(struct parser *p, enum node_kind node_kind, struct node *a,
                         struct node *b);

/* A value that begins here, and ends where it began until it is ended. */
struct node *parser_make_value(struct parser *p);

/* The value, which began at `first`, ends before the current token. */
void parser_end_value(const struct parser *p, struct node *node, uint32_t first);

/* Adds a condition to the text of a value; `chain` as in struct node. */
void node_add_part(struct node *value, struct node *part, uint32_t chain);

#endif
