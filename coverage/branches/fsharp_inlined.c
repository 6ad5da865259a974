/* Conditionals that were not written at their place in the source: the F# compiler copies `inline`
 * functions, Option.map and max into their callers, and may test a pattern by more than one branch:
 * is there an array, and how long is it? One way of a user's conditional leads to text of its own:
 * a branch of an `if`, the body of a rule, an operand. (An arm that only makes a function has
 * borrowed its text, fsharp_arms.c.) Here the ways join, or the method ends, before any text
 * begins; or they contain only a lambda, which is part of the statement. */
#include "coverage/branches/operands.h"
#include "coverage/branches/rules.h"
#include "coverage/statements/il_idioms.h"

/* The blocks on the ways of one conditional. */
struct inlined_ways {
    const struct point_map *map;
    uint32_t test;
    uint32_t statement; /* the point of the conditional, or one around it */
    struct blocks_met met;
};

/* Does the block call the function that has the text? The compiler cuts large ones in pieces. */
static bool calls_rest(const struct flow *flow, uint32_t n)
{
    const struct instr *last = &flow->il.instrs[flow_last_instr(flow, n)];
    return il_is_call(last) && str_glob(str_of("*$cont@*"), idiom_member(flow, last));
}

/* The second operand of && or || has a point inside the statement, too. */
static bool begins_text(const struct inlined_ways *w, uint32_t n)
{
    const struct il *il = &w->map->flow->il;
    const struct block *block = &w->map->flow->blocks[n];
    const struct seq_point *points = w->map->points->points;
    if ((w->map->opens[n] != NO_INDEX && block->ends_with_bool) || calls_rest(w->map->flow, n))
        return true;
    for (uint32_t i = block->first; w->map->opens[n] != NO_INDEX && i < block->end; i++) {
        uint32_t at = w->map->at[i];
        if (point_map_is_visible(w->map, at) &&
            points[at].il_offset >= il->instrs[block->first].offset &&
            !seq_point_is_within(&points[at], &points[w->statement]))
            return true;
    }
    return false;
}

/* Does the block throw an exception of the inlined code, without text of its own? The exception for
 * a match without a matching rule belongs to the match. */
static bool throws_inlined(const struct inlined_ways *w, uint32_t n)
{
    const struct flow *flow = w->map->flow;
    return flow->il.instrs[flow_last_instr(flow, n)].op == OP_THROW &&
           !fsharp_machine_match_fails(flow, n);
}

/* Do all ways reach block `join` before any text begins? NO_INDEX: do they reach an end of the
 * method? */
static bool come_together(struct inlined_ways *w, uint32_t join)
{
    const struct flow *flow = w->map->flow;
    bool comes = join == NO_INDEX;
    if (!blocks_meet_first(&w->met, flow, w->test))
        return false;
    for (uint32_t i = 0; i < w->met.count; i++) {
        uint32_t n = w->met.items[i];
        comes |= n == join;
        if (n == join)
            continue;
        if (begins_text(w, n))
            return false;
        if (n == w->test || throws_inlined(w, n))
            continue;
        if ((flow->blocks[n].edge_count == 0 && join != NO_INDEX) ||
            !blocks_meet_next(&w->met, flow, n))
            return false;
    }
    return comes;
}

/* Is it the test of a loop, after its body? */
static bool goes_back(const struct inlined_ways *w)
{
    const struct block *block = &w->map->flow->blocks[w->test];
    const struct edge *first = &w->map->flow->edges[block->first_edge];
    return first->taken && first->to <= w->test;
}

static void note_join(struct inlined *inlined, const struct inlined_ways *w, uint32_t join)
{
    inlined->join[w->test] = join != NO_INDEX ? join : w->test;
    for (uint32_t i = 0; i < w->met.count; i++)
        if (w->met.items[i] != join && inlined->within[w->met.items[i]] == NO_INDEX)
            inlined->within[w->met.items[i]] = w->test;
}

/* Finds the nearest block that all ways reach, one of them without any text: each arm of
 * `x |> function` has some, within the statement. */
static bool find_join(struct inlined *inlined, struct inlined_ways *w)
{
    const struct flow *flow = w->map->flow;
    bool ends = false;
    (void)blocks_meet_first(&w->met, flow, w->test);
    for (uint32_t i = 0; i < w->met.count; i++) {
        uint32_t n = w->met.items[i];
        if (w->map->opens[n] != NO_INDEX || calls_rest(flow, n))
            continue;
        ends |= flow->blocks[n].edge_count == 0 && !fsharp_machine_match_fails(flow, n);
        if (!blocks_meet_next(&w->met, flow, n))
            break;
    }
    const struct blocks_met nearest = w->met;
    for (uint32_t i = 0; i < nearest.count; i++)
        if (nearest.items[i] != w->test && !throws_inlined(w, nearest.items[i]) &&
            come_together(w, nearest.items[i])) {
            note_join(inlined, w, nearest.items[i]);
            return true;
        }
    if (!ends || !come_together(w, NO_INDEX))
        return false;
    note_join(inlined, w, NO_INDEX);
    return true;
}

/* Is it the last operand of && or || whose value is used, as `isNull s` in `let c = a && isNull s`?
 * Each of its ways gives a constant, without text. */
static bool gives_last_operand(const struct branches *branches, uint32_t n)
{
    const struct flow *flow = branches->flow;
    const struct block *block = &flow->blocks[n];
    uint32_t statement = point_map_at_end(&branches->map, n);
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        uint32_t to = flow->edges[e].to;
        if (!flow->blocks[to].ends_with_zero_or_one || flow->blocks[to].in_count != 1 ||
            branches->map.opens[to] != NO_INDEX || !operands_end_with(branches, to, statement))
            return false;
    }
    return true;
}

static void look_at_conditional(struct inlined *inlined, struct inlined_ways *w, uint32_t n)
{
    const struct point_map *map = w->map;
    uint32_t last = flow_last_instr(map->flow, n);
    w->test = n;
    w->statement = point_map_before(map, last);
    /* After the body of a loop no point says which statement this is. */
    bool hidden = !point_map_is_visible(map, map->at[last]) && goes_back(w);
    while (w->statement != NO_INDEX && !find_join(inlined, w))
        w->statement = hidden ? map->outer[w->statement] : NO_INDEX;
}

/* In a seq or task, too, a test of nothing but the value that inlined code gave is one of its
 * statement. */
static void show_test(struct branches *b, uint32_t n, uint32_t inlined)
{
    const struct block *block = &b->flow->blocks[n];
    uint32_t last = flow_last_instr(b->flow, n), first = block->first;
    struct branch test = branches_at(b, inlined);
    while (first < last && idiom_of_one_value(&b->flow->il.instrs[first]))
        first++;
    if (b->fsharp != FSHARP_NO_MACHINE && block->exit == FLOW_CONDITION && first == last &&
        (b->fsharp == FSHARP_SEQUENCE || test.visible) && !rule_fsharp_completed(b, &test))
        b->map.at[last] = point_map_at_end(&b->map, inlined);
}

bool fsharp_inlined_find(struct branches *branches, struct arena *arena, struct err *err)
{
    const struct flow *flow = branches->flow;
    struct inlined *inlined = &branches->inlined;
    if (branches->language != LANGUAGE_FSHARP)
        return true;
    struct inlined_ways w = {.map = &branches->map,
                             .met.seen = ARENA_NEW(arena, uint32_t, flow->block_count, err)};
    uint32_t *test_of = arena_no_indexes(arena, flow->block_count, err);
    if (w.met.seen == NULL || test_of == NULL)
        return false;
    for (uint32_t n = 0; n < flow->block_count; n++)
        if (flow->blocks[n].edge_count > 1 && !gives_last_operand(branches, n) &&
            (branches->operands.is_operand == NULL || !branches->operands.is_operand[n]))
            look_at_conditional(inlined, &w, n);
    for (uint32_t n = flow->block_count; n-- != 0;)
        if (inlined->within[n] == NO_INDEX && branches_is_inlined(branches, n) &&
            inlined->join[n] > n) {
            test_of[inlined->join[n]] = n;
            show_test(branches, inlined->join[n], n);
        }
    if (branches->fsharp == FSHARP_NO_MACHINE)
        point_map_follow_control(&branches->map, test_of);
    return true;
}

bool rule_fsharp_inlined(const struct branches *branches, const struct branch *branch)
{
    return branches_is_inlined(branches, branch->block);
}

/* `Seq.sum xs`, `yield! xs` */
bool rule_fsharp_copied_loop(const struct branches *branches, const struct branch *branch)
{
    return point_map_ends_unseen_loop(&branches->map, branch->block);
}
