#include "coverage/branches/fsharp_inlined.h"

#include "coverage/branches/fsharp_made.h"

enum {
    WAYS_MAX = 128, /* blocks on the ways of one conditional */
};

/* The blocks that the ways of one conditional lead to. */
struct ways {
    const struct cover *cover;
    uint32_t test;
    uint32_t statement; /* its point, or one around it */
    uint32_t blocks[WAYS_MAX];
    uint32_t count;
    uint32_t *seen; /* of each block: the round it was met in */
    uint32_t round;
};

static bool is_text(const struct ways *w, uint32_t point)
{
    const struct seq_point *points = w->cover->points->points;
    return cover_is_visible(w->cover, point) &&
           !seq_point_is_within(&points[point], &points[w->statement]);
}

/* The second operand of && or || has a point in the statement, too. */
static bool begins_text(const struct ways *w, uint32_t n)
{
    const struct il *il = &w->cover->flow->il;
    const struct block *block = &w->cover->flow->blocks[n];
    if (w->cover->opens[n] != NO_POINT && block->ends_with_bool)
        return true;
    for (uint32_t i = block->first; w->cover->opens[n] != NO_POINT && i < block->end; i++)
        if (w->cover->at[i] != NO_POINT &&
            w->cover->points->points[w->cover->at[i]].il_offset >=
                il->instrs[block->first].offset &&
            is_text(w, w->cover->at[i]))
            return true;
    return false;
}

static bool meet(struct ways *w, uint32_t n)
{
    if (w->seen[n] == w->round)
        return true;
    w->seen[n] = w->round;
    if (w->count == WAYS_MAX)
        return false;
    w->blocks[w->count++] = n;
    return true;
}

static bool meet_next(struct ways *w, uint32_t n)
{
    const struct flow *flow = w->cover->flow;
    const struct block *block = &flow->blocks[n];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++)
        if (!meet(w, flow->edges[e].to))
            return false;
    return true;
}

/* An exception of the inlined code, without text. That no rule held is the match's. */
static bool throws(const struct ways *w, uint32_t n)
{
    const struct flow *flow = w->cover->flow;
    return flow->il.instrs[flow_last_instr(flow, n)].op == OP_THROW &&
           !made_fsharp_match_failure(flow, n);
}

/* Do all ways come to block `join` before there is any text? NO_BLOCK: to an end of the method. */
static bool come_together(struct ways *w, uint32_t join)
{
    const struct flow *flow = w->cover->flow;
    bool comes = join == NO_BLOCK;
    w->count = 0, w->round++;
    if (!meet_next(w, w->test))
        return false;
    for (uint32_t i = 0; i < w->count; i++) {
        uint32_t n = w->blocks[i];
        comes |= n == join;
        if (n == join)
            continue;
        if (begins_text(w, n))
            return false;
        if (n == w->test || throws(w, n))
            continue;
        if ((flow->blocks[n].edge_count == 0 && join != NO_BLOCK) || !meet_next(w, n))
            return false;
    }
    return comes;
}

/* Is it one of a loop, behind its body? */
static bool goes_back(const struct ways *w)
{
    const struct block *block = &w->cover->flow->blocks[w->test];
    const struct edge *first = &w->cover->flow->edges[block->first_edge];
    return first->taken && first->to <= w->test;
}

static void note(struct inlined *inlined, const struct ways *w, uint32_t join)
{
    inlined->join[w->test] = join != NO_BLOCK ? join : w->test;
    for (uint32_t i = 0; i < w->count; i++)
        if (w->blocks[i] != join && inlined->within[w->blocks[i]] == NO_BLOCK)
            inlined->within[w->blocks[i]] = w->test;
}

/* The nearest block that all ways come to. */
static bool find_join(struct inlined *inlined, struct ways *w)
{
    uint32_t nearest[WAYS_MAX], count = 0;
    w->count = 0, w->round++;
    (void)meet_next(w, w->test);
    for (uint32_t i = 0; i < w->count; i++)
        if (!begins_text(w, w->blocks[i]) && !meet_next(w, w->blocks[i]))
            break;
    for (uint32_t i = 0; i < w->count; i++)
        nearest[count++] = w->blocks[i];
    for (uint32_t i = 0; i < count; i++)
        if (nearest[i] != w->test && !throws(w, nearest[i]) && come_together(w, nearest[i])) {
            note(inlined, w, nearest[i]);
            return true;
        }
    if (!come_together(w, NO_BLOCK))
        return false;
    note(inlined, w, NO_BLOCK);
    return true;
}

static void look_at(struct inlined *inlined, struct ways *w, uint32_t n)
{
    const struct cover *cover = w->cover;
    uint32_t last = flow_last_instr(cover->flow, n);
    w->test = n;
    w->statement = cover_before(cover, last);
    /* Behind the body of a loop there is no point that says which statement it is. */
    bool hidden = !cover_is_visible(cover, cover->at[last]) && goes_back(w);
    while (w->statement != NO_POINT && !find_join(inlined, w))
        w->statement = hidden ? cover->outer[w->statement] : NO_POINT;
}

bool inlined_find(struct inlined *out, struct cover *cover, struct arena *arena, struct err *err)
{
    const struct flow *flow = cover->flow;
    struct ways w = {.cover = cover, .seen = ARENA_NEW(arena, uint32_t, flow->block_count, err)};
    out->join = arena_raw(arena, flow->block_count, sizeof *out->join, err);
    out->within = arena_raw(arena, flow->block_count, sizeof *out->within, err);
    uint32_t *test_of = arena_raw(arena, flow->block_count, sizeof *test_of, err);
    if (w.seen == NULL || test_of == NULL || out->join == NULL || out->within == NULL)
        return false;
    for (uint32_t n = 0; n < flow->block_count; n++)
        out->join[n] = out->within[n] = test_of[n] = NO_BLOCK;
    for (uint32_t n = 0; cover->language == LANGUAGE_FSHARP && n < flow->block_count; n++)
        if (flow->blocks[n].edge_count > 1)
            look_at(out, &w, n);
    for (uint32_t n = flow->block_count; n-- != 0;)
        if (out->within[n] == NO_BLOCK && inlined_tests(out, n) && out->join[n] > n)
            test_of[out->join[n]] = n;
    if (cover->language == LANGUAGE_FSHARP && made_fsharp_machine(flow) == FSHARP_NO_MACHINE)
        cover_follow_control(cover, test_of);
    return true;
}
