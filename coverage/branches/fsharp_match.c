/* `match` of F#: its tests are under the visible point of `match e with`; tests that follow a guard
 * are under the point of the guard. All are one switch. The guard is recognised as in C# (guard.h).
 * In F# 6 and later, operands of && and || have points of their own, so two tests under one point
 * belong to patterns.
 *
 * Tests are visited in the order of the IL, in which a match comes before its guards:
 *
 *   1. The first test under a point belongs to the point. Another one after it belongs to the
 *      same match if the first tests a pattern, or looks at the same variable: `isinst A; brtrue;
 *      isinst B; brtrue`.
 *   2. Otherwise the first is a guard, or an operand of one, and the match is the one that led to
 *      its point, perhaps by way of another guard.
 *   3. A match with one test is only recognised by its guards. Without guards it is a condition
 *      with two outcomes. */

#include "coverage/branches/guard.h"
#include "coverage/branches/rules.h"
#include "coverage/statements/fsharp_pattern.h"
#include "coverage/statements/il_idioms.h"

enum {
    GUARDS_BEFORE_MAX = 16,
    TEST_WITHIN = 8, /* instructions */
};

struct match_tests {
    struct branches *branches;
    const struct rule *rule; /* the rule of each test of a match */
    uint32_t *first;         /* per point: the block with the first test under it */
    uint32_t *parent;        /* per point: the visible one that led to it */
    uint32_t *led;           /* per point of a match: the first test, if guards came before it */
    uint32_t *under;         /* per block: the visible point that control has at its end */
};

/* Could it be a pattern test? Patterns never compare by order. */
static bool may_test_pattern(const struct flow *flow, uint32_t n)
{
    const struct instr *test = &flow->il.instrs[flow_last_instr(flow, n)];
    uint8_t op = test->op;
    if (!il_tests_bool(test))
        return op == OP_SWITCH || op == OP_BEQ || op == OP_BEQ_S || op == OP_BNE_UN ||
               op == OP_BNE_UN_S;
    return flow_last_instr(flow, n) < 2 ||
           (test[-1].op != OP_CLT && test[-1].op != OP_CLT_UN && test[-1].op != OP_CGT &&
            (test[-1].op != OP_CGT_UN || test[-2].op == OP_LDNULL));
}

static bool is_variable(const struct instr *instr)
{
    return il_loaded_local(instr) != NO_INDEX || il_loaded_arg(instr) != NO_INDEX;
}

/* The first instruction of the test at the end of block `n`. */
static uint32_t test_start(const struct branches *branches, uint32_t n)
{
    const struct il *il = &branches->flow->il;
    uint32_t last = flow_last_instr(branches->flow, n), i = last;
    while (i > 0 && last - i < TEST_WITHIN &&
           branches->map.point_of[i - 1] == branches->map.point_of[last] &&
           il_info(&il->instrs[i - 1])->flow != FLOW_CONDITION &&
           il_info(&il->instrs[i - 1])->flow != FLOW_SWITCH &&
           il_info(&il->instrs[i - 1])->flow != FLOW_BRANCH)
        i--;
    return i;
}

/* Do two tests load the same variable? */
static bool share_variable(const struct branches *branches, uint32_t a, uint32_t b)
{
    const struct instr *instrs = branches->flow->il.instrs;
    uint32_t start = test_start(branches, b);
    for (uint32_t i = test_start(branches, a); i < flow_last_instr(branches->flow, a); i++)
        for (uint32_t k = start; is_variable(&instrs[i]) && k < flow_last_instr(branches->flow, b);
             k++)
            if (il_loads_the_same(&instrs[i], &instrs[k]))
                return true;
    return false;
}

static void find_under(struct match_tests *m, uint32_t n)
{
    const struct point_map *map = &m->branches->map;
    const struct block *block = &m->branches->flow->blocks[n];
    uint32_t from = idiom_block_above(m->branches->flow, n);
    uint32_t under = from == NO_INDEX ? NO_INDEX : m->under[from];
    for (uint32_t i = block->first; i < block->end; i++) {
        uint32_t p = map->at[i];
        if (p == under || !point_map_is_visible(map, p))
            continue;
        m->parent[p] = under;
        under = p;
    }
    m->under[n] = under;
}

static void join_match(struct match_tests *m, uint32_t test, uint32_t first)
{
    struct branches *branches = m->branches;
    branches_set_rule(branches, first, m->rule);
    branches_set_rule(branches, test, m->rule);
    branches->statement[test] = branches->statement[first];
    (void)branches_unite(branches, first, test);
}

/* The match that `point` is a guard of, or part of a guard of; NO_INDEX if there is none: it may be
 * a match itself. */
static uint32_t match_before(const struct match_tests *m, uint32_t point)
{
    enum guard_reading reading = guard_read(m->branches, point);
    uint32_t head, end;
    if (reading == READS_OTHER && branches_tokens(&head, &end, m->branches, point) &&
        tokens_is(m->branches->tokens, head, "match"))
        return NO_INDEX;
    for (unsigned steps = 0; steps < GUARDS_BEFORE_MAX; steps++) {
        bool is_guard = reading == READS_GUARD;
        point = m->parent[point];
        if (point == NO_INDEX)
            break;
        uint32_t first = m->first[point];
        if (first == NO_INDEX)
            break; /* a statement without a test */
        reading = guard_read(m->branches, point);
        if (m->branches->class[first] != BRANCH_NONE &&
            (fsharp_tests_pattern(m->branches->flow, first) ||
             (is_guard && reading != READS_GUARD)))
            return first;
    }
    return NO_INDEX;
}

/* The guards of the first rules come before all tests: `match n with x when x > 3 -> a | 1 -> b`.
 * Then the point of the match has no test. */
static bool lead_by_guards(struct match_tests *m, uint32_t n, uint32_t point)
{
    struct branches *branches = m->branches;
    for (unsigned steps = 0; steps < GUARDS_BEFORE_MAX; steps++) {
        uint32_t match = m->parent[point];
        struct way_out way = {point, guard_block(branches, point), false, false};
        bool of_function = match == NO_INDEX; /* `function` has no point */
        if (!guard_reads_as_one(branches, of_function ? point : match, way))
            return false;
        if (of_function || m->first[match] == NO_INDEX) {
            uint32_t statement = of_function ? point : match;
            if (m->led[statement] != NO_INDEX) {
                join_match(m, n, m->led[statement]);
                return true;
            }
            m->led[statement] = n;
            branches_set_rule(branches, n, m->rule);
            branches->statement[n] = statement;
            branches->guarded[n] = point;
            return true;
        }
        point = match;
    }
    return false;
}

/* The argument of an active pattern has a point of its own, under which the rule is tested. */
static bool join_by_pattern(struct match_tests *m, uint32_t n, uint32_t point)
{
    struct branches *branches = m->branches;
    uint32_t match = point;
    if (guard_read(branches, point) != READS_PATTERN)
        return false;
    do
        match = m->parent[match];
    while (match != NO_INDEX && (guard_read(branches, match) == READS_PATTERN ||
                                 guard_read(branches, match) == READS_GUARD));
    if (match == NO_INDEX)
        return false;
    uint32_t first = m->first[match] != NO_INDEX ? m->first[match] : m->led[match];
    m->first[point] = n;
    branches_set_rule(branches, n, m->rule);
    branches->statement[n] = match;
    if (first != NO_INDEX)
        join_match(m, n, first);
    else
        m->led[match] = n;
    return true;
}

static void add_match_test(struct match_tests *m, uint32_t n)
{
    struct branches *branches = m->branches;
    uint32_t point = m->under[n];
    bool hidden =
        !point_map_is_visible(&branches->map, branches->map.at[flow_last_instr(branches->flow, n)]);
    if (point == NO_INDEX)
        return;
    if (m->first[point] == NO_INDEX) {
        if (!join_by_pattern(m, n, point))
            m->first[point] = n;
        return;
    }
    uint32_t first = m->first[point];
    if (branches->class[n] == BRANCH_NONE)
        return;
    /* the value of a guard of several operands is not counted a second time */
    bool after_value = branches->class[first] == BRANCH_NONE &&
                       fsharp_tests_pattern(branches->flow, n) &&
                       match_before(m, point) == NO_INDEX;
    bool after_test =
        branches->class[first] == BRANCH_CONDITION && !fsharp_tests_pattern(branches->flow, first);
    if ((after_value || after_test) && lead_by_guards(m, n, point)) {
        m->first[point] = n;
        return;
    }
    bool may_be =
        branches->class[first] != BRANCH_NONE && !hidden && may_test_pattern(branches->flow, first);
    bool is = may_be && guard_read(branches, point) != READS_GUARD &&
              (fsharp_tests_pattern(branches->flow, first) || share_variable(branches, first, n));
    uint32_t before = is ? NO_INDEX : match_before(m, point);
    if (before != NO_INDEX)
        join_match(m, n, before);
    else if (may_be)
        join_match(m, n, first);
    else
        m->first[point] = n; /* a match whose first rule has only a guard */
}

/* `match v with n when n > 0 -> a | _ -> b` has no test but its guards. */
static void note_match_of_guards(struct match_tests *m, uint32_t point)
{
    struct branches *branches = m->branches;
    uint32_t n = m->first[point], match = m->parent[point];
    struct way_out way = {point, NO_INDEX, false, false};
    if (n == NO_INDEX || match == NO_INDEX || m->first[match] != NO_INDEX ||
        branches->class[n] != BRANCH_CONDITION || fsharp_tests_pattern(branches->flow, n) ||
        seq_point_order(&branches->points->points[match], &branches->points->points[point]) > 0)
        return;
    for (uint32_t i = 0; i < branches->flow->block_count; i++)
        if (branches->guarded[i] == point ||
            (branches->class[i] == BRANCH_DISPATCH && branches->statement[i] == match))
            return; /* it has a test further down */
    way.block = guard_block(branches, point);
    if (guard_reads_as_one(branches, match, way))
        branches->match_of_guards[n] = match;
}

/* Does a way of the only test of a match come out at a guard? */
static void find_guards(struct match_tests *m, uint32_t n)
{
    struct branches *branches = m->branches;
    const struct block *block = &branches->flow->blocks[n];
    const struct rule *alone = branches->rule[n];
    bool guarded = false;
    branches_set_rule(branches, n, m->rule);
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        guarded |=
            guard_is(branches, branches_group(branches, n), branches_follow_edge(branches, e));
    if (!guarded)
        branches_set_rule(branches, n, alone);
}

/* --- copies ----------------------------------------------------------------------------------- */

/* A guard that several ways lead to is compiled once for each way. `last` is per span. */
static void link_copies(struct branches *branches, uint32_t *last)
{
    for (uint32_t p = 0; p < branches->points->count; p++)
        last[p] = NO_INDEX;
    for (uint32_t n = branches->flow->block_count; n-- != 0;) {
        if (branches->class[n] != BRANCH_CONDITION)
            continue;
        uint32_t *next = &last[branches_first_point(branches, branches->statement[n])];
        branches->copy[n] = *next;
        *next = n;
    }
}

/* Where the branch at the end of block `n` leads if it is taken, or if it is not. */
static uint32_t branch_target(const struct flow *flow, uint32_t n, bool taken)
{
    return flow->edges[flow->blocks[n].first_edge + !taken].to;
}

/* `for x in a .. b` asks before the loop whether there is anything, and after its body whether
 * there is more. */
static void link_loops(struct branches *branches)
{
    const struct flow *flow = branches->flow;
    for (uint32_t n = 0; n < flow->block_count; n++) {
        if (branches->class[n] != BRANCH_CONDITION || branch_target(flow, n, true) > n)
            continue;
        const struct block *body = &flow->blocks[branch_target(flow, n, true)];
        for (uint32_t i = 0; i < body->in_count; i++) {
            uint32_t before = flow_edge_in(flow, body, i)->from;
            if (before + 1 == branch_target(flow, n, true) &&
                branches->class[before] == BRANCH_CONDITION && branches->copy[before] == NO_INDEX &&
                branch_target(flow, before, false) == before + 1 &&
                branch_target(flow, before, true) == branch_target(flow, n, false))
                branches->copy[before] = n;
        }
    }
}

bool find_fsharp_match(struct branches *branches, const struct rule *rule, struct arena *arena,
                       struct err *err)
{
    struct match_tests m = {
        .branches = branches,
        .rule = rule,
        .first = arena_no_indexes(arena, branches->points->count, err),
        .led = arena_no_indexes(arena, branches->points->count, err),
        .parent = arena_no_indexes(arena, branches->points->count, err),
        .under = arena_no_indexes(arena, branches->flow->block_count, err),
    };
    if (m.first == NULL || m.led == NULL || m.parent == NULL || m.under == NULL)
        return false;
    for (uint32_t n = 0; n < branches->flow->block_count; n++) {
        find_under(&m, n);
        if (branches->flow->blocks[n].edge_count > 1 && !branches_is_inlined(branches, n))
            add_match_test(&m, n);
    }
    for (uint32_t n = branches->flow->block_count; n-- != 0;)
        if (branches->class[n] == BRANCH_CONDITION && fsharp_tests_pattern(branches->flow, n) &&
            guard_read(branches, branches->statement[n]) != READS_GUARD)
            find_guards(&m, n);
    for (uint32_t p = 0; p < branches->points->count; p++)
        note_match_of_guards(&m, p);
    link_copies(branches, m.first);
    link_loops(branches);
    return true;
}
