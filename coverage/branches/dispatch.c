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
static void link_groups(struct branches *branches)
{
    for (uint32_t n = 0; n < branches->flow->block_count; n++)
        branches->next[n] = NO_INDEX;
    for (uint32_t n = branches->flow->block_count; n-- != 0;) {
        uint32_t leader = branches_group(branches, n);
        if (branches->class[n] != BRANCH_DISPATCH || leader == n)
            continue;
        branches->next[n] = branches->next[leader];
        branches->next[leader] = n;
    }
}

/* Does the dispatch of the switch that begins at block `to` look at a value that the group of `n`
 * looks at? */
static bool shares_value(struct branches *branches, uint32_t n, uint32_t to, uint32_t dispatch,
                         enum way_kind kind)
{
    for (uint32_t m = branches_group(branches, n); m != NO_INDEX; m = branches->next[m])
        if (way_code_shares_value(branches, to, dispatch, m, kind))
            return true;
    return false;
}

/* Unites dispatches if one leads to the other. Where a new switch may begin: only if `shared` is
 * set and they share a value, or the first one only goes on where a guard was asked. */
static bool unite_ways(struct branches *branches, bool shared)
{
    bool changed = false;
    for (uint32_t n = 0; n < branches->flow->block_count; n++) {
        const struct block *b = &branches->flow->blocks[n];
        if (branches->class[n] != BRANCH_DISPATCH)
            continue;
        for (uint32_t e = b->first_edge; e < b->first_edge + b->edge_count; e++) {
            uint32_t to = branches->flow->edges[e].to;
            struct way_out way = branches_follow(branches, to);
            if (branches->class[way.block] != BRANCH_DISPATCH || way.point != NO_INDEX ||
                branches_group(branches, n) == branches_group(branches, way.block))
                continue;
            enum way_kind kind = way_code_kind(&branches->map, to, way.block);
            if (kind == WAY_CONTINUES || (shared && kind != WAY_BEGINS &&
                                          (shares_value(branches, n, to, way.block, kind) ||
                                           way_code_tests_note(&branches->map, n))))
                changed |= branches_unite(branches, n, way.block);
        }
    }
    return changed;
}

/* --- guards ----------------------------------------------------------------------------------- */

/* A guard that holds leads to its arm, which stands behind it. (In `q ? x switch { ... } : y`,
 * everything is within the text of the arm.) */
static bool leads_behind(const struct branches *branches, uint32_t n, uint32_t guard)
{
    const struct seq_point *points = branches->points->points;
    const struct block *block = &branches->flow->blocks[n];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        uint32_t point = branches_follow_edge(branches, e).point;
        if (point_map_is_visible(&branches->map, point) &&
            seq_point_order(&points[guard], &points[point]) < 0 &&
            !seq_point_is_within(&points[point], &points[guard]))
            return true;
    }
    return false;
}

/* Unites the dispatch at the end of block `n` with those that only the guard leads to that begins
 * where `way` comes out: a property that nothing asked for before. */
static bool unite_past_guard(struct branches *branches, uint32_t n, struct way_out way)
{
    struct guard_row row = guard_row(branches, way);
    bool changed = false, is_guard = false;
    for (uint32_t m = row.first; m < row.end && !is_guard; m++)
        is_guard = leads_behind(branches, m, way.point);
    for (uint32_t m = row.first; m < row.end && is_guard; m++) {
        const struct block *block = &branches->flow->blocks[m];
        for (uint32_t e = block->first_edge;
             block->edge_count > 1 && e < block->first_edge + block->edge_count; e++) {
            /* Debug code leaves a guard by a jump of its own, under a hidden point. */
            uint32_t to = flow_past_jumps(branches->flow, branches->flow->edges[e].to);
            struct way_out past = branches_follow(branches, to);
            if (past.point != NO_INDEX || branches->class[past.block] != BRANCH_DISPATCH ||
                branches_group(branches, n) == branches_group(branches, past.block))
                continue;
            enum way_kind kind = way_code_kind(&branches->map, to, past.block);
            if (kind != WAY_BEGINS && shares_value(branches, n, to, past.block, kind))
                changed |= branches_unite(branches, n, past.block);
        }
    }
    return changed;
}

static bool unite_past_guards(struct branches *branches)
{
    bool changed = false;
    for (uint32_t n = 0; n < branches->flow->block_count && branches->language == LANGUAGE_CSHARP;
         n++) {
        const struct block *block = &branches->flow->blocks[n];
        for (uint32_t e = block->first_edge;
             branches->class[n] == BRANCH_DISPATCH && e < block->first_edge + block->edge_count;
             e++) {
            struct way_out way = branches_follow_edge(branches, e);
            if (point_map_is_visible(&branches->map, way.point))
                changed |= unite_past_guard(branches, n, way);
        }
    }
    return changed;
}

/* --- twins ------------------------------------------------------------------------------------ */

static void unite_twins(struct branches *branches, const struct rule *rule)
{
    for (uint32_t n = 0; n < branches->flow->block_count; n++) {
        const struct block *block = &branches->flow->blocks[n];
        for (uint32_t e = block->first_edge;
             branches->class[n] != BRANCH_NONE && e < block->first_edge + block->edge_count; e++) {
            struct way_out way = branches_follow_edge(branches, e);
            if (!branches_leads_to_twin(branches, n, way))
                continue;
            branches_set_rule(branches, n, rule);
            branches_set_rule(branches, way.block, rule);
            (void)branches_unite(branches, n, way.block);
        }
    }
}

/* The last rule: which dispatches form one switch is known only after all are found. */
bool find_one_question(struct branches *branches, const struct rule *rule, struct arena *arena,
                       struct err *err)
{
    (void)arena, (void)err;
    (void)unite_ways(branches, false);
    do
        link_groups(branches);
    while (unite_ways(branches, true) || unite_past_guards(branches));
    unite_twins(branches, rule);
    link_groups(branches);
    return true;
}
