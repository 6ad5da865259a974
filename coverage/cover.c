#include "coverage/cover.h"

#include "coverage/compiler_made.h"

bool cover_is_visible(const struct cover *cover, uint32_t point)
{
    return point != NO_POINT && cover->visible[point];
}

uint32_t cover_before(const struct cover *cover, uint32_t instr)
{
    uint32_t home = body_handler_around(&cover->flow->body, cover->flow->il.instrs[instr].offset);
    for (uint32_t p = cover->at[instr]; p != NO_POINT; p = p == 0 ? NO_POINT : p - 1)
        if (cover_is_visible(cover, p))
            return body_handler_around(&cover->flow->body, cover->points->points[p].il_offset) ==
                           home
                       ? p
                       : NO_POINT;
    return NO_POINT;
}

uint32_t cover_after(const struct cover *cover, uint32_t instr)
{
    uint32_t home = body_handler_around(&cover->flow->body, cover->flow->il.instrs[instr].offset);
    for (uint32_t p = cover->at[instr] == NO_POINT ? 0 : cover->at[instr]; p < cover->points->count;
         p++)
        if (cover_is_visible(cover, p) &&
            cover->points->points[p].il_offset > cover->flow->il.instrs[instr].offset)
            return body_handler_around(&cover->flow->body, cover->points->points[p].il_offset) ==
                           home
                       ? p
                       : NO_POINT;
    return NO_POINT;
}

static void find_visible(struct cover *cover)
{
    const struct flow *flow = cover->flow;
    for (uint32_t p = 0; p < cover->points->count; p++) {
        const struct seq_point *point = &cover->points->points[p];
        uint32_t instr = point->il_offset < flow->il.code_size ? flow->il.index_at[point->il_offset]
                                                               : IL_NO_INDEX;
        cover->visible[p] = !point->hidden && (instr == IL_NO_INDEX ||
                                               flow->blocks[flow_block_of(flow, instr)].reachable);
    }
}

/* The innermost statement that encloses the one that begins at visible point `p`, among those before
 * it. */
static uint32_t enclosing(const struct cover *cover, uint32_t p, uint32_t before)
{
    const struct seq_point *points = cover->points->points;
    while (before != NO_POINT && !seq_point_is_within(&points[p], &points[before]))
        before = cover->outer[before];
    return before;
}

static void find_points(struct cover *cover, bool is_state_machine)
{
    const struct il *il = &cover->flow->il;
    const struct seq_points *points = cover->points;
    uint32_t next = 0, point = NO_POINT, last = NO_POINT, visible = NO_POINT;
    for (uint32_t i = 0; i < il->count; i++) {
        if (is_state_machine && i != 0 && visible != NO_POINT && made_await_ends(cover->flow, i))
            point = visible;
        while (next < points->count && points->points[next].il_offset <= il->instrs[i].offset) {
            last = point = next++;
            if (cover->visible[point]) {
                cover->outer[point] = enclosing(cover, point, visible);
                visible = point;
            } else if (visible != NO_POINT && cover->outer[visible] != NO_POINT &&
                       points->points[point].hidden) {
                point = cover->outer[visible]; /* behind an arm */
            }
        }
        cover->point_of[i] = last;
        cover->at[i] = point;
    }
}

static void find_openings(struct cover *cover)
{
    const struct il *il = &cover->flow->il;
    for (uint32_t n = 0; n < cover->flow->block_count; n++) {
        const struct block *block = &cover->flow->blocks[n];
        cover->opens[n] = NO_POINT;
        for (uint32_t i = block->first; i < block->end && cover->opens[n] == NO_POINT; i++) {
            uint32_t p = cover->at[i];
            if (cover_is_visible(cover, p) &&
                cover->points->points[p].il_offset >= il->instrs[block->first].offset)
                cover->opens[n] = p;
        }
    }
}

bool cover_make(struct cover *out, const struct flow *flow, const struct seq_points *points,
                bool is_state_machine, struct arena *arena, struct err *err)
{
    *out = (struct cover){.flow = flow,
                          .points = points,
                          .visible = ARENA_NEW(arena, bool, points->count, err),
                          .point_of = ARENA_NEW(arena, uint32_t, flow->il.count, err),
                          .outer = ARENA_NEW(arena, uint32_t, points->count, err),
                          .at = ARENA_NEW(arena, uint32_t, flow->il.count, err),
                          .opens = ARENA_NEW(arena, uint32_t, flow->block_count, err)};
    if (out->visible == NULL || out->point_of == NULL || out->at == NULL || out->opens == NULL ||
        out->outer == NULL)
        return false;
    find_visible(out);
    find_points(out, is_state_machine);
    find_openings(out);
    return true;
}
