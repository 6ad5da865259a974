#include "coverage/source/statement_order.h"

enum {
    NESTED_MAX = 256 /* of brackets, and of statements without braces */
};

static enum token_kind kind_of(const struct statement_order *o, uint32_t i)
{
    return i < o->tokens.count ? o->tokens.items[i].kind : TOKEN_END;
}

static bool is(const struct statement_order *o, uint32_t i, const char *word)
{
    if (kind_of(o, i) != TOKEN_WORD)
        return false;
    const struct token *token = &o->tokens.items[i];
    return str_is((struct str){o->text.text + token->start, token->end - token->start}, word);
}

/* The word before a `(` and its condition: for `)` that is `if`, `while` and the like. */
static uint32_t word_before(const struct statement_order *o, uint32_t close)
{
    bool has_one =
        kind_of(o, close) == TOKEN_CLOSE && o->partner[close] != NO_TOKEN && o->partner[close] != 0;
    return has_one ? o->partner[close] - 1 : NO_TOKEN;
}

static bool is_loop(const struct statement_order *o, uint32_t i)
{
    return is(o, i, "while") || is(o, i, "for") || is(o, i, "foreach");
}

static bool is_frame(const struct statement_order *o, uint32_t i)
{
    return is(o, i, "lock") || is(o, i, "using") || is(o, i, "fixed");
}

/* --- brackets --------------------------------------------------------------------------------- */

struct open_bracket {
    uint32_t token;
    uint32_t directives; /* #if and the like before it */
};

static bool opens(enum token_kind kind)
{
    return kind == TOKEN_OPEN || kind == TOKEN_OPEN_SQUARE || kind == TOKEN_OPEN_BRACE;
}

static bool closes(enum token_kind kind)
{
    return kind == TOKEN_CLOSE || kind == TOKEN_CLOSE_SQUARE || kind == TOKEN_CLOSE_BRACE;
}

/* Both branches of an #if may have brackets, so those that have one between them have no partner.
 */
static void pair(struct statement_order *o)
{
    struct open_bracket open[NESTED_MAX];
    uint32_t depth = 0, directives = 0, brace = NO_TOKEN;
    for (uint32_t i = 0; i < o->tokens.count; i++) {
        enum token_kind kind = kind_of(o, i);
        o->partner[i] = NO_TOKEN;
        directives += kind == TOKEN_UNKNOWN && o->text.text[o->tokens.items[i].start] == '#';
        if (closes(kind) && depth != 0 && depth-- <= NESTED_MAX) {
            uint32_t other = open[depth].token;
            if (kind_of(o, other) + 1 == kind && open[depth].directives == directives) {
                o->partner[i] = other;
                o->partner[other] = i;
            }
            if (kind == TOKEN_CLOSE_BRACE)
                brace = kind_of(o, other) == TOKEN_OPEN_BRACE ? o->around[other] : NO_TOKEN;
        }
        o->around[i] = brace;
        if (opens(kind) && depth < NESTED_MAX)
            open[depth] = (struct open_bracket){i, directives};
        depth += opens(kind);
        if (kind == TOKEN_OPEN_BRACE)
            brace = depth <= NESTED_MAX ? i : NO_TOKEN;
    }
}

bool statement_order_make(struct statement_order *out, struct str text, struct arena *arena,
                          struct err *err)
{
    *out = (struct statement_order){.text = text};
    if (!tokens_find(&out->tokens, text, arena, err))
        return false;
    out->partner = ARENA_NEW(arena, uint32_t, out->tokens.count, err);
    out->around = ARENA_NEW(arena, uint32_t, out->tokens.count, err);
    if (out->partner == NULL || out->around == NULL)
        return false;
    pair(out);
    return true;
}

/* --- the end of a statement ------------------------------------------------------------------- */

/* The token after a bracket's partner. */
static uint32_t past(const struct statement_order *o, uint32_t i)
{
    return opens(kind_of(o, i)) && o->partner[i] != NO_TOKEN ? o->partner[i] + 1 : NO_TOKEN;
}

static uint32_t past_statement(const struct statement_order *o, uint32_t i, unsigned depth);

/* The token after `while (...);` */
static uint32_t past_while(const struct statement_order *o, uint32_t i)
{
    i = is(o, i, "while") ? past(o, i + 1) : NO_TOKEN;
    return kind_of(o, i) == TOKEN_SEMICOLON ? i + 1 : NO_TOKEN;
}

static uint32_t past_try(const struct statement_order *o, uint32_t i)
{
    i = past(o, i + 1);
    while (is(o, i, "catch") || is(o, i, "finally") || is(o, i, "when") ||
           kind_of(o, i) == TOKEN_OPEN_BRACE || kind_of(o, i) == TOKEN_OPEN)
        i = opens(kind_of(o, i)) ? past(o, i) : i + 1;
    return i;
}

static uint32_t past_semicolon(const struct statement_order *o, uint32_t i)
{
    while (i < o->tokens.count) {
        enum token_kind kind = kind_of(o, i);
        if (kind == TOKEN_SEMICOLON)
            return i + 1;
        if (closes(kind) ||
            (kind == TOKEN_UNKNOWN && o->text.text[o->tokens.items[i].start] == '#'))
            return NO_TOKEN;
        i = opens(kind) ? past(o, i) : i + 1;
    }
    return NO_TOKEN;
}

/* Where the statement inside of another one begins, as of `while (...)` and `label:`; NO_TOKEN if
 * the statement is none of those. */
static uint32_t inner_of(const struct statement_order *o, uint32_t i)
{
    i += is(o, i, "await") && (is(o, i + 1, "foreach") || is(o, i + 1, "using"));
    bool has_head = is(o, i, "if") || is_loop(o, i) || is_frame(o, i) || is(o, i, "switch");
    if (has_head && kind_of(o, i + 1) == TOKEN_OPEN)
        return past(o, i + 1);
    if ((is(o, i, "unsafe") || is(o, i, "checked") || is(o, i, "unchecked")) &&
        kind_of(o, i + 1) == TOKEN_OPEN_BRACE)
        return i + 1;
    if (is(o, i, "do"))
        return i + 1;
    bool is_label =
        kind_of(o, i) == TOKEN_WORD && kind_of(o, i + 1) == TOKEN_COLON && !is(o, i, "default");
    return is_label ? i + 2 : NO_TOKEN;
}

/* The token after the statement that begins with token i, or NO_TOKEN. */
static uint32_t past_statement(const struct statement_order *o, uint32_t i, unsigned depth)
{
    if (depth == NESTED_MAX || i >= o->tokens.count)
        return NO_TOKEN;
    if (kind_of(o, i) == TOKEN_OPEN_BRACE)
        return past(o, i);
    if (is(o, i, "try"))
        return past_try(o, i);
    uint32_t inner = inner_of(o, i);
    if (inner == NO_TOKEN)
        return past_semicolon(o, i);
    uint32_t end = past_statement(o, inner, depth + 1);
    if (is(o, i, "if") && is(o, end, "else"))
        return past_statement(o, end + 1, depth + 1);
    return is(o, i, "do") ? past_while(o, end) : end;
}

/* --- where a break leads ---------------------------------------------------------------------- */

/* The token after the innermost loop without braces that holds token i, in the statement from
 * `start` to `end`. */
static uint32_t past_loop_in(const struct statement_order *o, uint32_t start, uint32_t end,
                             uint32_t i)
{
    uint32_t found = NO_TOKEN;
    for (unsigned depth = 0; start < i && depth < NESTED_MAX; depth++) {
        uint32_t inner = inner_of(o, start);
        if (inner == NO_TOKEN || inner > i)
            break;
        uint32_t first_end = past_statement(o, inner, 0);
        if (is_loop(o, start) || is(o, start, "do") || is(o, start, "await"))
            found = end;
        if (first_end != NO_TOKEN && first_end <= i && is(o, first_end, "else"))
            inner = first_end + 1;
        else
            end = first_end;
        start = inner;
    }
    return found;
}

/* After each `case ...:` and `default:` that stands here. */
static uint32_t past_labels(const struct statement_order *o, uint32_t i)
{
    while (is(o, i, "case") || (is(o, i, "default") && kind_of(o, i + 1) == TOKEN_COLON)) {
        uint32_t questions = 0;
        while (i < o->tokens.count && (kind_of(o, i) != TOKEN_COLON || questions != 0)) {
            questions += kind_of(o, i) == TOKEN_QUESTION;
            questions -= kind_of(o, i) == TOKEN_COLON;
            i = opens(kind_of(o, i)) ? past(o, i) : i + 1;
        }
        i = i < o->tokens.count ? i + 1 : NO_TOKEN;
    }
    return i;
}

/* The token after the switch or loop whose body a brace opens; NO_TOKEN: it is another brace. */
static uint32_t past_body(const struct statement_order *o, uint32_t brace)
{
    uint32_t word = brace != 0 ? word_before(o, brace - 1) : NO_TOKEN;
    if (is_loop(o, word) || is(o, word, "switch"))
        return past(o, brace);
    return brace != 0 && is(o, brace - 1, "do") ? past_while(o, past(o, brace)) : NO_TOKEN;
}

static uint32_t past_broken(const struct statement_order *o, uint32_t i)
{
    for (uint32_t brace = o->around[i]; brace != NO_TOKEN; i = brace, brace = o->around[brace]) {
        uint32_t start = past_labels(o, brace + 1), end = start;
        while (start < i && (end = past_statement(o, start, 0)) <= i)
            start = past_labels(o, end);
        if (start > i || end == NO_TOKEN)
            return NO_TOKEN;
        uint32_t found = past_loop_in(o, start, end, i);
        if (found == NO_TOKEN)
            found = past_body(o, brace);
        if (found != NO_TOKEN)
            return found;
    }
    return NO_TOKEN;
}

/* --- what comes next -------------------------------------------------------------------------- */

/* Where control goes on after a closing brace, as it does from a block, an arm of `if`, and in the
 * end from a loop. */
static uint32_t past_block(const struct statement_order *o, uint32_t close)
{
    uint32_t open = o->partner[close];
    if (open == NO_TOKEN || open == 0)
        return NO_TOKEN;
    uint32_t word = word_before(o, open - 1);
    enum token_kind before = kind_of(o, open - 1);
    if (is(o, open - 1, "do"))
        return past_while(o, close + 1);
    bool goes_on = is(o, word, "if") || is_loop(o, word) || is_frame(o, word) ||
                   is(o, open - 1, "else") || is(o, open - 1, "checked") ||
                   is(o, open - 1, "unchecked") || is(o, open - 1, "unsafe") ||
                   before == TOKEN_SEMICOLON || before == TOKEN_OPEN_BRACE ||
                   before == TOKEN_CLOSE_BRACE || before == TOKEN_COLON;
    return goes_on ? close + 1 : NO_TOKEN;
}

/* The statement to which control comes at token i, after what is before i has completed. Optimised
 * code has no point for the head of a switch. */
static uint32_t statement_at(const struct statement_order *o, uint32_t i)
{
    while (i < o->tokens.count) {
        enum token_kind kind = kind_of(o, i);
        if (kind == TOKEN_CLOSE_BRACE)
            i = past_block(o, i);
        else if (is(o, i, "else"))
            i = past_statement(o, i + 1, 0);
        else if (is(o, i, "switch"))
            i = past_statement(o, i, 0);
        else if (kind == TOKEN_OPEN_BRACE || kind == TOKEN_SEMICOLON)
            i++;
        else if (kind_of(o, i + 1) == TOKEN_COLON || kind_of(o, i + 1) == TOKEN_OPEN_BRACE)
            i = is_loop(o, i) ? NO_TOKEN : inner_of(o, i);
        else
            return kind == TOKEN_WORD ? i : NO_TOKEN;
    }
    return NO_TOKEN;
}

/* If token i is in the head of a loop, the token after that loop. */
static uint32_t past_loop_of(const struct statement_order *o, uint32_t i)
{
    uint32_t start = i, semicolons = 0;
    while (start != 0 && !is_loop(o, start) && semicolons <= 2) { /* `for` has two */
        enum token_kind kind = kind_of(o, --start);
        semicolons += kind == TOKEN_SEMICOLON;
        if (closes(kind) && o->partner[start] != NO_TOKEN)
            start = o->partner[start];
        else if (kind == TOKEN_OPEN_BRACE || closes(kind))
            return NO_TOKEN;
    }
    return is_loop(o, start) && past(o, start + 1) != NO_TOKEN && i < past(o, start + 1)
               ? past_statement(o, start, 0)
               : NO_TOKEN;
}

/* The first token at or after the offset. */
static uint32_t token_from(const struct statement_order *o, uint32_t offset)
{
    uint32_t low = 0, high = o->tokens.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (o->tokens.items[middle].start < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool statement_order_is_break(const struct statement_order *order, uint32_t start)
{
    uint32_t i = token_from(order, start);
    return is(order, i, "break") && order->tokens.items[i].start == start;
}

bool statement_order_next(uint32_t *next, const struct statement_order *order, uint32_t start,
                          uint32_t end)
{
    uint32_t i = token_from(order, start);
    if (is(order, i, "goto") || is(order, i, "continue") || is(order, i, "return"))
        return false;
    uint32_t past = past_loop_of(order, i);
    if (is(order, i, "break"))
        past = past_broken(order, i);
    else if (is(order, i, "switch"))
        past = past_statement(order, i, 0);
    else if (past == NO_TOKEN)
        past = token_from(order, end);
    uint32_t found = statement_at(order, past);
    if (found == NO_TOKEN)
        return false;
    *next = order->tokens.items[found].start;
    return true;
}
