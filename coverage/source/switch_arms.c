#include "coverage/source/switch_arms.h"

#include "base/list.h"

enum {
    AROUND_MAX = 4 /* brackets around an arm's code, up to those of its switch */
};

struct arm_reading {
    const struct tokens *tokens;
    uint32_t at;
    bool failed;
    struct list arms; /* struct switch_arm */
    struct switch_arms *out;
    struct arena *arena;
    struct err *err;
};

static enum token_kind kind_of_token(const struct arm_reading *r, uint32_t at)
{
    return tokens_kind(r->tokens, at);
}

/* Takes a token, or all up to the bracket that closes it. */
static void take_past(struct arm_reading *r)
{
    enum token_kind k = kind_of_token(r, r->at);
    uint32_t past = token_opens(k) ? tokens_past(r->tokens, r->at) : r->at + 1;
    r->failed |= k == TOKEN_END || token_closes(k) || past == NO_INDEX;
    if (!r->failed)
        r->at = past;
}

static struct switch_arm *add_switch_arm(struct arm_reading *r)
{
    struct switch_arm *arm = list_add(&r->arms, sizeof *arm, r->arena, r->err);
    if (arm != NULL)
        *arm = (struct switch_arm){.label_start = r->tokens->items[r->at].start};
    return arm;
}

static void note_start(struct arm_reading *r, struct switch_arm *arm, uint32_t at)
{
    if (arm->start_count < SWITCH_STARTS_MAX)
        arm->starts[arm->start_count++] = r->tokens->items[at].start;
}

/* The code of the arm begins here. */
static void note_arm_body(struct arm_reading *r, struct switch_arm *arm)
{
    uint32_t at = r->at;
    arm->first_body = arm->start_count;
    do
        note_start(r, arm, at);
    while (kind_of_token(r, at++) == TOKEN_OPEN_BRACE);
}

/* The symbols have the guard with its word or without. */
static void note_guard(struct arm_reading *r, struct switch_arm *arm)
{
    if (!tokens_is(r->tokens, r->at, "when") || kind_of_token(r, r->at + 1) == TOKEN_COLON ||
        kind_of_token(r, r->at + 1) == TOKEN_ARROW)
        return;
    arm->has_guard = true;
    note_start(r, arm, r->at);
    note_start(r, arm, r->at + 1);
}

/* --- statements ------------------------------------------------------------------------------- */

/* Up to the colon that ends it. */
static void take_label(struct arm_reading *r, struct switch_arm *arm)
{
    uint32_t colon = tokens_label_end(r->tokens, r->at);
    r->out->has_default |= tokens_is(r->tokens, r->at, "default");
    r->failed |= colon == NO_INDEX;
    while (!r->failed && r->at < colon) {
        r->failed |= kind_of_token(r, r->at) == TOKEN_SEMICOLON;
        note_guard(r, arm);
        take_past(r);
    }
}

/* Of `goto case 1;` and `c ? default : x` the word before tells them from labels. */
static bool begins_section(const struct arm_reading *r)
{
    enum token_kind before = kind_of_token(r, r->at - 1);
    return tokens_is_label(r->tokens, r->at) &&
           (before == TOKEN_SEMICOLON || before == TOKEN_CLOSE_BRACE);
}

static bool read_switch_section(struct arm_reading *r)
{
    struct switch_arm *arm = add_switch_arm(r);
    if (arm == NULL)
        return false;
    r->failed |= !tokens_is_label(r->tokens, r->at);
    while (!r->failed && tokens_is_label(r->tokens, r->at)) {
        take_label(r, arm);
        arm->has_several = arm->label_end != 0;
        if (!r->failed)
            arm->label_end = r->tokens->items[r->at++ - 1].end;
    }
    note_arm_body(r, arm);
    uint32_t first = r->at, in = first;
    while (!r->failed && kind_of_token(r, r->at) != TOKEN_CLOSE_BRACE && !begins_section(r))
        take_past(r);
    while (kind_of_token(r, in) == TOKEN_OPEN_BRACE)
        in++;
    arm->breaks = (tokens_is(r->tokens, in, "break") || tokens_is(r->tokens, in, "return")) &&
                  kind_of_token(r, in + 1) == TOKEN_SEMICOLON && r->at == in + 2 + (in - first);
    r->failed |= r->at == first;
    return true;
}

/* --- expressions ------------------------------------------------------------------------------ */

/* Past the type arguments here, which have commas, or like take_past(). */
static void take_of_arm(struct arm_reading *r)
{
    uint32_t past = kind_of_token(r, r->at) == TOKEN_LESS
                        ? tokens_past_type_arguments(r->tokens, r->at, r->at)
                        : 0;
    if (past != 0)
        r->at = past;
    else
        take_past(r);
}

/* A comma in what comes before the arrow: one that does not end an arm was taken for its end. */
static bool read_arm(struct arm_reading *r)
{
    struct switch_arm *arm = add_switch_arm(r);
    uint32_t first = r->at;
    if (arm == NULL)
        return false;
    while (!r->failed && kind_of_token(r, r->at) != TOKEN_ARROW) {
        r->failed |= kind_of_token(r, r->at) == TOKEN_COMMA;
        note_guard(r, arm);
        take_past(r);
    }
    r->failed |= r->at == first; /* no pattern */
    if (r->failed)
        return true;
    arm->label_end = r->tokens->items[r->at++ - 1].end;
    note_arm_body(r, arm);
    arm->throws = tokens_is(r->tokens, r->at, "throw");
    while (!r->failed && kind_of_token(r, r->at) != TOKEN_COMMA &&
           kind_of_token(r, r->at) != TOKEN_CLOSE_BRACE)
        take_of_arm(r);
    r->at += kind_of_token(r, r->at) == TOKEN_COMMA;
    return true;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Up to `end`, the token before the brace of the arms; `closed` brackets close right after the
 * value, which begins with token `first`. */
static void find_subject(struct switch_arms *out, const struct tokens *tokens, uint32_t first,
                         uint32_t closed, uint32_t end)
{
    bool is_known = first <= end;
    for (; first != 0 && (closed != 0 || !out->is_expression) &&
           tokens->items[first - 1].kind == TOKEN_OPEN;
         closed--)
        first--;
    if (!out->is_expression) {
        is_known &= first != 0 && tokens_is(tokens, first - 1, "switch");
        first -= is_known;
    }
    if (is_known) {
        out->subject_start = tokens->items[first].start;
        out->subject_end = tokens->items[end].end;
    }
}

bool switch_arms_find(struct switch_arms *out, const struct tokens *tokens, uint32_t value_start,
                      uint32_t value_end, struct arena *arena, struct err *err)
{
    uint32_t after = tokens_from(tokens, value_end), brace = after;
    *out = (struct switch_arms){.items = NULL};
    while (tokens_kind(tokens, brace) == TOKEN_CLOSE)
        brace++;
    uint32_t closed = brace - after;
    out->is_expression = tokens_is(tokens, brace, "switch");
    brace += out->is_expression;
    uint32_t past = tokens_past(tokens, brace);
    if (brace == 0 || tokens_kind(tokens, brace) != TOKEN_OPEN_BRACE || past == NO_INDEX)
        return true;
    struct arm_reading r = {
        .tokens = tokens, .at = brace + 1, .out = out, .arena = arena, .err = err};
    find_subject(out, tokens, tokens_from(tokens, value_start), closed, brace - 1);
    while (!r.failed && r.at + 1 != past)
        if (!(out->is_expression ? read_arm(&r) : read_switch_section(&r)))
            return false;
    out->is_known = !r.failed && r.arms.count != 0;
    out->items = r.arms.items;
    out->count = out->is_known ? r.arms.count : 0;
    return true;
}

/* --- from code to its switch ------------------------------------------------------------------ */

/* Can a value that is one operand begin after this token, so that nothing before it belongs to the
 * value? */
static bool ends_before_value(const struct tokens *tokens, uint32_t at)
{
    return token_is_one_of(tokens->items[at].kind, ONE(TOKEN_ASSIGN) | ONE(TOKEN_ARROW) |
                                                       ONE(TOKEN_COMMA) | ONE(TOKEN_SEMICOLON) |
                                                       ONE(TOKEN_OPEN) | ONE(TOKEN_OPEN_BRACE) |
                                                       ONE(TOKEN_CLOSE_BRACE)) ||
           tokens_is(tokens, at, "return");
}

/* The first token of `a.b(c)[0]`, which ends at `last`; 0: it cannot be read. */
static uint32_t first_of_value(const struct tokens *tokens, uint32_t at)
{
    for (;;) {
        while (at != 0 && token_is_one_of(tokens->items[at].kind,
                                          ONE(TOKEN_CLOSE) | ONE(TOKEN_CLOSE_SQUARE))) {
            uint32_t open = tokens_partner(tokens, at);
            if (open == NO_INDEX || open == 0)
                return 0;
            if (tokens->items[at].kind == TOKEN_CLOSE && ends_before_value(tokens, open - 1))
                return open; /* brackets around the value, or around a tuple */
            at = open - 1;
        }
        if (at == 0 || tokens->items[at].kind != TOKEN_WORD)
            return 0;
        if (at < 2 || tokens->items[at - 1].kind != TOKEN_DOT)
            return ends_before_value(tokens, at - 1) ? at : 0;
        at -= 2;
    }
}

/* The value of the switch whose arms are in these braces: its first and last token. */
static bool find_value(uint32_t *first, uint32_t *last, const struct tokens *tokens, uint32_t brace)
{
    if (brace >= 2 && tokens_is(tokens, brace - 1, "switch")) {
        *last = brace - 2;
        *first = first_of_value(tokens, *last);
        return true;
    }
    bool has_head = brace != 0 && tokens->items[brace - 1].kind == TOKEN_CLOSE;
    uint32_t open = has_head ? tokens_partner(tokens, brace - 1) : NO_INDEX;
    *first = open + 1;
    *last = brace - 2;
    return open != NO_INDEX && open != 0 && tokens_is(tokens, open - 1, "switch");
}

uint32_t switch_arms_brace(const struct tokens *tokens, uint32_t token)
{
    uint32_t brace = tokens->items[token].around, first, last;
    while (brace != NO_INDEX && (tokens->items[brace].kind != TOKEN_OPEN_BRACE ||
                                 !find_value(&first, &last, tokens, brace)))
        brace = tokens->items[brace].around;
    return brace;
}

bool switch_arms_around(struct switch_arms *out, const struct tokens *tokens, uint32_t offset,
                        struct arena *arena, struct err *err)
{
    const struct token *items = tokens->items;
    uint32_t brace = items[tokens_from(tokens, offset)].around, first, last;
    *out = (struct switch_arms){.items = NULL};
    for (uint32_t k = 0; k < AROUND_MAX && brace != NO_INDEX; k++, brace = items[brace].around) {
        if (items[brace].kind != TOKEN_OPEN_BRACE)
            return true;
        if (!find_value(&first, &last, tokens, brace))
            continue;
        if (!switch_arms_find(out, tokens, items[first].start, items[last].end, arena, err))
            return false;
        if (first == 0)
            out->subject_start = out->subject_end = 0;
        return true;
    }
    return true;
}
