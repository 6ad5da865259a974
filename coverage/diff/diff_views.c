#include "coverage/diff/diff_views.h"

#include "coverage/facts/sums.h"
#include "coverage/merge/transplant.h"

/* The same code with one complete run, which counted `vectors`. */
static bool make_view(struct report_view *out, const struct facts *facts, uint64_t *const *vectors,
                      struct arena *arena, struct err *err)
{
    static struct fact_run run = {.kind = RUN_MEASURED};
    struct facts *copy = ARENA_NEW(arena, struct facts, 1, err);
    struct fact_counts *counts = ARENA_NEW(arena, struct fact_counts, facts->module_count, err);
    if (copy == NULL || counts == NULL)
        return false;
    for (uint32_t i = 0; i < facts->module_count; i++)
        counts[i] = (struct fact_counts){0, i, vectors[i]};
    *copy = *facts;
    copy->runs = &run;
    copy->run_count = 1;
    copy->process_count = 0;
    copy->counts_count = facts->module_count;
    copy->counts = counts;
    *out = (struct report_view){.facts = copy};
    return true;
}

static void mark_method(uint64_t *vector, const struct fact_module *module, const bool *ran)
{
    for (uint32_t i = 0; i < module->method_count; i++)
        if (ran[i] && module->methods[i].entry_count != NO_INDEX)
            vector[module->methods[i].entry_count] = 1;
    for (uint32_t i = 0; i < module->statement_count; i++)
        if (ran[module->statements[i].method])
            vector[module->statements[i].count] = 1;
    for (uint32_t i = 0; i < module->decision_count; i++)
        for (uint32_t k = 0;
             ran[module->decisions[i].method] && k < module->decisions[i].outcome_count; k++)
            vector[module->decisions[i].first_count + k] = 1;
}

static bool view_ran(struct report_view *out, const struct facts *facts, struct arena *arena,
                     struct err *err)
{
    uint64_t **vectors = ARENA_NEW(arena, uint64_t *, facts->module_count, err);
    bool ok = vectors != NULL;
    struct arena scratch = ARENA_EMPTY;
    for (uint32_t i = 0; ok && i < facts->module_count; i++) {
        struct sums sums;
        const struct fact_module *module = &facts->modules[i];
        arena_reset(&scratch);
        vectors[i] = ARENA_NEW(arena, uint64_t, module->count_len, err);
        ok = vectors[i] != NULL && sums_make(&sums, facts, i, SUMS_REAL, &scratch, err);
        if (ok)
            mark_method(vectors[i], module, sums.ran);
    }
    arena_free(&scratch);
    return ok && make_view(out, facts, vectors, arena, err);
}

static struct report_view *add_head(struct diff_views *out, enum head_view which)
{
    out->place[which] = out->head_count;
    return &out->head[out->head_count++];
}

/* Marks what BASE had and what ran in HEAD. On a line of several statements, such as a property and
 * its initialiser, another one may have run. */
static bool mark_known_ran(uint64_t *const *known, const struct facts *head, struct arena *scratch,
                           struct err *err)
{
    uint64_t **counts = NULL;
    if (!sums_of_modules(&counts, head, SUMS_REAL, scratch, err))
        return false;
    for (uint32_t m = 0; m < head->module_count; m++)
        for (uint32_t i = 0; i < head->modules[m].count_len; i++)
            if (known[m][i] != 0 && counts[m][i] != 0)
                known[m][i] = HEAD_KNOWN_RAN;
    return true;
}

/* Where BASE's counts are now. */
static bool move_base(struct diff_views *out, const struct facts *head, const struct facts *base,
                      struct arena *arena, struct arena *pairing, struct err *err)
{
    uint64_t **counts = NULL;
    struct transplant moved;
    if (!pairing_make(&out->pairing, head, base, pairing, err) ||
        !sums_of_modules(&counts, base, SUMS_REAL, pairing, err) ||
        !transplant(&moved, &out->pairing, head, base, counts, arena, err) ||
        !mark_known_ran(moved.known, head, pairing, err))
        return false;
    out->base_count = BASE_VIEW_COUNT;
    return make_view(add_head(out, HEAD_BASE), head, moved.base, arena, err) &&
           make_view(add_head(out, HEAD_KNOWN), head, moved.known, arena, err) &&
           make_view(&out->base[BASE_LEFT], base, moved.kept, arena, err);
}

bool diff_views_make(struct diff_views *out, const struct facts *head, const struct facts *base,
                     bool by_line, struct arena *arena, struct arena *pairing, struct err *err)
{
    *out = (struct diff_views){.base_count = base != NULL ? 1 : 0};
    out->base[BASE_REAL] = (struct report_view){base, true};
    out->place[HEAD_BASE] = out->place[HEAD_KNOWN] = NO_INDEX;
    *add_head(out, HEAD_REAL) = (struct report_view){head, true};
    if (facts_has_carried(head))
        *add_head(out, HEAD_CARRIED) = (struct report_view){head, false};
    else
        out->place[HEAD_CARRIED] = out->place[HEAD_REAL];
    return view_ran(add_head(out, HEAD_RAN), head, arena, err) &&
           (base == NULL || by_line || move_base(out, head, base, arena, pairing, err));
}
