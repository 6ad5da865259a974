/* tokens.h - the tokens of a piece of source, without white space and comments, and which
 * brackets belong together. A string is one token, including its holes.
 * Units:  offsets are bytes from the start of the text; tokens are named by their index.
 * Owner:  the array lives in the arena, the text elsewhere. */
#pragma once

#include "base/list.h"
#include "coverage/source/preprocessor.h"

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
    TOKEN_ARROW,    /* =>, in F# -> */
    TOKEN_ASSIGN,   /* = += and the like */
    TOKEN_EQUALITY, /* == != */
    TOKEN_LESS,
    TOKEN_GREATER,
    TOKEN_RELATION, /* <= >= */
    TOKEN_NOT,
    TOKEN_DOT,  /* . :: -> */
    TOKEN_OPEN, /* each bracket that opens is followed by the one that closes; all those of F# */
    TOKEN_CLOSE,
    TOKEN_OPEN_SQUARE,
    TOKEN_CLOSE_SQUARE,
    TOKEN_OPEN_BRACE,
    TOKEN_CLOSE_BRACE,
    TOKEN_COMMA,
    TOKEN_SEMICOLON,
    TOKEN_STEP,     /* ++ -- */
    TOKEN_OPERATOR, /* + - * / % & | ^ ~ .. and the like; in F# all others, too */
    TOKEN_BAR,      /* | of F# */
    TOKEN_UNKNOWN   /* a directive, a stray byte, a string whose holes may hold conditions */
};

struct token {
    enum token_kind kind;
    uint32_t start, end;
    uint32_t around;    /* the innermost bracket that it is in, or NO_INDEX */
    uint32_t partner;   /* of a bracket: the one that closes or opens it, or NO_INDEX */
    bool has_directive; /* of a bracket: #if or the like is between it and its partner */
};

struct tokens {
    struct str text;
    struct token *items; /* the last is TOKEN_END */
    uint32_t count;      /* without it */
};

/* With all directives among them. Those of Visual Basic are read as C# (basic_tokens.h). */
NODISCARD bool tokens_find(struct tokens *out, struct str text, enum language language,
                           struct arena *arena, struct err *err);
/* Without directives and what they leave out; of other languages where tokens are, not what. */
NODISCARD bool tokens_find_active(struct tokens *out, struct str text, struct preprocessor *p,
                                  struct arena *arena, struct err *err);

/* Those of `out->text` that were found; finds which brackets belong together. */
NODISCARD bool tokens_take(struct tokens *out, struct list *found, struct arena *arena,
                           struct err *err);

/* A set of kinds of tokens is a sum of these. */
#define ONE(token_kind) ((uint32_t)1 << (token_kind))
bool token_is_one_of(enum token_kind kind, uint32_t kinds);
/* Brackets of any kind. */
bool token_opens(enum token_kind kind);
bool token_closes(enum token_kind kind);

/* `i` may be any number: TOKEN_END past the last one. */
enum token_kind tokens_kind(const struct tokens *tokens, uint32_t i);
/* Is it one of the words, which blanks separate? */
bool tokens_is(const struct tokens *tokens, uint32_t i, const char *words);
/* ... in whatever case? `words` are in lower case. */
bool tokens_is_basic(const struct tokens *tokens, uint32_t i, const char *words);

/* Of a token that there is. */
struct str tokens_text(const struct tokens *tokens, uint32_t i);
bool tokens_is_sign(const struct tokens *tokens, uint32_t i, const char *sign);
bool tokens_is_directive(const struct tokens *tokens, uint32_t i);

/* The partner of a bracket, if there is no directive between them: both branches of an #if may have
 * brackets. NO_INDEX of any other token. */
uint32_t tokens_partner(const struct tokens *tokens, uint32_t i);
/* The token after it, if the bracket opens. */
uint32_t tokens_past(const struct tokens *tokens, uint32_t i);

/* `case` or `default` of a switch; the colon after it: one of `?:` is none. NO_INDEX: it is not
 * certain. */
bool tokens_is_label(const struct tokens *tokens, uint32_t i);
uint32_t tokens_label_end(const struct tokens *tokens, uint32_t i);

/* The type that a keyword of C# or Visual Basic means: "Int32" of `int`; NULL: none. */
const char *keyword_type(struct str word);

/* The token after the `>` that closes the type arguments opened by the `<` at `at`; 0 if it is a
 * comparison. `first`: where the operand begins. */
uint32_t tokens_past_type_arguments(const struct tokens *tokens, uint32_t at, uint32_t first);

/* The first token that begins at or after the offset. */
uint32_t tokens_from(const struct tokens *tokens, uint32_t offset);
