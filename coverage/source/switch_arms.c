#include "coverage/source/switch_arms.h"

#include <string.h>

#include "base/list.h"
#include "base/number.h"
#include "base/sort.h"
#include "coverage/source/comments.h"

enum {
    SWITCH_LEN = 6, /* of the word */
    AROUND_MAX = 4  /* brackets around an arm's code, up to those of its switch */
};

struct reading {
    struct str text;
    const struct token *tokens; /* the last is TOKEN_END */
    uint32_t at;
    bool failed;
    struct list arms; /* struct switch_arm */
    struct switch_arms *out;
    struct arena *arena;
    struct err *err;
};

static enum token_kind kind(const struct reading *r, uint32_t at)
{
    return r->tokens[at].kind;
}

static bool is_word(const struct reading *r, uint32_t at, const char *word)
{
    const struct token *token = &r->tokens[at];
    return token->kind == TOKEN_WORD &&
           str_is((struct str){r->text.text + token->start, token->end - token->start}, word);
}

static bool opens(enum token_kind k)
{
    return k == TOKEN_OPEN || k == TOKEN_OPEN_SQUARE || k == TOKEN_OPEN_BRACE;
}

static bool closes(enum token_kind k)
{
    return k == TOKEN_CLOSE || k == TOKEN_CLOSE_SQUARE || k == TOKEN_CLOSE_BRACE;
}

/* Takes a token, or all up to the bracket that closes it. */
static void take(struct reading *r)
{
    uint32_t depth = 0;
    do {
        enum token_kind k = kind(r, r->at);
        const struct token *token = &r->tokens[r->at];
        bool is_directive = k == TOKEN_UNKNOWN && r->text.text[token->start] == '#';
        if (k == TOKEN_END || is_directive || (closes(k) && depth == 0)) {
            r->failed = true;
            return;
        }
        depth += opens(k);
        depth -= closes(k);
        r->at++;
    } while (depth != 0);
}

static struct switch_arm *add_arm(struct reading *r)
{
    struct switch_arm *arm = list_add(&r->arms, sizeof *arm, r->arena, r->err);
    if (arm != NULL)
        *arm = (struct switch_arm){.label_start = r->tokens[r->at].start};
    return arm;
}

static void note_start(struct reading *r, struct switch_arm *arm, uint32_t at)
{
    if (arm->start_count < SWITCH_STARTS_MAX)
        arm->starts[arm->start_count++] = r->tokens[at].start;
}

/* The code of the arm begins here. */
static void note_body(struct reading *r, struct switch_arm *arm)
{
    uint32_t at = r->at;
    arm->first_body = arm->start_count;
    do
        note_start(r, arm, at);
    while (kind(r, at++) == TOKEN_OPEN_BRACE);
}

/* The symbols have the guard with its word or without. */
static void note_guard(struct reading *r, struct switch_arm *arm)
{
    if (!is_word(r, r->at, "when") || kind(r, r->at + 1) == TOKEN_COLON ||
        kind(r, r->at + 1) == TOKEN_ARROW)
        return;
    arm->has_guard = true;
    note_start(r, arm, r->at);
    note_start(r, arm, r->at + 1);
}

/* --- statements ------------------------------------------------------------------------------- */

static bool is_default(const struct reading *r)
{
    return is_word(r, r->at, "default") && kind(r, r->at + 1) == TOKEN_COLON;
}

static bool is_label(const struct reading *r)
{
    return is_word(r, r->at, "case") || is_default(r);
}

/* Up to the colon that ends it: one of `?:` does not. */
static void take_label(struct reading *r, struct switch_arm *arm)
{
    uint32_t questions = 0;
    r->out->has_default |= is_default(r);
    while (!r->failed && (kind(r, r->at) != TOKEN_COLON || questions != 0)) {
        questions += kind(r, r->at) == TOKEN_QUESTION;
        questions -= kind(r, r->at) == TOKEN_COLON;
        r->failed |= kind(r, r->at) == TOKEN_SEMICOLON;
        note_guard(r, arm);
        if (!r->failed)
            take(r);
    }
}

/* Of `goto case 1;` and `c ? default : x` the word before tells them from labels. */
static bool begins_section(const struct reading *r)
{
    enum token_kind before = kind(r, r->at - 1);
    return is_label(r) && (before == TOKEN_SEMICOLON || before == TOKEN_CLOSE_BRACE);
}

static bool read_section(struct reading *r)
{
    struct switch_arm *arm = add_arm(r);
    if (arm == NULL)
        return false;
    while (!r->failed && is_label(r)) {
        take_label(r, arm);
        if (!r->failed)
            arm->label_end = r->tokens[r->at++ - 1].end;
        arm->has_several = arm->first_end != 0;
        if (!arm->has_several)
            arm->first_end = arm->label_end;
    }
    note_body(r, arm);
    uint32_t first = r->at;
    while (!r->failed && kind(r, r->at) != TOKEN_CLOSE_BRACE && !begins_section(r))
        take(r);
    uint32_t in = first;
    while (kind(r, in) == TOKEN_OPEN_BRACE)
        in++;
    arm->breaks = (is_word(r, in, "break") || is_word(r, in, "return")) &&
                  kind(r, in + 1) == TOKEN_SEMICOLON && r->at == in + 2 + (in - first);
    r->failed |= r->at == first;
    return true;
}

/* --- expressions ------------------------------------------------------------------------------ */

/* Past the `<` and `>` of type arguments, which have commas; the same place if it is a comparison.
 */
static uint32_t past_type_arguments(const struct reading *r, uint32_t at)
{
    uint32_t first = at, depth = 0;
    if (kind(r, at) != TOKEN_LESS || kind(r, at - 1) != TOKEN_WORD)
        return at;
    for (;; at++) {
        enum token_kind k = kind(r, at);
        depth += k == TOKEN_LESS;
        depth -= k == TOKEN_GREATER;
        if (depth == 0)
            break;
        if (k != TOKEN_LESS && k != TOKEN_GREATER && k != TOKEN_WORD && k != TOKEN_COMMA &&
            k != TOKEN_DOT && k != TOKEN_QUESTION)
            return first;
    }
    enum token_kind after = kind(r, at + 1);
    return after == TOKEN_OPEN || after == TOKEN_DOT || after == TOKEN_OPEN_BRACE ? at + 1 : first;
}

/* A comma in what comes before the arrow: one that does not end an arm was
 * taken for its end. */
static bool read_arm(struct reading *r)
{
    struct switch_arm *arm = add_arm(r);
    uint32_t first = r->at;
    if (arm == NULL)
        return false;
    while (!r->failed && kind(r, r->at) != TOKEN_ARROW) {
        r->failed |= kind(r, r->at) == TOKEN_COMMA;
        note_guard(r, arm);
        take(r);
    }
    r->failed |= r->at == first; /* no pattern */
    if (r->failed)
        return true;
    arm->label_end = arm->first_end = r->tokens[r->at++ - 1].end;
    note_body(r, arm);
    arm->throws = is_word(r, r->at, "throw");
    while (!r->failed && kind(r, r->at) != TOKEN_COMMA && kind(r, r->at) != TOKEN_CLOSE_BRACE) {
        uint32_t past = past_type_arguments(r, r->at);
        if (past != r->at)
            r->at = past;
        else
            take(r);
    }
    if (kind(r, r->at) == TOKEN_COMMA)
        r->at++;
    return true;
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool read_all(struct reading *r)
{
    r->at++;
    while (!r->failed && kind(r, r->at) != TOKEN_CLOSE_BRACE) {
        bool is_such = r->out->is_expression || is_label(r);
        if (!is_such)
            r->failed = true;
        else if (!(r->out->is_expression ? read_arm(r) : read_section(r)))
            return false;
    }
    return true;
}

static void move(struct switch_arm *arm, uint32_t by)
{
    arm->label_start += by;
    arm->label_end += by;
    arm->first_end += by;
    for (uint32_t k = 0; k < arm->start_count; k++)
        arm->starts[k] += by;
}

/* The last token before `end` that is no white space. */
static uint32_t back_over_space(struct str text, uint32_t end)
{
    while (end != 0 && strchr(" \t\r\n", text.text[end - 1]) != NULL)
        end--;
    return end;
}

/* Back from the value over brackets, at most `most`: `(` of `switch ((n))`. */
static uint32_t back_over_brackets(struct str text, uint32_t start, uint32_t most)
{
    for (uint32_t k = 0; k < most; k++) {
        uint32_t before = back_over_space(text, start);
        if (before == 0 || text.text[before - 1] != '(')
            break;
        start = before - 1;
    }
    return start;
}

/* `closed`: how many brackets close after the value, up to `end`. */
static void find_subject(struct switch_arms *out, struct str text, uint32_t value_start,
                         uint32_t end, uint32_t closed)
{
    if (out->is_expression) {
        out->subject_start = back_over_brackets(text, value_start, closed);
        out->subject_end = end;
        return;
    }
    uint32_t open = back_over_space(text, back_over_brackets(text, value_start, UINT32_MAX));
    if (open < SWITCH_LEN || !str_starts(str_from(text, open - SWITCH_LEN), "switch"))
        return;
    out->subject_start = open - SWITCH_LEN;
    out->subject_end = end;
}

/* Up to the brace that closes the first one: what comes after a switch need not be read. */
static struct str first_block(struct str text)
{
    uint32_t depth = 0;
    for (size_t i = 0; i < text.len;) {
        char c = text.text[i];
        size_t skip = strchr("/\"'$@", c) != NULL && c != '\0'
                          ? comments_skip(str_from(text, i), LANGUAGE_CSHARP)
                          : 0;
        depth += c == '{';
        depth -= c == '}' && depth != 0;
        i += skip != 0 ? skip : 1;
        if ((c == '}' || c == ';') && depth == 0)
            return (struct str){text.text, i};
    }
    return text;
}

bool switch_arms_find(struct switch_arms *out, struct str text, uint32_t value_start,
                      uint32_t value_end, struct arena *arena, struct err *err)
{
    struct tokens tokens;
    struct str rest = first_block(str_from(text, value_end));
    *out = (struct switch_arms){.items = NULL};
    if (!tokens_find(&tokens, rest, arena, err))
        return false;
    struct reading r = {
        .text = rest, .tokens = tokens.items, .out = out, .arena = arena, .err = err};
    while (kind(&r, r.at) == TOKEN_CLOSE)
        r.at++;
    uint32_t closed = r.at;
    out->is_expression = is_word(&r, r.at, "switch");
    r.at += out->is_expression;
    if (kind(&r, r.at) != TOKEN_OPEN_BRACE)
        return true;
    find_subject(out, text, value_start, value_end + (r.at == 0 ? 0 : tokens.items[r.at - 1].end),
                 closed);
    if (!read_all(&r))
        return false;
    out->is_known = !r.failed && r.arms.count != 0;
    out->items = r.arms.items;
    out->count = out->is_known ? (uint32_t)r.arms.count : 0;
    for (uint32_t i = 0; i < out->count; i++)
        move(&out->items[i], value_end);
    return true;
}

/* The innermost bracket that is open before a token. */
static uint32_t around_before(const struct switch_text *in, uint32_t token)
{
    return token != 0 ? in->around[token - 1] : NO_BRACKET;
}

bool switch_text_read(struct switch_text *out, struct str text, struct arena *arena,
                      struct err *err)
{
    *out = (struct switch_text){.text = text};
    if (!tokens_find(&out->tokens, text, arena, err))
        return false;
    out->around = arena_raw(arena, out->tokens.count, sizeof *out->around, err);
    for (uint32_t i = 0; out->around != NULL && i < out->tokens.count; i++) {
        enum token_kind k = out->tokens.items[i].kind;
        uint32_t before = around_before(out, i);
        if (opens(k))
            out->around[i] = i;
        else if (closes(k) && before != NO_BRACKET)
            out->around[i] = around_before(out, before);
        else
            out->around[i] = before;
    }
    return out->around != NULL;
}

static int order_tokens(const void *left, const void *right)
{
    return number_order(((const struct token *)left)->start, ((const struct token *)right)->start);
}

/* The first token at or after the offset. */
static uint32_t token_at(const struct tokens *tokens, uint32_t offset)
{
    const struct token at = {.start = offset};
    return (uint32_t)sorted_place(&at, tokens->items, tokens->count, sizeof at, order_tokens);
}

/* The bracket that the one at `at` closes, or 0. */
static uint32_t partner(const struct reading *r, uint32_t at)
{
    uint32_t depth = 0;
    for (uint32_t i = at + 1; i-- != 0;) {
        depth += closes(kind(r, i));
        depth -= opens(kind(r, i)) && depth != 0;
        if (depth == 0)
            return i;
    }
    return 0;
}

/* Can a value that is one operand begin after this token, so that nothing before it belongs to the
 * value? */
static bool ends_before_value(const struct reading *r, uint32_t at)
{
    enum token_kind k = kind(r, at);
    return k == TOKEN_ASSIGN || k == TOKEN_ARROW || k == TOKEN_COMMA || k == TOKEN_SEMICOLON ||
           k == TOKEN_OPEN || k == TOKEN_OPEN_BRACE || k == TOKEN_CLOSE_BRACE ||
           is_word(r, at, "return");
}

/* The first token of `a.b(c)[0]`, which ends at `last`; 0: it cannot be read. */
static uint32_t value_before(const struct reading *r, uint32_t last)
{
    uint32_t at = last;
    for (;;) {
        while (at != 0 && (kind(r, at) == TOKEN_CLOSE || kind(r, at) == TOKEN_CLOSE_SQUARE)) {
            uint32_t open = partner(r, at);
            if (open == 0 || (kind(r, at) == TOKEN_CLOSE && ends_before_value(r, open - 1)))
                return open; /* brackets around the value, or around a tuple */
            at = open - 1;
        }
        if (at == 0 || kind(r, at) != TOKEN_WORD)
            return 0;
        if (at < 2 || kind(r, at - 1) != TOKEN_DOT)
            break;
        at -= 2;
    }
    return ends_before_value(r, at - 1) ? at : 0;
}

/* The value of the switch whose arms are in these braces: its first and last token. */
static bool find_value(uint32_t *first, uint32_t *last, const struct reading *r, uint32_t brace)
{
    if (brace >= 2 && is_word(r, brace - 1, "switch")) {
        *last = brace - 2;
        *first = value_before(r, *last);
        return true;
    }
    uint32_t close = brace == 0 ? 0 : brace - 1;
    uint32_t open = kind(r, close) == TOKEN_CLOSE ? partner(r, close) : 0;
    *first = open + 1;
    *last = close - 1;
    return open != 0 && is_word(r, open - 1, "switch");
}

bool switch_arms_around(struct switch_arms *out, const struct switch_text *in, uint32_t offset,
                        struct arena *arena, struct err *err)
{
    const struct token *tokens = in->tokens.items;
    struct reading r = {.text = in->text, .tokens = tokens};
    uint32_t brace = around_before(in, token_at(&in->tokens, offset)), first, last;
    *out = (struct switch_arms){.items = NULL};
    for (uint32_t k = 0; k < AROUND_MAX && brace != NO_BRACKET; k++) {
        if (kind(&r, brace) != TOKEN_OPEN_BRACE)
            return true;
        if (find_value(&first, &last, &r, brace)) {
            if (!switch_arms_find(out, in->text, tokens[first].start, tokens[last].end, arena, err))
                return false;
            if (first == 0)
                out->subject_start = out->subject_end = 0;
            return true;
        }
        brace = around_before(in, brace);
    }
    return true;
}
