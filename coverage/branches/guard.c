#include "coverage/branches/guard.h"

#include "coverage/branches/operands.h"

enum {
    JUMPS_MAX = 8,
    GUARDS_MAX = 8, /* in a row */
    GUARDS_BITS = 4,
    ARROW_MIN = 4, /* columns between a guard and what it guards: ` -> ` */
    OPERATOR_MIN = 2,
    OPERATOR_MAX = 6, /* ` && (` */
};

bool guard_is_member(struct board *board, uint32_t leader, uint32_t n)
{
    return board->judgement[n] == JUDGED_DISPATCH && board_group(board, n) == leader;
}

/* The code before it, under hidden points, may be assigned to a guard as to an arm
 * (point_map.c). */
uint32_t guard_block(const struct board *board, uint32_t point)
{
    return flow_block_of(board->flow,
                         board->flow->il.index_at[board->points->points[point].il_offset]);
}

static bool continues_to(const struct board *board, uint32_t n, uint32_t point)
{
    return n < board->flow->block_count &&
           (board->map.at[flow_last_instr(board->flow, n)] == point ||
            (board->inlined.within[n] != NO_BLOCK && point_map_at_end(&board->map, n) == point));
}

/* F#, Debug: the test of the value of `a && b`, which both operands reach. */
static uint32_t value_test(const struct board *board, uint32_t n)
{
    const struct flow *flow = board->flow;
    for (unsigned steps = 0; steps < JUMPS_MAX; steps++) {
        if (board_is_inlined(board, n) && board->inlined.join[n] > n)
            n = board->inlined.join[n];
        else if (flow->blocks[n].edge_count == 1)
            n = flow->edges[flow->blocks[n].first_edge].to;
        else
            break;
        if (board->map.opens[n] != NO_POINT)
            return NO_BLOCK;
    }
    return flow->blocks[n].exit == FLOW_CONDITION && board->judgement[n] == JUDGED_NONE &&
                   operands_determine_test(board, n)
               ? n
               : NO_BLOCK;
}

bool guard_is_value(const struct board *board, struct way_out way)
{
    return board->language == LANGUAGE_FSHARP && value_test(board, way.block) != NO_BLOCK;
}

struct guard_row guard_row(const struct board *board, struct way_out way)
{
    struct guard_row row = {way.block, way.block};
    bool tests = false;
    if (way.point != NO_POINT)
        row.first = row.end = guard_block(board, way.point);
    for (; way.point != NO_POINT && continues_to(board, row.end, way.point); row.end++)
        tests |= board->flow->blocks[row.end].edge_count > 1 && !board_is_inlined(board, row.end);
    uint32_t test =
        tests || board->language != LANGUAGE_FSHARP ? NO_BLOCK : value_test(board, row.first);
    return test != NO_BLOCK ? (struct guard_row){test, test + 1} : row;
}

/* Do only branches lead to the block, one of them from this dispatch? That is true of an arm, but
 * not of the code after the switch, where arms end. */
static bool is_arm(struct board *board, uint32_t leader, uint32_t n)
{
    const struct block *block = &board->flow->blocks[n];
    bool from_dispatch = false;
    for (uint32_t i = 0; i < block->in_count; i++) {
        uint32_t from = flow_source(board->flow, flow_edge_in(board->flow, block, i));
        if (board->flow->blocks[from].edge_count < 2)
            return false;
        from_dispatch |= guard_is_member(board, leader, from);
    }
    return from_dispatch;
}

/* --- text ------------------------------------------------------------------------------------- */

/* Only a guard can have this position before the code it guards: `| p when c -> e`, or to the left
 * of e if e has a line of its own. The point of an `if` is all of `if c then`, so it is left of its
 * branches, or one space before them. */
static bool stands_before(const struct seq_point *guard, const struct seq_point *body)
{
    if (body->start_line == guard->end_line)
        return body->start_column >= guard->end_column + ARROW_MIN;
    return body->start_line > guard->end_line && body->start_column < guard->start_column;
}

static bool is_next_operand(const struct seq_point *first, const struct seq_point *second)
{
    return second->start_line == first->end_line &&
           second->start_column >= first->end_column + OPERATOR_MIN &&
           second->start_column <= first->end_column + OPERATOR_MAX;
}

static bool is_loop_start(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    return block->in_count != 0 && flow_edge_in(flow, block, block->in_count - 1)->from >= n;
}

/* Gets the points where the ways of a test come out, in the order of the text; false if the ways of
 * a guard can't come out so. */
static bool ways_of_guard(const struct board *board, uint32_t n, uint32_t ways[2])
{
    const struct block *block = &board->flow->blocks[n];
    if (block->exit != FLOW_CONDITION || block->edge_count != 2)
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t to = board->flow->edges[block->first_edge + i].to;
        ways[i] = board_follow(board, to).point;
        if (is_loop_start(board->flow, to))
            return false;
    }
    if (ways[0] == NO_POINT ||
        (ways[1] != NO_POINT &&
         seq_point_order(&board->points->points[ways[1]], &board->points->points[ways[0]]) < 0)) {
        uint32_t first = ways[1];
        ways[1] = ways[0], ways[0] = first;
    }
    return ways[0] != NO_POINT;
}

/* Does the point look like that of the next operand? One without a point of its own has it just
 * before the one after it. */
static bool leads_to_operand(const struct board *board, uint32_t point, uint32_t next)
{
    const uint32_t *added = board->operands.next;
    return (added != NULL && added[next] != NO_POINT) ||
           is_next_operand(&board->points->points[point], &board->points->points[next]);
}

/* Does what both ways lead to stand where only the body of a guard and the rule after it do, or the
 * next operand of a guard and the body? `ways` are points in the order of the text. */
static bool come_out_as_guard(const struct board *board, uint32_t match, uint32_t guard,
                              const uint32_t ways[2])
{
    const struct seq_point *points = board->points->points;
    const struct seq_point *first = &points[ways[0]];
    uint32_t outer = board->map.outer[guard];
    /* otherwise it is an operand of an `if`, or a stage of a pipeline */
    if (!stands_before(&points[guard], first) ||
        (outer != NO_POINT && !seq_point_is_within(first, &points[outer])))
        return false;
    if (ways[1] == NO_POINT)
        return true;
    const struct seq_point *second = &points[ways[1]];
    return second->start_line > first->start_line ||
           second->start_line == points[match].start_line ||
           (leads_to_operand(board, guard, ways[0]) && stands_before(first, second) &&
            (outer == NO_POINT || seq_point_is_within(second, &points[outer])));
}

bool guard_reads_as_one(const struct board *board, uint32_t match, struct way_out way)
{
    const struct seq_point *points = board->points->points;
    struct guard_row row = guard_row(board, way);
    uint32_t ways[2];
    if (board->language != LANGUAGE_FSHARP || way.point == NO_POINT ||
        seq_point_is_within(&points[way.point], &points[match]))
        return false;
    for (uint32_t n = row.first; n < row.end; n++)
        if (board->judgement[n] != JUDGED_DISPATCH && !board_is_inlined(board, n) &&
            ways_of_guard(board, n, ways))
            return come_out_as_guard(board, match, way.point, ways);
    return false;
}

/* --- where it leads --------------------------------------------------------------------------- */

static bool is_guard(struct board *board, uint32_t leader, struct way_out way, unsigned nested,
                     bool by_text);

/* Does the way out of a guard, or out of the body of an arm, show that it is a guard? */
static bool shows_guard(struct board *board, uint32_t leader, uint32_t point, struct way_out way,
                        unsigned nested, bool by_text)
{
    const struct seq_point *points = board->points->points;
    if (way.point == NO_POINT) /* a loop may reach the first block of a dispatch again */
        return way.block != leader && guard_is_member(board, leader, way.block);
    return way.point != point &&
           (is_arm(board, leader, way.block) ||
            is_arm(board, leader, guard_block(board, way.point)) ||
            (way.point > point && nested < GUARDS_MAX &&
             is_guard(board, leader, way, nested + 1,
                      by_text && is_next_operand(&points[point], &points[way.point]))));
}

/* Was it asked in this search, with as many guards still allowed? Notes that it is now. */
static bool was_tried(struct board *board, uint32_t point, unsigned nested, bool by_text)
{
    uint64_t *tried = &board->guard_tried[2 * (size_t)point + by_text];
    uint64_t now = board->guard_search << GUARDS_BITS | nested;
    if (*tried >> GUARDS_BITS == board->guard_search && *tried <= now)
        return true;
    *tried = now;
    return false;
}

static bool is_guard(struct board *board, uint32_t leader, struct way_out way, unsigned nested,
                     bool by_text)
{
    if (way.point == NO_POINT || was_tried(board, way.point, nested, by_text))
        return false;
    if (by_text && guard_reads_as_one(board, board->statement[leader], way))
        return true;
    struct guard_row row = guard_row(board, way);
    for (uint32_t n = row.first; n < row.end; n++) {
        const struct block *block = &board->flow->blocks[n];
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
            if (block->edge_count > 1 &&
                shows_guard(board, leader, way.point, board_follow_edge(board, e), nested, by_text))
                return true;
    }
    return false;
}

/* All ways are walked, and many meet again: what was no guard is none when it is reached once
 * more. */
bool guard_is(struct board *board, uint32_t leader, struct way_out way)
{
    board->guard_search++;
    return is_guard(board, leader, way, 0, true);
}
