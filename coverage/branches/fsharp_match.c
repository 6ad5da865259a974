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
    struct board *board;
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
    return il_loaded_local(instr) != IL_NO_INDEX || il_loaded_arg(instr) != IL_NO_INDEX;
}

/* The first instruction of the test at the end of block `n`. */
static uint32_t test_start(const struct board *board, uint32_t n)
{
    const struct il *il = &board->flow->il;
    uint32_t last = flow_last_instr(board->flow, n), i = last;
    while (i > 0 && last - i < TEST_WITHIN &&
           board->map.point_of[i - 1] == board->map.point_of[last] &&
           il_info(&il->instrs[i - 1])->flow != FLOW_CONDITION &&
           il_info(&il->instrs[i - 1])->flow != FLOW_SWITCH &&
           il_info(&il->instrs[i - 1])->flow != FLOW_BRANCH)
        i--;
    return i;
}

/* Do two tests load the same variable? */
static bool share_variable(const struct board *board, uint32_t a, uint32_t b)
{
    const struct instr *instrs = board->flow->il.instrs;
    uint32_t start = test_start(board, b);
    for (uint32_t i = test_start(board, a); i < flow_last_instr(board->flow, a); i++)
        for (uint32_t k = start; is_variable(&instrs[i]) && k < flow_last_instr(board->flow, b);
             k++)
            if (il_loads_the_same(&instrs[i], &instrs[k]))
                return true;
    return false;
}

static void find_under(struct match_tests *m, uint32_t n)
{
    const struct point_map *map = &m->board->map;
    const struct block *block = &m->board->flow->blocks[n];
    uint32_t from = idiom_block_above(m->board->flow, n);
    uint32_t under = from == NO_BLOCK ? NO_POINT : m->under[from];
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
    struct board *board = m->board;
    board_judge(board, first, m->rule);
    board_judge(board, test, m->rule);
    board->statement[test] = board->statement[first];
    (void)board_unite(board, first, test);
}

/* The match that `point` is a guard of, or part of a guard of; NO_BLOCK if there is none. */
static uint32_t match_before(const struct match_tests *m, uint32_t point)
{
    for (unsigned steps = 0; steps < GUARDS_BEFORE_MAX; steps++) {
        point = m->parent[point];
        if (point == NO_POINT)
            break;
        uint32_t first = m->first[point];
        if (first == NO_BLOCK)
            break; /* a statement without a test */
        if (m->board->judgement[first] != JUDGED_NONE &&
            fsharp_tests_pattern(m->board->flow, first))
            return first;
    }
    return NO_BLOCK;
}

/* The guards of the first rules come before all tests: `match n with x when x > 3 -> a | 1 -> b`.
 * Then the point of the match has no test. */
static bool lead_by_guards(struct match_tests *m, uint32_t n, uint32_t point)
{
    struct board *board = m->board;
    for (unsigned steps = 0; steps < GUARDS_BEFORE_MAX; steps++) {
        uint32_t match = m->parent[point];
        struct way_out way = {point, guard_block(board, point), false, false};
        bool of_function = match == NO_POINT; /* `function` has no point */
        if (!guard_reads_as_one(board, of_function ? point : match, way))
            return false;
        if (of_function || m->first[match] == NO_BLOCK) {
            uint32_t statement = of_function ? point : match;
            if (m->led[statement] != NO_BLOCK) {
                join_match(m, n, m->led[statement]);
                return true;
            }
            m->led[statement] = n;
            board_judge(board, n, m->rule);
            board->statement[n] = statement;
            board->guarded[n] = point;
            return true;
        }
        point = match;
    }
    return false;
}

static void add_match_test(struct match_tests *m, uint32_t n)
{
    struct board *board = m->board;
    uint32_t point = m->under[n];
    bool hidden =
        !point_map_is_visible(&board->map, board->map.at[flow_last_instr(board->flow, n)]);
    if (point == NO_POINT)
        return;
    if (m->first[point] == NO_BLOCK) {
        m->first[point] = n;
        return;
    }
    uint32_t first = m->first[point];
    if (board->judgement[n] == JUDGED_NONE)
        return;
    /* the value of a guard of several operands is not counted a second time */
    bool after_value = board->judgement[first] == JUDGED_NONE &&
                       fsharp_tests_pattern(board->flow, n) && match_before(m, point) == NO_BLOCK;
    bool after_test =
        board->judgement[first] == JUDGED_CONDITION && !fsharp_tests_pattern(board->flow, first);
    if ((after_value || after_test) && lead_by_guards(m, n, point)) {
        m->first[point] = n;
        return;
    }
    bool may_be =
        board->judgement[first] != JUDGED_NONE && !hidden && may_test_pattern(board->flow, first);
    bool is =
        may_be && (fsharp_tests_pattern(board->flow, first) || share_variable(board, first, n));
    uint32_t before = is ? NO_BLOCK : match_before(m, point);
    if (before != NO_BLOCK)
        join_match(m, n, before);
    else if (may_be)
        join_match(m, n, first);
    else
        m->first[point] = n; /* a match whose first rule has only a guard */
}

/* `match v with n when n > 0 -> a | _ -> b` has no test but its guards. */
static void note_match_of_guards(struct match_tests *m, uint32_t point)
{
    struct board *board = m->board;
    uint32_t n = m->first[point], match = m->parent[point];
    struct way_out way = {point, NO_BLOCK, false, false};
    if (n == NO_BLOCK || match == NO_POINT || m->first[match] != NO_BLOCK ||
        board->judgement[n] != JUDGED_CONDITION || fsharp_tests_pattern(board->flow, n) ||
        seq_point_order(&board->points->points[match], &board->points->points[point]) > 0)
        return;
    for (uint32_t i = 0; i < board->flow->block_count; i++)
        if (board->guarded[i] == point ||
            (board->judgement[i] == JUDGED_DISPATCH && board->statement[i] == match))
            return; /* it has a test further down */
    way.block = guard_block(board, point);
    if (guard_reads_as_one(board, match, way))
        board->match_of_guards[n] = match;
}

/* Does a way of the only test of a match come out at a guard? */
static void find_guards(struct match_tests *m, uint32_t n)
{
    struct board *board = m->board;
    const struct block *block = &board->flow->blocks[n];
    const struct rule *alone = board->rule[n];
    bool guarded = false;
    board_judge(board, n, m->rule);
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        guarded |= guard_is(board, board_group(board, n), board_follow_edge(board, e));
    if (!guarded)
        board_judge(board, n, alone);
}

/* --- copies ----------------------------------------------------------------------------------- */

/* A guard that several ways lead to is compiled once for each way. `last` is per span. */
static void link_copies(struct board *board, uint32_t *last)
{
    for (uint32_t p = 0; p < board->points->count; p++)
        last[p] = NO_BLOCK;
    for (uint32_t n = board->flow->block_count; n-- != 0;) {
        if (board->judgement[n] != JUDGED_CONDITION)
            continue;
        uint32_t *next = &last[board_first_point(board, board->statement[n])];
        board->copy[n] = *next;
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
static void link_loops(struct board *board)
{
    const struct flow *flow = board->flow;
    for (uint32_t n = 0; n < flow->block_count; n++) {
        if (board->judgement[n] != JUDGED_CONDITION || branch_target(flow, n, true) > n)
            continue;
        const struct block *body = &flow->blocks[branch_target(flow, n, true)];
        for (uint32_t i = 0; i < body->in_count; i++) {
            uint32_t before = flow_edge_in(flow, body, i)->from;
            if (before + 1 == branch_target(flow, n, true) &&
                board->judgement[before] == JUDGED_CONDITION && board->copy[before] == NO_BLOCK &&
                branch_target(flow, before, false) == before + 1 &&
                branch_target(flow, before, true) == branch_target(flow, n, false))
                board->copy[before] = n;
        }
    }
}

bool find_fsharp_match(struct board *board, const struct rule *rule, struct arena *arena,
                       struct err *err)
{
    struct match_tests m = {
        .board = board,
        .rule = rule,
        .first = arena_no_indexes(arena, board->points->count, err),
        .led = arena_no_indexes(arena, board->points->count, err),
        .parent = arena_no_indexes(arena, board->points->count, err),
        .under = arena_no_indexes(arena, board->flow->block_count, err),
    };
    if (m.first == NULL || m.led == NULL || m.parent == NULL || m.under == NULL)
        return false;
    for (uint32_t n = 0; n < board->flow->block_count; n++) {
        find_under(&m, n);
        if (board->flow->blocks[n].edge_count > 1 && !board_is_inlined(board, n))
            add_match_test(&m, n);
    }
    for (uint32_t n = board->flow->block_count; n-- != 0;)
        if (board->judgement[n] == JUDGED_CONDITION && fsharp_tests_pattern(board->flow, n))
            find_guards(&m, n);
    for (uint32_t p = 0; p < board->points->count; p++)
        note_match_of_guards(&m, p);
    link_copies(board, m.first);
    link_loops(board);
    return true;
}
