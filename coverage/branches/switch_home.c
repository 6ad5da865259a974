/* The compiler puts all tests of a switch before its arms, guards included, and these in the order
 * of the text. So a test is of the switch whose first point comes next. Where that is the first
 * point of several, as in `case 1: switch (b) { ... }` without a point for the head, only a way to
 * an arm tells. */
#include "coverage/branches/switch_home.h"

#include "coverage/branches/guard.h"
#include "coverage/branches/way_code.h"
#include "coverage/source/switch_arms.h"

/* The switches of a method, while homes are looked for. */
struct home_search {
    struct branches *branches;
    uint32_t low;    /* no token of the method comes before it */
    uint32_t *first; /* per token from there on: if a switch begins with it, its first point */
    uint32_t next;   /* the point after the tests that were looked at last, if it is one of those */
    uint32_t begin;  /* ... the first block that was looked at for it */
    uint32_t bound;  /* ... and the first whose home no arm of theirs has bounded */
    uint32_t inner;  /* the innermost of its switches that is known to have begun, or 0 */
};

static uint32_t switch_outside(const struct home_search *s, uint32_t token)
{
    uint32_t brace = switch_arms_brace(s->branches->tokens, token);
    return brace != NO_INDEX && brace >= s->low ? brace : NO_INDEX;
}

/* The first token of a visible point, or NO_INDEX. */
static uint32_t token_of_point(const struct branches *branches, uint32_t point)
{
    uint32_t first, end;
    return point_map_is_visible(&branches->map, point) &&
                   branches_tokens(&first, &end, branches, point)
               ? first
               : NO_INDEX;
}

/* The one before those that come between a label and what an arm does. */
static uint32_t token_before_body(const struct tokens *tokens, uint32_t first)
{
    while (first != 0 && (tokens_kind(tokens, first - 1) == TOKEN_OPEN_BRACE ||
                          tokens_is(tokens, first - 1, "try do checked unchecked unsafe")))
        first--;
    return first != 0 ? first - 1 : NO_INDEX;
}

/* The `switch` that an arm's first code, which begins with that token, is of; NO_INDEX: the token
 * begins no arm of a statement. */
static uint32_t switch_of_first(const struct tokens *tokens, uint32_t first)
{
    uint32_t before = token_before_body(tokens, first);
    uint32_t brace = switch_arms_brace(tokens, first);
    bool begins = before != NO_INDEX && brace != NO_INDEX &&
                  tokens_kind(tokens, brace - 1) == TOKEN_CLOSE &&
                  (tokens_kind(tokens, before) == TOKEN_COLON || tokens_is(tokens, before, "when"));
    return begins ? tokens_partner(tokens, brace - 1) - 1 : NO_INDEX;
}

/* The first token of a method whose points begin with that one. Optimised code has no point for a
 * `switch` that comes first. */
static uint32_t method_start(const struct tokens *tokens, uint32_t first)
{
    uint32_t outer;
    while ((outer = switch_of_first(tokens, first)) != NO_INDEX)
        first = outer;
    return first;
}

static bool find_point_homes(struct home_search *s, struct arena *arena, struct err *err)
{
    struct branches *b = s->branches;
    uint32_t high = 0;
    s->low = NO_INDEX;
    uint32_t *token_of = arena_no_indexes(arena, b->points->count, err);
    if (token_of == NULL)
        return false;
    for (uint32_t p = 0; p < b->points->count; p++) {
        uint32_t token = token_of[p] = token_of_point(b, p);
        if (token == NO_INDEX)
            continue;
        s->low = token < s->low ? token : s->low;
        high = token > high ? token : high;
    }
    if (s->low == NO_INDEX)
        return true;
    s->low = method_start(b->tokens, s->low);
    b->point_home = token_of; /* each token gives way to its home */
    s->first = arena_no_indexes(arena, high - s->low + 1, err);
    if (s->first == NULL)
        return false;
    for (uint32_t p = 0; p < b->points->count; p++) {
        uint32_t token = token_of[p];
        if (token == NO_INDEX)
            continue;
        b->point_home[p] = switch_outside(s, token);
        for (uint32_t home = b->point_home[p]; home != NO_INDEX; home = switch_outside(s, home))
            if (s->first[home - s->low] == NO_INDEX)
                s->first[home - s->low] = p;
    }
    return true;
}

/* --- tests ------------------------------------------------------------------------------------ */

static bool starts_arm_body(const struct branches *branches, uint32_t point)
{
    uint32_t first = token_of_point(branches, point);
    uint32_t before = first != NO_INDEX ? token_before_body(branches->tokens, first) : NO_INDEX;
    return before != NO_INDEX && (tokens_kind(branches->tokens, before) == TOKEN_COLON ||
                                  tokens_kind(branches->tokens, before) == TOKEN_ARROW);
}

/* The tests before those of a switch are of that, or of one around it: an arm may begin with the
 * guard of a switch. */
static void bound_earlier_tests(struct home_search *s, uint32_t n)
{
    for (uint32_t k = s->bound; k < n; k++)
        if (s->branches->home[k] != NO_INDEX && s->branches->home[k] > s->inner)
            s->branches->home[k] = s->inner;
    s->bound = n;
}

/* A way enters a `try`, in which the first point, `next`, is in an arm of `home`. Of the switches
 * with an arm that begins with such a `try`: the outermost; for a test that is inside of a `try`
 * itself, the innermost; `home` if there is none. */
static uint32_t home_by_try(const struct home_search *s, uint32_t n, uint32_t next, uint32_t home)
{
    bool is_inside = s->next == next && !guard_shares_try(s->branches->flow, s->begin, n);
    const struct tokens *tokens = s->branches->tokens;
    uint32_t found = NO_INDEX;
    for (uint32_t first = token_of_point(s->branches, next);
         first != NO_INDEX && !(is_inside && found != NO_INDEX);
         first = switch_of_first(tokens, first))
        for (uint32_t k = token_before_body(tokens, first); k < first; k++)
            found = tokens_is(tokens, k, "try") ? switch_outside(s, first) : found;
    return found != NO_INDEX ? found : home;
}

/* Of the switches whose first point is `next`: the innermost that has the body of an arm where a
 * way of the test comes out, for a `goto case` may lead to one of the outer switch; else the
 * outermost that has a guard there. */
static uint32_t home_by_arms(struct home_search *s, uint32_t n, uint32_t next)
{
    const struct branches *branches = s->branches;
    const struct block *block = &branches->flow->blocks[n];
    uint32_t body = 0, guard = NO_INDEX;
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        struct way_out way = branches_follow_edge(branches, e);
        uint32_t point = way.point;
        bool enters_try = point == NO_INDEX && branches->class[way.block] != BRANCH_DISPATCH;
        if (enters_try)
            point = point_map_after(&branches->map, branches->flow->blocks[way.block].first);
        uint32_t home = point != NO_INDEX ? branches->point_home[point] : NO_INDEX;
        if (home == NO_INDEX || s->first[home - s->low] != next)
            continue;
        uint32_t outer = enters_try && point == next ? home_by_try(s, n, next, home) : home;
        if (outer != home || starts_arm_body(branches, point))
            body = outer > body ? outer : body;
        else if (guard_read(branches, point) == READS_GUARD)
            guard = home < guard ? home : guard;
    }
    if (s->next != next)
        s->begin = s->bound = n;
    s->inner = s->next != next || body > s->inner ? body : s->inner;
    s->next = next;
    if (body != 0)
        bound_earlier_tests(s, n);
    return body != 0 || guard < s->inner ? s->inner : guard;
}

/* The last visible point before the code: a statement that goes on behind arms has not begun
 * again. */
static uint32_t point_in_front(const struct point_map *map, uint32_t instr)
{
    uint32_t p = map->point_of[instr];
    while (p != NO_INDEX && !map->visible[p])
        p = p != 0 ? p - 1 : NO_INDEX;
    return p;
}

static uint32_t home_of_test(struct home_search *s, uint32_t n)
{
    const struct branches *branches = s->branches;
    uint32_t last = flow_last_instr(branches->flow, n);
    uint32_t before = point_in_front(&branches->map, last);
    uint32_t next = point_map_after(&branches->map, last);
    uint32_t home = next != NO_INDEX ? branches->point_home[next] : NO_INDEX;
    bool begins = home != NO_INDEX && s->first[home - s->low] == next;
    /* behind a guard it is asked how control came there */
    if (before != NO_INDEX && guard_read(branches, before) == READS_GUARD &&
        way_code_tests_note_of(&branches->map, n, guard_block(branches, before)))
        return branches->point_home[before];
    if (!begins)
        return NO_INDEX;
    uint32_t outer = switch_outside(s, home);
    bool is_certain = outer == NO_INDEX || s->first[outer - s->low] != next;
    return is_certain ? home : home_by_arms(s, n, next);
}

bool switch_homes_find(struct branches *branches, struct arena *arena, struct err *err)
{
    struct home_search s = {.branches = branches, .next = NO_INDEX};
    if (branches->language != LANGUAGE_CSHARP || !branches->may_switch || branches->tokens == NULL)
        return true;
    if (!find_point_homes(&s, arena, err))
        return false;
    for (uint32_t n = 0; branches->point_home != NULL && n < branches->flow->block_count; n++)
        if (branches->class[n] == BRANCH_DISPATCH)
            branches->home[n] = home_of_test(&s, n);
    return true;
}

/* --- groups ----------------------------------------------------------------------------------- */

static bool may_be_one(uint32_t a, uint32_t b)
{
    return a == NO_INDEX || b == NO_INDEX || a == b;
}

bool switch_home_is_one(const struct branches *branches, uint32_t a, uint32_t b)
{
    return branches->point_home == NULL ||
           may_be_one(branches->point_home[a], branches->point_home[b]);
}

bool switch_home_of_point(struct branches *branches, uint32_t n, uint32_t point)
{
    uint32_t home = branches->home[branches_group(branches, n)];
    return branches->point_home == NULL || may_be_one(home, branches->point_home[point]);
}

bool switch_home_is_same(struct branches *branches, uint32_t a, uint32_t b)
{
    uint32_t home = branches->home[branches_group(branches, a)];
    return home != NO_INDEX && home == branches->home[branches_group(branches, b)];
}

bool switch_home_unite(struct branches *branches, uint32_t a, uint32_t b)
{
    uint32_t home_a = branches->home[branches_group(branches, a)];
    uint32_t home_b = branches->home[branches_group(branches, b)];
    if (!may_be_one(home_a, home_b) || !branches_unite(branches, a, b))
        return false;
    branches->home[branches_group(branches, a)] = home_a != NO_INDEX ? home_a : home_b;
    return true;
}
