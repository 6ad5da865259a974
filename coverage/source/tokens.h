/* tokens.h - the tokens of a piece of C#, without white space and comments. A string is one token,
 * including its holes.
 * Units:  offsets are bytes from the start of the text.
 * Owner:  the array lives in the arena. */
#ifndef ILCOV_COVERAGE_SOURCE_TOKENS_H
#define ILCOV_COVERAGE_SOURCE_TOKENS_H

#include "base/text.h"

enum token_kind {
    TOKEN_END, /* after the last one */
    TOKEN_WORD,
    TOKEN_NUMBER,
    TOKEN_LITERAL,         /* a string or character */
    TOKEN_AND,             /* && */
    TOKEN_OR,              /* || */
    TOKEN_COALESCE,        /* ?? */
    TOKEN_COALESCE_ASSIGN, /* ??= */
    TOKEN_QUESTION,
    TOKEN_ACCESS, /* ?. */
    TOKEN_COLON,
    TOKEN_ARROW,    /* => */
    TOKEN_ASSIGN,   /* = += and the like */
    TOKEN_EQUALITY, /* == != */
    TOKEN_LESS,
    TOKEN_GREATER,
    TOKEN_RELATION, /* <= >= */
    TOKEN_NOT,
    TOKEN_DOT, /* . :: -> */
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_OPEN_SQUARE,
    TOKEN_CLOSE_SQUARE,
    TOKEN_OPEN_BRACE,
    TOKEN_CLOSE_BRACE,
    TOKEN_COMMA,
    TOKEN_SEMICOLON,
    TOKEN_STEP,     /* ++ -- */
    TOKEN_OPERATOR, /* + - * / % & | ^ ~ .. and the like */
    TOKEN_UNKNOWN   /* a directive, a stray byte, a string whose holes may hold conditions */
};

struct token {
    enum token_kind kind;
    uint32_t start, end;
};

struct tokens {
    struct token *items; /* the last is TOKEN_END */
    uint32_t count;      /* without it */
};

NODISCARD bool tokens_find(struct tokens *out, struct str text, struct arena *arena,
                           struct err *err);

#endif
