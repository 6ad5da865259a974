#include "coverage/source/tokens.h"

#include <string.h>

#include "base/list.h"
#include "coverage/source/comments.h"

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Of more than one character, longest first. */
static const struct {
    const char *text;
    enum token_kind kind;
} signs[] = {
    {">>>=", TOKEN_ASSIGN},  {">>=", TOKEN_ASSIGN},
    {"<<=", TOKEN_ASSIGN},   {"?\?=", TOKEN_COALESCE_ASSIGN},
    {"?\?", TOKEN_COALESCE}, {"&&", TOKEN_AND},
    {"||", TOKEN_OR},        {"=>", TOKEN_ARROW},
    {"==", TOKEN_EQUALITY},  {"!=", TOKEN_EQUALITY},
    {"<<", TOKEN_OPERATOR},  {"<=", TOKEN_RELATION},
    {">=", TOKEN_RELATION},  {"->", TOKEN_DOT},
    {"::", TOKEN_DOT},       {"..", TOKEN_OPERATOR},
    {"++", TOKEN_STEP},      {"--", TOKEN_STEP},
    {"+=", TOKEN_ASSIGN},    {"-=", TOKEN_ASSIGN},
    {"*=", TOKEN_ASSIGN},    {"/=", TOKEN_ASSIGN},
    {"%=", TOKEN_ASSIGN},    {"&=", TOKEN_ASSIGN},
    {"|=", TOKEN_ASSIGN},    {"^=", TOKEN_ASSIGN},
};

static const uint8_t single[128] = {
    ['='] = TOKEN_ASSIGN,      ['?'] = TOKEN_QUESTION,     [':'] = TOKEN_COLON,
    ['<'] = TOKEN_LESS,        ['>'] = TOKEN_GREATER,      ['!'] = TOKEN_NOT,
    ['.'] = TOKEN_DOT,         ['('] = TOKEN_OPEN,         [')'] = TOKEN_CLOSE,
    ['['] = TOKEN_OPEN_SQUARE, [']'] = TOKEN_CLOSE_SQUARE, ['{'] = TOKEN_OPEN_BRACE,
    ['}'] = TOKEN_CLOSE_BRACE, [','] = TOKEN_COMMA,        [';'] = TOKEN_SEMICOLON,
    ['+'] = TOKEN_OPERATOR,    ['-'] = TOKEN_OPERATOR,     ['*'] = TOKEN_OPERATOR,
    ['/'] = TOKEN_OPERATOR,    ['%'] = TOKEN_OPERATOR,     ['&'] = TOKEN_OPERATOR,
    ['|'] = TOKEN_OPERATOR,    ['^'] = TOKEN_OPERATOR,     ['~'] = TOKEN_OPERATOR,
};

/* Is it the second character of any sign? */
static bool may_be_second(char c)
{
    switch (c) {
    case '>':
    case '<':
    case '?':
    case '&':
    case '|':
    case '=':
    case ':':
    case '.':
    case '+':
    case '-':
        return true;
    default:
        return false;
    }
}

/* May a hole of the string contain a condition? When in doubt, yes. */
static bool may_ask(struct str literal)
{
    bool has_holes = false;
    for (size_t i = 0; i < literal.len && literal.text[i] != '"'; i++)
        has_holes |= literal.text[i] == '$';
    for (size_t i = 0; has_holes && i < literal.len; i++) {
        struct str rest = {literal.text + i, literal.len - i};
        if (literal.text[i] == '?' || str_starts(rest, "&&") || str_starts(rest, "||") ||
            str_starts(rest, "is ") || str_starts(rest, "switch"))
            return true;
    }
    return false;
}

static uint32_t number_end(struct str text, uint32_t at)
{
    while (at < text.len &&
           (is_word(text.text[at]) ||
            (text.text[at] == '.' && at + 1 < text.len && is_digit(text.text[at + 1])) ||
            ((text.text[at] == '+' || text.text[at] == '-') && (text.text[at - 1] | 0x20) == 'e')))
        at++;
    return at;
}

static struct token sign_at(struct str text, uint32_t at)
{
    struct str rest = {text.text + at, text.len - at};
    unsigned char first = (unsigned char)rest.text[0];
    enum token_kind alone =
        first < sizeof single && single[first] != 0 ? single[first] : TOKEN_UNKNOWN;
    if (rest.len < 2 || !may_be_second(rest.text[1]))
        return (struct token){alone, at, at + 1};
    if (str_starts(rest, "?.") && !(rest.len >= 3 && is_digit(rest.text[2])))
        return (struct token){TOKEN_ACCESS, at, at + 2};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (rest.text[0] == signs[i].text[0] && str_starts(rest, signs[i].text))
            return (struct token){signs[i].kind, at, at + (uint32_t)strlen(signs[i].text)};
    return (struct token){alone, at, at + 1};
}

/* The token that begins at `at`; TOKEN_END for a comment or white space. */
static struct token token_at(struct str text, uint32_t at)
{
    char c = text.text[at];
    struct str rest = {text.text + at, text.len - at};
    if (is_space(c))
        return (struct token){TOKEN_END, at, at + 1};
    bool may_be_long = c == '/' || c == '"' || c == '\'' || c == '$' || c == '@';
    uint32_t len = may_be_long ? (uint32_t)comments_skip(rest, LANGUAGE_CSHARP) : 0;
    if (len != 0 && c == '/')
        return (struct token){TOKEN_END, at, at + len};
    if (len != 0)
        return (struct token){may_ask((struct str){rest.text, len}) ? TOKEN_UNKNOWN : TOKEN_LITERAL,
                              at, at + len};
    uint32_t end = at + (c == '@');
    if (is_digit(c))
        return (struct token){TOKEN_NUMBER, at, number_end(text, at)};
    while (end < text.len && is_word(text.text[end]))
        end++;
    if (end > at + (c == '@'))
        return (struct token){TOKEN_WORD, at, end};
    return sign_at(text, at);
}

static bool add_token(struct list *found, struct token token, struct arena *arena, struct err *err)
{
    struct token *added = list_add(found, sizeof *added, arena, err);
    if (added == NULL)
        return false;
    *added = token;
    return true;
}

bool tokens_find(struct tokens *out, struct str text, struct arena *arena, struct err *err)
{
    struct list found = {0};
    uint32_t at = 0;
    while (at < text.len) {
        struct token token = token_at(text, at);
        if (token.kind != TOKEN_END && !add_token(&found, token, arena, err))
            return false;
        at = token.end;
    }
    if (!add_token(&found, (struct token){TOKEN_END, at, at}, arena, err))
        return false;
    *out = (struct tokens){found.items, found.count - 1};
    return true;
}
