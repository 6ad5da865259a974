/* Which decisions of a statement are conditions of one expression, and which of them is asked next:
 * `if (a && b)` is one expression of two conditions; `f(a && b, c || d)` is two expressions of two
 * conditions each. Only control flow decides, so the result is the same with and without sources.
 * Each way out of a condition leads to the next condition of its expression, or to the expression's
 * end. What is asked whatever the answer is belongs to the end. So do the conditions in operands: c
 * of `a && F(c ? 1 : 2)` is an expression of its own. An expression is the largest set of
 * conditions of one statement that is entered only at its first one and has at most two ends: where
 * it holds, and where it does not. Debug builds represent the two by values; these are followed to
 * where they are tested. `a ?? b` and `a?.b` test for null and are expressions of their own. */
#include "coverage/branches/decisions.h"
#include "coverage/branches/operands.h"
#include "coverage/statements/il_idioms.h"

enum {
    MEMBERS_MAX = 64, /* decisions of one statement that are compared; more stay alone */
    TESTS_MAX = 8,    /* tests of one value, in a row */
    NO_VALUE = -1
};

/* Where a way leads: to decisions of its statement (bits), or out of them. */
struct way {
    uint64_t hits;
    bool leaves;
    uint32_t end; /* the first block that it reaches, past jumps */
    int value;    /* represents the answer there; NO_VALUE: no value does, or perhaps `tested` */
    int tested;   /* what the branch saw: brtrue and brfalse test a value that may be passed on */
};

struct expression_finder {
    struct decisions *decisions;
    const struct branches *branches;
    const struct flow *flow;
    uint32_t *home;    /* per block: the decision that is made in it, or NO_INDEX */
    uint32_t *visited; /* per block: the last walk that reached it */
    uint32_t walk;
    uint32_t *stack;
    /* of the current statement */
    uint32_t members[MEMBERS_MAX];
    uint32_t count;
    uint32_t first, last; /* blocks */
    struct way ways[MEMBERS_MAX][2];
    uint64_t always[MEMBERS_MAX]; /* what is asked later whatever the answer is */
    int32_t next[MEMBERS_MAX][2]; /* members */
};

/* --- ways ------------------------------------------------------------------------------------- */

static uint32_t member_in_block(const struct expression_finder *f, uint32_t block)
{
    uint32_t decision = f->home[block];
    for (uint32_t i = 0; decision != NO_INDEX && i < f->count; i++)
        if (f->members[i] == decision)
            return i;
    return NO_INDEX;
}

/* The constant that a block passes on, or NO_VALUE. */
static int constant_of(const struct flow *flow, uint32_t n)
{
    int32_t value;
    return idiom_ends_with_constant(&value, flow, n) ? value : NO_VALUE;
}

/* Where a value is passed on to: a block, or the end of the method. */
static uint32_t join_of(const struct flow *flow, uint32_t n)
{
    if (flow->blocks[n].edge_count != 1)
        return NO_INDEX;
    return flow_past_jumps(flow, flow->edges[flow->blocks[n].first_edge].to);
}

/* Does the test of a known value jump? */
static bool is_taken(const struct flow *flow, uint32_t n, int value)
{
    return il_is_brtrue(&flow->il.instrs[flow_last_instr(flow, n)]) == (value != 0);
}

static void push_block(struct expression_finder *f, uint32_t *depth, uint32_t block)
{
    if (f->visited[block] == f->walk)
        return;
    f->visited[block] = f->walk;
    f->stack[(*depth)++] = block;
}

/* Pushes the blocks after one where nothing is decided. */
static void push_next(struct expression_finder *f, uint32_t *depth, uint32_t n, int value)
{
    const struct block *block = &f->flow->blocks[n];
    uint32_t await =
        f->branches->awaits && block->edge_count > 1 ? idiom_await_continues(f->flow, n) : NO_INDEX;
    bool tested = value != NO_VALUE && block->exit == FLOW_CONDITION && block->edge_count == 2 &&
                  il_tests_bool(&f->flow->il.instrs[flow_last_instr(f->flow, n)]) &&
                  operands_determine_test(f->branches, n);
    if (await != NO_INDEX) {
        push_block(f, depth, await);
        return;
    }
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        if (!tested || f->flow->edges[e].taken == is_taken(f->flow, n, value))
            push_block(f, depth, f->flow->edges[e].to);
}

/* Continues from a block, with the value that represents the answer, if there is one. */
static void walk_from(struct expression_finder *f, struct way *way, uint32_t from, int value)
{
    uint32_t depth = 0;
    f->walk++;
    push_block(f, &depth, from);
    while (depth != 0) {
        uint32_t n = f->stack[--depth];
        bool inside = n >= f->first && n <= f->last;
        uint32_t member = inside ? member_in_block(f, n) : NO_INDEX;
        bool returns = f->flow->blocks[n].exit == FLOW_RETURN,
             opens = f->branches->map.opens[n] != UINT32_MAX;
        if (member != NO_INDEX && !(opens && n == f->first)) /* not in the next round of a loop */
            way->hits |= (uint64_t)1 << member;
        else if (!inside || returns || opens)
            way->leaves = true;
        if (member != NO_INDEX || way->leaves)
            continue;
        if (value == NO_VALUE)
            value = constant_of(f->flow, n);
        push_next(f, &depth, n, value);
    }
}

static void follow_edge(struct expression_finder *f, struct way *way, uint32_t edge)
{
    const struct edge *e = &f->flow->edges[edge];
    uint32_t n = flow_past_jumps(f->flow, e->to);
    way->value = constant_of(f->flow, n);
    way->end = way->value != NO_VALUE ? join_of(f->flow, n) : n;
    way->tested = NO_VALUE;
    if (il_tests_bool(&f->flow->il.instrs[flow_last_instr(f->flow, e->from)]))
        way->tested = e->taken == is_taken(f->flow, e->from, 1);
    walk_from(f, way, e->to, NO_VALUE);
}

/* Starts where a value was counted. */
static void follow_value(struct expression_finder *f, struct way *way, uint32_t n, uint32_t outcome)
{
    uint32_t depth = 0;
    int value = (int)outcome;
    f->walk++;
    push_next(f, &depth, n, value);
    way->tested = value;
    if (f->flow->blocks[n].edge_count == 2 && depth == 1) { /* it is tested in the same block */
        way->end = flow_past_jumps(f->flow, f->stack[0]);
    } else {
        way->value = value;
        way->end = join_of(f->flow, n);
    }
    if (depth == 0)
        way->leaves = true;
    else
        walk_from(f, way, f->stack[0], value);
}

/* If a value is only tested where it arrives, its ways are those of the test: `if (a && b)` in
 * Debug builds. */
static void end_past_tests(const struct expression_finder *f, struct way *way)
{
    for (unsigned steps = 0; steps < TESTS_MAX; steps++) {
        uint32_t n = way->end;
        int value = way->value != NO_VALUE ? way->value : way->tested;
        if (value == NO_VALUE || n == NO_INDEX || f->home[n] != NO_INDEX ||
            f->flow->blocks[n].edge_count != 2 ||
            !il_tests_bool(&f->flow->il.instrs[flow_last_instr(f->flow, n)]) ||
            !operands_determine_test(f->branches, n))
            return;
        uint32_t edge = f->flow->blocks[n].first_edge;
        edge += f->flow->edges[edge].taken != is_taken(f->flow, n, value);
        n = flow_past_jumps(f->flow, f->flow->edges[edge].to);
        way->value = constant_of(f->flow, n);
        way->tested = NO_VALUE;
        way->end = way->value != NO_VALUE ? join_of(f->flow, n) : n;
    }
}

/* Where other edges count for an outcome, too, those of the condition itself tell what it leads
 * to. */
static void follow_own_edges(struct expression_finder *f, uint32_t member, uint32_t n)
{
    const struct block *block = &f->flow->blocks[n];
    for (uint32_t e = block->first_edge; f->branches->ways[n] != NULL && block->edge_count > 1 &&
                                         e < block->first_edge + block->edge_count;
         e++)
        follow_edge(f, &f->ways[member][branches_way_holds(f->branches, n, e)], e);
}

static void find_ways(struct expression_finder *f, uint32_t member)
{
    const struct decision *decision = &f->decisions->items[f->members[member]];
    const struct il *il = &f->flow->il;
    uint32_t n = flow_block_of(f->flow, il->index_at[decision->il_offset]);
    f->ways[member][0] = f->ways[member][1] = (struct way){0, false, NO_INDEX, NO_VALUE, NO_VALUE};
    for (uint32_t i = decision->first_part; i < decision->first_part + decision->part_count; i++) {
        const struct outcome_part *part = &f->decisions->parts[i];
        if (part->source == SOURCE_EDGE && f->branches->ways[n] != NULL)
            continue;
        struct way *way = &f->ways[member][decision->is_switch ? 0 : part->outcome];
        if (part->source == SOURCE_EDGE)
            follow_edge(f, way, part->index);
        else
            follow_value(f, way, n, part->outcome);
    }
    follow_own_edges(f, member, n);
    end_past_tests(f, &f->ways[member][0]);
    end_past_tests(f, &f->ways[member][1]);
}

/* --- what comes next -------------------------------------------------------------------------- */

/* What all of the ways reach. Visits members in code order, from the last to the first. */
static void find_always(struct expression_finder *f, uint32_t member)
{
    uint64_t later = member < MEMBERS_MAX - 1 ? UINT64_MAX << (member + 1) : 0;
    bool is_switch = f->decisions->items[f->members[member]].is_switch;
    f->always[member] = later;
    for (int k = 0; k < (is_switch ? 1 : 2); k++) {
        const struct way *way = &f->ways[member][k];
        if (way->leaves || (way->hits & ~later) != 0)
            f->always[member] = 0;
        for (uint32_t i = member + 1; i < f->count; i++)
            if ((way->hits >> i & 1) != 0)
                f->always[member] &= (uint64_t)1 << i | f->always[i];
    }
}

static int32_t lowest_bit(uint64_t bits)
{
    return __builtin_ctzll(bits);
}

/* The next condition on the way, past those that are only asked in its operands. */
static int32_t next_of(const struct expression_finder *f, uint32_t member, const struct way *way)
{
    uint64_t hits = way->hits, own = f->always[member];
    if (hits == 0)
        return DECISION_END;
    if (way->leaves || (hits & (hits - 1)) != 0 || (hits >> member & 1) != 0 ||
        lowest_bit(hits) < (int32_t)member)
        return DECISION_UNKNOWN;
    if ((hits & own) != 0)
        return DECISION_END;
    int32_t next = lowest_bit(hits);
    while ((f->always[next] & ~own) != 0)
        next = lowest_bit(f->always[next] & ~own);
    return next;
}

/* --- expressions ------------------------------------------------------------------------------ */

static bool enters_only_from(const struct expression_finder *f, uint32_t member, uint64_t set)
{
    bool entered = false;
    for (uint32_t i = 0; i < f->count; i++) {
        if (f->next[i][0] != (int32_t)member && f->next[i][1] != (int32_t)member)
            continue;
        entered = true;
        if ((set >> i & 1) == 0)
            return false;
    }
    return entered;
}

/* Does a way out of the set bring a value to the block? */
static bool brings_value(const struct expression_finder *f, uint64_t set, uint32_t block)
{
    for (uint32_t i = 0; i < f->count; i++)
        for (int k = 0; (set >> i & 1) != 0 && k < 2; k++)
            if (f->ways[i][k].end == block && f->ways[i][k].value != NO_VALUE)
                return true;
    return false;
}

/* Ways that end in the same place with the same value have the same name. */
static uint64_t name_of_end(const struct expression_finder *f, uint64_t set, const struct way *way)
{
    int value = way->value;
    if (value == NO_VALUE && brings_value(f, set, way->end)) /* t = a; if (t) t = await b; */
        value = way->tested;
    return (uint64_t)way->end << 8 | (uint64_t)(value + 2);
}

/* Any result above two means "too many". */
static uint32_t count_ends(const struct expression_finder *f, uint64_t set)
{
    uint64_t ends[3];
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        for (int k = 0; (set >> i & 1) != 0 && k < 2; k++) {
            int32_t next = f->next[i][k];
            if (next >= 0 && (set >> next & 1) != 0)
                continue;
            if (next == DECISION_UNKNOWN)
                return 3;
            uint64_t end =
                next >= 0 ? UINT64_MAX - (uint64_t)next : name_of_end(f, set, &f->ways[i][k]);
            uint32_t known = 0;
            while (known < count && ends[known] != end)
                known++;
            if (known == count && count < 3)
                ends[count++] = end;
        }
    }
    return count;
}

/* `a ?? b` and `a?.b` test for null and are expressions of their own: the value that they test is
 * kept. */
static bool stands_alone(const struct expression_finder *f, uint32_t member)
{
    const struct decision *decision = &f->decisions->items[f->members[member]];
    uint32_t instr = f->flow->il.index_at[decision->il_offset];
    return decision->is_switch || (instr != 0 && f->flow->il.instrs[instr - 1].op == OP_DUP);
}

static uint64_t expression_from(const struct expression_finder *f, uint32_t first, uint64_t taken)
{
    uint64_t set = (uint64_t)1 << first, largest = set;
    for (uint32_t i = first + 1; i < f->count && !stands_alone(f, first); i++) {
        if ((taken >> i & 1) != 0 || stands_alone(f, i) || !enters_only_from(f, i, set))
            continue;
        set |= (uint64_t)1 << i;
        if (count_ends(f, set) <= 2)
            largest = set;
    }
    return largest;
}

static void find_members(struct expression_finder *f)
{
    struct decision *items = f->decisions->items;
    uint64_t taken = 0;
    for (uint32_t i = f->count; i-- > 0;) {
        find_ways(f, i);
        find_always(f, i);
    }
    for (uint32_t i = 0; i < f->count; i++)
        for (int k = 0; k < 2; k++)
            f->next[i][k] =
                items[f->members[i]].is_switch ? DECISION_UNKNOWN : next_of(f, i, &f->ways[i][k]);
    for (uint32_t i = 0; i < f->count; i++) {
        struct decision *decision = &items[f->members[i]];
        for (int k = 0; k < 2; k++)
            decision->next[k] =
                f->next[i][k] >= 0 ? (int32_t)f->members[f->next[i][k]] : f->next[i][k];
        if ((taken >> i & 1) != 0 || decision->is_switch)
            continue;
        uint64_t set = expression_from(f, i, taken);
        taken |= set;
        for (uint32_t k = i; k < f->count; k++)
            if ((set >> k & 1) != 0)
                items[f->members[k]].expression = f->members[i];
    }
}

/* --- the whole -------------------------------------------------------------------------------- */

static void note_home(struct expression_finder *f, uint32_t index)
{
    const struct decision *decision = &f->decisions->items[index];
    uint32_t n = flow_block_of(f->flow, f->flow->il.index_at[decision->il_offset]);
    f->home[n] = index;
    for (uint32_t i = decision->first_part;
         !decision->is_switch && i < decision->first_part + decision->part_count; i++) {
        if (f->decisions->parts[i].source != SOURCE_EDGE)
            continue;
        uint32_t from = f->flow->edges[f->decisions->parts[i].index].from;
        bool is_other = f->branches->ways[n] != NULL &&
                        (f->branches->class[from] != BRANCH_NONE || f->home[from] != NO_INDEX);
        if (!is_other)
            f->home[from] = index;
    }
}

/* Gathers the decisions on the same point as `index`, which is the first of them. */
static void gather_members(struct expression_finder *f, uint32_t index)
{
    const struct decision *items = f->decisions->items;
    f->count = 0;
    for (uint32_t i = index; i != NO_INDEX; i = items[i].next_on_point) {
        if (f->count == MEMBERS_MAX) {
            f->count = 0;
            return;
        }
        f->members[f->count++] = i;
        f->last = flow_block_of(f->flow, f->flow->il.index_at[items[i].il_offset]);
    }
    f->first = flow_block_of(f->flow, f->flow->il.index_at[items[index].il_offset]);
}

static bool chain_points(struct decisions *decisions, struct arena *arena, struct err *err)
{
    uint32_t *last = arena_no_indexes(arena, decisions->points->count, err);
    if (last == NULL)
        return false;
    for (uint32_t i = 0; i < decisions->count; i++) {
        struct decision *decision = &decisions->items[i];
        uint32_t before = last[decision->point];
        decision->is_first_on_point = before == NO_INDEX;
        decision->next_on_point = NO_INDEX;
        if (before != NO_INDEX)
            decisions->items[before].next_on_point = i;
        last[decision->point] = i;
    }
    return true;
}

bool expressions_find(struct decisions *decisions, const struct branches *branches,
                      struct arena *arena, struct err *err)
{
    const struct flow *flow = branches->flow;
    struct expression_finder f = {.decisions = decisions, .branches = branches, .flow = flow};
    f.home = arena_no_indexes(arena, flow->block_count, err);
    f.visited = ARENA_NEW(arena, uint32_t, flow->block_count, err);
    f.stack = arena_raw(arena, flow->block_count, sizeof *f.stack, err);
    if (f.home == NULL || f.visited == NULL || f.stack == NULL ||
        !chain_points(decisions, arena, err))
        return false;
    for (uint32_t i = 0; i < decisions->count; i++) {
        decisions->items[i].expression = i;
        decisions->items[i].next[0] = decisions->items[i].next[1] = DECISION_UNKNOWN;
        note_home(&f, i);
    }
    for (uint32_t i = 0; i < decisions->count; i++) {
        if (!decisions->items[i].is_first_on_point)
            continue;
        gather_members(&f, i);
        if (f.count != 0)
            find_members(&f);
    }
    return true;
}
