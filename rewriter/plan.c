#include "rewriter/plan.h"

#include "base/fnv.h"
#include "base/number.h"
#include "metadata/lookup.h"

enum {
    OPERANDS_NESTED_MAX = 64,
    USED_WITHIN = 48, /* instructions from the join of operands */
};

static bool is_branching(const struct block *block)
{
    return block->edge_count > 1;
}

/* The block has one outgoing edge, which is taken as often as its end is reached. */
static bool runs_on(const struct block *block)
{
    return block->edge_count == 1;
}

/* Constants 0 and 1 that stand for the outcome of `a && b` or `a || b` where a decides it alone. */
struct cuts {
    /* For each block that ends with such a constant: the first condition that jumps to it,
     * otherwise NO_INDEX. That is the short cut out of `a && b`, which the compiler puts after
     * b. */
    uint32_t *short_cut;
    /* F# puts the constant of `a || b` before b. For each block: the first such constant that it
     * gets, otherwise NO_INDEX; and the first that the method returns. In other languages there is
     * none: such code is `if (a) return true; return b;` there, whose b is no operand. */
    uint32_t *early_constant, early_return;
};

/* In F#, `not (f x) && b` has `brfalse b; br constant`. */
static void find_short_cuts(struct cuts *out, const struct flow *flow)
{
    bool asked = false, over_jumps = false;
    for (uint32_t e = flow->edge_count; e-- != 0;) { /* downwards, so that the first one stays */
        const struct edge *edge = &flow->edges[e];
        if (!flow->blocks[edge->to].ends_with_zero_or_one)
            continue;
        uint32_t from = edge->taken ? edge->from : NO_INDEX;
        if (from != NO_INDEX && flow->blocks[from].exit == FLOW_BRANCH) {
            if (!asked)
                over_jumps = compiled_by_fsharp(flow->context.md);
            asked = true;
            from = over_jumps ? flow_source(flow, edge) : NO_INDEX;
        }
        if (from != NO_INDEX && flow->blocks[from].exit == FLOW_CONDITION)
            out->short_cut[edge->to] = from;
    }
}

static bool returns_constant(const struct block *block)
{
    return block->exit == FLOW_RETURN && block->end - block->first == 2 &&
           block->ends_with_zero_or_one;
}

/* Does the block end with a constant 0 or 1, to which a condition above leads? */
static bool is_chosen_constant(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    for (uint32_t i = 0; block->ends_with_zero_or_one && i < block->in_count; i++) {
        uint32_t from = flow_edge_in(flow, block, i)->from;
        if (from < n && flow->blocks[from].exit == FLOW_CONDITION)
            return true;
    }
    return false;
}

static void find_early_constants(struct cuts *out, const struct flow *flow)
{
    bool asked = false;
    for (uint32_t n = flow->block_count; n-- != 0;) { /* so that the first one stays */
        const struct block *block = &flow->blocks[n];
        if (!is_chosen_constant(flow, n))
            continue;
        if (!asked && !compiled_by_fsharp(flow->context.md))
            return;
        asked = true;
        if (returns_constant(block))
            out->early_return = n;
        else if (runs_on(block))
            out->early_constant[flow->edges[block->first_edge].to] = n;
    }
}

static bool find_cuts(struct cuts *out, const struct flow *flow, struct arena *arena)
{
    out->short_cut = arena_raw(arena, flow->block_count, sizeof *out->short_cut, NULL);
    out->early_constant = arena_raw(arena, flow->block_count, sizeof *out->early_constant, NULL);
    out->early_return = NO_INDEX;
    if (out->short_cut == NULL || out->early_constant == NULL)
        return false;
    for (uint32_t n = 0; n < flow->block_count; n++)
        out->short_cut[n] = out->early_constant[n] = NO_INDEX;
    find_short_cuts(out, flow);
    find_early_constants(out, flow);
    return true;
}

/* A returned value is the outcome of an operand if an `ldc.i4.0; ret` or `ldc.i4.1; ret` is further
 * down, with a short cut to it from above: Release code of `return a && b`. In F# it may be above
 * the value, too. The verdict of a filter always is one. */
static void mark_returned_values(const struct flow *flow, struct plan *plan,
                                 const struct cuts *cuts)
{
    uint32_t from = cuts->early_return; /* or the first short cut to what is further down */
    for (uint32_t n = flow->block_count; n-- != 0;) {
        const struct block *block = &flow->blocks[n];
        bool counts = block->exit == FLOW_ENDFILTER ||
                      (block->exit == FLOW_RETURN && !flow->calls_tail && from < n);
        if (block->ends_with_bool && block->reachable && counts)
            plan->value_counter[n] = 0;
        if (returns_constant(block) && cuts->short_cut[n] < from)
            from = cuts->short_cut[n];
    }
}

/* Is the next block entered only by running on from the end of block `n`? */
static bool goes_on_alone(const struct flow *flow, uint32_t n)
{
    return flow->blocks[n].exit == FLOW_NEXT && n + 1 < flow->block_count &&
           flow->blocks[n + 1].in_count == 1 && !flow->blocks[n + 1].is_entry;
}

/* From the start of block `n` on, is a value only tested: the one on top of the stack, or the one
 * that `store` stored? It may be negated, and kept in variables, which in an async method are
 * fields of `this`. The path may lead through blocks that do nothing else. */
static bool block_only_tests_value(const struct flow *flow, uint32_t n, uint32_t store)
{
    const struct il *il = &flow->il;
    for (uint32_t i = flow->blocks[n].first;; i++) {
        const struct block *block = &flow->blocks[n];
        const struct instr *instr = &il->instrs[i];
        int32_t constant = 0;
        if (i == block->end || (store != NO_INDEX && il_info(instr)->flow == FLOW_BRANCH)) {
            uint32_t next = runs_on(block) ? flow->edges[block->first_edge].to : 0;
            if (next <= n || (store == NO_INDEX && !goes_on_alone(flow, n)))
                return false;
            n = next;
            i = flow->blocks[n].first - 1;
        } else if (store != NO_INDEX) {
            if (il_loads_stored(il, i, store))
                store = NO_INDEX;
            else if (!il_only_pushes(instr))
                return false;
        } else if (il_stored_local(instr) != NO_INDEX || instr->op == OP_STFLD) {
            store = i;
        } else if (i + 1 < block->end && il_constant(&constant, instr) &&
                   (instr[1].op == OP_CEQ || instr[1].op == OP_CGT_UN)) {
            i++;
        } else if (instr->op != OP_NOP) {
            return il_tests_bool(instr);
        }
    }
}

/* Does the block only load what `store` stored, and store it in a variable of its own? */
static bool hands_on_stored(const struct flow *flow, uint32_t n, uint32_t store)
{
    const struct il *il = &flow->il;
    const struct block *block = &flow->blocks[n];
    for (uint32_t i = block->first; block->bool_store != NO_INDEX && i < block->bool_store; i++)
        if (il_loads_stored(il, i, store))
            return i + 1 == block->bool_store;
        else if (!il_only_pushes(&il->instrs[i]))
            return false;
    return false;
}

static bool only_tests_top(const struct flow *flow, uint32_t n)
{
    return flow->blocks[n].depth != 0 && block_only_tests_value(flow, n, NO_INDEX);
}

/* Marks values that blocks leave on the stack for a join. Between an inner operand and the join of
 * all operands, Debug code has a block that is only a `br`. A value counts if a constant from
 * further down reaches the same join, with its first short cut from above the value; so the blocks
 * are visited from the last to the first. It also counts if it comes after an early constant. If
 * the join only tests, `all` values count, as in `if (c ? a : b)`. */
static void mark_handed_on(const struct flow *flow, struct plan *plan, const struct cuts *cuts,
                           uint32_t join, uint32_t from, bool all, unsigned nested)
{
    const struct block *to = &flow->blocks[join];
    if (to->depth == 0) /* nothing is on the stack */
        return;
    all = all || flow->il.instrs[to->first].op == OP_ENDFILTER;
    if (cuts->early_constant[join] < from)
        from = cuts->early_constant[join];
    for (uint32_t i = to->in_count; i-- != 0 && !to->after_tail_call;) {
        uint32_t n = flow_edge_in(flow, to, i)->from;
        const struct block *block = &flow->blocks[n];
        /* not a condition on a constant, which has the constant on top */
        bool goes_on = runs_on(block) && (block->exit == FLOW_NEXT || block->exit == FLOW_BRANCH);
        if (cuts->short_cut[n] < from)
            from = cuts->short_cut[n];
        if (block->ends_with_bool && goes_on && (all || from < n))
            plan->value_counter[n] = 0;
        if (nested < OPERANDS_NESTED_MAX && (all || from < n) && flow_only_continues(flow, n))
            mark_handed_on(flow, plan, cuts, n, from, all, nested + 1);
    }
}

/* The first condition that jumps to the join and tests the variable that `store` stores, or
 * NO_INDEX. */
static uint32_t first_test(const struct flow *flow, const struct block *join, uint32_t store)
{
    for (uint32_t i = 0; i < join->in_count; i++) { /* from the first */
        const struct edge *edge = flow_edge_in(flow, join, i);
        const struct block *test = &flow->blocks[edge->from];
        if (edge->taken && test->exit == FLOW_CONDITION && test->end - test->first >= 2 &&
            il_loads_stored(&flow->il, test->end - 2, store))
            return edge->from;
    }
    return NO_INDEX;
}

static bool stores_the_same(const struct instr *a, const struct instr *b)
{
    return a->op == OP_STFLD ? b->op == OP_STFLD && a->operand == b->operand
                             : il_stored_local(a) == il_stored_local(b);
}

/* Is it used at a join, or in the code that only follows on that: F(a && await b, c)? */
static bool loads_stored(const struct flow *flow, uint32_t join, uint32_t store)
{
    const struct il *il = &flow->il;
    uint32_t local = il_stored_local(&il->instrs[store]), first = flow->blocks[join].first;
    for (uint32_t i = first; i - first < USED_WITHIN; i++) {
        if (i == flow->blocks[join].end) {
            if (!goes_on_alone(flow, join))
                return false;
            join++;
        }
        if (il_loads_stored(il, i, store) ||
            (local != NO_INDEX && il_address_of_local(&il->instrs[i]) == local))
            return true;
    }
    return false;
}

/* Marks values that are stored before a join and are the outcome of an operand. Either a condition
 * on the variable jumps to the join from above, as in `a && await b`; or from the join on the
 * variable is only tested, or passed on as an operand, as in `if (c ? await a : b)` and
 * `d || (c ? await a : b)`. A field may be loaded much later, after another await. */
static void mark_stored_values(const struct flow *flow, struct plan *plan, uint32_t join)
{
    const struct instr *instrs = flow->il.instrs;
    const struct block *to = &flow->blocks[join];
    uint32_t test = NO_INDEX, known = NO_INDEX; /* the store that `test` and `all` belong to */
    bool all = false;
    for (uint32_t i = 0; i < to->in_count; i++) {
        uint32_t n = flow_before_cut(flow, flow_edge_in(flow, to, i)->from);
        const struct block *block = &flow->blocks[n];
        uint32_t store = block->bool_store;
        if (store == NO_INDEX || !runs_on(block))
            continue;
        if (known == NO_INDEX || !stores_the_same(&instrs[known], &instrs[store])) {
            known = store; /* mostly once: a search for each would be quadratic */
            bool loaded = instrs[store].op == OP_STFLD || loads_stored(flow, join, store);
            test = loaded ? first_test(flow, to, store) : NO_INDEX;
            all = to->in_count > 1 &&
                  (block_only_tests_value(flow, join, store) ||
                   (plan->value_counter[join] != NO_INDEX && hands_on_stored(flow, join, store)));
        }
        if (all || test < n)
            plan->value_counter[n] = 0;
    }
}

/* Does block `n` only store what the arms of a conditional left on the stack, as the outcome of an
 * operand: d in `a && (await b ? c : d)`? */
static bool keeps_operand(const struct flow *flow, uint32_t n)
{
    uint32_t store = flow_only_keeps(flow, n);
    if (store == NO_INDEX)
        return false;
    uint32_t join = flow_past_cut(flow, n);
    return first_test(flow, &flow->blocks[join], store) < n &&
           (flow->il.instrs[store].op == OP_STFLD || loads_stored(flow, join, store));
}

/* Marks the bools at the end of a block, on top of the stack or stored, that are the outcome of an
 * operand, because no branch in this method shows which of the two they are. Any value but
 * NO_INDEX is a mark until number_counters() replaces it. */
static bool mark_values(const struct flow *flow, struct plan *plan, struct arena *arena)
{
    struct cuts cuts;
    if (!find_cuts(&cuts, flow, arena))
        return false;
    for (uint32_t n = 0; n < flow->block_count; n++)
        plan->value_counter[n] = NO_INDEX;
    mark_returned_values(flow, plan, &cuts);
    for (uint32_t n = 0; n < flow->block_count; n++)
        mark_handed_on(flow, plan, &cuts, n, NO_INDEX,
                       only_tests_top(flow, n) || keeps_operand(flow, n), 0);
    for (uint32_t n = flow->block_count; n-- != 0;) /* a value counts if its copy does */
        mark_stored_values(flow, plan, n);
    return true;
}

/* Nothing may come between a tail call and its `ret`, so that edge is counted by the block above,
 * even if that may throw. */
static bool is_tail_edge(const struct flow *flow, const struct edge *edge)
{
    return flow->blocks[edge->to].after_tail_call && !edge->taken;
}

/* Is the edge's count that of the values that its source leaves on the stack, or stores in a local,
 * as the last thing it does? */
static bool follows_from_values(const struct flow *flow, const struct plan *plan,
                                const struct edge *edge)
{
    const struct block *from = &flow->blocks[edge->from];
    return plan->value_counter[edge->from] != NO_INDEX && runs_on(from) && !edge->through_finally &&
           (from->bool_store == NO_INDEX ||
            il_stored_local(&flow->il.instrs[from->bool_store]) != NO_INDEX);
}

/* Is the edge's count that of the block it leaves, because nothing can come in between? Forward
 * edges only, so that no two counts depend on each other. */
static bool follows_from_source(const struct flow *flow, const struct edge *edge)
{
    const struct block *from = &flow->blocks[edge->from];
    return edge->from < edge->to && runs_on(from) && !edge->through_finally &&
           (!from->may_throw || is_tail_edge(flow, edge));
}

/* The constant that a block leaves on the stack, as the last thing it does. */
static bool leaves_constant(int32_t *out, const struct flow *flow, const struct block *block)
{
    uint32_t last = block->end - (block->exit == FLOW_BRANCH);
    return block->ends_with_zero_or_one && last != block->first &&
           il_constant(out, &flow->il.instrs[last - 1]);
}

/* Does the edge hand on a counted value, or a constant as often as its source runs? */
static bool hands_on_known(const struct flow *flow, const struct plan *plan,
                           const struct edge *edge)
{
    const struct block *from = &flow->blocks[edge->from];
    int32_t constant = 0;
    return edge->from < edge->to &&
           ((follows_from_values(flow, plan, edge) && from->bool_store == NO_INDEX) ||
            (follows_from_source(flow, edge) && leaves_constant(&constant, flow, from)));
}

static uint32_t skip_nops(const struct flow *flow, uint32_t i)
{
    while (flow->il.instrs[i].op == OP_NOP)
        i++;
    return i;
}

/* Does the block do nothing but test what is on the stack when it begins? Debug code stores it in a
 * local in between. */
static enum handed tests_what_it_gets(const struct flow *flow, const struct block *block)
{
    const struct instr *instrs = flow->il.instrs;
    enum handed handed = HANDED_AS_IS;
    int32_t constant = 0;
    uint32_t last = block->end - 1, i = skip_nops(flow, block->first);
    if (block->depth == 0 || !il_tests_bool(&instrs[last]))
        return HANDED_NOTHING;
    while (i < last) {
        if (last - i >= 2 && il_constant(&constant, &instrs[i]) && constant == 0 &&
            instrs[i + 1].op == OP_CEQ) {
            handed = handed == HANDED_AS_IS ? HANDED_INVERTED : HANDED_AS_IS;
            i = skip_nops(flow, i + 2);
            continue;
        }
        uint32_t load = skip_nops(flow, i + 1);
        if (il_stored_local(&instrs[i]) == NO_INDEX || load >= last ||
            il_loaded_local(&instrs[load]) != il_stored_local(&instrs[i]))
            return HANDED_NOTHING;
        i = skip_nops(flow, load + 1);
    }
    return handed;
}

static enum handed is_handed(const struct flow *flow, const struct plan *plan, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    if (block->exit != FLOW_CONDITION || block->edge_count != 2 || block->in_count < 2 ||
        block->is_entry || !block->reachable)
        return HANDED_NOTHING;
    for (uint32_t i = 0; i < block->in_count; i++)
        if (!hands_on_known(flow, plan, flow_edge_in(flow, block, i)))
            return HANDED_NOTHING;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        if (flow->blocks[flow->edges[e].to].after_tail_call)
            return HANDED_NOTHING;
    return tests_what_it_gets(flow, block);
}

static bool is_handed_forwards(const struct plan *plan, const struct edge *edge)
{
    return plan->handed[edge->from] != HANDED_NOTHING && edge->from < edge->to;
}

static bool all_edges_out_counted(const struct flow *flow, const struct plan *plan, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        if (plan->edge_counter[e] == NO_INDEX && flow->edges[e].to <= n)
            return false;
    return true;
}

static bool all_edges_in_counted(const struct flow *flow, const struct plan *plan, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    for (uint32_t i = 0; i < block->in_count; i++) {
        uint32_t e = flow->in_edges[block->first_in + i];
        const struct edge *edge = &flow->edges[e];
        if (plan->edge_counter[e] == NO_INDEX && !is_handed_forwards(plan, edge) &&
            !follows_from_values(flow, plan, edge) && !follows_from_source(flow, edge))
            return false;
    }
    return block->in_count != 0 && !block->is_entry;
}

static void decide_rules(const struct flow *flow, struct plan *plan)
{
    for (uint32_t n = flow->block_count; n-- != 0;) {
        const struct block *block = &flow->blocks[n];
        if (!block->reachable)
            plan->rule[n] = RULE_NEVER;
        else if (!block->after_tail_call && plan->value_counter[n] != NO_INDEX && !block->may_throw)
            plan->rule[n] = RULE_VALUES;
        else if (!block->after_tail_call && plan->handed[n] == HANDED_NOTHING &&
                 is_branching(block) && !block->may_throw && all_edges_out_counted(flow, plan, n))
            plan->rule[n] = RULE_OUT;
        else
            plan->rule[n] = RULE_COUNTER;
    }
    for (uint32_t n = 0; n < flow->block_count; n++)
        if (plan->rule[n] == RULE_COUNTER &&
            (flow->blocks[n].after_tail_call || all_edges_in_counted(flow, plan, n)))
            plan->rule[n] = RULE_IN;
}

/* Marks the edges of conditions and switches whose count is not their target's, and, into the `ret`
 * of a tail call, all whose count is not their source's. The marks are those of mark_values. */
static void mark_edges(const struct flow *flow, struct plan *plan)
{
    for (uint32_t e = 0; e < flow->edge_count; e++) {
        const struct edge *edge = &flow->edges[e];
        bool into_tail = flow->blocks[edge->to].after_tail_call && !follows_from_source(flow, edge);
        bool own =
            (flow_is_critical(flow, e) || into_tail) && plan->handed[edge->from] == HANDED_NOTHING;
        plan->edge_counter[e] = own ? 0 : NO_INDEX;
    }
}

static void number_counters(const struct flow *flow, struct plan *plan)
{
    uint32_t next = 0;
    for (uint32_t n = 0; n < flow->block_count; n++) {
        const struct block *block = &flow->blocks[n];
        plan->block_counter[n] = plan->rule[n] == RULE_COUNTER ? next++ : NO_INDEX;
        if (plan->value_counter[n] != NO_INDEX) {
            plan->value_counter[n] = next;
            next += 2;
        }
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
            if (plan->edge_counter[e] != NO_INDEX)
                plan->edge_counter[e] = next++;
    }
    plan->counter_count = next;
}

bool plan_make(struct plan *out, const struct flow *flow, struct arena *arena)
{
    *out = (struct plan){.counter_count = 0};
    out->rule = arena_raw(arena, flow->block_count, sizeof *out->rule, NULL);
    out->block_counter = arena_raw(arena, flow->block_count, sizeof *out->block_counter, NULL);
    out->value_counter = arena_raw(arena, flow->block_count, sizeof *out->value_counter, NULL);
    out->edge_counter = arena_raw(arena, flow->edge_count, sizeof *out->edge_counter, NULL);
    out->handed = arena_raw(arena, flow->block_count, sizeof *out->handed, NULL);
    if (out->rule == NULL || out->block_counter == NULL || out->value_counter == NULL ||
        out->edge_counter == NULL || out->handed == NULL || !mark_values(flow, out, arena))
        return false;
    for (uint32_t n = 0; n < flow->block_count; n++)
        out->handed[n] = (uint8_t)is_handed(flow, out, n);
    mark_edges(flow, out);
    decide_rules(flow, out);
    number_counters(flow, out);
    return true;
}

static uint64_t value_sum(const struct plan *plan, const uint64_t *counters, uint32_t n)
{
    uint32_t first = plan->value_counter[n];
    return number_add(counters[first], counters[first + 1]);
}

/* How often a condition was false (0) or true (1): what it was handed. */
static uint64_t handed_count(const struct plan *plan, const struct flow *flow,
                             const struct plan_counts *counts, const uint64_t *counters, uint32_t n,
                             uint32_t outcome)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < flow->blocks[n].in_count; i++) {
        uint32_t from = flow_edge_in(flow, &flow->blocks[n], i)->from;
        int32_t constant = 0;
        if (plan->value_counter[from] != NO_INDEX)
            sum = number_add(sum, counters[plan->value_counter[from] + outcome]);
        else if (leaves_constant(&constant, flow, &flow->blocks[from]) &&
                 (constant != 0) == (outcome != 0))
            sum = number_add(sum, counts->blocks[from]);
    }
    return sum;
}

static uint64_t edge_count(const struct plan *plan, const struct flow *flow,
                           const struct plan_counts *counts, const uint64_t *counters, uint32_t e)
{
    const struct edge *edge = &flow->edges[e];
    if (plan->edge_counter[e] != NO_INDEX)
        return counters[plan->edge_counter[e]];
    if (plan->handed[edge->from] != HANDED_NOTHING) {
        const struct instr *test = &flow->il.instrs[flow_last_instr(flow, edge->from)];
        bool is_true = edge->taken == il_is_brtrue(test);
        return handed_count(plan, flow, counts, counters, edge->from,
                            is_true == (plan->handed[edge->from] == HANDED_AS_IS));
    }
    if (follows_from_values(flow, plan, edge))
        return value_sum(plan, counters, edge->from);
    return counts->blocks[follows_from_source(flow, edge) ? edge->from : edge->to];
}

bool plan_count(struct plan_counts *out, const struct plan *plan, const struct flow *flow,
                const uint64_t *counters, struct arena *arena, struct err *err)
{
    out->blocks = ARENA_NEW(arena, uint64_t, flow->block_count, err);
    out->edges = ARENA_NEW(arena, uint64_t, flow->edge_count, err);
    if (out->blocks == NULL || out->edges == NULL)
        return false;
    for (uint32_t n = flow->block_count; n-- != 0;) { /* RULE_OUT looks at higher blocks */
        const struct block *block = &flow->blocks[n];
        if (plan->rule[n] == RULE_COUNTER)
            out->blocks[n] = counters[plan->block_counter[n]];
        if (plan->rule[n] == RULE_VALUES)
            out->blocks[n] = value_sum(plan, counters, n);
        for (uint32_t e = block->first_edge;
             plan->rule[n] == RULE_OUT && e < block->first_edge + block->edge_count; e++)
            out->blocks[n] = number_add(out->blocks[n], edge_count(plan, flow, out, counters, e));
    }
    for (uint32_t n = 0; n < flow->block_count; n++) { /* RULE_IN looks at lower ones */
        const struct block *block = &flow->blocks[n];
        for (uint32_t i = 0; plan->rule[n] == RULE_IN && i < block->in_count; i++)
            out->blocks[n] =
                number_add(out->blocks[n], edge_count(plan, flow, out, counters,
                                                      flow->in_edges[block->first_in + i]));
    }
    for (uint32_t e = 0; e < flow->edge_count; e++)
        out->edges[e] = edge_count(plan, flow, out, counters, e);
    return true;
}

uint64_t plan_hash_start(enum count_mode mode)
{
    return fnv_word(fnv_word(FNV_START, PLAN_VERSION), (uint64_t)mode);
}

uint64_t plan_hash_method(uint64_t hash, uint32_t method_rid, struct view body,
                          const struct plan *plan, const struct flow *flow)
{
    hash = fnv_word(fnv_words(fnv_word(hash, method_rid), body), plan->counter_count);
    for (uint32_t n = 0; n < flow->block_count; n++)
        hash = fnv_word(hash, (uint64_t)plan->block_counter[n] << 32 | plan->value_counter[n]);
    for (uint32_t e = 0; e < flow->edge_count; e++)
        hash = fnv_word(hash, plan->edge_counter[e]);
    return hash;
}

enum verdict plan_body(struct plan *out, struct flow *flow, struct view body,
                       const struct metadata *md, const struct nothrow *nothrow, uint32_t rid,
                       struct arena *arena)
{
    enum verdict verdict = flow_build(flow, body, md, nothrow, rid, arena);
    return verdict == VERDICT_OK && !plan_make(out, flow, arena) ? VERDICT_DECLINED_MEMORY
                                                                 : verdict;
}
