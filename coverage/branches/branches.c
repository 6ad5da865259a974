#include "coverage/branches/branches.h"

#include "coverage/statements/il_idioms.h"

static bool alloc_branches(struct branches *b, struct arena *arena, struct err *err)
{
    uint32_t count = b->flow->block_count;
    b->rule = ARENA_NEW(arena, const struct rule *, count, err);
    b->class = ARENA_NEW(arena, uint8_t, count, err);
    b->statement = arena_no_indexes(arena, count, err);
    b->group = arena_raw(arena, count, sizeof *b->group, err);
    b->next = arena_no_indexes(arena, count, err);
    b->inlined.join = arena_no_indexes(arena, count, err);
    b->inlined.within = arena_no_indexes(arena, count, err);
    b->ways = ARENA_NEW(arena, const struct condition_way *, count, err);
    b->in_pattern = ARENA_NEW(arena, bool, count, err);
    b->copy = arena_no_indexes(arena, count, err);
    b->guarded = arena_no_indexes(arena, count, err);
    b->match_of_guards = arena_no_indexes(arena, count, err);
    b->home = arena_no_indexes(arena, count, err);
    b->guard_tried = ARENA_NEW(arena, uint64_t, 2 * (size_t)b->points->count, err);
    for (uint32_t n = 0; b->group != NULL && n < count; n++)
        b->group[n] = n;
    return b->rule != NULL && b->class != NULL && b->statement != NULL && b->group != NULL &&
           b->next != NULL && b->inlined.join != NULL && b->inlined.within != NULL &&
           b->ways != NULL && b->in_pattern != NULL && b->copy != NULL && b->guarded != NULL &&
           b->match_of_guards != NULL && b->home != NULL && b->guard_tried != NULL;
}

/* In a task no point continues after code that was inlined, such as `isNull`. */
static void show_operands(struct branches *b)
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

bool branches_make(struct branches *out, const struct statements_source *source,
                   const struct plan *plan, struct arena *arena, struct err *err)
{
    struct fsharp_arms *arms = ARENA_NEW(arena, struct fsharp_arms, 1, err);
    struct statements_source with_arms = *source;
    struct fsharp_operands none = {.points = *source->points};
    const struct fsharp_operands *operands = source->operands != NULL ? source->operands : &none;
    with_arms.points = &operands->points;
    if (arms == NULL || !fsharp_arms_find(arms, &with_arms, arena, err))
        return false;
    with_arms.points = &arms->points;
    const char *rule = source->language == LANGUAGE_FSHARP ? "|" : "switch";
    *out = (struct branches){.flow = source->flow,
                             .plan = plan,
                             .points = with_arms.points,
                             .borrowed = arms->borrowed,
                             .operands = *operands,
                             .text = source->text,
                             .tokens = source->tokens,
                             .may_guard = statements_may_say(source, "when"),
                             .may_switch = statements_may_say(source, rule),
                             .language = source->language,
                             .is_state_machine = source->is_state_machine,
                             .awaits = statements_await(source),
                             .makes_call_sites = makes_call_sites(source->flow)};
    if (!alloc_branches(out, arena, err) || !point_map_make(&out->map, &with_arms, arena, err))
        return false;
    if (source->language == LANGUAGE_FSHARP)
        out->fsharp = fsharp_machine_kind(source->flow);
    show_operands(out);
    return true;
}

bool branches_tokens(uint32_t *first, uint32_t *end, const struct branches *branches,
                     uint32_t point)
{
    const struct seq_point *points = branches->points->points;
    uint32_t start, stop;
    if (branches->tokens == NULL || points[point].document != points[0].document ||
        !line_index_point(&start, &stop, branches->text, &points[point]))
        return false;
    *first = tokens_from(branches->tokens, start);
    *end = tokens_from(branches->tokens, stop);
    return true;
}

/* --- branches --------------------------------------------------------------------------------- */

bool branches_has(const struct branches *branches, uint32_t block)
{
    uint8_t exit = branches->flow->blocks[block].exit;
    return exit == FLOW_CONDITION || exit == FLOW_SWITCH;
}

/* Does the branch test what a visible statement stored just before? Debug code keeps a condition in
 * a variable and tests it after a hidden point: stloc V; ldloc V; brfalse. V is a bool; a `switch`
 * tests numbers so. */
static bool is_just_stored(const struct branches *b, uint32_t last)
{
    const struct il *il = &b->flow->il;
    if (last < 2 || !il_tests_bool(&il->instrs[last]))
        return false;
    uint32_t load = il_before(il, last), store = load != 0 ? il_before(il, load) : 0;
    uint32_t loaded = il_loaded_local(&il->instrs[load]);
    return loaded != NO_INDEX && loaded == il_stored_local(&il->instrs[store]) &&
           sig_first_element(stack_local_type(&b->flow->context, loaded)) == ELEMENT_BOOLEAN &&
           point_map_is_visible(&b->map, b->map.at[store]);
}

static bool names_member(const struct instr *instr)
{
    return instr->op == OP_LDFLD || instr->op == OP_LDSFLD || il_is_call(instr);
}

struct branch branches_at(const struct branches *branches, uint32_t block)
{
    const struct flow *flow = branches->flow;
    uint32_t last = flow_last_instr(flow, block);
    struct branch branch = {.block = block,
                            .last = last,
                            .load = idiom_tested_load(flow, block),
                            .local = NO_INDEX,
                            .member = STR(""),
                            .visible = point_map_is_visible(&branches->map, branches->map.at[last]),
                            .just_stored = is_just_stored(branches, last),
                            .before = point_map_before(&branches->map, last)};
    if (branch.load == NO_INDEX)
        return branch;
    const struct instr *load = &flow->il.instrs[branch.load];
    branch.load_op = load->op;
    branch.local = il_loaded_local(load);
    if (names_member(load))
        branch.member = idiom_member(flow, load);
    return branch;
}

/* F#: if no point begins between a join and the branch, control comes from the arms of an `if` or
 * `match` whose value is tested: the innermost point around all of them. NO_INDEX: none is. */
static uint32_t around_arms(const struct branches *b, const struct branch *branch)
{
    const struct flow *flow = b->flow;
    uint32_t join = branch->block, around = branch->before;
    while (b->map.opens[join] == NO_INDEX && flow->blocks[join].in_count == 1 && join != 0 &&
           flow->blocks[join - 1].exit == FLOW_NEXT)
        join--;
    const struct block *block = &flow->blocks[join];
    if (b->map.opens[join] != NO_INDEX || block->in_count < 2)
        return NO_INDEX;
    for (uint32_t i = 0; i < block->in_count && around != NO_INDEX; i++) {
        uint32_t from = flow_edge_in(flow, block, i)->from;
        uint32_t arm = point_map_at_end(&b->map, from);
        while (around != NO_INDEX && (from >= join || !point_map_is_within(&b->map, arm, around)))
            around = from < join ? b->map.outer[around] : NO_INDEX;
    }
    return around;
}

/* The end of a `using` or `try` of an iterator: its `finally` is a method. */
static bool calls_finally(const struct flow *flow, const struct instr *instr)
{
    return il_is_call(instr) && str_starts(idiom_member(flow, instr), "<>m__Finally");
}

/* At a brace, a state machine clears variables that end, or notes the `try` that begins. */
bool branches_is_brace(const struct point_map *map, uint32_t p)
{
    const struct seq_point *point = &map->points->points[p];
    const struct il *il = &map->flow->il;
    uint32_t i = il_index(il, point->il_offset);
    bool only_ends = i != NO_INDEX; /* else points of another build */
    for (; only_ends && i < il->count && map->point_of[i] == p; i++) {
        int32_t constant;
        uint8_t op = il->instrs[i].op, flow = il_info(&il->instrs[i])->flow;
        only_ends = op == OP_NOP || op == OP_LDARG_0 || op == OP_LDNULL || op == OP_STFLD ||
                    il_constant(&constant, &il->instrs[i]) || flow == FLOW_BRANCH ||
                    flow == FLOW_LEAVE || flow == FLOW_ENDFINALLY || flow == FLOW_RETURN ||
                    calls_finally(map->flow, &il->instrs[i]);
    }
    return map->language == LANGUAGE_CSHARP && only_ends && point->end_line == point->start_line &&
           point->end_column == point->start_column + 1;
}

/* The first point from `p` on, in steps of 1 or -1, that may have a line; NO_INDEX if that is in
 * another handler. */
static uint32_t point_with_line(const struct point_map *map, uint32_t p, uint32_t step,
                                uint32_t home)
{
    while (p < map->points->count && (!map->visible[p] || branches_is_brace(map, p)))
        p += step;
    return p < map->points->count &&
                   body_handler_around(&map->flow->body, map->points->points[p].il_offset) == home
               ? p
               : NO_INDEX;
}

uint32_t branches_statement_near(const struct point_map *map, uint32_t before, uint32_t offset)
{
    uint32_t home = body_handler_around(&map->flow->body, offset);
    uint32_t p = point_with_line(map, before, UINT32_MAX, home);
    uint32_t next = point_with_line(map, before + 1, 1, home);
    uint32_t around = next != NO_INDEX ? point_map_around(map, p, next) : NO_INDEX;
    if (around != NO_INDEX)
        return around;
    while (p != NO_INDEX && map->outer[p] != NO_INDEX)
        p = map->outer[p];
    return p != NO_INDEX ? p : next;
}

uint32_t branches_statement(const struct branches *branches, const struct branch *branch)
{
    uint32_t around =
        branches->language == LANGUAGE_FSHARP ? around_arms(branches, branch) : NO_INDEX;
    if (around != NO_INDEX)
        return around;
    uint32_t header = vb_loop_header(branches, branch);
    if (header != NO_INDEX)
        return header;
    const struct point_map *map = &branches->map;
    uint32_t before = branch->before;
    if (branches->language == LANGUAGE_CSHARP && !point_map_is_visible(map, map->at[branch->last]))
        return branches_statement_near(map, map->point_of[branch->last],
                                       map->flow->il.instrs[branch->last].offset);
    return before != NO_INDEX ? before : point_map_after(map, branch->last);
}

uint32_t branches_own_point(const struct branches *branches, uint32_t point)
{
    const uint32_t *next = branches->operands.next;
    if (next != NULL && next[point] != NO_INDEX)
        return branches->map.outer[point] != NO_INDEX ? branches->map.outer[point] : next[point];
    if (branches->borrowed == NULL || !branches->borrowed[point])
        return point;
    for (uint32_t p = point;; p--) {
        uint32_t outer = branches->map.outer[p];
        if (!branches->borrowed[p] && point_map_is_visible(&branches->map, p))
            return p;
        if (branches->borrowed[p] && outer != NO_INDEX && !branches->borrowed[outer])
            return outer;
        if (p == 0)
            return point;
    }
}

bool branches_way_holds(const struct branches *branches, uint32_t block, uint32_t edge)
{
    const struct condition_way *way = branches->ways[block];
    while (way != NULL && way->edge != edge)
        way = way->next;
    return way != NULL && way->holds;
}

bool branches_add_way(struct branches *branches, uint32_t block, uint32_t edge, bool holds,
                      struct arena *arena, struct err *err)
{
    struct condition_way *way = ARENA_NEW(arena, struct condition_way, 1, err);
    if (way == NULL)
        return false;
    *way = (struct condition_way){edge, holds, branches->ways[block]};
    branches->ways[block] = way;
    branches->way_count++;
    return true;
}

void branches_set_rule(struct branches *branches, uint32_t block, const struct rule *rule)
{
    branches->rule[block] = rule;
    branches->class[block] = (uint8_t)rule->class;
}

/* --- ways ------------------------------------------------------------------------------------- */

/* The only block that follows, including across an await; NO_INDEX if there are several, or
 * none. */
static uint32_t next_of_way(const struct branches *b, uint32_t n)
{
    const struct block *block = &b->flow->blocks[n];
    if (block->edge_count == 1)
        return b->flow->edges[block->first_edge].to;
    if (block->edge_count > 1 && branches_is_inlined(b, n))
        return b->inlined.join[n] != n ? b->inlined.join[n] : NO_INDEX;
    return b->awaits ? idiom_await_continues(b->flow, n) : NO_INDEX;
}

struct way_out branches_follow(const struct branches *branches, uint32_t block)
{
    const struct flow *flow = branches->flow;
    struct way_out way = {NO_INDEX, block, false, false};
    uint32_t depth = flow->blocks[block].depth;
    for (uint32_t steps = 0; steps <= flow->block_count; steps++) {
        const struct block *at = &flow->blocks[way.block];
        way.brings_value |= at->depth > depth && at->in_count > 1;
        way.point = branches->map.opens[way.block];
        if (way.point != NO_INDEX || branches->class[way.block] == BRANCH_DISPATCH)
            return way;
        way.throws = idiom_throw(flow, way.block) || (branches->language == LANGUAGE_FSHARP &&
                                                      fsharp_machine_throws(flow, way.block));
        uint32_t next = way.throws ? NO_INDEX : next_of_way(branches, way.block);
        if (next == NO_INDEX)
            return way;
        way.brings_value |= at->edge_count > 1; /* an await */
        way.block = next;
    }
    return way;
}

bool branches_leads_to_twin(const struct branches *branches, uint32_t n, struct way_out way)
{
    const struct seq_point *points = branches->points->points;
    return branches->class[n] != BRANCH_NONE && point_map_is_visible(&branches->map, way.point) &&
           way.point != branches->statement[n] &&
           seq_point_order(&points[way.point], &points[branches->statement[n]]) == 0 &&
           branches->flow->blocks[way.block].exit == FLOW_CONDITION &&
           branches->class[way.block] != BRANCH_NONE;
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

uint32_t branches_group(struct branches *branches, uint32_t block)
{
    uint32_t *group = branches->group;
    while (group[block] != block)
        block = group[block] = group[group[block]];
    return block;
}

bool branches_unite(struct branches *branches, uint32_t a, uint32_t b)
{
    a = branches_group(branches, a), b = branches_group(branches, b);
    branches->group[a > b ? a : b] = a > b ? b : a;
    return a != b;
}
