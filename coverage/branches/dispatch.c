/* A compiler makes one switch of many branches. Where one of them leads to another, the other may
 * be part of the same tree, or the dispatch of a switch that begins there. The dispatch of another
 * switch has a hidden point of its own and looks at other values. (A branch of the same tree may
 * have a hidden point, too, where a pattern has bound variables.) */
#include "coverage/branches/dispatch.h"

#include "coverage/branches/rules/rules.h"

/* Where the dispatch begins in block `n`: the start of the code that one point covers, up to the
 * branch. */
static uint32_t dispatch_start(const struct point_map *map, uint32_t n)
{
    const struct block *block = &map->flow->blocks[n];
    uint32_t start = block->end - 1;
    while (start > block->first && map->point_of[start - 1] == map->point_of[block->end - 1])
        start--;
    return start;
}

static uint32_t next_block(const struct flow *flow, uint32_t n)
{
    return flow->edges[flow->blocks[n].first_edge].to;
}

/* Does a hidden point begin on the way from the start of block `first` to the branch at the end of
 * `last`, both included? The blocks between have one way out. */
static bool begins(const struct point_map *map, uint32_t first, uint32_t last)
{
    const struct flow *flow = map->flow;
    for (uint32_t n = first;; n = next_block(flow, n)) {
        const struct block *block = &flow->blocks[n];
        for (uint32_t i = block->first; i < block->end; i++) {
            uint32_t p = map->point_of[i];
            if (p != NO_POINT && map->points->points[p].hidden &&
                map->points->points[p].il_offset == flow->il.instrs[i].offset)
                return true;
        }
        if (n == last || block->edge_count != 1)
            return false;
    }
}

/* A local, an argument, or a field of `this` (a state machine keeps both in fields). */
static bool is_load(const struct instr *instr)
{
    return il_loaded_local(instr) != IL_NO_INDEX || instr->op == OP_LDFLD ||
           (il_loaded_arg(instr) != IL_NO_INDEX && instr[1].op != OP_LDFLD);
}

static bool knows(const struct point_map *map, uint32_t member, uint32_t load)
{
    const struct il *il = &map->flow->il;
    for (uint32_t i = dispatch_start(map, member); i < map->flow->blocks[member].end; i++)
        if (il_loads_stored(il, load, i) ||
            (is_load(&il->instrs[i]) && il_loads_the_same(&il->instrs[i], &il->instrs[load])))
            return true;
    return false;
}

static bool is_stored_on_the_way(const struct point_map *map, uint32_t first, uint32_t load)
{
    const struct flow *flow = map->flow;
    uint32_t end = flow_block_of(flow, load);
    for (uint32_t n = first;; n = next_block(flow, n)) {
        const struct block *block = &flow->blocks[n];
        for (uint32_t i = block->first; i < block->end && i != load; i++)
            if (il_loads_stored(&flow->il, load, i))
                return true;
        if (n == end || block->edge_count != 1)
            return false;
    }
}

/* Does that way load a variable that the dispatch at the end of block `member` loads or stores? */
static bool shares(const struct point_map *map, uint32_t first, uint32_t last, uint32_t member)
{
    const struct flow *flow = map->flow;
    for (uint32_t n = first;; n = next_block(flow, n)) {
        const struct block *block = &flow->blocks[n];
        for (uint32_t i = block->first; i + 1 < block->end; i++)
            if (is_load(&flow->il.instrs[i]) && knows(map, member, i) &&
                !is_stored_on_the_way(map, first, i))
                return true;
        if (n == last || block->edge_count != 1)
            return false;
    }
}

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
static bool shares_value(struct board *board, uint32_t n, uint32_t to, uint32_t dispatch)
{
    for (uint32_t m = board_group(board, n); m != NO_BLOCK; m = board->next[m])
        if (shares(&board->map, to, dispatch, m))
            return true;
    return false;
}

/* Unites dispatches if one leads to the other. Where a new switch may begin: only if
 * `shared` is set and they share a value. */
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
            bool is_next = begins(&board->map, to, way.block);
            if (!is_next || (shared && shares_value(board, n, to, way.block)))
                changed |= board_unite(board, n, way.block);
        }
    }
    return changed;
}

/* --- twins ------------------------------------------------------------------------------------ */

bool dispatch_leads_to_twin(const struct board *board, uint32_t n, struct way_out way)
{
    return board->judgement[n] != JUDGED_NONE && point_map_is_visible(&board->map, way.point) &&
           way.point != board->statement[n] &&
           seq_point_order(&board->points->points[way.point],
                           &board->points->points[board->statement[n]]) == 0 &&
           board->flow->blocks[way.block].exit == FLOW_CONDITION &&
           board->judgement[way.block] != JUDGED_NONE;
}

static void unite_twins(struct board *board, const struct rule *rule)
{
    for (uint32_t n = 0; n < board->flow->block_count; n++) {
        const struct block *block = &board->flow->blocks[n];
        for (uint32_t e = block->first_edge;
             board->judgement[n] != JUDGED_NONE && e < block->first_edge + block->edge_count; e++) {
            struct way_out way = board_follow(board, board->flow->edges[e].to);
            if (!dispatch_leads_to_twin(board, n, way))
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
    while (unite_ways(board, true));
    unite_twins(board, rule);
    link_groups(board);
    return true;
}
