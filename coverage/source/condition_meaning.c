/* From the loosest to the tightest operator (C# standard, 12.4.2):  | ^ & , == != , < > <= >= is ,
 * then ! . The tree of the statement (expression_tree.h) has taken && || ?: and ?? away. */
#include "coverage/source/condition_meaning.h"

#include <string.h>

enum {
    NESTING_MAX = 32 /* of comparisons with true and false */
};

struct meaning_reading {
    const struct tokens *tokens;
    struct condition_meaning *out;
    unsigned nesting;
};

/* Tokens [first, end). */
struct token_range {
    uint32_t first, end;
};

static void read_expression(struct meaning_reading *r, struct token_range in);

/* --- tokens ----------------------------------------------------------------------------------- */

static bool is_kind_at(const struct meaning_reading *r, uint32_t at, enum token_kind kind)
{
    return r->tokens->items[at].kind == kind;
}

/* The token after this one, or after all in brackets if it opens them. */
static uint32_t past_token(const struct meaning_reading *r, uint32_t at, uint32_t end)
{
    const struct token *token = &r->tokens->items[at];
    if (!token_opens(token->kind))
        return at + 1;
    return token->partner < end ? token->partner + 1 : end;
}

/* The whole is in brackets, or in those of checked() and unchecked(). */
static bool strip_brackets(const struct meaning_reading *r, struct token_range *in)
{
    uint32_t open = in->first;
    if (tokens_is(r->tokens, open, "checked unchecked"))
        open++;
    if (open + 2 >= in->end || !is_kind_at(r, open, TOKEN_OPEN) ||
        past_token(r, open, in->end) != in->end)
        return false;
    *in = (struct token_range){open + 1, in->end - 1};
    return true;
}

/* --- what stands at the top of a range -------------------------------------------------------- */

struct top {
    uint32_t equality, relation, is; /* the last of each, or 0 */
    uint32_t relations;              /* signs that may also enclose type arguments */
    uint32_t bits;                   /* the loosest of & ^ | */
    bool arithmetic;                 /* + - * / and the like */
    bool others;                     /* operators that this file does not know */
};

static int rank_bits(const struct meaning_reading *r, uint32_t at)
{
    return is_kind_at(r, at, TOKEN_OR)          ? 5
           : is_kind_at(r, at, TOKEN_AND)       ? 4
           : tokens_is_sign(r->tokens, at, "|") ? 3
           : tokens_is_sign(r->tokens, at, "^") ? 2
           : tokens_is_sign(r->tokens, at, "&") ? 1
                                                : 0;
}

/* A sign before which a value must stand, or else it belongs to what follows: -1, &x. */
static bool is_binary(const struct meaning_reading *r, struct token_range in, uint32_t at)
{
    return at != in.first && at + 1 != in.end &&
           token_is_one_of(r->tokens->items[at - 1].kind,
                           ONE(TOKEN_WORD) | ONE(TOKEN_NUMBER) | ONE(TOKEN_LITERAL) |
                               ONE(TOKEN_CLOSE) | ONE(TOKEN_CLOSE_SQUARE) | ONE(TOKEN_CLOSE_BRACE));
}

static void note_operator(struct top *top, const struct meaning_reading *r, struct token_range in,
                          uint32_t at)
{
    int rank = rank_bits(r, at);
    if (rank == 0)
        top->arithmetic = true;
    else if (is_binary(r, in, at) && (top->bits == 0 || rank >= rank_bits(r, top->bits)))
        top->bits = at;
}

static bool is_unknown(const struct meaning_reading *r, struct token_range in, uint32_t at)
{
    bool indexes = at + 1 < in.end && is_kind_at(r, at + 1, TOKEN_OPEN_SQUARE); /* a?[0] */
    return tokens_is(r->tokens, at, "switch with throw from delegate") ||
           (is_kind_at(r, at, TOKEN_QUESTION) && !indexes) ||
           token_is_one_of(r->tokens->items[at].kind,
                           ONE(TOKEN_COALESCE) | ONE(TOKEN_COALESCE_ASSIGN) | ONE(TOKEN_ARROW) |
                               ONE(TOKEN_ASSIGN) | ONE(TOKEN_COLON) | ONE(TOKEN_COMMA) |
                               ONE(TOKEN_SEMICOLON) | ONE(TOKEN_UNKNOWN));
}

/* Two signs that touch; after a `<` they may end type arguments. */
static bool is_shift(const struct meaning_reading *r, struct token_range in, uint32_t at)
{
    const struct token *token = &r->tokens->items[at];
    return token->kind == TOKEN_GREATER && at + 1 < in.end && token[1].kind == TOKEN_GREATER &&
           token->end == token[1].start;
}

static struct top survey_range(const struct meaning_reading *r, struct token_range in)
{
    struct top top = {0};
    for (uint32_t at = in.first, next; at < in.end; at = next) {
        enum token_kind kind = r->tokens->items[at].kind;
        next = past_token(r, at, in.end);
        if (token_opens(kind))
            continue;
        if (kind == TOKEN_EQUALITY) {
            top.equality = at;
        } else if (top.relations == 0 && is_shift(r, in, at)) {
            top.arithmetic = true;
            next++;
        } else if (kind == TOKEN_LESS || kind == TOKEN_GREATER || kind == TOKEN_RELATION) {
            top.relation = at;
            top.relations++;
        } else if (token_is_one_of(kind, ONE(TOKEN_OPERATOR) | ONE(TOKEN_AND) | ONE(TOKEN_OR))) {
            note_operator(&top, r, in, at);
        } else if (at != in.first && tokens_is(r->tokens, at, "is")) {
            top.is = at;
        } else {
            top.others |= is_unknown(r, in, at);
        }
    }
    return top;
}

/* --- constants -------------------------------------------------------------------------------- */

/* 0, 0L, 0u; not 0.0, which the code compares as any other number. */
static bool is_zero_text(struct str number)
{
    struct str rest = str_trim_start(number, "0");
    return rest.len != number.len && str_trim_start(rest, "uUlL").len == 0;
}

static enum condition_literal literal_of(const struct meaning_reading *r, struct token_range in)
{
    bool forgives;
    while ((forgives = in.end > in.first + 1 && is_kind_at(r, in.end - 1, TOKEN_NOT)) ||
           strip_brackets(r, &in)) /* null! */
        in.end -= forgives;
    if (in.end != in.first + 1)
        return LITERAL_NONE;
    if (tokens_is(r->tokens, in.first, "true"))
        return LITERAL_TRUE;
    bool is_zero_number =
        is_kind_at(r, in.first, TOKEN_NUMBER) && is_zero_text(tokens_text(r->tokens, in.first));
    return is_zero_number || tokens_is(r->tokens, in.first, "null nothing false default") ||
                   tokens_is_sign(r->tokens, in.first, "'\\0'")
               ? LITERAL_ZERO
               : LITERAL_NONE;
}

/* --- patterns --------------------------------------------------------------------------------- */

static enum relation order_of(const struct meaning_reading *r, uint32_t at)
{
    struct str sign = tokens_text(r->tokens, at);
    return str_is(sign, "<")    ? RELATION_LESS
           : str_is(sign, "<=") ? RELATION_LESS_EQUAL
           : str_is(sign, ">")  ? RELATION_GREATER
           : str_is(sign, ">=") ? RELATION_GREATER_EQUAL
                                : RELATION_UNKNOWN;
}

static enum relation read_named(const struct meaning_reading *r, struct token_range in)
{
    uint32_t past = in.first + 1;
    while (past + 1 < in.end && is_kind_at(r, past, TOKEN_DOT) &&
           is_kind_at(r, past + 1, TOKEN_WORD))
        past += 2;
    if (tokens_is(r->tokens, in.first, "null"))
        return past == in.end ? RELATION_NULL : RELATION_UNKNOWN;
    if (tokens_is(r->tokens, in.first,
                  "default var true false")) /* of a value that may be inverted */
        return RELATION_UNKNOWN;
    if (keyword_type(tokens_text(r->tokens, in.first)) != NULL)
        return past == in.first + 1 ? RELATION_TYPE : RELATION_UNKNOWN;
    if (past == in.end)
        return RELATION_NAME;
    /* `T t`, `List<int>`, `T[]` */
    bool names = past + 1 == in.end && is_kind_at(r, past, TOKEN_WORD);
    bool has_arguments =
        is_kind_at(r, past, TOKEN_LESS) &&
        (is_kind_at(r, in.end - 1, TOKEN_GREATER) || is_kind_at(r, in.end - 1, TOKEN_WORD));
    bool is_array =
        is_kind_at(r, past, TOKEN_OPEN_SQUARE) && is_kind_at(r, past + 1, TOKEN_CLOSE_SQUARE);
    return names || has_arguments || is_array ? RELATION_TYPE : RELATION_UNKNOWN;
}

static void read_pattern(struct meaning_reading *r, struct token_range in)
{
    struct condition_meaning *out = r->out;
    bool is_not;
    while ((is_not = in.first < in.end && tokens_is(r->tokens, in.first, "not")) ||
           strip_brackets(r, &in)) {
        out->negated ^= is_not;
        in.first += is_not;
    }
    for (uint32_t at = in.first; at < in.end; at++)
        if (tokens_is(r->tokens, at, "and or"))
            return;
    if (in.first >= in.end)
        return;
    enum token_kind kind = r->tokens->items[in.first].kind;
    bool is_constant = in.first + 1 == in.end && (kind == TOKEN_NUMBER || kind == TOKEN_LITERAL);
    bool is_negative = in.first + 2 == in.end && tokens_is_sign(r->tokens, in.first, "-");
    out->relation = order_of(r, in.first);
    if (out->relation != RELATION_UNKNOWN) {
        out->right = literal_of(r, (struct token_range){in.first + 1, in.end});
    } else if (is_negative || is_constant) {
        out->relation = RELATION_CONSTANT;
        out->right = literal_of(r, in);
    } else if (kind == TOKEN_OPEN_BRACE) { /* `{ } x` */
        bool is_empty = is_kind_at(r, in.first + 1, TOKEN_CLOSE_BRACE) && in.first + 3 >= in.end;
        out->relation = is_empty ? RELATION_OBJECT : RELATION_UNKNOWN;
    } else if (kind == TOKEN_WORD) {
        out->relation = read_named(r, in);
    }
}

/* After `A:`; a property is not inverted where it is asked. */
static void read_property_test(struct meaning_reading *r, struct token_range in)
{
    bool is_bool = in.first + 1 == in.end && tokens_is(r->tokens, in.first, "true false");
    if (!is_bool) {
        read_pattern(r, in);
        return;
    }
    r->out->relation = RELATION_CONSTANT;
    r->out->right = literal_of(r, in);
}

/* --- expressions ------------------------------------------------------------------------------ */

static void read_compared(struct meaning_reading *r, struct token_range left,
                          struct token_range right, enum relation relation)
{
    r->out->relation = relation;
    r->out->left = literal_of(r, left);
    r->out->right = literal_of(r, right);
}

/* `e == true` and `e is true` are e itself, which the compiler may invert; false if the second is
 * no such constant. */
static bool read_bool(struct meaning_reading *r, struct token_range in, struct token_range constant)
{
    bool is_true = tokens_is(r->tokens, constant.first, "true");
    if (constant.first + 1 != constant.end ||
        (!is_true && !tokens_is(r->tokens, constant.first, "false")))
        return false;
    r->out->negated ^= !is_true;
    if (r->nesting++ < NESTING_MAX)
        read_expression(r, in);
    return true;
}

static void read_equality(struct meaning_reading *r, struct token_range in, uint32_t at)
{
    struct token_range left = {in.first, at}, right = {at + 1, in.end};
    r->out->negated ^= tokens_is_sign(r->tokens, at, "!=");
    if (!read_bool(r, left, right) && !read_bool(r, right, left))
        read_compared(r, left, right, RELATION_EQUAL);
}

static void read_is(struct meaning_reading *r, struct token_range in, uint32_t at)
{
    struct token_range value = {in.first, at}, pattern = {at + 1, in.end}, plain = pattern;
    bool negated = pattern.first < pattern.end && tokens_is(r->tokens, pattern.first, "not");
    plain.first += negated;
    if (read_bool(r, value, plain))
        r->out->negated ^= negated;
    else
        read_pattern(r, pattern);
}

/* A value without an operator. Two signs enclose type arguments. */
static void read_plain_value(struct meaning_reading *r, struct token_range in,
                             const struct top *top)
{
    uint32_t last = in.end - 1;
    bool is_whole =
        (is_kind_at(r, last, TOKEN_WORD) || token_closes(r->tokens->items[last].kind)) &&
        !token_closes(r->tokens->items[in.first].kind);
    if (top->arithmetic || top->relations > 2 || !is_whole)
        return;
    if (is_kind_at(r, last, TOKEN_CLOSE)) /* of the arguments: the name before them */
        for (last = in.first; past_token(r, last, in.end) != in.end;)
            last++;
    bool calls = last != in.end - 1 && last > in.first;
    r->out->relation = calls && tokens_is(r->tokens, last - 1, "ReferenceEquals") ? RELATION_EQUAL
                                                                                  : RELATION_TRUTH;
    r->out->asks_has_value = tokens_is(r->tokens, in.end - 1, "HasValue");
}

/* The loosest operator decides. */
static void read_operator(struct meaning_reading *r, struct token_range in, const struct top *top)
{
    bool joins = top->bits != 0 && rank_bits(r, top->bits) > 3; /* && or || */
    if (top->is != 0 && top->equality == 0 && top->bits == 0) {
        read_is(r, in, top->is);
    } else if ((top->is != 0 && !joins) || top->others) {
        return;
    } else if (top->bits != 0) {
        r->out->relation = RELATION_BITS;
        r->out->bits = *tokens_text(r->tokens, top->bits).text;
    } else if (top->equality != 0) {
        read_equality(r, in, top->equality);
    } else if (top->relations == 1) {
        read_compared(r, (struct token_range){in.first, top->relation},
                      (struct token_range){top->relation + 1, in.end}, order_of(r, top->relation));
    } else {
        read_plain_value(r, in, top);
    }
}

static void read_expression(struct meaning_reading *r, struct token_range in)
{
    while (in.first < in.end) {
        if (strip_brackets(r, &in))
            continue;
        if (in.end - in.first > 2 && is_kind_at(r, in.end - 2, TOKEN_COALESCE) &&
            tokens_is(r->tokens, in.end - 1, "true false")) {
            in.end -= 2; /* what there is instead of null */
            continue;
        }
        struct top top = survey_range(r, in);
        bool has_operator =
            top.is != 0 || top.others || top.bits != 0 || top.equality != 0 || top.relations == 1;
        if (has_operator || !is_kind_at(r, in.first, TOKEN_NOT)) {
            read_operator(r, in, &top);
            return;
        }
        r->out->negated = !r->out->negated;
        in.first++;
    }
}

struct condition_meaning condition_meaning_of(const struct tokens *tokens, uint32_t first,
                                              uint32_t end, bool is_pattern)
{
    struct condition_meaning out = {.relation = RELATION_UNKNOWN};
    struct meaning_reading r = {tokens, &out, 0};
    for (uint32_t i = first; i < end; i++)
        out.has_and |= tokens_is_sign(tokens, i, "&");
    if (is_pattern && first + 2 < end && is_kind_at(&r, first + 1, TOKEN_COLON))
        read_property_test(&r, (struct token_range){first + 2, end});
    else if (is_pattern)
        read_pattern(&r, (struct token_range){first, end});
    else
        read_expression(&r, (struct token_range){first, end});
    return out;
}

struct condition_meaning condition_meaning_compared(const struct tokens *tokens, uint32_t first,
                                                    uint32_t end)
{
    struct condition_meaning out = {.relation = RELATION_EQUAL};
    struct meaning_reading r = {tokens, &out, 0};
    if (token_is_one_of(tokens_kind(tokens, first),
                        ONE(TOKEN_LESS) | ONE(TOKEN_GREATER) | ONE(TOKEN_RELATION)))
        out.relation = order_of(&r, first++);
    else if (tokens_kind(tokens, first) == TOKEN_EQUALITY)
        out.negated = tokens_is_sign(tokens, first++, "!=");
    out.right = literal_of(&r, (struct token_range){first, end});
    return out;
}
