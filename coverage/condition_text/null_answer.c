#include "coverage/condition_text/null_answer.h"

#include <string.h>

static uint32_t block_of_test(const struct flow *flow, const struct decision *decision)
{
    return flow_block_of(flow, flow->il.index_at[decision->il_offset]);
}

/* Moves its parts to the end, where there is room for one more. */
static struct outcome_part *add_part(struct decisions *decisions, struct decision *decision,
                                     struct arena *arena, struct err *err)
{
    uint32_t count = decisions->part_count, own = decision->part_count;
    struct outcome_part *parts = ARENA_NEW(arena, struct outcome_part, count + own + 1, err);
    if (parts == NULL)
        return NULL;
    memcpy(parts, decisions->parts, count * sizeof *parts);
    memcpy(parts + count, decisions->parts + decision->first_part, own * sizeof *parts);
    decisions->parts = parts;
    decisions->part_count = count + own + 1;
    decision->first_part = count;
    decision->part_count = own + 1;
    return &parts[count + own];
}

bool null_answer_add(bool *counts, struct decisions *decisions, const struct decision *inner,
                     struct decision *outer, struct arena *arena, struct err *err)
{
    const struct flow *flow = decisions->map.flow;
    const struct block *test = &flow->blocks[block_of_test(flow, inner)];
    uint32_t end = outer->first_part + outer->part_count;
    *counts = false;
    for (uint32_t i = outer->first_part; i < end && !*counts; i++)
        *counts = decisions->parts[i].source == SOURCE_EDGE &&
                  flow->edges[decisions->parts[i].index].from == block_of_test(flow, inner);
    for (uint32_t i = outer->first_part; i < end && !*counts; i++) {
        const struct outcome_part *part = &decisions->parts[i];
        uint32_t e = test->first_edge, last = e + test->edge_count;
        if (part->source != SOURCE_EDGE)
            continue;
        uint32_t to = flow_past_jumps(flow, flow->edges[part->index].to);
        while (e < last && flow_past_jumps(flow, flow->edges[e].to) != to)
            e++;
        if (e == last)
            continue;
        struct outcome_part null = {part->outcome, SOURCE_EDGE, e, part->place};
        struct outcome_part *added = add_part(decisions, outer, arena, err);
        if (added == NULL)
            return false;
        *added = null;
        *counts = true;
    }
    return true;
}
