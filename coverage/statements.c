#include "coverage/statements.h"

#include <stdlib.h>

#include "base/number.h"

/* A point and its place in the order of the method; sorted by span to find those that are one. */
struct candidate {
    const struct seq_point *point;
    uint32_t index;
};

static int compare_spans(const void *left, const void *right)
{
    const struct seq_point *a = ((const struct candidate *)left)->point;
    const struct seq_point *b = ((const struct candidate *)right)->point;
    int order = number_order(a->document, b->document);
    if (order == 0)
        order = number_order((uint64_t)a->start_line << 32 | a->start_column,
                             (uint64_t)b->start_line << 32 | b->start_column);
    if (order == 0)
        order = number_order((uint64_t)a->end_line << 32 | a->end_column,
                             (uint64_t)b->end_line << 32 | b->end_column);
    return order;
}

static int compare_in_order(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    int order = compare_spans(left, right);
    return order != 0 ? order : number_order(a->index, b->index);
}

static int compare_statements(const void *left, const void *right)
{
    return number_order(((const struct statement *)left)->point,
                        ((const struct statement *)right)->point);
}

static bool loads_local(const struct instr *instr)
{
    return il_loaded_local(instr) != IL_NO_INDEX;
}

static bool lies_within_another(const struct seq_points *points, uint32_t p)
{
    for (uint32_t i = 0; i < points->count; i++)
        if (!points->points[i].hidden &&
            seq_point_is_within(&points->points[p], &points->points[i]))
            return true;
    return false;
}

/* One column wide, and its code up to the next point does nothing but go on: that is a brace. A
 * parameter of one letter as a whole expression, the only other candidate, loads an argument or a
 * field. */
static bool is_brace(const struct flow *flow, const struct seq_points *points, uint32_t p,
                     bool is_state_machine)
{
    const struct seq_point *point = &points->points[p];
    if (point->start_line != point->end_line || point->end_column - point->start_column != 1)
        return false;
    if (is_state_machine) /* its closing brace sets the result; an arm of one letter is within more */
        return !lies_within_another(points, p);
    uint32_t end = p + 1 < points->count ? points->points[p + 1].il_offset : flow->il.code_size;
    for (uint32_t i = flow->il.index_at[point->il_offset];
         i < flow->il.count && flow->il.instrs[i].offset < end; i++) {
        const struct instr *instr = &flow->il.instrs[i];
        uint8_t exit = il_info(instr)->flow;
        bool idle = instr->op == OP_NOP || exit == FLOW_BRANCH || exit == FLOW_LEAVE ||
                    exit == FLOW_RETURN || exit == FLOW_ENDFINALLY;
        if (!idle &&
            !(loads_local(instr) && i + 1 < flow->il.count && flow->il.instrs[i + 1].op == OP_RET))
            return false;
    }
    return true;
}

/* A hidden point, one that names no instruction, or one in code that can't be reached stands for
 * nothing. */
static bool is_live(const struct flow *flow, const struct seq_point *point)
{
    if (point->hidden || point->il_offset >= flow->il.code_size ||
        flow->il.index_at[point->il_offset] == IL_NO_INDEX)
        return false;
    return flow->blocks[flow_block_of(flow, flow->il.index_at[point->il_offset])].reachable;
}

static bool counts(const struct flow *flow, const struct seq_points *points, uint32_t p,
                   bool only_braces, uint32_t last_visible, bool is_state_machine)
{
    if (!is_live(flow, &points->points[p]))
        return false;
    /* Of a method with nothing but braces the closing one counts: Release builds have no other. */
    return only_braces ? p == last_visible : !is_brace(flow, points, p, is_state_machine);
}

static bool has_only_braces(const struct flow *flow, const struct seq_points *points,
                            bool is_state_machine)
{
    for (uint32_t p = 0; p < points->count; p++)
        if (is_live(flow, &points->points[p]) && !is_brace(flow, points, p, is_state_machine))
            return false;
    return true;
}

bool statements_find(struct statements *out, const struct flow *flow,
                     const struct seq_points *points, bool is_state_machine, struct arena *arena,
                     struct err *err)
{
    struct candidate *candidates = ARENA_NEW(arena, struct candidate, points->count, err);
    *out = (struct statements){.items = ARENA_NEW(arena, struct statement, points->count, err),
                               .blocks = ARENA_NEW(arena, uint32_t, points->count, err)};
    if (candidates == NULL || out->items == NULL || out->blocks == NULL)
        return false;
    bool only_braces = has_only_braces(flow, points, is_state_machine);
    uint32_t count = 0, last_visible = 0;
    for (uint32_t p = 0; p < points->count; p++)
        if (is_live(flow, &points->points[p]))
            last_visible = p;
    for (uint32_t p = 0; p < points->count; p++)
        if (counts(flow, points, p, only_braces, last_visible, is_state_machine))
            candidates[count++] = (struct candidate){&points->points[p], p};
    if (count != 0)
        qsort(candidates, count, sizeof *candidates, compare_in_order);
    for (uint32_t n = 0; n < count; n++) {
        if (n == 0 || compare_spans(&candidates[n - 1], &candidates[n]) != 0)
            out->items[out->count++] =
                (struct statement){.point = candidates[n].index, .first_block = n};
        out->items[out->count - 1].block_count++;
        out->blocks[n] = flow_block_of(flow, flow->il.index_at[candidates[n].point->il_offset]);
    }
    if (out->count != 0)
        qsort(out->items, out->count, sizeof *out->items, compare_statements);
    return true;
}
