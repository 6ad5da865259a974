/* `x is 1 or 3`, `s is null or "" or "x"`: patterns that are not only `and`. They are compiled to
 * tests that all come out at one of two places, which make the result:
 *
 *       (tests); T: ldc.i4.1; stloc r; br J; F: ldc.i4.0; stloc r; J: ldloc r
 *
 * Within them, the tests of one value that have two ways out, H where it is one of the constants
 * and M where it is none, are a search. An operand of the pattern is a test that leads to H. The
 * others only find out which constant may be equal: by order, length, a character or a hash; is
 * there a value, of the right type? Operands count as if each were asked after the one before it:
 * false are those that were passed over, too.
 * Source: Roslyn's DecisionDagRewriter, which has no name in metadata. */
#include "coverage/branches/pattern_test.h"
#include "coverage/branches/rules.h"
#include "coverage/statements/il_idioms.h"

enum {
    OPERANDS_MAX = 256 /* each counts the ways of those after it */
};

struct pattern_search {
    uint32_t first;
    uint32_t hit, miss; /* blocks */
    uint32_t operands, others;
    bool by_text; /* `place` says where the operands are in the text */
};

struct pattern_finder {
    struct branches *branches;
    const struct flow *flow;
    struct arena *arena;
    uint32_t *pattern; /* per block: the number of the last pattern that it was part of */
    uint32_t *search;  /* per block: the number of the last search that it was part of */
    struct pattern_values values;
    uint32_t *place;             /* per block with an operand of the search: its token */
    uint32_t patterns, searches; /* numbers, from 1 */
    uint32_t yes, no;            /* of the current pattern: the blocks that make its result */
    uint32_t first, end;         /* blocks */
};

/* --- the tests of a pattern ------------------------------------------------------------------- */

/* Does the block only store a constant in a local? */
static bool makes_result(int32_t *value, uint32_t *local, const struct branches *b, uint32_t n)
{
    const struct block *block = &b->flow->blocks[n];
    const struct instr *instrs = b->flow->il.instrs;
    uint32_t end = block->end - (block->exit == FLOW_BRANCH);
    if (block->edge_count != 1 || block->is_entry || end != block->first + 2 ||
        point_map_is_visible(&b->map, b->map.opens[n]))
        return false;
    *local = il_stored_local(&instrs[block->first + 1]);
    return *local != NO_INDEX && il_constant(value, &instrs[block->first]);
}

/* Is a result of tests taken at the block? */
static bool joins_results(struct pattern_finder *f, uint32_t join)
{
    const struct block *block = &f->flow->blocks[join];
    int32_t values[2];
    uint32_t locals[2], from[2];
    if (block->in_count != 2 || block->is_entry)
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        from[i] = flow_edge_in(f->flow, block, i)->from;
        if (from[i] >= join || !makes_result(&values[i], &locals[i], f->branches, from[i]))
            return false;
    }
    f->yes = from[values[0] == 1 ? 0 : 1];
    f->no = from[values[0] == 1 ? 1 : 0];
    return locals[0] == locals[1] && (values[0] | values[1]) == 1 && values[0] != values[1];
}

static bool is_in_pattern(const struct pattern_finder *f, uint32_t n)
{
    return f->pattern[n] == f->patterns && n != f->yes && n != f->no;
}

/* Finds the blocks through which all ways to the two results lead, from the first that decides. */
static bool find_blocks(struct pattern_finder *f)
{
    uint32_t pending = 2, n = f->yes > f->no ? f->yes : f->no;
    f->patterns++;
    f->end = n;
    f->pattern[f->yes] = f->pattern[f->no] = f->patterns;
    for (;; n--) {
        const struct block *block = &f->flow->blocks[n];
        if (f->pattern[n] == f->patterns && --pending == 0)
            break;
        for (uint32_t i = 0; f->pattern[n] == f->patterns && i < block->in_count; i++) {
            const struct edge *in = flow_edge_in(f->flow, block, i);
            if (in->from >= n || in->through_finally || block->is_entry)
                return false;
            pending += f->pattern[in->from] != f->patterns;
            f->pattern[in->from] = f->patterns;
        }
        if (n == 0)
            return false;
    }
    f->first = n;
    return true;
}

/* Do they belong to one statement, with no way out but the results? */
static bool is_pattern(const struct pattern_finder *f)
{
    const struct branches *b = f->branches;
    for (uint32_t n = f->first; n < f->end; n++) {
        const struct block *block = &f->flow->blocks[n];
        if (!is_in_pattern(f, n))
            continue;
        if (n != f->first && point_map_is_visible(&b->map, b->map.opens[n]))
            return false;
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
            if (f->pattern[f->flow->edges[e].to] != f->patterns)
                return false;
    }
    return f->flow->blocks[f->first].edge_count > 1;
}

/* --- searches --------------------------------------------------------------------------------- */

/* Where a way leads: to a test or a result of the pattern. */
static uint32_t end_of_way(const struct pattern_finder *f, uint32_t edge)
{
    uint32_t n = f->flow->edges[edge].to;
    while (is_in_pattern(f, n) && f->flow->blocks[n].edge_count == 1)
        n = f->flow->edges[f->flow->blocks[n].first_edge].to;
    return n;
}

static bool is_in_search(const struct pattern_finder *f, uint32_t n)
{
    return f->search[n] == f->searches;
}

static bool leads_from(const struct pattern_finder *f, uint32_t n, uint32_t to)
{
    const struct block *block = &f->flow->blocks[n];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        if (end_of_way(f, e) == to)
            return true;
    return false;
}

/* The tests of the same value that the first one leads to, from tests of it only. */
static bool gather_search(struct pattern_finder *f, uint32_t first)
{
    uint32_t variable = pattern_test_at(&f->values, first).variable;
    f->search[first] = ++f->searches;
    for (uint32_t n = first; n < f->end && variable != NO_INDEX; n++) {
        const struct block *block = &f->flow->blocks[n];
        for (uint32_t e = block->first_edge;
             is_in_search(f, n) && e < block->first_edge + block->edge_count; e++) {
            uint32_t to = end_of_way(f, e);
            if (is_in_pattern(f, to) && pattern_test_at(&f->values, to).variable == variable)
                f->search[to] = f->searches;
        }
    }
    for (uint32_t n = f->first; n < f->end; n++) {
        const struct block *block = &f->flow->blocks[n];
        if (!is_in_pattern(f, n) || is_in_search(f, n) || block->edge_count < 2)
            continue;
        for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
            if (end_of_way(f, e) != first && is_in_search(f, end_of_way(f, e)))
                return false;
    }
    return true;
}

/* Finds the two ways out of a search; false if there are others. */
static bool find_exits(const struct pattern_finder *f, struct pattern_search *s)
{
    uint32_t exits[2] = {NO_INDEX, NO_INDEX}, hit = NO_INDEX;
    for (uint32_t n = s->first; n < f->end; n++) {
        const struct block *block = &f->flow->blocks[n];
        for (uint32_t e = block->first_edge;
             is_in_search(f, n) && e < block->first_edge + block->edge_count; e++) {
            uint32_t to = end_of_way(f, e);
            if (is_in_search(f, to) || to == exits[0] || to == exits[1])
                continue;
            if (exits[1] != NO_INDEX)
                return false;
            exits[exits[0] != NO_INDEX] = to;
        }
    }
    for (uint32_t n = s->first; n < f->end && exits[1] != NO_INDEX; n++) {
        struct pattern_test test = pattern_test_at(&f->values, n);
        if (!is_in_search(f, n) || (test.asks != ASKS_EQUAL && test.asks != ASKS_TABLE))
            continue;
        uint32_t to = end_of_way(f, test.yes);
        if (test.asks == ASKS_EQUAL && !is_in_search(f, to))
            hit = to;
        else if (test.asks == ASKS_TABLE && !is_in_search(f, to) && hit == NO_INDEX)
            hit = exits[to == exits[0]];
    }
    s->hit = hit;
    s->miss = exits[hit == exits[0]];
    return hit != NO_INDEX;
}

/* The compiler compares by order with the last constant of a half, which is asked for there. */
static bool halves_search(const struct pattern_finder *f, uint32_t n, int64_t constant)
{
    for (uint32_t m = f->first; m < f->end; m++) {
        struct pattern_test test = pattern_test_at(&f->values, m);
        if (m != n && is_in_search(f, m) && test.asks != ASKS_ORDER && test.most == constant)
            return true;
    }
    return false;
}

/* Is the test an operand of the search, or the compiler's? `wrong` if it is neither. */
static bool is_operand(const struct pattern_finder *f, const struct pattern_search *s, uint32_t n,
                       bool *wrong)
{
    struct pattern_test test = pattern_test_at(&f->values, n);
    if (leads_from(f, n, s->hit)) {
        bool yes = test.yes != NO_INDEX && end_of_way(f, test.yes) == s->hit;
        *wrong |= (test.asks == ASKS_EQUAL && !yes) || (test.asks == ASKS_TABLE && yes);
        return true;
    }
    if (test.asks == ASKS_ORDER && !test.of_part)
        *wrong |= leads_from(f, n, s->miss) || !halves_search(f, n, test.most);
    else
        *wrong |= test.asks != ASKS_PRESENCE && !test.of_part;
    return false;
}

/* Counts its operands and its other tests; false if it asks anything but for constants. */
static bool is_search(const struct pattern_finder *f, struct pattern_search *s)
{
    bool wrong = false;
    for (uint32_t n = s->first; n < f->end && !wrong; n++) {
        if (!is_in_search(f, n))
            continue;
        if (is_operand(f, s, n, &wrong))
            s->operands++;
        else
            s->others++;
        s->others += f->flow->blocks[n].exit == FLOW_SWITCH; /* not one after the other */
    }
    return !wrong && s->operands != 0;
}

/* --- what counts for an operand --------------------------------------------------------------- */

static bool add_ways(struct pattern_finder *f, uint32_t operand, uint32_t n, uint32_t to,
                     bool holds, struct err *err)
{
    const struct block *block = &f->flow->blocks[n];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        if (end_of_way(f, e) == to &&
            !branches_add_way(f->branches, operand, e, holds, f->arena, err))
            return false;
    return true;
}

/* The only token [first, end) that is the constant of an operand: a string, or null; else
 * NO_INDEX. */
static uint32_t token_of_operand(const struct pattern_finder *f, uint32_t n, uint32_t first,
                                 uint32_t end)
{
    const struct instr *test = &f->flow->il.instrs[flow_last_instr(f->flow, n)];
    const struct tokens *tokens = f->branches->tokens;
    bool is_string_constant = test[-1].op == OP_CALL && test[-2].op == OP_LDSTR;
    bool is_empty = pattern_test_at(&f->values, n).of_part && il_tests_bool(test);
    if (!is_string_constant && !is_empty && !il_tests_bool(test))
        return NO_INDEX;
    uint32_t found = NO_INDEX;
    for (uint32_t i = first; i < end; i++) {
        const struct token *token = &tokens->items[i];
        struct str text = {tokens->text.text + token->start, token->end - token->start};
        bool is_string = token->kind == TOKEN_LITERAL && text.len >= 2 && text.text[0] == '"';
        struct str chars = {text.text + 1, is_string ? text.len - 2 : 0};
        bool is_it = is_string_constant
                         ? is_string && idiom_loads_string(f->flow, &test[-2], chars)
                         : (is_empty ? is_string && chars.len == 0 : str_is(text, "null"));
        if (is_it && found != NO_INDEX)
            return NO_INDEX;
        found = is_it ? i : found;
    }
    return found;
}

/* The compiler does not search for strings in the order of the text. */
static void place_operands(struct pattern_finder *f, struct pattern_search *s)
{
    uint32_t first, end;
    s->by_text = branches_tokens(&first, &end, f->branches, f->branches->statement[s->first]);
    for (uint32_t n = s->first; n < f->end && s->by_text; n++) {
        if (!is_in_search(f, n) || !leads_from(f, n, s->hit))
            continue;
        f->place[n] = token_of_operand(f, n, first, end);
        s->by_text = f->place[n] != NO_INDEX;
    }
}

static bool comes_before(const struct pattern_finder *f, const struct pattern_search *s, uint32_t a,
                         uint32_t b)
{
    return s->by_text ? f->place[a] < f->place[b] : a < b;
}

/* True on its own ways to the hit, false on those of later operands and on all to the miss. */
static bool count_operand(struct pattern_finder *f, const struct pattern_search *s,
                          uint32_t operand, struct err *err)
{
    for (uint32_t n = s->first; n < f->end; n++) {
        if (!is_in_search(f, n))
            continue;
        bool adds = n == operand || (leads_from(f, n, s->hit) && comes_before(f, s, operand, n));
        if ((adds && !add_ways(f, operand, n, s->hit, n == operand, err)) ||
            !add_ways(f, operand, n, s->miss, false, err))
            return false;
    }
    return true;
}

/* Is it one of the constants? */
static bool count_as_one(struct pattern_finder *f, const struct pattern_search *s,
                         const struct rule *rule, struct err *err)
{
    for (uint32_t n = s->first; n < f->end; n++) {
        if (!is_in_search(f, n))
            continue;
        if (n != s->first)
            branches_set_rule(f->branches, n, rule);
        if (!add_ways(f, s->first, n, s->hit, true, err) ||
            !add_ways(f, s->first, n, s->miss, false, err))
            return false;
    }
    return true;
}

static bool count_search(struct pattern_finder *f, struct pattern_search *s,
                         const struct rule *rule, struct err *err)
{
    if (s->operands > OPERANDS_MAX)
        return count_as_one(f, s, rule, err);
    place_operands(f, s);
    for (uint32_t n = s->first; n < f->end; n++) {
        if (!is_in_search(f, n))
            continue;
        if (!leads_from(f, n, s->hit))
            branches_set_rule(f->branches, n, rule);
        else if (!count_operand(f, s, n, err))
            return false;
    }
    return true;
}

/* A table among tests that are no search: is it one of its constants? */
static bool count_table(struct pattern_finder *f, uint32_t n, struct err *err)
{
    const struct block *block = &f->flow->blocks[n];
    uint32_t other = end_of_way(f, block->first_edge + block->edge_count - 1);
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        if (!branches_add_way(f->branches, n, e, end_of_way(f, e) != other, f->arena, err))
            return false;
    return true;
}

/* The first of the blocks that run on to the pattern. */
static uint32_t leads_straight(const struct pattern_finder *f)
{
    const struct block *blocks = f->flow->blocks;
    uint32_t n = f->first;
    while (n != 0 && blocks[n].in_count == 1 && !blocks[n].is_entry &&
           blocks[n - 1].exit == FLOW_NEXT && flow_edge_in(f->flow, &blocks[n], 0)->from == n - 1)
        n--;
    return n;
}

static bool count_pattern(struct pattern_finder *f, const struct rule *rule, struct err *err)
{
    for (uint32_t n = f->first; n < f->end; n++)
        f->branches->in_pattern[n] |= is_in_pattern(f, n);
    f->values.pattern = f->patterns;
    f->values.first = f->first;
    for (uint32_t n = leads_straight(f); n < f->end; n++)
        if (n < f->first || is_in_pattern(f, n))
            pattern_values_note(&f->values, n);
    uint32_t before = f->searches;
    for (uint32_t n = f->first; n < f->end; n++) {
        struct pattern_search s = {.first = n};
        if (!is_in_pattern(f, n) || f->flow->blocks[n].edge_count < 2 || f->search[n] > before)
            continue;
        if (gather_search(f, n) && find_exits(f, &s) && is_search(f, &s)) {
            if (s.others != 0 && !count_search(f, &s, rule, err))
                return false;
            continue;
        }
        for (uint32_t m = n + 1; m < f->end; m++) /* one may begin later */
            f->search[m] = is_in_search(f, m) ? before : f->search[m];
        if (f->flow->blocks[n].exit == FLOW_SWITCH && !count_table(f, n, err))
            return false;
    }
    return true;
}

bool find_search(struct branches *branches, const struct rule *rule, struct arena *arena,
                 struct err *err)
{
    const struct flow *flow = branches->flow;
    struct pattern_finder f = {.branches = branches, .flow = flow, .arena = arena};
    for (uint32_t join = 0; join < flow->block_count; join++) {
        if (!joins_results(&f, join))
            continue;
        if (f.pattern == NULL) {
            f.pattern = ARENA_NEW(arena, uint32_t, flow->block_count, err);
            f.search = ARENA_NEW(arena, uint32_t, flow->block_count, err);
            f.place = ARENA_NEW(arena, uint32_t, flow->block_count, err);
            if (f.pattern == NULL || f.search == NULL || f.place == NULL ||
                !pattern_values_make(&f.values, flow, arena, err))
                return false;
        }
        if (find_blocks(&f) && is_pattern(&f) && !count_pattern(&f, rule, err))
            return false;
    }
    return true;
}

bool find_constant_table(struct branches *branches, const struct rule *rule, struct arena *arena,
                         struct err *err)
{
    (void)arena, (void)err;
    for (uint32_t n = 0; n < branches->flow->block_count; n++)
        if (branches->ways[n] != NULL && branches->class[n] == BRANCH_DISPATCH)
            branches_set_rule(branches, n, rule);
    return true;
}
