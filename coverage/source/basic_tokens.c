#include "coverage/source/basic_tokens.h"

#include <string.h>

#include "base/ascii.h"
#include "base/list.h"

struct basic_reader {
    struct tokens raw; /* as they are read in any language */
    char *text;        /* a copy, in which words of C# replace keywords */
    uint32_t at;
    bool has_value;         /* `=` at the top compares; else the first one assigns */
    enum token_kind *kinds; /* per raw token: TOKEN_END, or what it is in C# */
    struct list made;       /* struct token */
    struct arena *arena;
    struct err *err;
};

/* --- tokens ----------------------------------------------------------------------------------- */

static bool is_keyword(const struct basic_reader *r, uint32_t at, const char *words)
{
    return tokens_is_basic(&r->raw, at, words);
}

static bool touch(const struct basic_reader *r, uint32_t at, enum token_kind next)
{
    return tokens_kind(&r->raw, at + 1) == next &&
           r->raw.items[at].end == r->raw.items[at + 1].start;
}

static bool put_made(struct basic_reader *r, enum token_kind kind, uint32_t start, uint32_t end)
{
    const struct token token = {kind, start, end, NO_INDEX, NO_INDEX, false};
    return list_put(&r->made, &token, sizeof token, r->arena, r->err);
}

/* In place of `count` raw tokens from here, with the text of C# if that is not NULL. */
static bool put_as(struct basic_reader *r, uint32_t count, enum token_kind kind, const char *text)
{
    const struct token *first = &r->raw.items[r->at];
    uint32_t end = r->raw.items[r->at + count - 1].end;
    if (text != NULL) {
        end = first->start + (uint32_t)strlen(text);
        memcpy(r->text + first->start, text, strlen(text));
    }
    r->at += count;
    return put_made(r, kind, first->start, end);
}

static bool put_keyword(struct basic_reader *r)
{
    const struct token *token = &r->raw.items[r->at];
    for (uint32_t i = token->start; i < token->end; i++)
        r->text[i] = ascii_lower(r->text[i]);
    return put_as(r, 1, TOKEN_WORD, NULL);
}

/* --- If(a, b, c) and lambdas ------------------------------------------------------------------ */

/* Its commas are ? and : of C#, or ?? if there is one. */
static void note_choice(struct basic_reader *r, uint32_t open)
{
    uint32_t commas[2] = {0, 0}, count = 0, close = tokens_partner(&r->raw, open);
    for (uint32_t i = open + 1; close != NO_INDEX && i < close; i++)
        if (r->raw.items[i].kind == TOKEN_COMMA && r->raw.items[i].around == open && count < 2)
            commas[count++] = i;
    if (count == 2)
        r->kinds[commas[1]] = TOKEN_COLON;
    if (count != 0)
        r->kinds[commas[0]] = count == 2 ? TOKEN_QUESTION : TOKEN_COALESCE;
}

/* `Function(n)`, and the arrow behind it. Statements in a lambda have lines of their own. */
static bool put_lambda(struct basic_reader *r)
{
    uint32_t open = r->at + 1, close = tokens_partner(&r->raw, open);
    if (tokens_kind(&r->raw, open) != TOKEN_OPEN || close == NO_INDEX ||
        is_keyword(r, close + 1, "as"))
        return put_as(r, 1, TOKEN_UNKNOWN, NULL);
    r->kinds[close] = TOKEN_ARROW;
    r->at++;
    return true;
}

/* --- words and signs -------------------------------------------------------------------------- */

/* Does `TypeOf` stand before the value that is asked? */
static bool asks_type(const struct basic_reader *r)
{
    for (uint32_t i = r->at; i-- != 0 && !is_keyword(r, i, "is isnot andalso orelse and or xor");)
        if (is_keyword(r, i, "typeof"))
            return true;
    return false;
}

static bool put_is(struct basic_reader *r)
{
    bool is_not = is_keyword(r, r->at, "isnot");
    const struct token *token = &r->raw.items[r->at];
    if (!asks_type(r))
        return put_as(r, 1, TOKEN_EQUALITY, is_not ? "!=" : "==");
    memcpy(r->text + token->start, is_not ? "isnot" : "is", token->end - token->start);
    r->at++;
    return put_made(r, TOKEN_WORD, token->start, token->start + 2) &&
           (!is_not || put_made(r, TOKEN_WORD, token->start + 2, token->end));
}

static bool put_word(struct basic_reader *r)
{
    static const struct {
        const char *words;
        enum token_kind kind;
        const char *text;
    } words[] = {{"andalso", TOKEN_AND, "&&"}, {"orelse", TOKEN_OR, "||"},
                 {"and", TOKEN_OPERATOR, "&"}, {"or", TOKEN_OPERATOR, "|"},
                 {"xor", TOKEN_OPERATOR, "^"}, {"mod like", TOKEN_OPERATOR, "+"},
                 {"not", TOKEN_NOT, "!"},      {"end select aggregate case", TOKEN_UNKNOWN, NULL}};
    uint32_t at = r->at;
    if (tokens_kind(&r->raw, at - 1) == TOKEN_DOT)
        return put_as(r, 1, TOKEN_WORD, NULL);
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (is_keyword(r, at, words[i].words))
            return put_as(r, 1, words[i].kind, words[i].text);
    if (is_keyword(r, at, "is isnot"))
        return put_is(r);
    if (is_keyword(r, at, "if") && tokens_kind(&r->raw, at + 1) == TOKEN_OPEN)
        note_choice(r, at + 1);
    else if (is_keyword(r, at, "function sub"))
        return put_lambda(r);
    else if (is_keyword(r, at, "nothing true false return throw yield await new from as default"))
        return put_keyword(r);
    else if (!is_keyword(r, at, "then _") &&
             !(is_keyword(r, at, "async iterator") && is_keyword(r, at + 1, "function sub")))
        return put_as(r, 1, TOKEN_WORD, NULL);
    r->at++;
    return true;
}

/* The `=` of a member that is initialised: `{.A = 1, Key .B = 2}`. */
static bool sets_member(const struct basic_reader *r)
{
    uint32_t dot = r->at - 2;
    if (r->at < 3 || tokens_kind(&r->raw, dot) != TOKEN_DOT)
        return false;
    uint32_t before = dot - 1 - (is_keyword(r, dot - 1, "key") && dot > 1);
    enum token_kind kind = tokens_kind(&r->raw, before);
    return kind == TOKEN_OPEN_BRACE || kind == TOKEN_COMMA;
}

static bool put_equals(struct basic_reader *r)
{
    bool is_top = r->raw.items[r->at].around == NO_INDEX;
    bool assigns = (is_top && !r->has_value) || sets_member(r);
    r->has_value |= is_top;
    return put_as(r, 1, assigns ? TOKEN_ASSIGN : TOKEN_EQUALITY, NULL);
}

static bool holds_condition(struct str literal)
{
    static const char *const parts[] = {"if(", "if (", "andalso", "orelse", "?.", "?("};
    for (size_t i = 0; literal.text[0] == '$' && i < literal.len; i++)
        for (size_t k = 0; k < ARRAY_LEN(parts); k++) {
            struct str rest = str_from(literal, i);
            struct str part = str_of(parts[k]);
            if (rest.len >= part.len && str_eq_nocase((struct str){rest.text, part.len}, part))
                return true;
        }
    return false;
}

static bool put_sign(struct basic_reader *r)
{
    uint32_t at = r->at;
    enum token_kind kind = r->raw.items[at].kind;
    struct str text = tokens_text(&r->raw, at);
    if (kind == TOKEN_LESS && touch(r, at, TOKEN_GREATER))
        return put_as(r, 2, TOKEN_EQUALITY, "!=");
    if (kind == TOKEN_COLON && touch(r, at, TOKEN_ASSIGN))
        return put_as(r, 2, TOKEN_COLON, NULL);
    if (kind == TOKEN_QUESTION && touch(r, at, TOKEN_OPEN) &&
        tokens_partner(&r->raw, at + 1) != NO_INDEX) {
        r->kinds[at + 1] = TOKEN_OPEN_SQUARE;
        r->kinds[tokens_partner(&r->raw, at + 1)] = TOKEN_CLOSE_SQUARE;
    }
    if (str_is(text, "="))
        return put_equals(r);
    if (str_is(text, "&") || str_is(text, "\\"))
        return put_as(r, 1, TOKEN_OPERATOR, "+");
    if (kind == TOKEN_UNKNOWN && (text.text[0] == '"' || text.text[0] == '$'))
        kind = TOKEN_LITERAL;
    if (kind == TOKEN_LITERAL && holds_condition(text))
        kind = TOKEN_UNKNOWN;
    return put_as(r, 1, kind, NULL);
}

static bool put_here(struct basic_reader *r)
{
    enum token_kind kind = r->kinds[r->at];
    uint32_t end = r->raw.items[r->at].end;
    if (kind == TOKEN_ARROW)
        return put_as(r, 1, TOKEN_CLOSE, NULL) && put_made(r, TOKEN_ARROW, end, end);
    if (kind != TOKEN_END)
        return put_as(r, 1, kind, NULL);
    return r->raw.items[r->at].kind == TOKEN_WORD ? put_word(r) : put_sign(r);
}

/* --- the statement ---------------------------------------------------------------------------- */

/* Goes past the words before the value. */
static enum basic_head take_head(struct basic_reader *r)
{
    uint32_t first = r->at;
    for (uint32_t i = first; is_keyword(r, first, "catch") && i < r->raw.count; i++)
        if (is_keyword(r, i, "when"))
            r->at = i;
    bool selects = is_keyword(r, first, "select") && is_keyword(r, first + 1, "case");
    r->at += selects ? 2 : is_keyword(r, first, "do loop");
    bool is_until = is_keyword(r, r->at, "until"),
         asks = is_until || (!selects && is_keyword(r, r->at, "if elseif while when"));
    r->has_value |= asks || selects || is_keyword(r, first, "return throw yield");
    r->at += asks;
    bool is_turned = is_until != is_keyword(r, first, "loop");
    return !asks ? BASIC_USES : is_turned ? BASIC_ASKS_NOT : BASIC_ASKS;
}

bool basic_tokens_find(struct tokens *out, enum basic_head *head, struct str text, bool is_value,
                       struct arena *arena, struct err *err)
{
    struct basic_reader r = {.has_value = is_value, .arena = arena, .err = err};
    r.text = arena_raw(arena, text.len, 1, err);
    if (r.text == NULL || !tokens_find(&r.raw, text, LANGUAGE_VISUAL_BASIC, arena, err))
        return false;
    memcpy(r.text, text.text, text.len);
    r.kinds = ARENA_NEW(arena, enum token_kind, r.raw.count + 1, err);
    if (r.kinds == NULL)
        return false;
    *head = take_head(&r);
    while (r.at < r.raw.count)
        if (!put_here(&r))
            return false;
    *out = (struct tokens){.text = {r.text, text.len}};
    return tokens_take(out, &r.made, arena, err);
}
