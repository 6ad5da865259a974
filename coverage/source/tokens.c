#include "coverage/source/tokens.h"

#include <string.h>

#include "base/ascii.h"
#include "base/sort.h"
#include "coverage/source/comments.h"

enum {
    MARK_LEN = 3 /* of the encoding, before the text */
};

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

/* The second characters of signs. */
static const bool may_be_second[256] = {
    ['>'] = true, ['<'] = true, ['?'] = true, ['&'] = true, ['|'] = true,
    ['='] = true, [':'] = true, ['.'] = true, ['+'] = true, ['-'] = true,
};

static bool is_any_of(char c, const char *characters)
{
    return c != '\0' && strchr(characters, c) != NULL;
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
           (ascii_is_word(text.text[at]) ||
            (text.text[at] == '.' && at + 1 < text.len && ascii_is_digit(text.text[at + 1])) ||
            ((text.text[at] == '+' || text.text[at] == '-') && (text.text[at - 1] | 0x20) == 'e')))
        at++;
    return at;
}

static struct token make_token(enum token_kind kind, uint32_t start, uint32_t end)
{
    return (struct token){kind, start, end, NO_INDEX, NO_INDEX, false};
}

static struct token sign_at(struct str text, uint32_t at)
{
    struct str rest = {text.text + at, text.len - at};
    unsigned char first = (unsigned char)rest.text[0];
    enum token_kind alone =
        first < sizeof single && single[first] != 0 ? single[first] : TOKEN_UNKNOWN;
    if (rest.len < 2 || !may_be_second[(unsigned char)rest.text[1]])
        return make_token(alone, at, at + 1);
    if (str_starts(rest, "?.") && !(rest.len >= 3 && ascii_is_digit(rest.text[2])))
        return make_token(TOKEN_ACCESS, at, at + 2);
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (rest.text[0] == signs[i].text[0] && str_starts(rest, signs[i].text))
            return make_token(signs[i].kind, at, at + (uint32_t)strlen(signs[i].text));
    return make_token(alone, at, at + 1);
}

static struct token csharp_token_at(struct str text, uint32_t at)
{
    char c = text.text[at];
    uint32_t end = at + (c == '@');
    if (ascii_is_digit(c))
        return make_token(TOKEN_NUMBER, at, number_end(text, at));
    while (end < text.len && ascii_is_word(text.text[end]))
        end++;
    if (end > at + (c == '@'))
        return make_token(TOKEN_WORD, at, end);
    return sign_at(text, at);
}

/* --- F# --------------------------------------------------------------------------------------- */

static char character_at(struct str text, uint32_t at)
{
    return at < text.len ? text.text[at] : '\0';
}

/* `[|`, `{|`, and `(|` of an active pattern. */
static bool opens_with_bar(struct str text, uint32_t at)
{
    return character_at(text, at + 1) == '|' &&
           (text.text[at] != '(' || character_at(text, at + 2) != ')');
}

static bool closes_with_bar(struct str text, uint32_t at)
{
    char next = character_at(text, at + 1);
    return character_at(text, at) == '|' && (next == ')' || next == ']' || next == '}');
}

/* Signs that stand together are one operator. */
static struct token fsharp_sign_at(struct str text, uint32_t at)
{
    uint32_t end = at;
    while (end < text.len && is_any_of(text.text[end], "!%&*+-./<=>?@^|~:$") &&
           !closes_with_bar(text, end))
        end++;
    struct str sign = {text.text + at, end - at};
    return make_token(str_is(sign, "|")    ? TOKEN_BAR
                      : str_is(sign, "->") ? TOKEN_ARROW
                                           : TOKEN_OPERATOR,
                      at, end != at ? end : at + 1);
}

static struct token fsharp_token_at(struct str text, uint32_t at, bool begins_line)
{
    char c = text.text[at];
    uint32_t end = at;
    if (closes_with_bar(text, at))
        return make_token(TOKEN_CLOSE, at, at + 2);
    if (is_any_of(c, "([{"))
        return make_token(TOKEN_OPEN, at, at + 1 + opens_with_bar(text, at));
    if (is_any_of(c, ")]}"))
        return make_token(TOKEN_CLOSE, at, at + 1);
    if (c == ';' || (c == '#' && begins_line))
        return make_token(c == ';' ? TOKEN_SEMICOLON : TOKEN_UNKNOWN, at, at + 1);
    if (c == '`' && character_at(text, at + 1) == '`') {
        const char *close = memmem(text.text + at + 2, text.len - at - 2, "``", 2);
        return make_token(TOKEN_WORD, at,
                          close != NULL ? (uint32_t)(close - text.text) + 2 : (uint32_t)text.len);
    }
    while (end < text.len && (ascii_is_word(text.text[end]) || text.text[end] == '\''))
        end++;
    return end != at ? make_token(TOKEN_WORD, at, end) : fsharp_sign_at(text, at);
}

/* --- all tokens ------------------------------------------------------------------------------- */

/* The token that begins at `at`, or TOKEN_END for a comment. */
static struct token read_token(struct str text, uint32_t at, enum language language,
                               bool begins_line)
{
    char c = text.text[at];
    struct str literal = {text.text + at, 0};
    bool is_fsharp = language == LANGUAGE_FSHARP;
    if (is_any_of(c, "/\"'$@#") || (is_fsharp && c == '('))
        literal.len = comments_skip(str_from(text, at), language);
    if (literal.len != 0) {
        bool is_comment = c == '/' || c == '(' || (c == '\'' && language == LANGUAGE_VISUAL_BASIC);
        return make_token(is_comment                       ? TOKEN_END
                          : !is_fsharp && may_ask(literal) ? TOKEN_UNKNOWN
                                                           : TOKEN_LITERAL,
                          at, at + (uint32_t)literal.len);
    }
    return is_fsharp ? fsharp_token_at(text, at, begins_line) : csharp_token_at(text, at);
}

/* --- brackets --------------------------------------------------------------------------------- */

bool token_is_one_of(enum token_kind kind, uint32_t kinds)
{
    return (ONE(kind) & kinds) != 0;
}

bool token_opens(enum token_kind kind)
{
    return kind == TOKEN_OPEN || kind == TOKEN_OPEN_SQUARE || kind == TOKEN_OPEN_BRACE;
}

bool token_closes(enum token_kind kind)
{
    return kind == TOKEN_CLOSE || kind == TOKEN_CLOSE_SQUARE || kind == TOKEN_CLOSE_BRACE;
}

/* Those that are open are a stack, which `around` leads down. */
static void pair_brackets(struct tokens *tokens)
{
    uint32_t open = NO_INDEX, directive = 0; /* the last ones */
    for (uint32_t i = 0; i <= tokens->count; i++) {
        struct token *token = &tokens->items[i];
        if (tokens_is_directive(tokens, i))
            directive = i;
        if (token_closes(token->kind) && open != NO_INDEX) {
            struct token *other = &tokens->items[open];
            if (other->kind + 1 == token->kind) {
                token->partner = open;
                other->partner = i;
                other->has_directive = token->has_directive = directive > open;
            }
            open = other->around;
        }
        token->around = open;
        if (token_opens(token->kind))
            open = i;
    }
}

bool tokens_take(struct tokens *out, struct list *found, struct arena *arena, struct err *err)
{
    const uint32_t len = (uint32_t)out->text.len;
    const struct token end = make_token(TOKEN_END, len, len);
    if (!list_put(found, &end, sizeof end, arena, err))
        return false;
    *out = (struct tokens){out->text, found->items, found->count - 1};
    pair_brackets(out);
    return true;
}

static bool find_tokens(struct tokens *out, struct str text, enum language language,
                        struct preprocessor *p, struct arena *arena, struct err *err)
{
    struct list found = {0};
    bool begins_line = true;
    for (uint32_t at = str_starts(text, "\xEF\xBB\xBF") ? MARK_LEN : 0; at < text.len;) {
        char c = text.text[at];
        if (ascii_is_space(c)) {
            begins_line |= c == '\n' || c == '\r';
            at++;
            continue;
        }
        if (p != NULL && begins_line && c == '#') {
            if (!preprocessor_pass(&at, p, text, arena, err))
                return false;
            continue;
        }
        struct token token = read_token(text, at, language, begins_line);
        if (token.kind != TOKEN_END && !list_put(&found, &token, sizeof token, arena, err))
            return false;
        at = token.end;
        begins_line = false;
    }
    out->text = text;
    return tokens_take(out, &found, arena, err);
}

bool tokens_find(struct tokens *out, struct str text, enum language language, struct arena *arena,
                 struct err *err)
{
    return find_tokens(out, text, language, NULL, arena, err);
}

bool tokens_find_active(struct tokens *out, struct str text, struct preprocessor *p,
                        struct arena *arena, struct err *err)
{
    return find_tokens(out, text, p->language, p, arena, err);
}

uint32_t tokens_partner(const struct tokens *tokens, uint32_t i)
{
    return i < tokens->count && !tokens->items[i].has_directive ? tokens->items[i].partner
                                                                : NO_INDEX;
}

uint32_t tokens_past(const struct tokens *tokens, uint32_t i)
{
    uint32_t partner = token_opens(tokens_kind(tokens, i)) ? tokens_partner(tokens, i) : NO_INDEX;
    return partner != NO_INDEX ? partner + 1 : NO_INDEX;
}

/* --- what they are ---------------------------------------------------------------------------- */

enum token_kind tokens_kind(const struct tokens *tokens, uint32_t i)
{
    return i < tokens->count ? tokens->items[i].kind : TOKEN_END;
}

struct str tokens_text(const struct tokens *tokens, uint32_t i)
{
    const struct token *token = &tokens->items[i];
    return (struct str){tokens->text.text + token->start, token->end - token->start};
}

bool tokens_is_sign(const struct tokens *tokens, uint32_t i, const char *sign)
{
    return str_is(tokens_text(tokens, i), sign);
}

bool tokens_is(const struct tokens *tokens, uint32_t i, const char *words)
{
    return tokens_kind(tokens, i) == TOKEN_WORD && str_is_one_of(tokens_text(tokens, i), words);
}

bool tokens_is_basic(const struct tokens *tokens, uint32_t i, const char *words)
{
    char lower[16];
    if (tokens_kind(tokens, i) != TOKEN_WORD)
        return false;
    struct str word = tokens_text(tokens, i);
    for (size_t k = 0; word.len < sizeof lower && k < word.len; k++)
        lower[k] = ascii_lower(word.text[k]);
    return word.len < sizeof lower && str_is_one_of((struct str){lower, word.len}, words);
}

bool tokens_is_directive(const struct tokens *tokens, uint32_t i)
{
    return tokens_kind(tokens, i) == TOKEN_UNKNOWN && tokens_is_sign(tokens, i, "#");
}

bool tokens_is_label(const struct tokens *tokens, uint32_t i)
{
    return tokens_is(tokens, i, "case") ||
           (tokens_is(tokens, i, "default") && tokens_kind(tokens, i + 1) == TOKEN_COLON);
}

uint32_t tokens_label_end(const struct tokens *tokens, uint32_t i)
{
    uint32_t questions = 0;
    while (i < tokens->count && (tokens->items[i].kind != TOKEN_COLON || questions != 0)) {
        enum token_kind kind = tokens->items[i].kind;
        questions += kind == TOKEN_QUESTION;
        questions -= kind == TOKEN_COLON;
        i = token_opens(kind) ? tokens_past(tokens, i) : i + 1;
    }
    return i < tokens->count ? i : NO_INDEX;
}

/* C# 6.2.5: one of a few tokens follows; a name only if a type is expected. */
uint32_t tokens_past_type_arguments(const struct tokens *tokens, uint32_t at, uint32_t first)
{
    bool type_expected =
        at == first + 1 ||
        (at >= 2 && tokens_is(tokens, at - 2, "is not as new out ref in and static"));
    uint32_t depth = 0;
    if (at == 0 || tokens_kind(tokens, at - 1) != TOKEN_WORD)
        return 0;
    for (;; at++) {
        enum token_kind kind = tokens_kind(tokens, at);
        depth += kind == TOKEN_LESS;
        depth -= kind == TOKEN_GREATER;
        if (depth == 0)
            break;
        if (!token_is_one_of(kind, ONE(TOKEN_LESS) | ONE(TOKEN_GREATER) | ONE(TOKEN_WORD) |
                                       ONE(TOKEN_COMMA) | ONE(TOKEN_DOT) | ONE(TOKEN_QUESTION) |
                                       ONE(TOKEN_OPEN_SQUARE) | ONE(TOKEN_CLOSE_SQUARE)))
            return 0;
    }
    at++;
    bool is_comparison =
        tokens_kind(tokens, at) == TOKEN_WORD
            ? !type_expected && !tokens_is(tokens, at, "and or")
            : token_is_one_of(tokens_kind(tokens, at), ONE(TOKEN_NUMBER) | ONE(TOKEN_LITERAL) |
                                                           ONE(TOKEN_NOT) | ONE(TOKEN_OPERATOR) |
                                                           ONE(TOKEN_STEP) | ONE(TOKEN_LESS) |
                                                           ONE(TOKEN_GREATER));
    return is_comparison ? 0 : at;
}

const char *keyword_type(struct str word)
{
    static const char *const types[][2] = {
        {"bool", "Boolean"},    {"byte", "Byte"},     {"sbyte", "SByte"},     {"char", "Char"},
        {"decimal", "Decimal"}, {"double", "Double"}, {"float", "Single"},    {"int", "Int32"},
        {"uint", "UInt32"},     {"long", "Int64"},    {"ulong", "UInt64"},    {"short", "Int16"},
        {"ushort", "UInt16"},   {"nint", "IntPtr"},   {"nuint", "UIntPtr"},   {"string", "String"},
        {"object", "Object"},   {"Integer", "Int32"}, {"UInteger", "UInt32"}, {"Long", "Int64"},
        {"ULong", "UInt64"},    {"Short", "Int16"},   {"UShort", "UInt16"},   {"Date", "DateTime"},
    };
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        if (str_is(word, types[i][0]))
            return types[i][1];
    return NULL;
}

ORDER(order_source_tokens, struct token, BY(start))

uint32_t tokens_from(const struct tokens *tokens, uint32_t offset)
{
    const struct token at = {.start = offset};
    return (uint32_t)sorted_place(&at, tokens->items, tokens->count, sizeof at,
                                  order_source_tokens);
}
