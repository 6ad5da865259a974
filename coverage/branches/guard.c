#include "coverage/branches/guard.h"

#include "coverage/branches/operands.h"
#include "coverage/statements/il_idioms.h"

enum {
    JUMPS_MAX = 8,
    GUARDS_MAX = 8, /* in a row */
    GUARDS_BITS = 4,
    ARROW_MIN = 4, /* columns between a guard and what it guards: ` -> ` */
    OPERATOR_MIN = 2,
    OPERATOR_MAX = 6, /* ` && (` */
};

bool guard_shares_try(const struct flow *flow, uint32_t a, uint32_t b)
{
    uint32_t offset_a = flow->il.instrs[flow->blocks[a].first].offset;
    uint32_t offset_b = flow->il.instrs[flow->blocks[b].first].offset;
    for (uint32_t c = 0; c < flow->body.clause_count; c++) {
        const struct eh_clause *clause = &flow->body.clauses[c];
        if ((offset_a - clause->try_offset < clause->try_length) !=
            (offset_b - clause->try_offset < clause->try_length))
            return false;
    }
    return true;
}

bool guard_is_member(struct branches *branches, uint32_t leader, uint32_t n)
{
    return branches->class[n] == BRANCH_DISPATCH && branches_group(branches, n) == leader;
}

/* The code before it, under hidden points, may be assigned to a guard as to an arm
 * (point_map.c). */
uint32_t guard_block(const struct branches *branches, uint32_t point)
{
    return flow_block_of(branches->flow,
                         branches->flow->il.index_at[branches->points->points[point].il_offset]);
}

static bool continues_to(const struct branches *branches, uint32_t n, uint32_t point)
{
    return n < branches->flow->block_count &&
           (branches->map.at[flow_last_instr(branches->flow, n)] == point ||
            (branches->inlined.within[n] != NO_INDEX &&
             point_map_at_end(&branches->map, n) == point));
}

/* F#, Debug: the test of the value of `a && b`, which both operands reach. */
static uint32_t value_test(const struct branches *branches, uint32_t n)
{
    const struct flow *flow = branches->flow;
    for (unsigned steps = 0; steps < JUMPS_MAX; steps++) {
        if (branches_is_inlined(branches, n) && branches->inlined.join[n] > n)
            n = branches->inlined.join[n];
        else if (flow->blocks[n].edge_count == 1)
            n = flow->edges[flow->blocks[n].first_edge].to;
        else
            break;
        if (branches->map.opens[n] != NO_INDEX)
            return NO_INDEX;
    }
    return flow->blocks[n].exit == FLOW_CONDITION && branches->class[n] == BRANCH_NONE &&
                   operands_determine_test(branches, n)
               ? n
               : NO_INDEX;
}

bool guard_is_value(const struct branches *branches, struct way_out way)
{
    return branches->language == LANGUAGE_FSHARP && value_test(branches, way.block) != NO_INDEX;
}

/* An await, or the arms of a `switch` expression, may come between the tests. */
static uint32_t end_of_row(const struct branches *branches, uint32_t first, uint32_t point)
{
    const struct seq_point *points = branches->points->points;
    const uint32_t *opens = branches->map.opens;
    uint32_t end = first;
    for (uint32_t n = first; n < branches->flow->block_count &&
                             (n == first || opens[n] == NO_INDEX ||
                              seq_point_is_within(&points[opens[n]], &points[point]));
         n++)
        if (continues_to(branches, n, point))
            end = n + 1;
    return end;
}

struct guard_row guard_row(const struct branches *branches, struct way_out way)
{
    struct guard_row row = {way.block, way.block, way.point};
    bool tests = false;
    if (way.point != NO_INDEX)
        row.first = row.end = guard_block(branches, way.point);
    if (branches->language != LANGUAGE_FSHARP) {
        row.end = way.point != NO_INDEX ? end_of_row(branches, row.first, way.point) : row.end;
        return row;
    }
    if (way.point != NO_INDEX) { /* an operand begins `not (...)`, where nothing else is tested */
        uint32_t inner = branches->map.at[flow_last_instr(branches->flow, row.first)];
        if (point_map_is_visible(&branches->map, inner) &&
            point_map_is_within(&branches->map, inner, way.point))
            way.point = inner;
    }
    for (; way.point != NO_INDEX && continues_to(branches, row.end, way.point); row.end++)
        tests |= branches->flow->blocks[row.end].edge_count > 1 &&
                 !branches_is_inlined(branches, row.end);
    uint32_t test = tests ? NO_INDEX : value_test(branches, row.first);
    return test != NO_INDEX ? (struct guard_row){test, test + 1, NO_INDEX} : row;
}

bool guard_row_tests(const struct branches *branches, const struct guard_row *row, uint32_t n)
{
    if (branches->flow->blocks[n].edge_count < 2)
        return false;
    return branches->language == LANGUAGE_FSHARP ||
           (continues_to(branches, n, row->point) && branches->class[n] != BRANCH_DISPATCH &&
            !(branches->awaits && idiom_await_continues(branches->flow, n) != NO_INDEX));
}

bool guard_row_leaves(const struct branches *branches, const struct guard_row *row,
                      struct way_out way)
{
    const struct seq_point *points = branches->points->points;
    if (way.point == NO_INDEX)
        return way.block < row->first || way.block >= row->end;
    return branches->language == LANGUAGE_FSHARP ||
           !seq_point_is_within(&points[way.point], &points[row->point]);
}

/* Do only branches lead to the block, one of them from this dispatch? That is true of an arm, but
 * not of the code after the switch, where arms end. */
static bool is_arm(struct branches *branches, uint32_t leader, uint32_t n)
{
    const struct block *block = &branches->flow->blocks[n];
    bool from_dispatch = false;
    for (uint32_t i = 0; i < block->in_count; i++) {
        uint32_t from = flow_source(branches->flow, flow_edge_in(branches->flow, block, i));
        if (branches->flow->blocks[from].edge_count < 2)
            return false;
        from_dispatch |= guard_is_member(branches, leader, from);
    }
    return from_dispatch;
}

/* --- text ------------------------------------------------------------------------------------- */

/* F#, where each operand has a point: what comes before it, `when` or the `|` of a rule? */
static enum guard_reading read_rule(const struct tokens *tokens, uint32_t i)
{
    while (i-- != 0) {
        const struct token *token = &tokens->items[i];
        if (token_closes(token->kind) && token->partner < i)
            i = token->partner;
        else if (tokens_is(tokens, i, "when"))
            return READS_GUARD;
        else if (token->kind == TOKEN_BAR)
            return READS_PATTERN;
        else if (token->kind == TOKEN_ARROW ||
                 tokens_is(tokens, i, "if elif then else do let match with in type"))
            return READS_OTHER;
    }
    return READS_OTHER;
}

/* The symbols have the guard with its word or without. */
static enum guard_reading read_guard_text(const struct branches *branches, uint32_t point)
{
    const struct tokens *tokens = branches->tokens;
    const uint32_t *next = branches->operands.next;
    uint32_t first, end;
    if (next != NULL && next[point] != NO_INDEX)
        point = next[point]; /* an operand without text is of one expression with the next */
    if (!branches->may_guard && !branches->may_switch)
        return READS_OTHER;
    if (!branches_tokens(&first, &end, branches, point))
        return branches->language == LANGUAGE_FSHARP && !branches->may_guard ? READS_OTHER
                                                                             : READS_UNKNOWN;
    if (branches->language == LANGUAGE_FSHARP)
        return read_rule(tokens, first);
    enum token_kind after = tokens_kind(tokens, end);
    bool has_word =
        tokens_is(tokens, first, "when") || (first != 0 && tokens_is(tokens, first - 1, "when"));
    if (has_word && (after == TOKEN_COLON || after == TOKEN_ARROW))
        return READS_GUARD;
    return tokens_is(tokens, first, "switch") && after == TOKEN_OPEN_BRACE ? READS_SWITCH
                                                                           : READS_OTHER;
}

/* Does the code at the instruction belong to a statement, not to a test of a switch? */
static bool is_of_statement(const struct branches *branches, uint32_t instr, uint32_t guard)
{
    const struct point_map *map = &branches->map;
    uint32_t p = map->at[instr];
    return point_map_is_visible(map, p) && !point_map_is_within(map, guard, p) &&
           branches->class[flow_block_of(map->flow, instr)] == BRANCH_NONE &&
           read_guard_text(branches, p) == READS_OTHER;
}

enum guard_reading guard_read(const struct branches *branches, uint32_t point)
{
    enum guard_reading reading = read_guard_text(branches, point);
    const struct flow *flow = branches->flow;
    uint32_t first = il_index(&flow->il, branches->points->points[point].il_offset);
    if (reading != READS_GUARD || first == NO_INDEX || branches->language == LANGUAGE_FSHARP)
        return reading;
    const struct block *block = &flow->blocks[flow_block_of(flow, first)];
    bool follows = first != block->first && is_of_statement(branches, first - 1, point);
    for (uint32_t i = 0; first == block->first && i < block->in_count; i++)
        follows |= is_of_statement(
            branches, flow_last_instr(flow, flow_edge_in(flow, block, i)->from), point);
    return follows ? READS_FIRST_GUARD : READS_GUARD;
}

/* Only a guard can have this position before the code it guards: `| p when c -> e`, or to the left
 * of e if e has a line of its own. The point of an `if` is all of `if c then`, so it is left of its
 * branches, or one space before them. */
static bool stands_before(const struct seq_point *guard, const struct seq_point *body)
{
    if (body->start_line == guard->end_line)
        return body->start_column >= guard->end_column + ARROW_MIN;
    return body->start_line > guard->end_line && body->start_column < guard->start_column;
}

static bool is_next_operand(const struct seq_point *first, const struct seq_point *second)
{
    return second->start_line == first->end_line &&
           second->start_column >= first->end_column + OPERATOR_MIN &&
           second->start_column <= first->end_column + OPERATOR_MAX;
}

static bool is_loop_start(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    return block->in_count != 0 && flow_edge_in(flow, block, block->in_count - 1)->from >= n;
}

/* Gets the points where the ways of a test come out, in the order of the text; false if the ways of
 * a guard can't come out so. */
static bool ways_of_guard(const struct branches *branches, uint32_t n, uint32_t ways[2])
{
    const struct block *block = &branches->flow->blocks[n];
    if (block->exit != FLOW_CONDITION || block->edge_count != 2)
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t to = branches->flow->edges[block->first_edge + i].to;
        ways[i] = branches_follow(branches, to).point;
        if (is_loop_start(branches->flow, to))
            return false;
    }
    if (ways[0] == NO_INDEX ||
        (ways[1] != NO_INDEX && seq_point_order(&branches->points->points[ways[1]],
                                                &branches->points->points[ways[0]]) < 0)) {
        uint32_t first = ways[1];
        ways[1] = ways[0], ways[0] = first;
    }
    return ways[0] != NO_INDEX;
}

/* Does the point look like that of the next operand? One without a point of its own has it just
 * before the one after it. */
static bool leads_to_operand(const struct branches *branches, uint32_t point, uint32_t next)
{
    const uint32_t *added = branches->operands.next;
    return (added != NULL && added[next] != NO_INDEX) ||
           is_next_operand(&branches->points->points[point], &branches->points->points[next]);
}

/* Does what both ways lead to stand where only the body of a guard and the rule after it do, or the
 * next operand of a guard and the body? `ways` are points in the order of the text. */
static bool come_out_as_guard(const struct branches *branches, uint32_t match, uint32_t guard,
                              const uint32_t ways[2])
{
    const struct seq_point *points = branches->points->points;
    const struct seq_point *first = &points[ways[0]];
    uint32_t outer = branches->map.outer[guard];
    /* otherwise it is an operand of an `if`, or a stage of a pipeline */
    if (!stands_before(&points[guard], first) ||
        (outer != NO_INDEX && !seq_point_is_within(first, &points[outer])))
        return false;
    if (ways[1] == NO_INDEX)
        return true;
    const struct seq_point *second = &points[ways[1]];
    return second->start_line > first->start_line ||
           second->start_line == points[match].start_line ||
           (leads_to_operand(branches, guard, ways[0]) && stands_before(first, second) &&
            (outer == NO_INDEX || seq_point_is_within(second, &points[outer])));
}

bool guard_reads_as_one(const struct branches *branches, uint32_t match, struct way_out way)
{
    const struct seq_point *points = branches->points->points;
    struct guard_row row = guard_row(branches, way);
    uint32_t ways[2];
    if (branches->language != LANGUAGE_FSHARP || way.point == NO_INDEX ||
        seq_point_is_within(&points[way.point], &points[match]))
        return false;
    enum guard_reading reading = guard_read(branches, way.point);
    if (reading != READS_UNKNOWN)
        return reading == READS_GUARD;
    for (uint32_t n = row.first; n < row.end; n++)
        if (branches->class[n] != BRANCH_DISPATCH && !branches_is_inlined(branches, n) &&
            ways_of_guard(branches, n, ways))
            return come_out_as_guard(branches, match, way.point, ways);
    return false;
}

/* --- where it leads --------------------------------------------------------------------------- */

static bool is_guard(struct branches *branches, uint32_t leader, struct way_out way,
                     unsigned nested, bool by_text);

/* Does the way out of a guard, or out of the body of an arm, show that it is a guard? */
static bool shows_guard(struct branches *branches, uint32_t leader, uint32_t point,
                        struct way_out way, unsigned nested, bool by_text)
{
    const struct seq_point *points = branches->points->points;
    if (way.point == NO_INDEX) /* a loop may reach the first block of a dispatch again */
        return way.block != leader && guard_is_member(branches, leader, way.block);
    return way.point != point &&
           (is_arm(branches, leader, way.block) ||
            is_arm(branches, leader, guard_block(branches, way.point)) ||
            (way.point > point && nested < GUARDS_MAX &&
             is_guard(branches, leader, way, nested + 1,
                      by_text && is_next_operand(&points[point], &points[way.point]))));
}

/* Was it asked in this search, with as many guards still allowed? Notes that it is now. */
static bool was_tried(struct branches *branches, uint32_t point, unsigned nested, bool by_text)
{
    uint64_t *tried = &branches->guard_tried[2 * (size_t)point + by_text];
    uint64_t now = branches->guard_search << GUARDS_BITS | nested;
    if (*tried >> GUARDS_BITS == branches->guard_search && *tried <= now)
        return true;
    *tried = now;
    return false;
}

static bool is_guard(struct branches *branches, uint32_t leader, struct way_out way,
                     unsigned nested, bool by_text)
{
    if (way.point == NO_INDEX || was_tried(branches, way.point, nested, by_text))
        return false;
    if (by_text && guard_reads_as_one(branches, branches->statement[leader], way))
        return true;
    struct guard_row row = guard_row(branches, way);
    for (uint32_t n = row.first; n < row.end; n++) {
        const struct block *block = &branches->flow->blocks[n];
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
            if (guard_row_tests(branches, &row, n) &&
                shows_guard(branches, leader, way.point, branches_follow_edge(branches, e), nested,
                            by_text))
                return true;
    }
    return false;
}

/* All ways are walked, and many meet again: what was no guard is none when it is reached once
 * more. */
bool guard_is(struct branches *branches, uint32_t leader, struct way_out way)
{
    enum guard_reading reading =
        way.point != NO_INDEX ? guard_read(branches, way.point) : READS_UNKNOWN;
    if (reading != READS_UNKNOWN)
        return reading == READS_GUARD &&
               guard_shares_try(branches->flow, leader, guard_block(branches, way.point));
    branches->guard_search++;
    return is_guard(branches, leader, way, 0, true);
}
