#include "coverage/collect/method_hits.h"

#include "base/bytes.h"
#include "coverage/facts/index_set.h"

/* Marks the counts of the method, the first of which is `entry`, that are not 0 if its counters are
 * these. */
static void mark_counts(bool *has, const struct gatherer *g, uint32_t entry,
                        const struct method_contents *contents, const struct plan_counts *counts,
                        const uint64_t *counters)
{
    const struct statements *statements = &contents->statements;
    const struct decisions *decisions = &contents->decisions;
    const struct fact_statement *first = (const struct fact_statement *)g->statements.items +
                                         g->statements.count - statements->count;
    const struct fact_decision *facts = g->decisions.items;
    has[0] = counts->blocks[0] != 0;
    if (g->request->is_outline && g->counts.count - entry > 1)
        has[1] = has[0]; /* method_contents_outline */
    for (uint32_t i = 0; i < statements->count; i++)
        has[first[i].count - entry] =
            method_statement_count(statements, &statements->items[i], counts) != 0;
    for (uint32_t i = 0; i < decisions->count; i++) {
        const struct decision *from = &decisions->items[i];
        if (contents->place[i] == NO_INDEX)
            continue;
        bool *outcomes = has + (facts[contents->place[i]].first_count - entry);
        for (uint32_t n = from->first_part; n < from->first_part + from->part_count; n++)
            outcomes[decisions->parts[n].outcome] |=
                method_part_count(&decisions->parts[n], counts, counters) != 0;
    }
}

bool method_hits_add(struct gatherer *g, uint32_t rid, const struct flow *flow,
                     const struct plan *plan, uint32_t first_counter, uint32_t entry,
                     const struct method_contents *contents, struct err *err)
{
    struct list vectors = {0};
    uint32_t count = g->counts.count - entry;
    if (g->request->hits == NULL)
        return true;
    if (!test_hits_of_method(&vectors, g->request->hits, rid, first_counter, plan->counter_count,
                             &g->scratch, err))
        return false;
    const struct method_vector *items = vectors.items;
    for (uint32_t i = 0; i < vectors.count; i++) {
        struct plan_counts counts;
        struct writer w;
        bool *has = ARENA_NEW(&g->scratch, bool, count, err);
        struct fact_hits *hits = list_add(&g->request->hits->found, sizeof *hits, g->arena, err);
        if (has == NULL || hits == NULL ||
            !plan_count(&counts, plan, flow, items[i].counters, &g->scratch, err))
            return false;
        mark_counts(has, g, entry, contents, &counts, items[i].counters);
        wr_open(&w, &g->scratch);
        index_set_write_at(&w, has, count, entry);
        if (w.failed)
            return err_set(err, ERR_MEMORY, "out of memory: the tests need more");
        if (!view_copy(&hits->counts, (struct view){w.data, w.len}, g->arena, err) ||
            !view_copy(&hits->tests, items[i].tests, g->arena, err))
            return false;
    }
    return true;
}
