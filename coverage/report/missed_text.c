#include "coverage/report/missed_text.h"

#include "base/list.h"
#include "base/sort.h"

bool line_piece_make(struct line_piece *out, const struct fact_statement *statement, uint32_t line)
{
    bool starts = line == statement->start_line, ends = line == statement->end_line;
    if ((starts && (statement->start_column == 0 || statement->start_column >= COLUMN_UNKNOWN)) ||
        (ends && (statement->end_column == 0 || statement->end_column >= COLUMN_UNKNOWN)))
        return false;
    *out = (struct line_piece){.start = starts ? statement->start_column : 1,
                               .end = ends ? statement->end_column : PIECE_OPEN,
                               .is_from_above = !starts};
    return true;
}

/* Of two that start together, the longer first. */
ORDER(order_text_pieces, struct line_piece,
      BY(start) BY_ORDER(b->is_from_above - a->is_from_above)
          BY_ORDER(number_order(b->end, a->end)))

struct painting {
    struct list missed;            /* struct column_range */
    struct list open;              /* struct line_piece: those around where we are */
    uint32_t at;                   /* text before it is dealt with */
    bool may_join;                 /* nothing that ran stands between it and the last range */
    struct arena *arena, *scratch; /* of the ranges; of what is open */
    struct err *err;
};

/* Text up to `end` belongs to the piece. Statements with a blank between them are one range, also
 * if the blank belongs to what is around them both. */
static bool paint_piece(struct painting *p, const struct line_piece *piece, uint32_t end)
{
    uint32_t start = p->at;
    struct column_range *last =
        p->missed.count != 0 ? (struct column_range *)p->missed.items + p->missed.count - 1 : NULL;
    bool may_join = last != NULL && p->may_join;
    if (end <= start)
        return true;
    p->at = end;
    if (piece->ran || piece->is_left_out) {
        p->may_join = may_join && piece->start < last->start;
        return true;
    }
    if (!may_join || start > (uint32_t)last->end + 1) {
        last = list_add(&p->missed, sizeof *last, p->arena, p->err);
        if (last == NULL)
            return false;
        last->start = (uint16_t)start;
    }
    last->end = end == PIECE_OPEN ? 0 : (uint16_t)end;
    p->may_join = end != PIECE_OPEN;
    return true;
}

static struct line_piece *innermost_piece(const struct painting *p)
{
    return p->open.count != 0 ? (struct line_piece *)p->open.items + p->open.count - 1 : NULL;
}

/* Ends the pieces that end before `start`. */
static bool leave_pieces(struct painting *p, uint32_t start)
{
    for (struct line_piece *piece; (piece = innermost_piece(p)) != NULL && piece->end <= start;) {
        if (!paint_piece(p, piece, piece->end))
            return false;
        p->open.count--;
    }
    return true;
}

/* What stands before a lambda on the last line of a call may be nothing but blanks: left alone. */
static bool enter_piece(struct painting *p, const struct line_piece *piece)
{
    const struct line_piece *outer = innermost_piece(p);
    if (outer != NULL && !(outer->is_from_above && p->at <= 1) &&
        !paint_piece(p, outer, piece->start))
        return false;
    if (p->at < piece->start)
        p->at = piece->start;
    return list_put(&p->open, piece, sizeof *piece, p->scratch, p->err);
}

static bool any_ran(const struct line_piece *pieces, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (pieces[i].ran)
            return true;
    return false;
}

static bool is_same_piece(const struct line_piece *a, const struct line_piece *b)
{
    return a->start == b->start && a->end == b->end && a->is_from_above == b->is_from_above;
}

/* Statements of one span are one: the parts of a property that a record makes, and builds of an
 * assembly. */
static bool paint_all(struct painting *p, const struct line_piece *pieces, size_t count)
{
    p->at = 1;
    for (size_t i = 0, end; i < count; i = end) {
        struct line_piece piece = pieces[i];
        for (end = i + 1; end < count && is_same_piece(&pieces[i], &pieces[end]); end++) {
            piece.ran |= pieces[end].ran;
            piece.is_left_out |= pieces[end].is_left_out;
        }
        if (!leave_pieces(p, piece.start) || !enter_piece(p, &piece))
            return false;
    }
    return leave_pieces(p, UINT32_MAX);
}

/* Does it say that a loop over items never had one? */
static bool never_had_item(const struct report_condition *condition)
{
    bool body = condition->words == WORDS_END_BODY; /* the number of that outcome */
    return words_are_of_loop(condition->words) && condition->outcome_hits[body] == 0 &&
           condition->outcome_hits[!body] != 0;
}

/* Is the range `var x` of `foreach (var x in xs)`, right before the word that the condition is? */
static bool is_variable_of(const struct column_range *range, uint32_t line,
                           const struct report_condition *condition)
{
    const struct fact_span *in = &condition->span;
    return condition->is_exact && in->start_line == line && range->end != 0 &&
           range->end <= in->start_column && in->start_column - range->end <= 1;
}

static bool is_told_by_loop(const struct column_range *range, const struct report_line *line)
{
    for (uint32_t i = 0; i < line->condition_count; i++)
        if (never_had_item(&line->conditions[i]) &&
            is_variable_of(range, line->number, &line->conditions[i]))
            return true;
    return false;
}

/* That a loop never had an item says all: its variable is not missed as well. */
static uint32_t leave_out_variables(struct column_range *missed, uint32_t count,
                                    const struct report_line *line)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!is_told_by_loop(&missed[i], line))
            missed[kept++] = missed[i];
    return kept;
}

bool missed_text_make(struct report_line *line, struct line_piece *pieces, size_t count,
                      struct arena *arena, struct err *err)
{
    struct arena scratch;
    char buffer[2048];
    struct painting p = {.arena = arena, .scratch = &scratch, .err = err};
    if (line->hits == 0 || !any_ran(pieces, count))
        return true;
    sort_unless_sorted(pieces, count, sizeof *pieces, order_text_pieces);
    arena_init(&scratch, buffer, sizeof buffer, ARENA_NO_LIMIT);
    bool ok = paint_all(&p, pieces, count);
    arena_free(&scratch);
    line->missed = p.missed.items;
    line->missed_count = leave_out_variables(p.missed.items, p.missed.count, line);
    return ok;
}
