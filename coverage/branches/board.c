#include "coverage/branches/board.h"

#include "coverage/statements/il_idioms.h"

static bool alloc_board(struct board *b, struct arena *arena, struct err *err)
{
    uint32_t count = b->flow->block_count;
    b->rule = ARENA_NEW(arena, const struct rule *, count, err);
    b->judgement = ARENA_NEW(arena, uint8_t, count, err);
    b->statement = arena_no_indexes(arena, count, err);
    b->group = arena_raw(arena, count, sizeof *b->group, err);
    b->next = arena_no_indexes(arena, count, err);
    b->inlined.join = arena_no_indexes(arena, count, err);
    b->inlined.within = arena_no_indexes(arena, count, err);
    b->copy = arena_no_indexes(arena, count, err);
    b->guarded = arena_no_indexes(arena, count, err);
    b->match_of_guards = arena_no_indexes(arena, count, err);
    b->guard_tried = ARENA_NEW(arena, uint64_t, 2 * (size_t)b->points->count, err);
    for (uint32_t n = 0; b->group != NULL && n < count; n++)
        b->group[n] = n;
    return b->rule != NULL && b->judgement != NULL && b->statement != NULL && b->group != NULL &&
           b->next != NULL && b->inlined.join != NULL && b->inlined.within != NULL &&
           b->copy != NULL && b->guarded != NULL && b->match_of_guards != NULL &&
           b->guard_tried != NULL;
}

/* In a task no point continues after code that was inlined, such as `isNull`. */
static void show_operands(struct board *b)
{
    for (uint32_t n = 0; b->operands.is_operand != NULL && n < b->flow->block_count; n++) {
        uint32_t last = flow_last_instr(b->flow, n);
        if (b->operands.is_operand[n] && !point_map_is_visible(&b->map, b->map.at[last]))
            b->map.at[last] = point_map_before(&b->map, last);
    }
}

static bool makes_call_sites(const struct flow *flow)
{
    const struct instr *instrs = flow->il.instrs;
    for (uint32_t i = 0; i < flow->il.count; i++)
        if (instrs[i].op == OP_STSFLD && call_site_field(idiom_member(flow, &instrs[i])))
            return true;
    return false;
}

bool board_make(struct board *out, const struct statements_source *source, const struct plan *plan,
                struct arena *arena, struct err *err)
{
    struct fsharp_arms *arms = ARENA_NEW(arena, struct fsharp_arms, 1, err);
    struct statements_source with_arms = *source;
    struct fsharp_operands none = {.points = *source->points};
    const struct fsharp_operands *operands = source->operands != NULL ? source->operands : &none;
    with_arms.points = &operands->points;
    if (arms == NULL || !fsharp_arms_find(arms, &with_arms, arena, err))
        return false;
    with_arms.points = &arms->points;
    *out = (struct board){.flow = source->flow,
                          .plan = plan,
                          .points = with_arms.points,
                          .borrowed = arms->borrowed,
                          .operands = *operands,
                          .language = source->language,
                          .is_state_machine = source->is_state_machine,
                          .awaits = statements_await(source),
                          .makes_call_sites = makes_call_sites(source->flow)};
    if (!alloc_board(out, arena, err) || !point_map_make(&out->map, &with_arms, arena, err) ||
        !fsharp_machine_make(&out->fsharp, &with_arms, arena, err))
        return false;
    show_operands(out);
    return true;
}

/* --- branches --------------------------------------------------------------------------------- */

bool board_has_branch(const struct board *board, uint32_t block)
{
    uint8_t exit = board->flow->blocks[block].exit;
    return exit == FLOW_CONDITION || exit == FLOW_SWITCH;
}

/* Does the branch test what a visible statement stored just before? Debug code keeps a condition in
 * a variable and tests it after a hidden point: stloc V; ldloc V; brfalse. */
static bool is_just_stored(const struct board *b, uint32_t last)
{
    const struct instr *instrs = b->flow->il.instrs;
    if (last < 2 || !il_tests_bool(&instrs[last]))
        return false;
    uint32_t loaded = il_loaded_local(&instrs[last - 1]);
    return loaded != IL_NO_INDEX && loaded == il_stored_local(&instrs[last - 2]) &&
           point_map_is_visible(&b->map, b->map.at[last - 2]);
}

static bool names_member(const struct instr *instr)
{
    return instr->op == OP_LDFLD || instr->op == OP_LDSFLD || il_is_call(instr);
}

struct branch board_branch(const struct board *board, uint32_t block)
{
    const struct flow *flow = board->flow;
    uint32_t last = flow_last_instr(flow, block);
    struct branch branch = {.block = block,
                            .last = last,
                            .load = idiom_tested_load(flow, block),
                            .local = IL_NO_INDEX,
                            .member = STR(""),
                            .visible = point_map_is_visible(&board->map, board->map.at[last]),
                            .just_stored = is_just_stored(board, last),
                            .before = point_map_before(&board->map, last)};
    if (branch.load == IL_NO_INDEX)
        return branch;
    const struct instr *load = &flow->il.instrs[branch.load];
    branch.load_op = load->op;
    branch.local = il_loaded_local(load);
    if (names_member(load))
        branch.member = idiom_member(flow, load);
    return branch;
}

/* F#: if no point begins between a join and the branch, control comes from the arms of an `if` or
 * `match` whose value is tested: the innermost point around all of them. NO_POINT: none is. */
static uint32_t around_arms(const struct board *b, const struct branch *branch)
{
    const struct flow *flow = b->flow;
    uint32_t join = branch->block, around = branch->before;
    while (b->map.opens[join] == NO_POINT && flow->blocks[join].in_count == 1 && join != 0 &&
           flow->blocks[join - 1].exit == FLOW_NEXT)
        join--;
    const struct block *block = &flow->blocks[join];
    if (b->map.opens[join] != NO_POINT || block->in_count < 2)
        return NO_POINT;
    for (uint32_t i = 0; i < block->in_count && around != NO_POINT; i++) {
        uint32_t from = flow_edge_in(flow, block, i)->from;
        uint32_t arm = point_map_at_end(&b->map, from);
        while (around != NO_POINT && (from >= join || !point_map_is_within(&b->map, arm, around)))
            around = from < join ? b->map.outer[around] : NO_POINT;
    }
    return around;
}

uint32_t board_statement(const struct board *board, const struct branch *branch)
{
    uint32_t around = board->language == LANGUAGE_FSHARP ? around_arms(board, branch) : NO_POINT;
    if (around != NO_POINT)
        return around;
    return branch->before != NO_POINT ? branch->before : point_map_after(&board->map, branch->last);
}

uint32_t board_own_point(const struct board *board, uint32_t point)
{
    const uint32_t *next = board->operands.next;
    if (next != NULL && next[point] != NO_POINT)
        return board->map.outer[point] != NO_POINT ? board->map.outer[point] : next[point];
    if (board->borrowed == NULL || !board->borrowed[point])
        return point;
    for (uint32_t p = point;; p--) {
        uint32_t outer = board->map.outer[p];
        if (!board->borrowed[p] && point_map_is_visible(&board->map, p))
            return p;
        if (board->borrowed[p] && outer != NO_POINT && !board->borrowed[outer])
            return outer;
        if (p == 0)
            return point;
    }
}

void board_judge(struct board *board, uint32_t block, const struct rule *rule)
{
    board->rule[block] = rule;
    board->judgement[block] = (uint8_t)rule->judgement;
}

/* --- ways ------------------------------------------------------------------------------------- */

/* The only block that follows, including across an await; NO_BLOCK if there are several, or
 * none. */
static uint32_t next_of_way(const struct board *b, uint32_t n)
{
    const struct block *block = &b->flow->blocks[n];
    if (block->edge_count == 1)
        return b->flow->edges[block->first_edge].to;
    if (block->edge_count > 1 && board_is_inlined(b, n))
        return b->inlined.join[n] != n ? b->inlined.join[n] : NO_BLOCK;
    return b->awaits ? idiom_await_continues(b->flow, n) : NO_BLOCK;
}

struct way_out board_follow(const struct board *board, uint32_t block)
{
    const struct flow *flow = board->flow;
    struct way_out way = {NO_POINT, block, false, false};
    uint32_t depth = flow->blocks[block].depth;
    for (uint32_t steps = 0; steps <= flow->block_count; steps++) {
        const struct block *at = &flow->blocks[way.block];
        way.brings_value |= at->depth > depth && at->in_count > 1;
        way.point = board->map.opens[way.block];
        if (way.point != NO_POINT || board->judgement[way.block] == JUDGED_DISPATCH)
            return way;
        way.throws = idiom_throw(flow, way.block) ||
                     (board->language == LANGUAGE_FSHARP && fsharp_machine_throws(flow, way.block));
        uint32_t next = way.throws ? NO_BLOCK : next_of_way(board, way.block);
        if (next == NO_BLOCK)
            return way;
        way.block = next;
    }
    return way;
}

bool board_leads_to_twin(const struct board *board, uint32_t n, struct way_out way)
{
    const struct seq_point *points = board->points->points;
    return board->judgement[n] != JUDGED_NONE && point_map_is_visible(&board->map, way.point) &&
           way.point != board->statement[n] &&
           seq_point_order(&points[way.point], &points[board->statement[n]]) == 0 &&
           board->flow->blocks[way.block].exit == FLOW_CONDITION &&
           board->judgement[way.block] != JUDGED_NONE;
}

bool blocks_meet_next(struct blocks_met *met, const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        uint32_t to = flow->edges[e].to;
        if (met->seen[to] == met->tests)
            continue;
        if (met->count == WAYS_MAX)
            return false;
        met->seen[to] = met->tests;
        met->items[met->count++] = to;
    }
    return true;
}

bool blocks_meet_first(struct blocks_met *met, const struct flow *flow, uint32_t test)
{
    met->count = 0;
    met->tests++;
    return blocks_meet_next(met, flow, test);
}

/* --- groups ----------------------------------------------------------------------------------- */

uint32_t board_group(struct board *board, uint32_t block)
{
    uint32_t *group = board->group;
    while (group[block] != block)
        block = group[block] = group[group[block]];
    return block;
}

bool board_unite(struct board *board, uint32_t a, uint32_t b)
{
    a = board_group(board, a), b = board_group(board, b);
    board->group[a > b ? a : b] = a > b ? b : a;
    return a != b;
}
