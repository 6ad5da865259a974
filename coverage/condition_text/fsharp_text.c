#include "coverage/condition_text/fsharp_text.h"

#include "coverage/condition_text/tested_value.h"

/* Tokens of one condition, and the one that stands behind it, or behind the brackets around it. */
struct fsharp_operand {
    uint32_t first, end;
    uint32_t follow;
    bool is_negated; /* by an odd number of `not` before these brackets */
    bool has_not;    /* ... or by any */
    bool is_passed;  /* to a function: nothing behind it says where control goes on */
};

static bool is_operator(const struct tokens *tokens, uint32_t at, const char *signs)
{
    return tokens_kind(tokens, at) == TOKEN_OPERATOR &&
           str_is_one_of(tokens_text(tokens, at), signs);
}

/* Conditions in brackets have points of their own, but for those behind a `not`, whose point is
 * that of the whole. */
static bool is_one_operand(const struct tokens *tokens, uint32_t first, uint32_t end)
{
    for (uint32_t at = first; at < end; at++) {
        enum token_kind kind = tokens_kind(tokens, at);
        bool is_negated = at > first && tokens_is(tokens, at - 1, "not");
        uint32_t past = token_opens(kind) && !is_negated ? tokens_past(tokens, at) : at + 1;
        if (past == NO_INDEX || past > end || kind == TOKEN_ARROW || kind == TOKEN_BAR ||
            kind == TOKEN_UNKNOWN || is_operator(tokens, at, "&& || <-") ||
            tokens_is(tokens, at,
                      "match function fun if then else elif let try for in while do with use yield "
                      "return"))
            return false;
        at = past - 1;
    }
    return first < end;
}

/* `not (f x)` may have a point without width, before the operator behind it
 * (statements/fsharp_operands.h). */
static uint32_t first_of_merged(const struct tokens *tokens, uint32_t follow)
{
    uint32_t open = follow != 0 ? tokens_partner(tokens, follow - 1) : NO_INDEX;
    bool is_merged = is_operator(tokens, follow, "&& ||") && open != NO_INDEX && open != 0 &&
                     tokens_is(tokens, open - 1, "not");
    return is_merged ? open - 1 : follow;
}

static struct fsharp_operand read_operand(const struct tokens *tokens, uint32_t first, uint32_t end)
{
    struct fsharp_operand o = {.first = first, .end = end, .follow = end};
    if (first == end)
        o.first = first_of_merged(tokens, first);
    if (tokens_is(tokens, first, "if elif while") && tokens_is(tokens, end - 1, "then do")) {
        o.first = first + 1;
        o.end = o.follow = end - 1;
    }
    while (!o.is_passed && tokens_kind(tokens, o.follow) == TOKEN_CLOSE) {
        uint32_t open = tokens_partner(tokens, o.follow);
        if (open == NO_INDEX || open > o.first)
            break;
        bool is_not = tokens_is(tokens, open - 1, "not");
        o.is_negated ^= is_not;
        o.has_not |= is_not;
        o.is_passed =
            !is_not && tokens_kind(tokens, open - 1) == TOKEN_WORD &&
            !tokens_is(tokens, open - 1, "if elif while when then else do return yield in");
        o.follow++;
    }
    return o;
}

/* Is it asked there, and no whole statement? */
static bool is_in_condition(const struct tokens *tokens, const struct fsharp_operand *o)
{
    uint32_t before = o->first - 1;
    while (tokens_kind(tokens, before) == TOKEN_OPEN || tokens_is(tokens, before, "not"))
        before--;
    return is_operator(tokens, before, "&& ||") || is_operator(tokens, o->follow, "&& ||") ||
           tokens_kind(tokens, o->follow) == TOKEN_ARROW || tokens_is(tokens, o->follow, "then do");
}

/* The first visible point that begins at the offset or after it, and where that is. */
static uint32_t point_from(uint32_t *start, const struct decisions *decisions,
                           const struct line_index *index, uint32_t document, uint32_t offset)
{
    const struct seq_point *points = decisions->points->points;
    uint32_t line, column;
    line_index_place(&line, &column, index, offset);
    const struct seq_point from = {
        .document = document, .start_line = line, .start_column = (uint16_t)column};
    uint32_t found = next_point_in_text(decisions, &from);
    return found != NO_INDEX && points[found].document == document &&
                   line_index_offset(start, index, points[found].start_line,
                                     points[found].start_column)
               ? found
               : NO_INDEX;
}

/* The point at which control goes on behind the operand: past brackets and `not`, or that of a
 * `not (f x)` without width. */
static uint32_t point_behind(const struct decisions *decisions, const struct line_index *index,
                             const struct tokens *tokens, uint32_t document, uint32_t follow)
{
    uint32_t at = follow + 1, start;
    if (at >= tokens->count)
        return NO_INDEX;
    uint32_t point = point_from(&start, decisions, index, document, tokens->items[at].start);
    if (point == NO_INDEX)
        return NO_INDEX;
    const struct seq_point *found = &decisions->points->points[point];
    if (tokens_is(tokens, at, "not") && found->start_line == found->end_line &&
        found->start_column == found->end_column)
        return point;
    while (at < tokens->count && tokens->items[at].start < start &&
           (tokens_kind(tokens, at) == TOKEN_OPEN || tokens_is(tokens, at, "not")))
        at++;
    return at < tokens->count && tokens->items[at].start == start ? point : NO_INDEX;
}

/* The outcome whose way gives the constant 1, if both ways give constants that are no statements of
 * their own; else 2. */
static uint32_t outcome_that_gives_true(const struct decisions *decisions,
                                        const struct decision *decision)
{
    const struct flow *flow = decisions->map.flow;
    uint32_t found = 2;
    for (uint32_t i = decision->first_part; i < decision->first_part + decision->part_count; i++) {
        uint32_t n = flow->edges[decisions->parts[i].index].to;
        const struct block *to = &flow->blocks[n];
        const struct instr *constant = &flow->il.instrs[to->first];
        int32_t value = 0;
        if (decisions->map.opens[n] != NO_INDEX || !to->ends_with_zero_or_one ||
            !il_constant(&value, constant))
            return 2;
        if (value == 1)
            found = decisions->parts[i].outcome;
    }
    return found;
}

/* The outcome that is true; 2: that is not certain. */
static uint32_t true_outcome_of(const struct fsharp_operand *o, const struct decision *decision,
                                const struct decisions *decisions, const struct line_index *index,
                                const struct tokens *tokens)
{
    bool is_or = is_operator(tokens, o->follow, "||");
    if (counts_value(decisions, decision)) /* optimised code negates it before it is counted */
        return o->has_not && decisions->map.flow->context.md->optimised ? 2 : 1;
    if (o->is_passed)
        return 2;
    uint32_t given = outcome_that_gives_true(decisions, decision);
    if (given != 2 && !o->has_not)
        return given;
    uint32_t document = decisions->points->points[decision->point].document;
    uint32_t point = point_behind(decisions, index, tokens, document, o->follow);
    uint32_t outcome = outcome_to_point(decisions, decision, point);
    return outcome == 2 || is_or == o->is_negated ? outcome : 1 - outcome;
}

enum outcome_words fsharp_text_find(struct decision *decision, const struct decisions *decisions,
                                    const struct line_index *index, const struct tokens *tokens)
{
    const struct seq_point *point = &decisions->points->points[decision->point];
    uint32_t start, end;
    bool is_of_next = decision->il_offset < point->il_offset; /* it has no point of its own */
    if (decision->is_switch || is_of_next || !decision->is_first_on_point ||
        decision->next_on_point != NO_INDEX ||
        !line_index_offset(&start, index, point->start_line, point->start_column) ||
        !line_index_offset(&end, index, point->end_line, point->end_column))
        return WORDS_UNKNOWN;
    struct fsharp_operand o =
        read_operand(tokens, tokens_from(tokens, start), tokens_from(tokens, end));
    if (!is_one_operand(tokens, o.first, o.end) || !is_in_condition(tokens, &o))
        return WORDS_UNKNOWN;
    uint32_t holds = true_outcome_of(&o, decision, decisions, index, tokens);
    decision->span =
        line_index_span(index, tokens->items[o.first].start, tokens->items[o.end - 1].end);
    decision->is_exact = decision->span.start_column != 0;
    return holds == 2 ? WORDS_UNKNOWN : holds == 1 ? WORDS_FALSE_TRUE : WORDS_TRUE_FALSE;
}
