/* A compiler makes one switch of many branches. Where one of them leads to another, the other may
 * be part of the same tree, or the dispatch of a switch that begins there: an arm that is a switch,
 * or the next statement. That one has a hidden point before all of its code and looks at other
 * values. Within a tree there may be a hidden point, too: behind code that gets a property, and
 * where a pattern has bound variables (way_code.h). */
#include "coverage/branches/guard.h"
#include "coverage/branches/rules.h"
#include "coverage/branches/switch_home.h"
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
                branches_group(branches, n) == branches_group(branches, way.block) ||
                !guard_shares_try(branches->flow, n, way.block))
                continue;
            enum way_kind kind = way_code_kind(&branches->map, to, way.block);
            if (kind == WAY_CONTINUES || switch_home_is_same(branches, n, way.block) ||
                (shared && kind != WAY_BEGINS &&
                 (shares_value(branches, n, to, way.block, kind) ||
                  (way.block < n && way_code_tests_note(&branches->map, n)))))
                changed |= switch_home_unite(branches, n, way.block);
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

static bool is_guard_of(struct branches *branches, uint32_t dispatch, const struct guard_row *row)
{
    enum guard_reading reading = guard_read(branches, row->point);
    if (!guard_shares_try(branches->flow, dispatch, row->first) ||
        !switch_home_of_point(branches, dispatch, row->point))
        return false;
    bool is_guard = reading == READS_GUARD;
    for (uint32_t n = row->first; n < row->end && reading == READS_UNKNOWN && !is_guard; n++)
        is_guard = leads_behind(branches, n, row->point);
    return is_guard;
}

/* Unites the dispatch at the end of block `n` with the one where the way from block `to`, out of
 * that guard, comes out, if that may be of the same switch: all tests of a switch come before its
 * guards. Behind them, it may look for a property that nothing asked for before. */
static bool unite_past_way(struct branches *branches, uint32_t n, const struct guard_row *row,
                           uint32_t to, struct way_out past)
{
    if (branches->class[past.block] != BRANCH_DISPATCH ||
        branches_group(branches, n) == branches_group(branches, past.block) ||
        !guard_shares_try(branches->flow, n, past.block))
        return false;
    enum way_kind kind = way_code_kind(&branches->map, to, past.block);
    bool comes_before = past.block < row->first && guard_read(branches, row->point) == READS_GUARD;
    return (kind != WAY_BEGINS || switch_home_is_same(branches, n, past.block)) &&
           (comes_before || switch_home_is_same(branches, n, past.block) ||
            way_code_tests_note_of(&branches->map, past.block, row->first) ||
            shares_value(branches, n, to, past.block, kind)) &&
           switch_home_unite(branches, n, past.block);
}

/* The dispatch at the end of block `n` leads to the guard that begins at the point: unites it with
 * those that only the guard leads to. Notes in `led`, per point, that it leads to the guards behind
 * that one. */
static bool unite_past_guard(struct branches *branches, uint32_t *led, uint32_t n, uint32_t point)
{
    struct guard_row row = guard_row(branches, (struct way_out){point, NO_INDEX, false, false});
    bool changed = false;
    if (!is_guard_of(branches, n, &row))
        return false;
    for (uint32_t m = row.first; m < row.end; m++) {
        const struct block *block = &branches->flow->blocks[m];
        if (!guard_row_tests(branches, &row, m))
            continue;
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
            /* Debug code leaves a guard by a jump of its own, under a hidden point. */
            uint32_t to = flow_past_jumps(branches->flow, branches->flow->edges[e].to);
            struct way_out past = branches_follow(branches, to);
            if (past.point == NO_INDEX)
                changed |= unite_past_way(branches, n, &row, to, past);
            else if (past.point > point && led[past.point] == NO_INDEX &&
                     guard_shares_try(branches->flow, m, past.block) &&
                     switch_home_of_point(branches, n, past.point) &&
                     guard_read(branches, past.point) == READS_GUARD)
                led[past.point] = n;
        }
    }
    return changed;
}

/* `led`: per point, room for a dispatch that leads to the guard there, or NO_INDEX. */
static bool unite_past_guards(struct branches *branches, uint32_t *led)
{
    bool changed = false;
    for (uint32_t p = 0; p < branches->points->count; p++)
        led[p] = NO_INDEX;
    for (uint32_t n = 0; n < branches->flow->block_count; n++) {
        const struct block *block = &branches->flow->blocks[n];
        for (uint32_t e = block->first_edge;
             branches->class[n] == BRANCH_DISPATCH && e < block->first_edge + block->edge_count;
             e++) {
            struct way_out way = branches_follow_edge(branches, e);
            uint32_t point = way.point;
            if (!point_map_is_visible(&branches->map, point) ||
                !guard_shares_try(branches->flow, n, way.block) ||
                !switch_home_of_point(branches, n, point))
                continue;
            if (led[point] != NO_INDEX &&
                branches_group(branches, led[point]) != branches_group(branches, n))
                changed |= unite_past_guard(branches, led, n, point);
            led[point] = n;
        }
    }
    for (uint32_t p = 0; p < branches->points->count; p++)
        if (led[p] != NO_INDEX)
            changed |= unite_past_guard(branches, led, led[p], p);
    return changed;
}

/* The point of the switch before whose tests the guard is asked. */
static uint32_t head_of_guard(const struct branches *branches, uint32_t guard)
{
    const struct point_map *map = &branches->map;
    return map->outer[guard] != NO_INDEX
               ? map->outer[guard]
               : branches_statement_near(map, guard - 1, map->points->points[guard].il_offset);
}

/* What stands behind guards that are asked before all tests of a switch. */
struct behind_guard {
    uint32_t dispatch; /* a block of its dispatch, or NO_INDEX */
    uint32_t test;     /* the block with the first test of the guard, or NO_INDEX */
    uint32_t next;     /* the point of the guard that is asked then, or NO_INDEX */
};

static struct behind_guard look_behind(struct branches *branches, uint32_t guard)
{
    struct behind_guard behind = {NO_INDEX, NO_INDEX, NO_INDEX};
    struct guard_row row = guard_row(branches, (struct way_out){guard, NO_INDEX, false, false});
    for (uint32_t n = row.first; n < row.end; n++) {
        const struct block *block = &branches->flow->blocks[n];
        if (!guard_row_tests(branches, &row, n))
            continue;
        if (behind.test == NO_INDEX && branches->class[n] == BRANCH_CONDITION)
            behind.test = n;
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
            uint32_t to = branches->flow->edges[e].to;
            struct way_out way = branches_follow(branches, to);
            if (way.point == NO_INDEX && branches->class[way.block] == BRANCH_DISPATCH &&
                guard_row_leaves(branches, &row, way) &&
                guard_shares_try(branches->flow, n, way.block) &&
                switch_home_of_point(branches, way.block, guard) &&
                way_code_kind(&branches->map, to, way.block) != WAY_BEGINS)
                behind.dispatch = way.block;
            else if (way.point != NO_INDEX && way.point > guard &&
                     switch_home_is_one(branches, guard, way.point) &&
                     guard_read(branches, way.point) == READS_GUARD)
                behind.next = way.point;
        }
    }
    return behind;
}

/* Where the first arms have guards and take any value, these are asked before all tests, or there
 * are no tests. `led` as above. */
static void note_first_guards(struct branches *branches, uint32_t *led)
{
    for (uint32_t p = 0; p < branches->points->count; p++) {
        if (!point_map_is_visible(&branches->map, p))
            continue;
        enum guard_reading reading = guard_read(branches, p);
        if (reading != READS_FIRST_GUARD && (reading != READS_GUARD || led[p] != NO_INDEX))
            continue;
        struct behind_guard first = look_behind(branches, p), behind = first;
        while (behind.dispatch == NO_INDEX && behind.next != NO_INDEX &&
               led[behind.next] == NO_INDEX) {
            led[behind.next] = first.test;
            behind = look_behind(branches, behind.next);
        }
        if (behind.dispatch != NO_INDEX)
            branches->guarded[branches_group(branches, behind.dispatch)] = p;
        else if (first.test != NO_INDEX) {
            branches->match_of_guards[first.test] = head_of_guard(branches, p);
            if (branches->point_home != NULL)
                branches->home[first.test] = branches->point_home[p];
        }
    }
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
    bool asks_guards = branches->language == LANGUAGE_CSHARP && branches->may_guard;
    uint32_t *led = asks_guards ? arena_no_indexes(arena, branches->points->count, err) : NULL;
    if (asks_guards && led == NULL)
        return false;
    if (!switch_homes_find(branches, arena, err))
        return false;
    (void)unite_ways(branches, false);
    do
        link_groups(branches);
    while (unite_ways(branches, true) || (asks_guards && unite_past_guards(branches, led)));
    if (asks_guards)
        note_first_guards(branches, led);
    unite_twins(branches, rule);
    link_groups(branches);
    return true;
}
