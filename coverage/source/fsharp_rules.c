/* A rule is read backwards from its arrow. Whatever comes before its first `|` is the rule before,
 * whose code has no `|` outside brackets but those of a match in it; so what lies between the last
 * arrow and this one is that code, and then this pattern, which begins with the first `|`. */
#include "coverage/source/fsharp_rules.h"

#include "base/ascii.h"

/* With these, control goes another way than straight on. */
static bool is_control(const struct tokens *tokens, uint32_t n)
{
    return tokens_is(tokens, n,
                     "fun for if then else elif while match try in with function finally");
}

/* No pattern has such a word, so the one before a `|` is in the code of another rule. */
static bool is_of_code(const struct tokens *tokens, uint32_t n)
{
    return is_control(tokens, n) ||
           tokens_is(tokens, n, "let do return yield use begin type lazy assert");
}

static uint32_t start_of_line(struct str text, uint32_t offset)
{
    while (offset != 0 && text.text[offset - 1] != '\n')
        offset--;
    return offset;
}

/* The column of the token if it is the first of its line; else 0. */
static uint32_t leading_column(const struct tokens *tokens, uint32_t n)
{
    uint32_t start = tokens->items[n].start, first = start_of_line(tokens->text, start);
    for (uint32_t i = first; i < start; i++)
        if (!ascii_is_space(tokens->text.text[i]))
            return 0;
    return start - first + 1;
}

/* The first token of the pattern that ends before the arrow; 0: none certainly does. `*bar` is the
 * first of the `|` before and in it, or the count. */
static uint32_t first_of_pattern(uint32_t *bar, const struct tokens *tokens, uint32_t arrow)
{
    uint32_t depth = 0;
    *bar = tokens->count;
    for (uint32_t n = arrow; n-- != 0;) {
        enum token_kind kind = tokens->items[n].kind;
        if (tokens_is_directive(tokens, n))
            return 0;
        if (kind == TOKEN_CLOSE) {
            depth++;
        } else if (kind == TOKEN_OPEN && depth == 0) {
            return 0;
        } else if (kind == TOKEN_OPEN) {
            depth--;
        } else if (depth != 0) {
            continue;
        } else if (tokens_is(tokens, n, "with function")) {
            *bar =
                *bar == n + 1 ? *bar : tokens->count; /* in `with 1 | 2 -> ` it is in the pattern */
            return (*bar == tokens->count ? n : *bar) + 1;
        } else if (kind == TOKEN_ARROW || is_of_code(tokens, n)) {
            return *bar == tokens->count ? 0 : *bar + 1;
        } else if (kind == TOKEN_BAR) {
            *bar = n;
        }
    }
    return 0;
}

/* The arrow before the code that goes straight on to token `n`; 0: there is none. */
static uint32_t arrow_before(const struct tokens *tokens, uint32_t n)
{
    while (n-- != 0) {
        enum token_kind kind = tokens->items[n].kind;
        if (kind == TOKEN_ARROW)
            return n;
        if (kind == TOKEN_BAR || kind == TOKEN_CLOSE || tokens_is_directive(tokens, n) ||
            kind == TOKEN_SEMICOLON || is_control(tokens, n))
            return 0;
    }
    return 0;
}

/* Lines after that of the arrow are further to the right than the rule, or else the match has come
 * to its end. */
static bool is_in_rule(const struct tokens *tokens, uint32_t arrow, uint32_t n, uint32_t column)
{
    uint32_t line = start_of_line(tokens->text, tokens->items[n].start);
    uint32_t first = line;
    while (first < tokens->text.len && ascii_is_space(tokens->text.text[first]))
        first++;
    return arrow + 1 == n || line <= tokens->items[arrow].start ||
           (column != 0 && first - line + 1 > column);
}

bool fsharp_rule_before(struct fsharp_rule *out, const struct tokens *tokens, uint32_t offset)
{
    uint32_t n = tokens_from(tokens, offset), bar;
    *out = (struct fsharp_rule){0};
    if (tokens->items[n].start != offset || n == tokens->count)
        return false;
    uint32_t arrow = arrow_before(tokens, n);
    uint32_t first = arrow != 0 ? first_of_pattern(&bar, tokens, arrow) : 0;
    if (first == 0 || first >= arrow)
        return false;
    uint32_t before = bar == tokens->count ? first : bar;
    uint32_t column = leading_column(tokens, before);
    if (!is_in_rule(tokens, arrow, n, column))
        return false;
    *out = (struct fsharp_rule){
        .start = tokens->items[first].start, .end = tokens->items[arrow - 1].end, .column = column};
    if (before != 0 && tokens_is(tokens, before - 1, "function")) {
        out->function_start = tokens->items[before - 1].start;
        out->function_end = tokens->items[before - 1].end;
    }
    return true;
}
