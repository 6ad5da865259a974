#include "coverage/source/statement_order.h"

enum {
    NESTED_MAX = 256 /* of statements without braces */
};

/* The word before a `(` and its condition: for `)` that is `if`, `while` and the like. */
static uint32_t word_before(const struct tokens *t, uint32_t close)
{
    uint32_t open = tokens_kind(t, close) == TOKEN_CLOSE ? tokens_partner(t, close) : NO_INDEX;
    return open != NO_INDEX && open != 0 ? open - 1 : NO_INDEX;
}

static bool is_loop_word(const struct tokens *t, uint32_t i)
{
    return tokens_is(t, i, "while for foreach");
}

/* Has the statement a head in brackets and another statement in it? */
static bool has_head(const struct tokens *t, uint32_t i)
{
    return tokens_is(t, i, "if while for foreach lock using fixed");
}

/* --- the end of a statement ------------------------------------------------------------------- */

/* The token after `while (...);` */
static uint32_t past_while(const struct tokens *t, uint32_t i)
{
    i = tokens_is(t, i, "while") ? tokens_past(t, i + 1) : NO_INDEX;
    return tokens_kind(t, i) == TOKEN_SEMICOLON ? i + 1 : NO_INDEX;
}

static uint32_t past_try(const struct tokens *t, uint32_t i)
{
    i = tokens_past(t, i + 1);
    while (tokens_is(t, i, "catch finally when") || tokens_kind(t, i) == TOKEN_OPEN_BRACE ||
           tokens_kind(t, i) == TOKEN_OPEN)
        i = token_opens(tokens_kind(t, i)) ? tokens_past(t, i) : i + 1;
    return i;
}

static uint32_t past_semicolon(const struct tokens *t, uint32_t i)
{
    while (i < t->count) {
        enum token_kind kind = tokens_kind(t, i);
        if (kind == TOKEN_SEMICOLON)
            return i + 1;
        if (token_closes(kind) || tokens_is_directive(t, i))
            return NO_INDEX;
        i = token_opens(kind) ? tokens_past(t, i) : i + 1;
    }
    return NO_INDEX;
}

/* Where the statement inside of another one begins, as of `while (...)` and `label:`; NO_INDEX if
 * the statement is none of those. */
static uint32_t inner_of(const struct tokens *t, uint32_t i)
{
    i += tokens_is(t, i, "await") && tokens_is(t, i + 1, "foreach using");
    enum token_kind next = tokens_kind(t, i + 1);
    if (next == TOKEN_OPEN && (has_head(t, i) || tokens_is(t, i, "switch")))
        return tokens_past(t, i + 1);
    if (tokens_is(t, i, "do") ||
        (next == TOKEN_OPEN_BRACE && tokens_is(t, i, "unsafe checked unchecked")))
        return i + 1;
    bool is_label = tokens_kind(t, i) == TOKEN_WORD && next == TOKEN_COLON;
    return is_label && !tokens_is(t, i, "default") ? i + 2 : NO_INDEX;
}

/* The token after the statement that begins with token i, or NO_INDEX. */
static uint32_t past_statement(const struct tokens *t, uint32_t i, unsigned depth)
{
    if (depth == NESTED_MAX || i >= t->count)
        return NO_INDEX;
    if (tokens_kind(t, i) == TOKEN_OPEN_BRACE)
        return tokens_past(t, i);
    if (tokens_is(t, i, "try"))
        return past_try(t, i);
    uint32_t inner = inner_of(t, i);
    if (inner == NO_INDEX)
        return past_semicolon(t, i);
    uint32_t end = past_statement(t, inner, depth + 1);
    if (tokens_is(t, i, "if") && tokens_is(t, end, "else"))
        return past_statement(t, end + 1, depth + 1);
    return tokens_is(t, i, "do") ? past_while(t, end) : end;
}

/* --- where a break leads ---------------------------------------------------------------------- */

/* The token after the innermost loop without braces that holds token i, in the statement from
 * `start` to `end`. */
static uint32_t past_loop_in(const struct tokens *t, uint32_t start, uint32_t end, uint32_t i)
{
    uint32_t found = NO_INDEX;
    for (unsigned depth = 0; start < i && depth < NESTED_MAX; depth++) {
        uint32_t inner = inner_of(t, start);
        if (inner == NO_INDEX || inner > i)
            break;
        uint32_t first_end = past_statement(t, inner, 0);
        if (is_loop_word(t, start) || tokens_is(t, start, "do await"))
            found = end;
        if (first_end != NO_INDEX && first_end <= i && tokens_is(t, first_end, "else"))
            inner = first_end + 1;
        else
            end = first_end;
        start = inner;
    }
    return found;
}

/* After each `case ...:` and `default:` that stands here. */
static uint32_t past_labels(const struct tokens *t, uint32_t i)
{
    while (tokens_is_label(t, i)) {
        i = tokens_label_end(t, i);
        i += i != NO_INDEX;
    }
    return i;
}

/* The token after the switch or loop whose body a brace opens; NO_INDEX: it is another brace. */
static uint32_t past_body(const struct tokens *t, uint32_t brace)
{
    uint32_t word = brace != 0 ? word_before(t, brace - 1) : NO_INDEX;
    if (is_loop_word(t, word) || tokens_is(t, word, "switch"))
        return tokens_past(t, brace);
    return brace != 0 && tokens_is(t, brace - 1, "do") ? past_while(t, tokens_past(t, brace))
                                                       : NO_INDEX;
}

static uint32_t brace_around(const struct tokens *t, uint32_t i)
{
    do
        i = t->items[i].around;
    while (i != NO_INDEX && t->items[i].kind != TOKEN_OPEN_BRACE);
    return i;
}

static uint32_t past_broken(const struct tokens *t, uint32_t i)
{
    for (uint32_t brace; (brace = brace_around(t, i)) != NO_INDEX; i = brace) {
        uint32_t start = past_labels(t, brace + 1), end = start;
        while (start < i && (end = past_statement(t, start, 0)) <= i)
            start = past_labels(t, end);
        if (start > i || end == NO_INDEX)
            return NO_INDEX;
        uint32_t found = past_loop_in(t, start, end, i);
        if (found == NO_INDEX)
            found = past_body(t, brace);
        if (found != NO_INDEX)
            return found;
    }
    return NO_INDEX;
}

/* --- what comes next -------------------------------------------------------------------------- */

/* Where control goes on after a closing brace, as it does from a block, an arm of `if`, and in the
 * end from a loop. */
static uint32_t past_block(const struct tokens *t, uint32_t close)
{
    uint32_t open = tokens_partner(t, close);
    if (open == NO_INDEX || open == 0)
        return NO_INDEX;
    uint32_t word = word_before(t, open - 1);
    if (tokens_is(t, open - 1, "do"))
        return past_while(t, close + 1);
    bool goes_on =
        has_head(t, word) || tokens_is(t, open - 1, "else checked unchecked unsafe") ||
        token_is_one_of(tokens_kind(t, open - 1), ONE(TOKEN_SEMICOLON) | ONE(TOKEN_OPEN_BRACE) |
                                                      ONE(TOKEN_CLOSE_BRACE) | ONE(TOKEN_COLON));
    return goes_on ? close + 1 : NO_INDEX;
}

/* The statement to which control comes at token i, after what is before i has completed. Optimised
 * code has no point for the head of a switch. */
static uint32_t first_statement_from(const struct tokens *t, uint32_t i)
{
    while (i < t->count) {
        enum token_kind kind = tokens_kind(t, i);
        if (kind == TOKEN_CLOSE_BRACE)
            i = past_block(t, i);
        else if (tokens_is(t, i, "else"))
            i = past_statement(t, i + 1, 0);
        else if (tokens_is(t, i, "switch"))
            i = past_statement(t, i, 0);
        else if (kind == TOKEN_OPEN_BRACE || kind == TOKEN_SEMICOLON)
            i++;
        else if (tokens_kind(t, i + 1) == TOKEN_COLON || tokens_kind(t, i + 1) == TOKEN_OPEN_BRACE)
            i = is_loop_word(t, i) ? NO_INDEX : inner_of(t, i);
        else
            return kind == TOKEN_WORD ? i : NO_INDEX;
    }
    return NO_INDEX;
}

/* If token i is in the head of a loop, or begins it, the token after that loop. */
static uint32_t past_loop_of(const struct tokens *t, uint32_t i)
{
    uint32_t open = is_loop_word(t, i) ? i + 1 : t->items[i].around;
    for (; open != NO_INDEX && t->items[open].kind != TOKEN_OPEN_BRACE;
         open = t->items[open].around)
        if (open != 0 && is_loop_word(t, open - 1))
            return tokens_past(t, open) != NO_INDEX ? past_statement(t, open - 1, 0) : NO_INDEX;
    return NO_INDEX;
}

bool statement_order_is_break(const struct tokens *tokens, uint32_t start)
{
    uint32_t i = tokens_from(tokens, start);
    return tokens_is(tokens, i, "break") && tokens->items[i].start == start;
}

bool statement_order_next(uint32_t *next, const struct tokens *tokens, uint32_t start, uint32_t end)
{
    uint32_t i = tokens_from(tokens, start);
    if (tokens_is(tokens, i, "goto continue return"))
        return false;
    uint32_t past = past_loop_of(tokens, i);
    if (tokens_is(tokens, i, "break"))
        past = past_broken(tokens, i);
    else if (tokens_is(tokens, i, "switch"))
        past = past_statement(tokens, i, 0);
    else if (past == NO_INDEX)
        past = tokens_from(tokens, end);
    uint32_t found = first_statement_from(tokens, past);
    if (found == NO_INDEX)
        return false;
    *next = tokens->items[found].start;
    return true;
}
