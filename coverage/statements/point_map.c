#include "coverage/statements/point_map.h"

#include "coverage/source/switch_arms.h"
#include "coverage/statements/fsharp_machine.h"
#include "coverage/statements/il_idioms.h"

bool point_map_is_visible(const struct point_map *map, uint32_t point)
{
    return point != NO_INDEX && map->visible[point];
}

bool point_map_is_within(const struct point_map *map, uint32_t point, uint32_t outer)
{
    while (point != NO_INDEX && point != outer)
        point = map->outer[point];
    return point != NO_INDEX;
}

uint32_t point_map_around(const struct point_map *map, uint32_t a, uint32_t b)
{
    while (a != NO_INDEX && !point_map_is_within(map, b, a))
        a = map->outer[a];
    return a;
}

uint32_t point_map_before(const struct point_map *map, uint32_t instr)
{
    uint32_t home = body_handler_around(&map->flow->body, map->flow->il.instrs[instr].offset);
    for (uint32_t p = map->at[instr]; p != NO_INDEX; p = p == 0 ? NO_INDEX : p - 1)
        if (point_map_is_visible(map, p))
            return body_handler_around(&map->flow->body, map->points->points[p].il_offset) == home
                       ? p
                       : NO_INDEX;
    return NO_INDEX;
}

uint32_t point_map_after(const struct point_map *map, uint32_t instr)
{
    uint32_t home = body_handler_around(&map->flow->body, map->flow->il.instrs[instr].offset);
    uint32_t before = map->point_of[instr]; /* `at` may come later */
    for (uint32_t p = before == NO_INDEX ? 0 : before; p < map->points->count; p++)
        if (point_map_is_visible(map, p) &&
            map->points->points[p].il_offset > map->flow->il.instrs[instr].offset)
            return body_handler_around(&map->flow->body, map->points->points[p].il_offset) == home
                       ? p
                       : NO_INDEX;
    return NO_INDEX;
}

static void find_visible(struct point_map *map)
{
    const struct flow *flow = map->flow;
    for (uint32_t p = 0; p < map->points->count; p++) {
        const struct seq_point *point = &map->points->points[p];
        uint32_t instr = il_index(&flow->il, point->il_offset);
        map->visible[p] = !point->hidden &&
                          (instr == NO_INDEX || flow->blocks[flow_block_of(flow, instr)].reachable);
    }
}

/* Spans of statements are nested or disjoint. So the innermost one around a span is its predecessor
 * in that order, or one around the predecessor. In the IL it may come before or after. */
static void find_enclosing(struct point_map *map)
{
    const struct seq_point *points = map->points->points;
    uint32_t before = NO_INDEX;
    for (uint32_t i = 0; i < map->spans.point_count; i++) {
        uint32_t p = map->spans.points[i];
        if (!map->visible[p])
            continue;
        while (before != NO_INDEX && !seq_point_is_within(&points[p], &points[before]))
            before = map->outer[before];
        map->outer[p] = before;
        before = p;
    }
}

/* F#: after inlined code, such as `not` or Option.isSome, there is a hidden point while the value
 * is on the stack: the statement continues. */
static bool is_within_expression(const struct flow *flow, uint32_t instr)
{
    uint32_t n = flow_block_of(flow, instr);
    const struct block *block = &flow->blocks[n];
    return !flow->empty_before[instr] &&
           (block->first != instr ||
            (block->in_count == 1 && flow_edge_in(flow, block, 0)->from + 1 == n));
}

/* In a state machine the same holds where the value is only tested. */
static bool is_just_tested(const struct flow *flow, uint32_t instr)
{
    uint32_t last = flow_last_instr(flow, flow_block_of(flow, instr));
    if (flow->empty_before[instr] || !il_tests_bool(&flow->il.instrs[last]))
        return false;
    while (instr < last && flow->il.instrs[instr].op == OP_NOP)
        instr++;
    return instr == last;
}

/* C#: the compiler hides the end of each switch expression, and what follows in the statement. A
 * further hidden point begins something else: a `switch` with no point of its own, the end of an
 * `await using`; or, at instruction `i`, the test of the condition that was just stored. If the
 * next visible point is within the arm, a switch expression begins there. */
static bool continues_after_arm(const struct point_map *map, uint32_t arm, uint32_t point,
                                uint32_t i)
{
    const struct il *il = &map->flow->il;
    uint32_t ends = 0, next = point + 1;
    if (i > 1 && i + 1 < il->count && map->at[i - 1] == map->outer[arm] &&
        il_loads_stored(il, i, i - 1) && il_tests_bool(&il->instrs[i + 1]))
        return true;
    while (next < map->points->count && !map->visible[next])
        next++;
    if (next < map->points->count && point_map_is_within(map, next, arm))
        return false;
    for (uint32_t p = point; p > arm && map->points->points[p].hidden; p--)
        ends++;
    for (uint32_t p = map->outer[arm]; p != NO_INDEX && ends != 0; p = map->outer[p])
        ends--;
    return ends == 0;
}

static void find_points(struct point_map *map, const struct statements_source *source)
{
    const struct il *il = &map->flow->il;
    const struct seq_points *points = map->points;
    uint32_t next = 0, last = NO_INDEX;
    uint32_t visible = NO_INDEX; /* the last visible one */
    bool is_fsharp = source->language == LANGUAGE_FSHARP;
    bool is_machine = is_fsharp && fsharp_machine_kind(map->flow) != FSHARP_NO_MACHINE;
    uint32_t point = NO_INDEX, statement = NO_INDEX; /* current; last visible one */
    for (uint32_t i = 0; i < il->count; i++) {
        if (statements_await(source) && i != 0 && statement != NO_INDEX &&
            idiom_await_ends(map->flow, i))
            point = statement;
        while (next < points->count && points->points[next].il_offset <= il->instrs[i].offset) {
            uint32_t before = point;
            last = point = next++;
            if (map->visible[point])
                visible = point;
            else if (is_fsharp && before != NO_INDEX &&
                     (is_machine ? is_just_tested(map->flow, i)
                                 : is_within_expression(map->flow, i)))
                point = before;
            else if (!is_fsharp && visible != NO_INDEX && map->outer[visible] != NO_INDEX &&
                     points->points[point].hidden && continues_after_arm(map, visible, point, i))
                point = map->outer[visible];
            /* the hidden point of an await is no end of the arm, or guard, that awaits */
            if (map->visible[point] &&
                !(i + 1 < il->count && idiom_asks_completed(map->flow, i + 1)))
                statement = point;
        }
        map->point_of[i] = last;
        map->at[i] = point;
    }
}

/* C#: a filter first asks for the type of the exception, unless it takes any. What the condition
 * does before the point that the compiler gives it, such as `e is IOException or
 * TimeoutException`, belongs to it, too. */
static void give_to_filters(struct point_map *map)
{
    const struct flow *flow = map->flow;
    const struct il_body *body = &flow->body;
    for (uint32_t c = 0; c < body->clause_count; c++) {
        const struct eh_clause *clause = &body->clauses[c];
        if (clause->flags != EH_FILTER)
            continue;
        uint32_t first = flow->il.index_at[clause->filter_offset];
        uint32_t point = point_map_after(map, first);
        if (flow->il.instrs[first].op == OP_ISINST)
            first = flow_last_instr(flow, flow_block_of(flow, first)) + 1;
        for (uint32_t i = first;
             point != NO_INDEX && flow->il.instrs[i].offset < map->points->points[point].il_offset;
             i++)
            map->at[i] = point;
    }
}

/* The point after an arm of a switch expression in an arm is that of the outer arm, which begins
 * later. */
static bool begins_within(const struct point_map *map, uint32_t point, const struct block *block)
{
    const struct instr *instrs = map->flow->il.instrs;
    uint32_t offset = map->points->points[point].il_offset;
    return offset >= instrs[block->first].offset &&
           (map->language == LANGUAGE_FSHARP || offset <= instrs[block->end - 1].offset);
}

static void find_openings(struct point_map *map)
{
    for (uint32_t n = 0; n < map->flow->block_count; n++) {
        const struct block *block = &map->flow->blocks[n];
        map->opens[n] = NO_INDEX;
        for (uint32_t i = block->first; i < block->end && map->opens[n] == NO_INDEX; i++) {
            uint32_t p = map->at[i];
            if (point_map_is_visible(map, p) && begins_within(map, p, block))
                map->opens[n] = p;
        }
    }
}

/* The way ends before it reaches any point: an exception. */
#define NOWHERE (NO_INDEX - 1)

/* The innermost point around all points that the ways from the start of block `n` reach next, given
 * the results for the blocks after it. */
static uint32_t find_destination(const struct point_map *map, const uint32_t *destinations,
                                 uint32_t n)
{
    const struct flow *flow = map->flow;
    const struct block *block = &flow->blocks[n];
    uint32_t past_await = idiom_await_continues(flow, n), around = NOWHERE;
    if (map->opens[n] != NO_INDEX)
        return map->opens[n];
    if (block->edge_count == 0)
        return block->exit == FLOW_THROW && !idiom_throw(flow, n) ? NOWHERE : NO_INDEX;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        uint32_t to = flow->edges[e].to;
        if (past_await != NO_INDEX && to != past_await)
            continue;
        uint32_t next = to > n ? destinations[to] : NO_INDEX;
        if (around == NOWHERE)
            around = next;
        else if (next != NOWHERE)
            around = point_map_around(map, around, next);
    }
    return around;
}

/* Is the arm in the text one of the switch around another point? Where the first arm of optimised
 * code has a guard and takes any value, there is no point around both. */
static bool is_arm_beside(const struct statements_source *source, uint32_t arm, uint32_t point)
{
    const struct seq_point *points = source->points->points;
    const struct tokens *tokens = source->tokens;
    uint32_t start, end, body, body_end;
    if (tokens == NULL || points[point].document != points[0].document ||
        !line_index_point(&start, &end, source->text, &points[point]) ||
        !line_index_point(&body, &body_end, source->text, &points[arm]))
        return false;
    uint32_t arrow = tokens_from(tokens, body) - 1;
    while (tokens_kind(tokens, arrow) == TOKEN_OPEN)
        arrow--;
    uint32_t brace = switch_arms_brace(tokens, arrow);
    return tokens_kind(tokens, arrow) == TOKEN_ARROW && brace != NO_INDEX &&
           brace == switch_arms_brace(tokens, tokens_from(tokens, start));
}

/* Does code at the instruction that leads to the arm in any case belong to it? It has the point of
 * the guard before the arm or, in the same statement, a hidden one. */
static bool belongs_to_arm(const struct point_map *map, const struct statements_source *source,
                           uint32_t arm, uint32_t instr)
{
    uint32_t statement = point_map_before(map, instr);
    if (statement == arm || statement == NO_INDEX)
        return false;
    if (map->outer[arm] == NO_INDEX)
        return is_arm_beside(source, arm, statement);
    uint32_t around = map->outer[statement] != NO_INDEX ? map->outer[statement] : statement;
    return map->outer[arm] == map->outer[statement] ||
           (!point_map_is_visible(map, map->point_of[instr]) &&
            (point_map_is_within(map, map->outer[arm], around) ||
             point_map_is_within(map, around, map->outer[arm])));
}

/* With an await or a pattern in an arm of a switch expression, the point of the arm comes after
 * that. */
static bool give_to_arms(struct point_map *map, const struct statements_source *source,
                         struct arena *arena, struct err *err)
{
    const struct flow *flow = map->flow;
    uint32_t *destinations = arena_raw(arena, flow->block_count, sizeof *destinations, err);
    if (destinations == NULL)
        return false;
    for (uint32_t n = flow->block_count; n-- != 0;) {
        const struct block *block = &flow->blocks[n];
        uint32_t arm = destinations[n] = find_destination(map, destinations, n);
        if (arm == NO_INDEX || arm == NOWHERE || map->opens[n] != NO_INDEX)
            continue;
        for (uint32_t i = block->first; i < block->end; i++)
            if (belongs_to_arm(map, source, arm, i))
                map->at[i] = arm;
    }
    return true;
}

/* Code that belongs to an arm whose point comes later opens the arm where control comes into it. */
static void open_late_arms(struct point_map *map)
{
    const struct flow *flow = map->flow;
    for (uint32_t n = 0; n < flow->block_count; n++) {
        const struct block *block = &flow->blocks[n];
        uint32_t arm = map->at[block->first], within = 0;
        if (map->opens[n] != NO_INDEX || !point_map_is_visible(map, arm) ||
            map->points->points[arm].il_offset <= flow->il.instrs[block->first].offset)
            continue;
        for (uint32_t i = 0; i < block->in_count; i++)
            within += point_map_is_within(
                map, map->at[flow_last_instr(flow, flow_edge_in(flow, block, i)->from)], arm);
        if (within != block->in_count || block->is_entry)
            map->opens[n] = arm;
    }
}

/* Does control fall into the block from the code right above it in the IL? */
static bool is_run_into(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    for (uint32_t i = 0; i < block->in_count; i++) {
        const struct edge *edge = flow_edge_in(flow, block, i);
        if (edge->from + 1 == n && !edge->taken)
            return true;
    }
    return block->in_count == 0 || block->is_entry;
}

void point_map_follow_control(struct point_map *map, const uint32_t *goes_on_from)
{
    const struct flow *flow = map->flow;
    for (uint32_t n = 1; n < flow->block_count; n++) {
        const struct block *block = &flow->blocks[n];
        uint32_t from = is_run_into(flow, n) ? n - 1 : idiom_block_above(flow, n);
        if (goes_on_from != NULL && goes_on_from[n] != NO_INDEX)
            from = goes_on_from[n];
        uint32_t at = from != NO_INDEX ? map->at[flow_last_instr(flow, from)] : NO_INDEX;
        for (uint32_t i = block->first; from != NO_INDEX && i < block->end; i++) {
            uint32_t p = map->point_of[i];
            if (p != NO_INDEX &&
                map->points->points[p].il_offset >= flow->il.instrs[block->first].offset &&
                !(goes_on_from != NULL && map->points->points[p].hidden && is_just_tested(flow, i)))
                break;
            map->at[i] = at;
        }
    }
}

bool point_map_make(struct point_map *out, const struct statements_source *source,
                    struct arena *arena, struct err *err)
{
    const struct flow *flow = source->flow;
    const struct seq_points *points = source->points;
    *out = (struct point_map){.flow = flow,
                              .points = points,
                              .language = source->language,
                              .visible = ARENA_NEW(arena, bool, points->count, err),
                              .point_of = ARENA_NEW(arena, uint32_t, flow->il.count, err),
                              .outer = arena_no_indexes(arena, points->count, err),
                              .at = ARENA_NEW(arena, uint32_t, flow->il.count, err),
                              .opens = ARENA_NEW(arena, uint32_t, flow->block_count, err)};
    if (out->visible == NULL || out->point_of == NULL || out->at == NULL || out->opens == NULL ||
        out->outer == NULL || !spans_find(&out->spans, points, arena, err))
        return false;
    find_visible(out);
    find_enclosing(out);
    find_points(out, source);
    if (source->language == LANGUAGE_FSHARP)
        point_map_follow_control(out, NULL);
    if (source->language == LANGUAGE_CSHARP)
        give_to_filters(out);
    find_openings(out);
    if (source->language != LANGUAGE_CSHARP && !statements_await(source))
        return true;
    if (!give_to_arms(out, source, arena, err))
        return false;
    find_openings(out);
    open_late_arms(out);
    return true;
}

bool point_map_ends_unseen_loop(const struct point_map *map, uint32_t n)
{
    enum {
        UNSEEN_LOOP_MAX = 64 /* blocks */
    };
    const struct flow *flow = map->flow;
    const struct edge *back = &flow->edges[flow->blocks[n].first_edge];
    if (flow->blocks[n].exit != FLOW_CONDITION || !back->taken || back->to > n)
        return false;
    for (uint32_t m = n + 1; m-- != back->to;)
        if (map->opens[m] != NO_INDEX || n - m > UNSEEN_LOOP_MAX)
            return false;
    return true;
}
