#include "coverage/guard.h"

enum {
    JUMPS_MAX = 8,
    GUARDS_MAX = 8, /* in a row */
};

bool guard_is_member(struct judge *j, uint32_t leader, uint32_t n)
{
    return j->judgement[n] == JUDGED_DISPATCH && judge_group(j, n) == leader;
}

/* What comes before, under hidden points, may be given to a guard as to an arm (cover.c). */
uint32_t guard_first(const struct judge *j, uint32_t point)
{
    return flow_block_of(j->flow, j->flow->il.index_at[j->points->points[point].il_offset]);
}

bool guard_goes_on(const struct judge *j, uint32_t n, uint32_t point)
{
    return n < j->flow->block_count && j->cover.at[flow_last_instr(j->flow, n)] == point;
}

/* Where an edge comes from, past blocks with nothing but a jump. */
static uint32_t source_of(const struct flow *flow, const struct edge *edge)
{
    uint32_t from = edge->from;
    for (unsigned steps = 0; steps < JUMPS_MAX; steps++) {
        const struct block *block = &flow->blocks[from];
        if (block->in_count != 1 || block->exit != FLOW_BRANCH || block->end - block->first != 1)
            break;
        from = flow_edge_in(flow, block, 0)->from;
    }
    return from;
}

/* Do only branches lead to the block, one of them of this dispatch? So it is with an arm, but not with
 * what follows the switch, where arms end. */
static bool is_arm(struct judge *j, uint32_t leader, uint32_t n)
{
    const struct block *block = &j->flow->blocks[n];
    bool from_dispatch = false;
    for (uint32_t i = 0; i < block->in_count; i++) {
        uint32_t from = source_of(j->flow, flow_edge_in(j->flow, block, i));
        if (j->flow->blocks[from].edge_count < 2)
            return false;
        from_dispatch |= guard_is_member(j, leader, from);
    }
    return from_dispatch;
}

static bool is_guard(struct judge *j, uint32_t leader, struct way_out way, unsigned nested);

/* Does the way, out of a guard or out of the body of an arm, show that it is a guard? */
static bool shows_guard(struct judge *j, uint32_t leader, uint32_t point, struct way_out way,
                        unsigned nested)
{
    if (way.point == NO_POINT) /* the first block of a dispatch may be come to again in a loop */
        return way.block != leader && guard_is_member(j, leader, way.block);
    return way.point != point &&
           (is_arm(j, leader, way.block) || is_arm(j, leader, guard_first(j, way.point)) ||
            (way.point > point && nested < GUARDS_MAX && is_guard(j, leader, way, nested + 1)));
}

static bool is_guard(struct judge *j, uint32_t leader, struct way_out way, unsigned nested)
{
    if (way.point == NO_POINT)
        return false;
    for (uint32_t n = guard_first(j, way.point); guard_goes_on(j, n, way.point); n++) {
        const struct block *block = &j->flow->blocks[n];
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
            if (block->edge_count > 1 &&
                shows_guard(j, leader, way.point, judge_follow(j, j->flow->edges[e].to), nested))
                return true;
    }
    return false;
}

bool guard_is(struct judge *j, uint32_t leader, struct way_out way)
{
    return is_guard(j, leader, way, 0);
}
