#include "coverage/cover.h"

#include "coverage/compiler_made.h"

bool cover_is_visible(const struct cover *cover, uint32_t point)
{
    return point != NO_POINT && !cover->points->points[point].hidden;
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

static void find_points(struct cover *cover, bool is_state_machine)
{
    const struct il *il = &cover->flow->il;
    const struct seq_points *points = cover->points;
    uint32_t next = 0, point = NO_POINT;
    for (uint32_t i = 0; i < il->count; i++) {
        bool resumes = is_state_machine && i != 0 && made_await_ends(cover->flow, i);
        while (resumes && point != NO_POINT && point != 0 && !cover_is_visible(cover, point))
            point--;
        while (next < points->count && points->points[next].il_offset <= il->instrs[i].offset)
            point = next++;
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
                          .at = ARENA_NEW(arena, uint32_t, flow->il.count, err),
                          .opens = ARENA_NEW(arena, uint32_t, flow->block_count, err)};
    if (out->at == NULL || out->opens == NULL)
        return false;
    find_points(out, is_state_machine);
    find_openings(out);
    return true;
}
