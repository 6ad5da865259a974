#include "coverage/statements/early_returns.h"

#include "base/sort.h"
#include "coverage/source/statement_order.h"

struct return_search {
    const struct statements_source *source;
    const struct spans *spans;
};

/* The first instruction of a visible point; NULL if there is none. */
static const struct instr *first_instr(const struct statements_source *s, uint32_t p)
{
    const struct seq_point *point = &s->points->points[p];
    uint32_t instr = point->hidden ? NO_INDEX : il_index(&s->flow->il, point->il_offset);
    return instr != NO_INDEX ? &s->flow->il.instrs[instr] : NULL;
}

static bool is_jump(const struct instr *instr)
{
    uint8_t exit = il_info(instr)->flow;
    return exit == FLOW_BRANCH || exit == FLOW_LEAVE;
}

/* Is the code of a point nothing but a return? */
static bool is_return_point(const struct statements_source *s, uint32_t p)
{
    const struct instr *first = first_instr(s, p);
    return first != NULL && first->op == OP_RET;
}

/* Is it nothing but the same as the instruction: a return, or a jump to the same place? */
static bool does_the_same(const struct statements_source *s, uint32_t p, const struct instr *instr)
{
    const struct instr *first = first_instr(s, p);
    if (first == NULL || !is_jump(instr))
        return first != NULL && first->op == instr->op;
    return is_jump(first) && first->operand == instr->operand;
}

ORDER(order_return_offsets, struct seq_point, BY(il_offset))

/* The last point at or before an offset; the number of points if there is none. */
static uint32_t point_before(const struct seq_points *points, uint32_t offset)
{
    const struct seq_point after = {.il_offset = offset + 1};
    size_t place =
        sorted_place(&after, points->points, points->count, sizeof after, order_return_offsets);
    return place != 0 ? (uint32_t)place - 1 : points->count;
}

/* The point of the whole statement in which a visible point is. */
static const struct seq_point *whole_of(const struct return_search *s, uint32_t p)
{
    return s->spans->items[s->spans->items[s->spans->of[p]].outermost].text;
}

static bool add_early_return(struct list *out, uint32_t instr, uint32_t point, struct arena *arena,
                             struct err *err)
{
    return list_put(out, &(struct early_return){instr, point}, sizeof(struct early_return), arena,
                    err);
}

/* --- as the source says ----------------------------------------------------------------------- */

/* The first point in the code at this place of the source that does the same as the instruction;
 * the number of points if there is none. */
static uint32_t jump_at(const struct return_search *s, uint32_t document, uint32_t offset,
                        const struct instr *instr)
{
    const struct seq_points *points = s->source->points;
    uint32_t line, column, found = points->count;
    line_index_place(&line, &column, s->source->text, offset);
    for (uint32_t i = spans_from(s->spans, document, line, column); i < s->spans->count; i++) {
        const struct span *span = &s->spans->items[i];
        const struct seq_point *point = span->text;
        if (point->document != document || point->start_line != line ||
            point->start_column != column)
            break;
        for (uint32_t n = span->first; n < span->first + span->count; n++) {
            uint32_t p = s->spans->points[n];
            if (p < found && does_the_same(s->source, p, instr))
                found = p;
        }
    }
    return found;
}

/* Does the block before run on into the one at the point? */
static bool is_point_run_into(const struct statements_source *s, const struct seq_point *point)
{
    uint32_t instr = il_index(&s->flow->il, point->il_offset);
    const struct block *block = &s->flow->blocks[flow_block_of(s->flow, instr)];
    bool runs_on = instr != NO_INDEX && block->first != instr;
    for (uint32_t i = 0; instr != NO_INDEX && i < block->in_count && !runs_on; i++)
        runs_on = !flow_edge_in(s->flow, block, i)->taken;
    return runs_on;
}

/* The point of the statement that leads to the instruction. Before it there may be hidden code, as
 * at the end of an arm of `if`, and the condition of `foreach`. */
static uint32_t statement_before(const struct statements_source *s, uint32_t instr)
{
    const struct seq_points *points = s->points;
    uint32_t p = point_before(points, s->flow->il.instrs[instr].offset);
    while (p != points->count && p != 0 && points->points[p].hidden &&
           is_point_run_into(s, &points->points[p]))
        p--;
    return p;
}

/* What comes after the statement: a `return`, another jump, or a `break` and what comes after that.
 * *is_known false: the source does not say. */
static bool find_in_text(bool *is_known, struct list *out, const struct return_search *search,
                         uint32_t instr, struct arena *arena, struct err *err)
{
    const struct statements_source *s = search->source;
    const struct seq_points *points = s->points;
    uint32_t p = statement_before(s, instr), start, end;
    *is_known = false;
    if (s->tokens == NULL || p == points->count || points->points[p].hidden)
        return true;
    const struct seq_point *whole = whole_of(search, p);
    if (whole->document != points->points[0].document ||
        !line_index_point(&start, &end, s->text, whole))
        return true;
    while (statement_order_next(&start, s->tokens, start, end)) {
        uint32_t found = jump_at(search, whole->document, start, &s->flow->il.instrs[instr]);
        *is_known = true;
        if (found != points->count && !add_early_return(out, instr, found, arena, err))
            return false;
        if (!statement_order_is_break(s->tokens, start))
            break;
    }
    return true;
}

/* --- as the points say ------------------------------------------------------------------------ */

/* The point of the `return` that a `ret` in the middle of the statement before it belongs to;
 * the number of points if it belongs to none. */
static uint32_t return_of(const struct return_search *search, uint32_t instr)
{
    const struct statements_source *s = search->source;
    const struct seq_points *points = s->points;
    const struct il *il = &s->flow->il;
    uint32_t p = point_before(points, il->instrs[instr].offset);
    if (instr + 1 == il->count || p == points->count || points->points[p].hidden ||
        points->points[p].il_offset == il->instrs[instr].offset)
        return points->count;
    const struct seq_point *whole = whole_of(search, p);
    while (++p < points->count &&
           (points->points[p].hidden || seq_point_order(&points->points[p], whole) == 0 ||
            seq_point_is_within(&points->points[p], whole)))
        ;
    bool in_middle =
        p < points->count && points->points[p].il_offset != il->instrs[instr + 1].offset;
    return in_middle && is_return_point(s, p) ? p : points->count;
}

/* --- which instructions ----------------------------------------------------------------------- */

/* Per instruction: does a point lead there that is only a jump, such as `break`? NULL if none
 * leads anywhere. */
static bool find_targets(bool **targets, const struct statements_source *s, struct arena *arena,
                         struct err *err)
{
    *targets = NULL;
    for (uint32_t p = 0; p < s->points->count; p++) {
        const struct instr *first = first_instr(s, p);
        if (first == NULL || !is_jump(first))
            continue;
        if (*targets == NULL)
            *targets = ARENA_NEW(arena, bool, s->flow->il.count, err);
        if (*targets == NULL)
            return false;
        (*targets)[first->operand] = true;
    }
    return true;
}

static bool has_own_point(const struct statements_source *s, uint32_t instr)
{
    uint32_t offset = s->flow->il.instrs[instr].offset, p = point_before(s->points, offset);
    return p != s->points->count && !s->points->points[p].hidden &&
           s->points->points[p].il_offset == offset;
}

/* Is it a jump that may be another one's, as `targets` says? */
static bool may_be_copy(const struct statements_source *s, const bool *targets, uint32_t i)
{
    const struct instr *instr = &s->flow->il.instrs[i];
    return targets != NULL && is_jump(instr) && targets[instr->operand] && !has_own_point(s, i);
}

bool early_returns_ask_source(bool *out, const struct statements_source *s, struct arena *arena,
                              struct err *err)
{
    const struct il *il = &s->flow->il;
    bool *targets;
    uint32_t returns = 0;
    *out = false;
    if (!find_targets(&targets, s, arena, err))
        return false;
    for (uint32_t i = 0; i < il->count && !*out; i++) {
        returns += il->instrs[i].op == OP_RET;
        *out = returns > 1 || may_be_copy(s, targets, i);
    }
    return true;
}

bool early_returns_find(struct list *out, const struct statements_source *s,
                        const struct spans *spans, struct arena *arena, struct err *err)
{
    const struct return_search search = {s, spans};
    const struct il *il = &s->flow->il;
    bool *targets = NULL;
    if (s->language == LANGUAGE_CSHARP && s->tokens != NULL &&
        !find_targets(&targets, s, arena, err))
        return false;
    for (uint32_t i = 0; i < il->count; i++) {
        bool is_known, returns = il->instrs[i].op == OP_RET;
        if (!returns && !may_be_copy(s, targets, i))
            continue;
        if (!find_in_text(&is_known, out, &search, i, arena, err))
            return false;
        uint32_t p = is_known || !returns ? s->points->count : return_of(&search, i);
        if (p != s->points->count && !add_early_return(out, i, p, arena, err))
            return false;
    }
    return true;
}
