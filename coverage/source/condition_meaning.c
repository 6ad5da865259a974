/* From the loosest to the tightest operator (C# standard, 12.4.2):  | ^ & , == != , < > <= >= is ,
 * then ! . The tree of the statement (expression_tree.h) has taken && || ?: and ?? away. */
#include "coverage/source/condition_meaning.h"

#include <string.h>

#include "coverage/source/tokens.h"

enum {
    NESTING_MAX = 32 /* of comparisons with true and false */
};

struct reading {
    struct str text;
    const struct token *tokens;
    struct condition_meaning *out;
    unsigned nesting;
};

/* Tokens [first, end). */
struct range {
    uint32_t first, end;
};

static void read_expression(struct reading *r, struct range in);

/* --- tokens ----------------------------------------------------------------------------------- */

static struct str word(const struct reading *r, uint32_t at)
{
    const struct token *token = &r->tokens[at];
    return (struct str){r->text.text + token->start, token->end - token->start};
}

static bool is_word(const struct reading *r, uint32_t at, const char *wanted)
{
    return r->tokens[at].kind == TOKEN_WORD && str_is(word(r, at), wanted);
}

static bool is_sign(const struct reading *r, uint32_t at, const char *wanted)
{
    return str_is(word(r, at), wanted);
}

static bool is_kind(const struct reading *r, uint32_t at, enum token_kind kind)
{
    return r->tokens[at].kind == kind;
}

static bool opens(const struct reading *r, uint32_t at)
{
    return is_kind(r, at, TOKEN_OPEN) || is_kind(r, at, TOKEN_OPEN_SQUARE) ||
           is_kind(r, at, TOKEN_OPEN_BRACE);
}

static bool closes(const struct reading *r, uint32_t at)
{
    return is_kind(r, at, TOKEN_CLOSE) || is_kind(r, at, TOKEN_CLOSE_SQUARE) ||
           is_kind(r, at, TOKEN_CLOSE_BRACE);
}

/* The token after the bracket that closes the one at `at`, or the end. */
static uint32_t past_brackets(const struct reading *r, uint32_t at, uint32_t end)
{
    uint32_t depth = 0;
    for (; at < end; at++) {
        depth += opens(r, at);
        depth -= closes(r, at) && depth != 0;
        if (depth == 0)
            return at + 1;
    }
    return end;
}

/* A sign before which a value must stand, or else it belongs to what follows: -1, &x. */
static bool is_binary(const struct reading *r, struct range in, uint32_t at)
{
    if (at == in.first || at + 1 == in.end)
        return false;
    const enum token_kind before = r->tokens[at - 1].kind;
    return before == TOKEN_WORD || before == TOKEN_NUMBER || before == TOKEN_LITERAL ||
           closes(r, at - 1);
}

/* --- what stands at the top of a range -------------------------------------------------------- */

struct top {
    uint32_t equality, relation, is; /* the last of each, or 0 */
    uint32_t relations;              /* signs that may also enclose type arguments */
    uint32_t bits;                   /* the loosest of & ^ | */
    bool arithmetic;                 /* + - * / and the like */
    bool others;                     /* operators that this file does not know */
};

static int rank_bits(const struct reading *r, uint32_t at)
{
    return is_sign(r, at, "|") ? 3 : is_sign(r, at, "^") ? 2 : is_sign(r, at, "&") ? 1 : 0;
}

static bool is_unknown(const struct reading *r, struct range in, uint32_t at)
{
    static const char *const words[] = {"switch", "with", "throw", "from", "delegate"};
    static const enum token_kind kinds[] = {
        TOKEN_AND,    TOKEN_OR,    TOKEN_COALESCE, TOKEN_COALESCE_ASSIGN, TOKEN_ARROW,
        TOKEN_ASSIGN, TOKEN_COLON, TOKEN_COMMA,    TOKEN_SEMICOLON,       TOKEN_UNKNOWN};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(r, at, words[i]))
            return true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (is_kind(r, at, kinds[i]))
            return true;
    bool indexes = at + 1 < in.end && is_kind(r, at + 1, TOKEN_OPEN_SQUARE); /* a?[0] */
    return is_kind(r, at, TOKEN_QUESTION) && !indexes;
}

static void note_operator(struct top *top, const struct reading *r, struct range in, uint32_t at)
{
    int rank = rank_bits(r, at);
    if (rank == 0)
        top->arithmetic = true;
    else if (is_binary(r, in, at) && (top->bits == 0 || rank >= rank_bits(r, top->bits)))
        top->bits = at;
}

/* Two signs that touch; after a `<` they may end type arguments. */
static bool is_shift(const struct reading *r, struct range in, uint32_t at)
{
    return is_kind(r, at, TOKEN_GREATER) && at + 1 < in.end && is_kind(r, at + 1, TOKEN_GREATER) &&
           r->tokens[at].end == r->tokens[at + 1].start;
}

static struct top survey(const struct reading *r, struct range in)
{
    struct top top = {0};
    for (uint32_t at = in.first; at < in.end; at++) {
        enum token_kind kind = r->tokens[at].kind;
        if (opens(r, at)) {
            at = past_brackets(r, at, in.end) - 1;
        } else if (kind == TOKEN_EQUALITY) {
            top.equality = at;
        } else if (top.relations == 0 && is_shift(r, in, at)) {
            top.arithmetic = true;
            at++;
        } else if (kind == TOKEN_LESS || kind == TOKEN_GREATER || kind == TOKEN_RELATION) {
            top.relation = at;
            top.relations++;
        } else if (kind == TOKEN_OPERATOR) {
            note_operator(&top, r, in, at);
        } else if (at != in.first && is_word(r, at, "is")) {
            top.is = at;
        } else {
            top.others |= is_unknown(r, in, at);
        }
    }
    return top;
}

/* --- constants -------------------------------------------------------------------------------- */

/* 0, 0L, 0u; not 0.0, which the code compares as any other number. */
static bool is_zero(struct str number)
{
    size_t i = 0;
    while (i < number.len && number.text[i] == '0')
        i++;
    bool has_digit = i != 0;
    while (i < number.len && strchr("uUlL", number.text[i]) != NULL)
        i++;
    return has_digit && i == number.len;
}

static enum condition_literal literal_of(const struct reading *r, struct range in)
{
    while (in.end > in.first + 2 && is_kind(r, in.first, TOKEN_OPEN) &&
           past_brackets(r, in.first, in.end) == in.end)
        in = (struct range){in.first + 1, in.end - 1};
    if (in.end != in.first + 1)
        return LITERAL_NONE;
    if (is_word(r, in.first, "true"))
        return LITERAL_TRUE;
    bool is_zero_word = is_word(r, in.first, "null") || is_word(r, in.first, "false") ||
                        is_word(r, in.first, "default");
    bool is_zero_number = is_kind(r, in.first, TOKEN_NUMBER) && is_zero(word(r, in.first));
    return is_zero_word || is_zero_number || str_is(word(r, in.first), "'\\0'") ? LITERAL_ZERO
                                                                                : LITERAL_NONE;
}

/* --- patterns --------------------------------------------------------------------------------- */

static enum condition_relation relation_of(const struct reading *r, uint32_t at)
{
    return is_sign(r, at, "<")    ? MEANS_LESS
           : is_sign(r, at, "<=") ? MEANS_LESS_EQUAL
           : is_sign(r, at, ">")  ? MEANS_GREATER
           : is_sign(r, at, ">=") ? MEANS_GREATER_EQUAL
                                  : MEANS_UNKNOWN;
}

static bool is_keyword_type(const struct reading *r, uint32_t at)
{
    static const char *const types[] = {"bool",  "byte",   "sbyte", "char",   "decimal", "double",
                                        "float", "int",    "uint",  "long",   "ulong",   "short",
                                        "nint",  "ushort", "nuint", "string", "object"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (is_word(r, at, types[i]))
            return true;
    return false;
}

/* A dotted name: its end. */
static uint32_t past_name(const struct reading *r, struct range in)
{
    uint32_t at = in.first + 1;
    while (at + 1 < in.end && is_kind(r, at, TOKEN_DOT) && is_kind(r, at + 1, TOKEN_WORD))
        at += 2;
    return at;
}

static void read_named(struct reading *r, struct range in)
{
    struct condition_meaning *out = r->out;
    uint32_t past = past_name(r, in);
    if (is_word(r, in.first, "null") || is_word(r, in.first, "default")) {
        out->relation = past == in.end && is_word(r, in.first, "null") ? MEANS_NULL : MEANS_UNKNOWN;
    } else if (is_word(r, in.first, "true") || is_word(r, in.first, "false")) {
        out->relation = MEANS_UNKNOWN; /* of a value that may be inverted (read_bool) */
    } else if (is_word(r, in.first, "var")) {
        out->relation = MEANS_UNKNOWN;
    } else if (is_keyword_type(r, in.first)) {
        out->relation = past == in.first + 1 ? MEANS_TYPE : MEANS_UNKNOWN;
    } else if (past == in.end) {
        out->relation = MEANS_NAME;
    } else { /* `T t`, `List<int>`, `T[]` */
        bool names = past + 1 == in.end && is_kind(r, past, TOKEN_WORD);
        bool has_arguments =
            is_kind(r, past, TOKEN_LESS) &&
            (is_kind(r, in.end - 1, TOKEN_GREATER) || is_kind(r, in.end - 1, TOKEN_WORD));
        bool is_array =
            is_kind(r, past, TOKEN_OPEN_SQUARE) && is_kind(r, past + 1, TOKEN_CLOSE_SQUARE);
        out->relation = names || has_arguments || is_array ? MEANS_TYPE : MEANS_UNKNOWN;
    }
}

static void read_pattern(struct reading *r, struct range in)
{
    struct condition_meaning *out = r->out;
    for (;; in.first++) {
        if (in.first < in.end && is_word(r, in.first, "not")) {
            out->negated = !out->negated;
        } else if (in.end > in.first + 2 && is_kind(r, in.first, TOKEN_OPEN) &&
                   past_brackets(r, in.first, in.end) == in.end) {
            in.end--;
        } else {
            break;
        }
    }
    if (in.first >= in.end)
        return;
    for (uint32_t at = in.first; at < in.end; at++)
        if (is_word(r, at, "and") || is_word(r, at, "or"))
            return;
    enum condition_relation relation = relation_of(r, in.first);
    bool is_minus = is_sign(r, in.first, "-") && in.first + 2 == in.end;
    if (relation != MEANS_UNKNOWN) {
        out->relation = relation;
        out->right = literal_of(r, (struct range){in.first + 1, in.end});
    } else if (is_minus ||
               ((is_kind(r, in.first, TOKEN_NUMBER) || is_kind(r, in.first, TOKEN_LITERAL)) &&
                in.first + 1 == in.end)) {
        out->relation = MEANS_CONSTANT;
        out->right = literal_of(r, in);
    } else if (is_kind(r, in.first, TOKEN_OPEN_BRACE)) {
        bool is_empty = in.first + 2 <= in.end && is_kind(r, in.first + 1, TOKEN_CLOSE_BRACE);
        out->relation = is_empty && in.first + 3 >= in.end ? MEANS_OBJECT : MEANS_UNKNOWN;
    } else if (is_kind(r, in.first, TOKEN_WORD)) {
        read_named(r, in);
    }
}

/* --- expressions ------------------------------------------------------------------------------ */

/* The whole is in brackets, or in those of checked() and unchecked(). */
static bool strip(const struct reading *r, struct range *in)
{
    uint32_t open = in->first;
    if (is_word(r, open, "checked") || is_word(r, open, "unchecked"))
        open++;
    if (open + 2 >= in->end || !is_kind(r, open, TOKEN_OPEN) ||
        past_brackets(r, open, in->end) != in->end)
        return false;
    *in = (struct range){open + 1, in->end - 1};
    return true;
}

static void read_compared(struct reading *r, struct range in, uint32_t at,
                          enum condition_relation relation)
{
    r->out->relation = relation;
    r->out->left = literal_of(r, (struct range){in.first, at});
    r->out->right = literal_of(r, (struct range){at + 1, in.end});
}

/* `e == true` and `e is true` are e itself, which the compiler may invert. */
static void read_bool(struct reading *r, struct range in, bool is_true)
{
    r->out->negated = r->out->negated != !is_true;
    if (r->nesting++ < NESTING_MAX)
        read_expression(r, in);
}

static bool is_bool(const struct reading *r, struct range in)
{
    return in.first + 1 == in.end &&
           (is_word(r, in.first, "true") || is_word(r, in.first, "false"));
}

static void read_equality(struct reading *r, struct range in, uint32_t at)
{
    struct range left = {in.first, at}, right = {at + 1, in.end};
    r->out->negated = r->out->negated != is_sign(r, at, "!=");
    if (is_bool(r, right))
        read_bool(r, left, is_word(r, right.first, "true"));
    else if (is_bool(r, left))
        read_bool(r, right, is_word(r, left.first, "true"));
    else
        read_compared(r, in, at, MEANS_EQUAL);
}

static void read_is(struct reading *r, struct range in, uint32_t at)
{
    struct range pattern = {at + 1, in.end};
    bool negated = pattern.first < pattern.end && is_word(r, pattern.first, "not");
    pattern.first += negated;
    if (is_bool(r, pattern))
        read_bool(r, (struct range){in.first, at}, is_word(r, pattern.first, "true") != negated);
    else
        read_pattern(r, (struct range){at + 1, in.end});
}

/* A value without an operator. Two signs enclose type arguments. */
static void read_value(struct reading *r, struct range in, const struct top *top)
{
    if (top->arithmetic || top->relations > 2)
        return;
    uint32_t last = in.end - 1;
    bool is_whole = (is_kind(r, last, TOKEN_WORD) || closes(r, last)) && !closes(r, in.first);
    if (!is_whole)
        return;
    if (is_kind(r, last, TOKEN_CLOSE)) /* of the arguments: the name before them */
        for (last = in.first; past_brackets(r, last, in.end) != in.end;)
            last++;
    bool calls = last != in.end - 1 && last > in.first;
    r->out->relation = calls && is_word(r, last - 1, "ReferenceEquals") ? MEANS_EQUAL : MEANS_TRUTH;
    r->out->asks_has_value = is_word(r, in.end - 1, "HasValue");
}

/* The loosest operator decides. */
static void read_operator(struct reading *r, struct range in, const struct top *top)
{
    struct condition_meaning *out = r->out;
    if (top->is != 0 && top->equality == 0 && top->bits == 0) {
        read_is(r, in, top->is);
    } else if (top->is != 0 || top->others) {
        return;
    } else if (top->bits != 0) {
        out->relation = MEANS_BITS;
        out->bits = *word(r, top->bits).text;
    } else if (top->equality != 0) {
        read_equality(r, in, top->equality);
    } else if (top->relations == 1) {
        read_compared(r, in, top->relation, relation_of(r, top->relation));
    } else {
        read_value(r, in, top);
    }
}

static bool has_operator(const struct top *top)
{
    return top->is != 0 || top->others || top->bits != 0 || top->equality != 0 ||
           top->relations == 1;
}

static void read_expression(struct reading *r, struct range in)
{
    while (in.first < in.end) {
        if (strip(r, &in))
            continue;
        struct top top = survey(r, in);
        if (has_operator(&top) || !is_kind(r, in.first, TOKEN_NOT)) {
            read_operator(r, in, &top);
            return;
        }
        r->out->negated = !r->out->negated;
        in.first++;
    }
}

bool condition_meaning_of(struct condition_meaning *out, struct str text, bool is_pattern,
                          struct arena *arena, struct err *err)
{
    struct tokens tokens;
    *out = (struct condition_meaning){.relation = MEANS_UNKNOWN};
    if (!tokens_find(&tokens, text, arena, err))
        return false;
    struct reading r = {text, tokens.items, out, 0};
    struct range all = {0, tokens.count};
    for (uint32_t i = 0; i < tokens.count; i++)
        out->has_and |= is_sign(&r, i, "&");
    if (is_pattern)
        read_pattern(&r, all);
    else
        read_expression(&r, all);
    return true;
}
