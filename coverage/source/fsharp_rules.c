/* A rule is read backwards from its arrow. Whatever comes before its first `|` is the rule before,
 * whose code has no `|` outside brackets but those of a match in it; so what lies between the last
 * arrow and this one is that code, and then this pattern, which begins with the first `|`. */
#include "coverage/source/fsharp_rules.h"

#include "base/ascii.h"
#include "base/list.h"
#include "base/number.h"
#include "base/sort.h"
#include "coverage/source/comments.h"

enum kind {
    KIND_WORD, /* a number or literal, too */
    KIND_BAR,
    KIND_ARROW,
    KIND_OPEN,
    KIND_CLOSE,
    KIND_OPERATOR, /* all other signs */
    KIND_DIRECTIVE
};

struct fsharp_token {
    enum kind kind;
    uint32_t start, end;
};

/* --- tokens ----------------------------------------------------------------------------------- */

static bool is_of_word(char c)
{
    return ascii_is_word(c) || c == '\'';
}

static bool is_of_operator(char c)
{
    return c != '\0' && strchr("!%&*+-./<=>?@^|~:$", c) != NULL;
}

static char at(struct str text, uint32_t i)
{
    return i < text.len ? text.text[i] : '\0';
}

/* `[|`, `{|`, and `(|` of an active pattern. */
static bool opens_with_bar(struct str text, uint32_t i)
{
    return at(text, i + 1) == '|' && (at(text, i) != '(' || at(text, i + 2) != ')');
}

static bool closes_with_bar(struct str text, uint32_t i)
{
    char next = at(text, i + 1);
    return at(text, i) == '|' && (next == ')' || next == ']' || next == '}');
}

static struct fsharp_token read_operator(struct str text, uint32_t start)
{
    uint32_t end = start;
    while (is_of_operator(at(text, end)) && !closes_with_bar(text, end))
        end++;
    struct str sign = {text.text + start, end - start};
    enum kind kind = str_is(sign, "|") ? KIND_BAR : str_is(sign, "->") ? KIND_ARROW : KIND_OPERATOR;
    return (struct fsharp_token){kind, start, end};
}

static struct fsharp_token read_quoted(struct str text, uint32_t start)
{
    uint32_t end = start + 2;
    while (end < text.len && !(at(text, end) == '`' && at(text, end + 1) == '`'))
        end++;
    return (struct fsharp_token){KIND_WORD, start,
                                 end + 2 < text.len ? end + 2 : (uint32_t)text.len};
}

/* `starts_line`: nothing but white space is before it. */
static struct fsharp_token read_token(struct str text, uint32_t start, bool starts_line)
{
    char c = text.text[start];
    if (closes_with_bar(text, start))
        return (struct fsharp_token){KIND_CLOSE, start, start + 2};
    if (c == '(' || c == '[' || c == '{')
        return (struct fsharp_token){KIND_OPEN, start, start + 1 + opens_with_bar(text, start)};
    if (c == ')' || c == ']' || c == '}')
        return (struct fsharp_token){KIND_CLOSE, start, start + 1};
    if (c == '#' && starts_line)
        return (struct fsharp_token){KIND_DIRECTIVE, start, start + 1};
    if (c == '`' && at(text, start + 1) == '`')
        return read_quoted(text, start);
    if (is_of_operator(c))
        return read_operator(text, start);
    uint32_t end = start;
    while (is_of_word(at(text, end)))
        end++;
    if (end > start)
        return (struct fsharp_token){KIND_WORD, start, end};
    return (struct fsharp_token){KIND_OPERATOR, start, start + 1};
}

bool fsharp_tokens_find(struct fsharp_tokens *out, struct str text, struct arena *arena,
                        struct err *err)
{
    struct list found = {0};
    bool starts_line = true;
    for (uint32_t i = 0; i < text.len;) {
        char c = text.text[i];
        if (ascii_is_space(c)) {
            starts_line |= c == '\n';
            i++;
            continue;
        }
        size_t len = comments_skip(str_from(text, i), LANGUAGE_FSHARP);
        bool is_comment = len != 0 && (c == '/' || c == '(');
        struct fsharp_token token = {KIND_WORD, i, i + (uint32_t)len};
        if (len == 0)
            token = read_token(text, i, starts_line);
        i = token.end;
        if (is_comment)
            continue;
        struct fsharp_token *added = list_add(&found, sizeof *added, arena, err);
        if (added == NULL)
            return false;
        *added = token;
        starts_line = false;
    }
    *out = (struct fsharp_tokens){text, found.items, found.count};
    return true;
}

/* --- rules ------------------------------------------------------------------------------------ */

static bool is_word(const struct fsharp_tokens *tokens, uint32_t n, const char *words)
{
    const struct fsharp_token *token = &tokens->items[n];
    return str_is_one_of((struct str){tokens->text.text + token->start, token->end - token->start},
                         words);
}

/* With these, control goes another way than straight on. */
static bool is_control(const struct fsharp_tokens *tokens, uint32_t n)
{
    return is_word(tokens, n, "fun for if then else elif while match try in with function finally");
}

/* No pattern has such a word, so the one before a `|` is in the code of another rule. */
static bool is_of_code(const struct fsharp_tokens *tokens, uint32_t n)
{
    return is_control(tokens, n) ||
           is_word(tokens, n, "let do return yield use begin type lazy assert");
}

static int order_tokens(const void *left, const void *right)
{
    const struct fsharp_token *a = left, *b = right;
    return number_order(a->start, b->start);
}

/* The token that begins at the offset; the count if none does. */
static uint32_t token_at(const struct fsharp_tokens *tokens, uint32_t offset)
{
    const struct fsharp_token key = {.start = offset};
    uint32_t n =
        (uint32_t)sorted_place(&key, tokens->items, tokens->count, sizeof key, order_tokens);
    return n < tokens->count && tokens->items[n].start == offset ? n : tokens->count;
}

static uint32_t start_of_line(struct str text, uint32_t offset)
{
    while (offset != 0 && text.text[offset - 1] != '\n')
        offset--;
    return offset;
}

/* The column of the token if it is the first of its line; else 0. */
static uint32_t leading_column(const struct fsharp_tokens *tokens, uint32_t n)
{
    uint32_t start = tokens->items[n].start, first = start_of_line(tokens->text, start);
    for (uint32_t i = first; i < start; i++)
        if (!ascii_is_space(tokens->text.text[i]))
            return 0;
    return start - first + 1;
}

/* The first token of the pattern that ends before the arrow; 0: none certainly does. `*bar` is the
 * first of the `|` before and in it, or the count. */
static uint32_t first_of_pattern(uint32_t *bar, const struct fsharp_tokens *tokens, uint32_t arrow)
{
    uint32_t depth = 0;
    *bar = tokens->count;
    for (uint32_t n = arrow; n-- != 0;) {
        enum kind kind = tokens->items[n].kind;
        if (kind == KIND_DIRECTIVE)
            return 0;
        if (kind == KIND_CLOSE) {
            depth++;
        } else if (kind == KIND_OPEN && depth == 0) {
            return 0;
        } else if (kind == KIND_OPEN) {
            depth--;
        } else if (depth != 0) {
            continue;
        } else if (is_word(tokens, n, "with function")) {
            return (*bar == tokens->count ? n : *bar) + 1;
        } else if (kind == KIND_ARROW || is_of_code(tokens, n)) {
            return *bar == tokens->count ? 0 : *bar + 1;
        } else if (kind == KIND_BAR) {
            *bar = n;
        }
    }
    return 0;
}

/* The arrow before the code that goes straight on to token `n`; 0: there is none. */
static uint32_t arrow_before(const struct fsharp_tokens *tokens, uint32_t n)
{
    while (n-- != 0) {
        enum kind kind = tokens->items[n].kind;
        if (kind == KIND_ARROW)
            return n;
        if (kind == KIND_BAR || kind == KIND_CLOSE || kind == KIND_DIRECTIVE ||
            is_word(tokens, n, ";") || is_control(tokens, n))
            return 0;
    }
    return 0;
}

/* Lines after that of the arrow are further to the right than the rule, or else the match has come
 * to its end. */
static bool is_in_rule(const struct fsharp_tokens *tokens, uint32_t arrow, uint32_t n,
                       uint32_t column)
{
    uint32_t line = start_of_line(tokens->text, tokens->items[n].start);
    uint32_t first = line;
    while (first < tokens->text.len && ascii_is_space(tokens->text.text[first]))
        first++;
    return arrow + 1 == n || line <= tokens->items[arrow].start ||
           (column != 0 && first - line + 1 > column);
}

bool fsharp_rule_before(struct fsharp_rule *out, const struct fsharp_tokens *tokens,
                        uint32_t offset)
{
    uint32_t n = token_at(tokens, offset), bar;
    *out = (struct fsharp_rule){0};
    if (n == tokens->count)
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
    if (before != 0 && is_word(tokens, before - 1, "function")) {
        out->function_start = tokens->items[before - 1].start;
        out->function_end = tokens->items[before - 1].end;
    }
    return true;
}
