/* How a branch is judged, in this order:
 *
 *   1. What it tests (compiler_made.h): the state of a state machine, IsCompleted of an awaiter, a
 *      cached delegate are the compiler's.
 *   2. Is its value made of operands that were counted where they were made (`a && b` kept in a
 *      variable)? Then they are the decisions, and it is none.
 *   3. Its sequence point. Visible: a condition on that statement, unless all its ways are of a
 *      switch expression in it, or it only splits the search for a constant. Hidden right behind
 *      the store of what it tests: the same, as Debug builds split a condition in two. Hidden
 *      otherwise: part of a dispatch.
 *   4. Branches of a dispatch that run into each other are one switch. Its outcomes are the visible
 *      points, or ends of the method, where its ways come out; ways on which only the compiler
 *      throws are none. With one outcome left it is no decision. */
#include "coverage/decide.h"

#include "coverage/compiler_made.h"

#define NO_POINT UINT32_MAX
#define NO_BLOCK UINT32_MAX

enum {
    VALUE_KEPT_MAX = 16, /* instructions between the making of a value and its test */
    OPERANDS_NESTED_MAX = 64,
    JUMPS_MAX = 8,
};

enum judgement {
    JUDGED_NONE,
    JUDGED_CONDITION,
    JUDGED_DISPATCH
};

struct judge {
    const struct flow *flow;
    const struct plan *plan;
    const struct seq_points *points;
    bool is_state_machine;
    uint32_t *cover;     /* of each instruction: the last point at or before it, or NO_POINT */
    uint32_t *opens;     /* of each block: the first visible point that begins in it, or NO_POINT */
    uint8_t *judgement;  /* of each block that ends with a condition or switch */
    uint32_t *statement; /* the point that such a block's decision stands on */
    uint32_t *group;     /* of dispatching blocks: a parent, as in union-find */
    uint32_t *next;      /* of dispatching blocks: the next of the same group, or NO_BLOCK */
    struct decisions *out;
    uint32_t part_room, item_room;
};

/* --- where things are ------------------------------------------------------------------------- */

static bool is_visible(const struct judge *j, uint32_t point)
{
    return point != NO_POINT && !j->points->points[point].hidden;
}

/* The last visible point before an instruction in the same handler; NO_POINT when there is none. */
static uint32_t visible_before(const struct judge *j, uint32_t instr)
{
    uint32_t home = body_handler_around(&j->flow->body, j->flow->il.instrs[instr].offset);
    for (uint32_t p = j->cover[instr]; p != NO_POINT; p = p == 0 ? NO_POINT : p - 1)
        if (is_visible(j, p))
            return body_handler_around(&j->flow->body, j->points->points[p].il_offset) == home
                       ? p
                       : NO_POINT;
    return NO_POINT;
}

static uint32_t visible_after(const struct judge *j, uint32_t instr)
{
    uint32_t home = body_handler_around(&j->flow->body, j->flow->il.instrs[instr].offset);
    for (uint32_t p = j->cover[instr] == NO_POINT ? 0 : j->cover[instr]; p < j->points->count; p++)
        if (is_visible(j, p) && j->points->points[p].il_offset > j->flow->il.instrs[instr].offset)
            return body_handler_around(&j->flow->body, j->points->points[p].il_offset) == home
                       ? p
                       : NO_POINT;
    return NO_POINT;
}

static bool lies_within(const struct seq_point *inner, const struct seq_point *outer)
{
    bool begins =
        inner->start_line > outer->start_line ||
        (inner->start_line == outer->start_line && inner->start_column >= outer->start_column);
    bool ends = inner->end_line < outer->end_line ||
                (inner->end_line == outer->end_line && inner->end_column <= outer->end_column);
    bool same = inner->start_line == outer->start_line && inner->end_line == outer->end_line &&
                inner->start_column == outer->start_column &&
                inner->end_column == outer->end_column;
    return inner->document == outer->document && begins && ends && !same;
}

static uint32_t last_instr(const struct judge *j, uint32_t block)
{
    return j->flow->blocks[block].end - 1;
}

/* --- values made of operands ------------------------------------------------------------------ */

static bool loads_what_was_stored(const struct il *il, uint32_t first, uint32_t instr)
{
    for (uint32_t i = first; i < instr; i++)
        if (il_loads_stored(il, instr, i))
            return true;
    return false;
}

/* Do the instructions [first, end) only keep the value that is there before them, and test it? */
static bool only_tests(const struct il *il, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        const struct instr *instr = &il->instrs[i];
        bool keeps = il_stored_local(instr) != IL_NO_INDEX || instr->op == OP_STFLD;
        bool loads = il_loaded_local(instr) != IL_NO_INDEX || instr->op == OP_LDFLD;
        if (!keeps && !(loads && loads_what_was_stored(il, first, i)) &&
            il_loaded_arg(instr) != 0 && !made_of_one_value(instr))
            return false;
    }
    return true;
}

/* A block that only this one follows, and that runs on to nothing else; NO_BLOCK when there is
 * none. */
static uint32_t only_block_before(const struct judge *j, uint32_t n)
{
    const struct block *block = &j->flow->blocks[n];
    if (block->in_count != 1 || block->is_entry)
        return NO_BLOCK;
    uint32_t from = j->flow->edges[j->flow->in_edges[block->first_in]].from;
    bool runs_on = j->flow->blocks[from].exit == FLOW_NEXT && from + 1 == n;
    return runs_on ? from : NO_BLOCK;
}

static bool comes_known(const struct judge *j, uint32_t join, uint32_t load, uint32_t statement,
                        unsigned nested);

static bool is_way_of_switch(const struct judge *j, const struct block *block)
{
    for (uint32_t i = 0; i < block->in_count; i++) {
        uint32_t from = j->flow->edges[j->flow->in_edges[block->first_in + i]].from;
        if (j->flow->blocks[from].exit == FLOW_SWITCH)
            return true;
    }
    return false;
}

/* Is the value that block `n` hands on to a join a constant that branches led to, or an operand that
 * was counted? `load` is the instruction that takes it up at the join; IL_NO_INDEX: it is on the
 * stack. */
static bool is_known(const struct judge *j, uint32_t n, uint32_t load, uint32_t statement,
                     unsigned nested)
{
    const struct block *block = &j->flow->blocks[n];
    const struct instr *instrs = j->flow->il.instrs;
    uint32_t last = last_instr(j, n), end = block->exit == FLOW_BRANCH ? last : last + 1;
    int32_t value = 0;
    if (visible_before(j, last) != statement)
        return false;
    bool counted = j->plan->value_counter[n] != NO_COUNTER;
    bool chosen = !is_way_of_switch(j, block); /* a constant: the labels are no decisions */
    if (load == IL_NO_INDEX)
        return (block->ends_with_zero_or_one && chosen) ||
               (counted && !block->ends_with_bool_store) ||
               (flow_only_goes_on(j->flow, n) && comes_known(j, n, load, statement, nested));
    if (block->exit == FLOW_CONDITION) /* told there */
        return last != block->first && il_loads_the_same(&instrs[last - 1], &instrs[load]);
    if (end == block->first || !il_loads_stored(&j->flow->il, load, end - 1))
        return false;
    return counted || (chosen && end - 1 > block->first && il_constant(&value, &instrs[end - 2]));
}

static bool comes_known(const struct judge *j, uint32_t join, uint32_t load, uint32_t statement,
                        unsigned nested)
{
    const struct block *block = &j->flow->blocks[join];
    if (nested == OPERANDS_NESTED_MAX || block->in_count < 2 || block->is_entry ||
        (load == IL_NO_INDEX && block->depth == 0))
        return false;
    for (uint32_t i = 0; i < block->in_count; i++)
        if (!is_known(j, j->flow->edges[j->flow->in_edges[block->first_in + i]].from, load,
                      statement, nested + 1))
            return false;
    return true;
}

/* The value that the branch tests was told, operand by operand, where it was made, by the same
 * statement; since then it was only kept. */
static bool tests_counted_operands(const struct judge *j, uint32_t n)
{
    const struct il *il = &j->flow->il;
    uint32_t last = last_instr(j, n), statement = visible_before(j, last);
    for (uint32_t join = n; join != NO_BLOCK; join = only_block_before(j, join)) {
        uint32_t first = j->flow->blocks[join].first, load = first;
        if (last - first > VALUE_KEPT_MAX)
            break;
        if (only_tests(il, first, last) && comes_known(j, join, IL_NO_INDEX, statement, 0))
            return true;
        while (load < last &&
               (il->instrs[load].op == OP_NOP || il_loaded_arg(&il->instrs[load]) == 0))
            load++;
        if (load < last && only_tests(il, load + 1, last) &&
            comes_known(j, join, load, statement, 0))
            return true;
    }
    return false;
}

/* Debug code keeps a condition in a variable and tests it behind a hidden point: stloc V; ldloc V;
 * brfalse. */
static bool tests_value_just_stored(const struct judge *j, uint32_t block)
{
    const struct il *il = &j->flow->il;
    uint32_t last = last_instr(j, block);
    uint8_t op = il->instrs[last].op;
    if (last < 2 ||
        (op != OP_BRTRUE && op != OP_BRTRUE_S && op != OP_BRFALSE && op != OP_BRFALSE_S))
        return false;
    uint32_t loaded = il_loaded_local(&il->instrs[last - 1]);
    return loaded != IL_NO_INDEX && loaded == il_stored_local(&il->instrs[last - 2]) &&
           is_visible(j, j->cover[last - 2]);
}

/* `while (true)` in Debug code: ldc.i4.1; stloc V; ldloc V; brtrue. */
static bool tests_constant(const struct judge *j, uint32_t block)
{
    int32_t value = 0;
    uint32_t last = last_instr(j, block);
    return tests_value_just_stored(j, block) && last >= j->flow->blocks[block].first + 3 &&
           il_constant(&value, &j->flow->il.instrs[last - 3]);
}

/* --- conditions and dispatches ---------------------------------------------------------------- */

/* Where a way comes out: at a visible point, or at the end of control in a block. */
struct way_out {
    uint32_t point;
    uint32_t block; /* the one where the walk stopped */
    bool throws;
    bool brings_value; /* to a join: a or b of `(c ? a : b) switch` */
};

static struct way_out follow(const struct judge *j, uint32_t block)
{
    struct way_out way = {NO_POINT, block, false, false};
    uint32_t depth = j->flow->blocks[block].depth;
    for (uint32_t steps = 0; steps <= j->flow->block_count; steps++) {
        const struct block *b = &j->flow->blocks[way.block];
        way.brings_value |= b->depth > depth && b->in_count > 1;
        way.point = j->opens[way.block];
        if (way.point != NO_POINT || j->judgement[way.block] == JUDGED_DISPATCH)
            return way;
        way.throws = made_throw(j->flow, way.block);
        if (way.throws || b->edge_count != 1)
            return way;
        way.block = j->flow->edges[b->first_edge].to;
    }
    return way;
}

/* Past blocks with nothing but a jump. */
static uint32_t past_jumps(const struct judge *j, uint32_t block)
{
    const struct flow *flow = j->flow;
    for (unsigned steps = 0; steps < JUMPS_MAX; steps++) {
        const struct block *b = &flow->blocks[block];
        if (b->exit != FLOW_BRANCH || b->end - b->first != 1 || b->edge_count != 1)
            break;
        block = flow->edges[b->first_edge].to;
    }
    return block;
}

/* `x is 'a' or 'e' or 'i' or 'o' or 'u'` is searched like a phone book: x > 'i'? The comparison that
 * only tells where to go on comparing was not written. */
static bool splits_search(const struct judge *j, uint32_t n)
{
    const struct block *block = &j->flow->blocks[n];
    const struct instr *instrs = j->flow->il.instrs;
    uint32_t last = last_instr(j, n);
    int32_t value = 0;
    bool orders = il_info(&instrs[last])->flow == FLOW_CONDITION && instrs[last].op != OP_BEQ &&
                  instrs[last].op != OP_BEQ_S && instrs[last].op != OP_BNE_UN &&
                  instrs[last].op != OP_BNE_UN_S;
    if (!orders || last < block->first + 2 || !il_constant(&value, &instrs[last - 1]))
        return false;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        const struct block *to = &j->flow->blocks[past_jumps(j, j->flow->edges[e].to)];
        if ((to->exit != FLOW_CONDITION && to->exit != FLOW_SWITCH) || to->end - to->first < 3 ||
            !il_loads_the_same(&instrs[to->first], &instrs[last - 2]) ||
            !il_constant(&value, &instrs[to->first + 1]) || j->cover[to->first] != j->cover[last])
            return false;
    }
    return true;
}

static void judge_block(struct judge *j, uint32_t n)
{
    const struct block *block = &j->flow->blocks[n];
    uint32_t last = last_instr(j, n);
    if (block->edge_count < 2) /* it goes one way */
        return;
    if (made_test(j->flow, n, j->is_state_machine, is_visible(j, j->cover[last])) ||
        made_pin_check(j->flow, n) || made_lifted_operator(j->flow, n) ||
        tests_counted_operands(j, n) || tests_constant(j, n))
        return;
    uint32_t before = visible_before(j, last);
    j->statement[n] = before;
    /* Before the first statement of a handler or state machine, nothing is the user's: a filter's
     * test of the type, the way back to an await. */
    if (before == NO_POINT &&
        (j->is_state_machine ||
         body_handler_around(&j->flow->body, j->flow->il.instrs[last].offset) != 0))
        return;
    bool hidden = !is_visible(j, j->cover[last]);
    bool just_stored = tests_value_just_stored(j, n);
    if (hidden && !just_stored && made_dispose_check(j->flow, n))
        return;
    bool condition =
        before != NO_POINT && block->exit == FLOW_CONDITION && (!hidden || just_stored);
    j->judgement[n] = condition ? JUDGED_CONDITION : JUDGED_DISPATCH;
    if (before == NO_POINT)
        j->statement[n] = visible_after(j, last);
    if (j->statement[n] == NO_POINT)
        j->judgement[n] = JUDGED_NONE;
}

static uint32_t find_group(struct judge *j, uint32_t block)
{
    while (j->group[block] != block)
        block = j->group[block] = j->group[j->group[block]];
    return block;
}

/* Does the way belong to a switch expression of this statement? It leads to an arm, which is the only
 * point that can lie within a point; or on to more of the expression; or no arm matched. */
static bool is_of_switch_expression(const struct judge *j, struct way_out way, uint32_t statement)
{
    if (is_visible(j, way.point))
        return lies_within(&j->points->points[way.point], &j->points->points[statement]);
    return way.throws || (j->judgement[way.block] == JUDGED_DISPATCH && way.point == NO_POINT &&
                          !way.brings_value && j->statement[way.block] == statement);
}

/* All ways of a condition must be of the expression: one of `a && x switch { ... }` leads past it.
 * Behind a hidden point one is enough: there the value of the switch itself is tested. */
static bool is_in_switch_expression(const struct judge *j, uint32_t n)
{
    const struct block *block = &j->flow->blocks[n];
    uint32_t of_it = 0;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        of_it += is_of_switch_expression(j, follow(j, j->flow->edges[e].to), j->statement[n]);
    bool hidden = !is_visible(j, j->cover[last_instr(j, n)]);
    return of_it == block->edge_count || (hidden && of_it != 0);
}

/* Conditions of a switch expression are only known as such once all are judged; and each makes
 * those that lead to it part of the expression too, so this goes on until nothing changes; from the
 * end, since most lead on. */
static void find_switch_expressions(struct judge *j)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t n = j->flow->block_count; n-- != 0;) {
            if (j->judgement[n] != JUDGED_CONDITION || !is_in_switch_expression(j, n))
                continue;
            j->judgement[n] = JUDGED_DISPATCH;
            changed = true;
        }
    }
}

static void group_dispatches(struct judge *j)
{
    for (uint32_t n = 0; n < j->flow->block_count; n++)
        j->group[n] = n;
    for (uint32_t n = 0; n < j->flow->block_count; n++) {
        const struct block *b = &j->flow->blocks[n];
        if (j->judgement[n] != JUDGED_DISPATCH)
            continue;
        for (uint32_t e = b->first_edge; e < b->first_edge + b->edge_count; e++) {
            uint32_t to = j->flow->edges[e].to;
            struct way_out way = follow(j, to);
            if (j->judgement[way.block] == JUDGED_DISPATCH && way.point == NO_POINT) {
                uint32_t a = find_group(j, n), c = find_group(j, way.block);
                j->group[a > c ? a : c] = a > c ? c : a; /* the lowest block leads */
            }
        }
    }
}

/* The lowest block leads, so each group is a list in ascending order. */
static void link_groups(struct judge *j)
{
    for (uint32_t n = 0; n < j->flow->block_count; n++)
        j->next[n] = NO_BLOCK;
    for (uint32_t n = j->flow->block_count; n-- != 0;) {
        uint32_t leader = find_group(j, n);
        if (j->judgement[n] != JUDGED_DISPATCH || leader == n)
            continue;
        j->next[n] = j->next[leader];
        j->next[leader] = n;
    }
}

/* --- decisions -------------------------------------------------------------------------------- */

static struct decision *add_decision(struct judge *j, uint32_t instr, uint32_t point)
{
    struct decision *decision = &j->out->items[j->out->count++];
    *decision = (struct decision){.il_offset = j->flow->il.instrs[instr].offset,
                                  .point = point,
                                  .first_part = j->out->part_count};
    return decision;
}

static void add_part(struct judge *j, struct decision *decision, uint32_t outcome,
                     enum outcome_source source, uint32_t index)
{
    j->out->parts[j->out->part_count++] = (struct outcome_part){outcome, source, index};
    decision->part_count++;
}

static void add_condition(struct judge *j, uint32_t n)
{
    const struct block *block = &j->flow->blocks[n];
    struct decision *decision = add_decision(j, last_instr(j, n), j->statement[n]);
    decision->outcome_count = 2;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        add_part(j, decision, j->flow->edges[e].taken, SOURCE_EDGE, e);
}

/* Ways out that are the same outcome have the same key. */
static uint64_t outcome_key(struct way_out way)
{
    return way.point != NO_POINT ? way.point : (uint64_t)1 << 32 | way.block;
}

static bool add_dispatch(struct judge *j, uint32_t leader, uint64_t *keys)
{
    struct decision *decision = add_decision(j, last_instr(j, leader), j->statement[leader]);
    decision->is_switch = true;
    for (uint32_t n = leader; n != NO_BLOCK; n = j->next[n]) {
        const struct block *block = &j->flow->blocks[n];
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
            struct way_out way = follow(j, j->flow->edges[e].to);
            bool goes_on = way.point == NO_POINT && j->judgement[way.block] == JUDGED_DISPATCH;
            if (goes_on || way.throws)
                continue;
            uint32_t outcome = 0;
            while (outcome < decision->outcome_count && keys[outcome] != outcome_key(way))
                outcome++;
            if (outcome == decision->outcome_count)
                keys[decision->outcome_count++] = outcome_key(way);
            add_part(j, decision, outcome, SOURCE_EDGE, e);
        }
    }
    if (decision->outcome_count >= 2)
        return true;
    j->out->part_count = decision->first_part;
    j->out->count--;
    return false;
}

/* t = a; if (t) t = await b; if (t) ...: are the tests those of the statement that stores? */
static bool stands_with_its_test(const struct judge *j, uint32_t n)
{
    const struct block *block = &j->flow->blocks[n];
    const struct block *join = &j->flow->blocks[j->flow->edges[block->first_edge].to];
    uint32_t statement = visible_before(j, last_instr(j, n));
    for (uint32_t i = 0; i < join->in_count; i++) {
        uint32_t from = j->flow->edges[j->flow->in_edges[join->first_in + i]].from;
        if (from != n && visible_before(j, last_instr(j, from)) != statement)
            return false;
    }
    return visible_before(j, join->first) == statement;
}

/* Where the value that a block hands on is taken up; NO_BLOCK when it is returned. */
static uint32_t final_join(const struct judge *j, uint32_t n)
{
    const struct flow *flow = j->flow;
    if (flow->blocks[n].edge_count != 1)
        return NO_BLOCK;
    do
        n = flow->edges[flow->blocks[n].first_edge].to;
    while (flow_only_goes_on(flow, n) && flow->edges[flow->blocks[n].first_edge].to > n);
    return n;
}

/* An operand that was counted by its value: b of `x = a && b`; the verdict of a catch filter. The
 * short way round it must be of the same statement: `if (x) return false; return f();` looks like
 * `!x && f()` otherwise. */
static bool value_is_decision(const struct judge *j, uint32_t n)
{
    const struct block *block = &j->flow->blocks[n];
    uint32_t last = last_instr(j, n);
    if (j->plan->value_counter[n] == NO_COUNTER || tests_counted_operands(j, n))
        return false;
    bool to_filter =
        block->exit == FLOW_ENDFILTER ||
        (block->edge_count == 1 &&
         j->flow->il.instrs[j->flow->blocks[j->flow->edges[block->first_edge].to].first].op ==
             OP_ENDFILTER);
    if (to_filter)
        return true;
    if (block->ends_with_bool_store)
        return stands_with_its_test(j, n);
    uint32_t join = final_join(j, n);
    for (uint32_t c = n + 1; c < j->flow->block_count; c++) {
        const struct block *constant = &j->flow->blocks[c];
        uint32_t cover = j->cover[constant->first];
        if (is_visible(j, cover) && cover > j->cover[last]) /* behind the statement */
            break;
        if (constant->ends_with_zero_or_one && cover == j->cover[last] &&
            (constant->exit == FLOW_RETURN) == (block->exit == FLOW_RETURN) &&
            final_join(j, c) == join)
            return true;
    }
    return false;
}

static void add_value(struct judge *j, uint32_t n)
{
    uint32_t point = visible_before(j, last_instr(j, n));
    if (point == NO_POINT)
        return;
    struct decision *decision = add_decision(j, last_instr(j, n), point);
    decision->outcome_count = 2;
    add_part(j, decision, 0, SOURCE_COUNTER, j->plan->value_counter[n]);
    add_part(j, decision, 1, SOURCE_COUNTER, j->plan->value_counter[n] + 1);
}

/* --- the whole -------------------------------------------------------------------------------- */

static void find_covers(struct judge *j)
{
    uint32_t next = 0, cover = NO_POINT;
    for (uint32_t i = 0; i < j->flow->il.count; i++) {
        while (cover != NO_POINT && cover != 0 && i != 0 && !is_visible(j, cover) &&
               j->is_state_machine && made_await_ends(j->flow, i))
            cover--;
        while (next < j->points->count &&
               j->points->points[next].il_offset <= j->flow->il.instrs[i].offset)
            cover = next++;
        j->cover[i] = cover;
    }
    for (uint32_t n = 0; n < j->flow->block_count; n++) {
        const struct block *block = &j->flow->blocks[n];
        j->opens[n] = NO_POINT;
        for (uint32_t i = block->first; i < block->end && j->opens[n] == NO_POINT; i++) {
            uint32_t p = j->cover[i];
            if (is_visible(j, p) &&
                j->points->points[p].il_offset >= j->flow->il.instrs[block->first].offset)
                j->opens[n] = p;
        }
    }
}

static bool alloc_judge(struct judge *j, struct arena *arena, struct err *err)
{
    const struct flow *flow = j->flow;
    j->cover = ARENA_NEW(arena, uint32_t, flow->il.count, err);
    j->opens = ARENA_NEW(arena, uint32_t, flow->block_count, err);
    j->judgement = ARENA_NEW(arena, uint8_t, flow->block_count, err);
    j->statement = ARENA_NEW(arena, uint32_t, flow->block_count, err);
    j->group = ARENA_NEW(arena, uint32_t, flow->block_count, err);
    j->next = ARENA_NEW(arena, uint32_t, flow->block_count, err);
    j->out->items = ARENA_NEW(arena, struct decision, (size_t)flow->block_count * 2, err);
    j->out->parts = ARENA_NEW(arena, struct outcome_part,
                              (size_t)flow->edge_count + 2 * (size_t)flow->block_count, err);
    return j->cover != NULL && j->opens != NULL && j->judgement != NULL && j->statement != NULL &&
           j->group != NULL && j->next != NULL && j->out->items != NULL && j->out->parts != NULL;
}

bool decide(struct decisions *out, const struct flow *flow, const struct plan *plan,
            const struct seq_points *points, bool is_state_machine, struct arena *arena,
            struct err *err)
{
    struct judge j = {.flow = flow,
                      .plan = plan,
                      .points = points,
                      .is_state_machine = is_state_machine,
                      .out = out};
    *out = (struct decisions){.count = 0};
    uint64_t *keys = ARENA_NEW(arena, uint64_t, flow->edge_count, err);
    if (keys == NULL || !alloc_judge(&j, arena, err))
        return false;
    find_covers(&j);
    for (uint32_t n = 0; n < flow->block_count; n++)
        judge_block(&j, n);
    find_switch_expressions(&j);
    for (uint32_t n = 0; n < flow->block_count; n++)
        if (j.judgement[n] == JUDGED_CONDITION && splits_search(&j, n))
            j.judgement[n] = JUDGED_NONE;
    group_dispatches(&j);
    link_groups(&j);
    for (uint32_t n = 0; n < flow->block_count; n++) {
        if (value_is_decision(&j, n))
            add_value(&j, n);
        if (j.judgement[n] == JUDGED_CONDITION)
            add_condition(&j, n);
        else if (j.judgement[n] == JUDGED_DISPATCH && find_group(&j, n) == n)
            (void)add_dispatch(&j, n, keys);
    }
    return true;
}
