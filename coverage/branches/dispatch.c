/* A compiler makes one switch of many branches. Where one of them leads to another, the other may
 * be part of the same tree, or the dispatch of a switch that begins there: an arm that is a switch,
 * or the next statement. That one has a hidden point before all of its code and looks at other
 * values. Within a tree there may be a hidden point, too: behind code that gets a property, and
 * where a pattern has bound variables (way_code.h). */
#include "coverage/branches/guard.h"
#include "coverage/branches/rules.h"
#include "coverage/branches/way_code.h"

/* --- groups ----------------------------------------------------------------------------------- */

/* The lowest block leads, and each group is a list in ascending order. */
static void link_groups(struct board *board)
{
    for (uint32_t n = 0; n < board->flow->block_count; n++)
        board->next[n] = NO_BLOCK;
    for (uint32_t n = board->flow->block_count; n-- != 0;) {
        uint32_t leader = board_group(board, n);
        if (board->judgement[n] != JUDGED_DISPATCH || leader == n)
            continue;
        board->next[n] = board->next[leader];
        board->next[leader] = n;
    }
}

/* Does the dispatch of the switch that begins at block `to` look at a value that the group of `n`
 * looks at? */
static bool shares_value(struct board *board, uint32_t n, uint32_t to, uint32_t dispatch,
                         enum way_kind kind)
{
    for (uint32_t m = board_group(board, n); m != NO_BLOCK; m = board->next[m])
        if (way_code_shares_value(board, to, dispatch, m, kind))
            return true;
    return false;
}

/* Unites dispatches if one leads to the other. Where a new switch may begin: only if `shared` is
 * set and they share a value, or the first one only goes on where a guard was asked. */
static bool unite_ways(struct board *board, bool shared)
{
    bool changed = false;
    for (uint32_t n = 0; n < board->flow->block_count; n++) {
        const struct block *b = &board->flow->blocks[n];
        if (board->judgement[n] != JUDGED_DISPATCH)
            continue;
        for (uint32_t e = b->first_edge; e < b->first_edge + b->edge_count; e++) {
            uint32_t to = board->flow->edges[e].to;
            struct way_out way = board_follow(board, to);
            if (board->judgement[way.block] != JUDGED_DISPATCH || way.point != NO_POINT ||
                board_group(board, n) == board_group(board, way.block))
                continue;
            enum way_kind kind = way_code_kind(&board->map, to, way.block);
            if (kind == WAY_CONTINUES || (shared && kind != WAY_BEGINS &&
                                          (shares_value(board, n, to, way.block, kind) ||
                                           way_code_tests_note(&board->map, n))))
                changed |= board_unite(board, n, way.block);
        }
    }
    return changed;
}

/* --- guards ----------------------------------------------------------------------------------- */

/* A guard that holds leads to its arm, which stands behind it. (In `q ? x switch { ... } : y`,
 * everything is within the text of the arm.) */
static bool leads_behind(const struct board *board, uint32_t n, uint32_t guard)
{
    const struct seq_point *points = board->points->points;
    const struct block *block = &board->flow->blocks[n];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        uint32_t point = board_follow_edge(board, e).point;
        if (point_map_is_visible(&board->map, point) &&
            seq_point_order(&points[guard], &points[point]) < 0 &&
            !seq_point_is_within(&points[point], &points[guard]))
            return true;
    }
    return false;
}

/* Unites the dispatch at the end of block `n` with those that only the guard leads to that begins
 * where `way` comes out: a property that nothing asked for before. */
static bool unite_past_guard(struct board *board, uint32_t n, struct way_out way)
{
    struct guard_row row = guard_row(board, way);
    bool changed = false, is_guard = false;
    for (uint32_t m = row.first; m < row.end && !is_guard; m++)
        is_guard = leads_behind(board, m, way.point);
    for (uint32_t m = row.first; m < row.end && is_guard; m++) {
        const struct block *block = &board->flow->blocks[m];
        for (uint32_t e = block->first_edge;
             block->edge_count > 1 && e < block->first_edge + block->edge_count; e++) {
            /* Debug code leaves a guard by a jump of its own, under a hidden point. */
            uint32_t to = flow_past_jumps(board->flow, board->flow->edges[e].to);
            struct way_out past = board_follow(board, to);
            if (past.point != NO_POINT || board->judgement[past.block] != JUDGED_DISPATCH ||
                board_group(board, n) == board_group(board, past.block))
                continue;
            enum way_kind kind = way_code_kind(&board->map, to, past.block);
            if (kind != WAY_BEGINS && shares_value(board, n, to, past.block, kind))
                changed |= board_unite(board, n, past.block);
        }
    }
    return changed;
}

static bool unite_past_guards(struct board *board)
{
    bool changed = false;
    for (uint32_t n = 0; n < board->flow->block_count && board->language == LANGUAGE_CSHARP; n++) {
        const struct block *block = &board->flow->blocks[n];
        for (uint32_t e = block->first_edge;
             board->judgement[n] == JUDGED_DISPATCH && e < block->first_edge + block->edge_count;
             e++) {
            struct way_out way = board_follow_edge(board, e);
            if (point_map_is_visible(&board->map, way.point))
                changed |= unite_past_guard(board, n, way);
        }
    }
    return changed;
}

/* --- twins ------------------------------------------------------------------------------------ */

static void unite_twins(struct board *board, const struct rule *rule)
{
    for (uint32_t n = 0; n < board->flow->block_count; n++) {
        const struct block *block = &board->flow->blocks[n];
        for (uint32_t e = block->first_edge;
             board->judgement[n] != JUDGED_NONE && e < block->first_edge + block->edge_count; e++) {
            struct way_out way = board_follow_edge(board, e);
            if (!board_leads_to_twin(board, n, way))
                continue;
            board_judge(board, n, rule);
            board_judge(board, way.block, rule);
            (void)board_unite(board, n, way.block);
        }
    }
}

/* The last rule: which dispatches form one switch is known only after all are found. */
bool find_one_question(struct board *board, const struct rule *rule, struct arena *arena,
                       struct err *err)
{
    (void)arena, (void)err;
    (void)unite_ways(board, false);
    do
        link_groups(board);
    while (unite_ways(board, true) || unite_past_guards(board));
    unite_twins(board, rule);
    link_groups(board);
    return true;
}
