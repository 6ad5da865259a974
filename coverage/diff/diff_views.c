#include "coverage/diff/diff_views.h"

#include "coverage/facts/sums.h"
#include "coverage/pairing/transplant.h"
#include "coverage/report/report_build.h"

struct work {
    struct diff_views *out;
    const struct facts *head, *base;
    const struct report_options *options;
    struct arena *arena;
    struct err *err;
};

static bool view(struct report *out, const struct facts *facts, uint64_t *const *vectors,
                 struct work *w)
{
    static struct fact_run run = {.kind = RUN_MEASURED};
    struct facts copy = *facts;
    copy.runs = &run;
    copy.run_count = 1;
    copy.process_count = 0;
    copy.counts_count = facts->module_count;
    copy.counts = ARENA_NEW(w->arena, struct fact_counts, facts->module_count, w->err);
    if (copy.counts == NULL)
        return false;
    for (uint32_t i = 0; i < facts->module_count; i++)
        copy.counts[i] = (struct fact_counts){0, i, vectors[i]};
    return report_build(out, &copy, w->options, w->arena, w->err);
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

static bool view_ran(struct report *out, const struct facts *facts, struct work *w)
{
    uint64_t **vectors = ARENA_NEW(w->arena, uint64_t *, facts->module_count, w->err);
    for (uint32_t i = 0; vectors != NULL && i < facts->module_count; i++) {
        struct sums sums;
        const struct fact_module *module = &facts->modules[i];
        vectors[i] = ARENA_NEW(w->arena, uint64_t, module->count_len, w->err);
        if (vectors[i] == NULL || !sums_make(&sums, facts, i, SUMS_REAL, w->arena, w->err))
            return false;
        mark_method(vectors[i], module, sums.ran);
    }
    return vectors != NULL && view(out, facts, vectors, w);
}

static bool view_base(struct work *w)
{
    uint64_t **counts = NULL;
    struct transplant moved;
    return pairing_make(&w->out->pairing, w->head, w->base, w->arena, w->err) &&
           sums_of_modules(&counts, w->base, SUMS_REAL, w->arena, w->err) &&
           transplant(&moved, &w->out->pairing, w->head, w->base, counts, w->arena, w->err) &&
           view(&w->out->base, w->head, moved.base, w) &&
           view(&w->out->known, w->head, moved.known, w) &&
           view(&w->out->left, w->base, moved.kept, w);
}

bool diff_views_make(struct diff_views *out, const struct facts *head, const struct facts *base,
                     bool by_line, const struct report_options *options, struct arena *arena,
                     struct err *err)
{
    struct work work = {out, head, base, options, arena, err}, *w = &work;
    struct report_options real = *w->options;
    real.real_only = true;
    return report_build(&w->out->real, w->head, &real, w->arena, w->err) &&
           report_build(&w->out->carried, w->head, w->options, w->arena, w->err) &&
           view_ran(&w->out->ran, w->head, w) &&
           (w->base == NULL || (report_build(&w->out->old, w->base, &real, w->arena, w->err) &&
                                (by_line || view_base(w))));
}
