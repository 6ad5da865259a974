#include "coverage/facts/sums.h"

#include "base/number.h"

struct summing {
    const struct fact_module *module;
    bool *hit; /* by user method, because a lambda that ran shows that the enclosing method ran */
    const uint64_t *counts;
};

static void note_method_hit(struct summing *w, uint32_t method, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++)
        if (w->counts[i] != 0)
            w->hit[w->module->methods[method].user_method] = true;
}

static void note_methods_hit(struct summing *w)
{
    const struct fact_module *m = w->module;
    for (uint32_t i = 0; i < m->method_count; i++)
        if (m->methods[i].entry_count != NO_INDEX)
            note_method_hit(w, i, m->methods[i].entry_count, 1);
    for (uint32_t i = 0; i < m->statement_count; i++)
        note_method_hit(w, m->statements[i].method, m->statements[i].count, 1);
    for (uint32_t i = 0; i < m->decision_count; i++)
        note_method_hit(w, m->decisions[i].method, m->decisions[i].first_count,
                        m->decisions[i].outcome_count);
}

static void add_counts_of_run(uint64_t *counts, const uint64_t *more, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        counts[i] = number_add(counts[i], more[i]);
}

static void mark_places_of(bool *places, uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++)
        places[i] = true;
}

/* Where carried counts stand in: a method's entry may share the place of its first statement. */
static void mark_places(bool *places, const bool *ran, const struct fact_module *m)
{
    for (uint32_t i = 0; i < m->method_count; i++)
        if (!ran[i] && m->methods[i].entry_count != NO_INDEX)
            mark_places_of(places, m->methods[i].entry_count, 1);
    for (uint32_t i = 0; i < m->statement_count; i++)
        if (!ran[m->statements[i].method])
            mark_places_of(places, m->statements[i].count, 1);
    for (uint32_t i = 0; i < m->decision_count; i++)
        if (!ran[m->decisions[i].method])
            mark_places_of(places, m->decisions[i].first_count, m->decisions[i].outcome_count);
}

/* If counts were carried from several builds, they are added. */
static void add_carried(struct sums *out, const bool *places, const struct fact_module *m,
                        const uint64_t *carried)
{
    for (uint32_t i = 0; i < m->count_len; i++)
        if (places[i])
            add_counts_of_run(out->counts + i, carried + i, 1);
    for (uint32_t i = 0; i < m->method_count; i++)
        if (!out->ran[i] && m->methods[i].entry_count != NO_INDEX)
            out->is_carried[i] |= carried[m->methods[i].entry_count] != 0;
    for (uint32_t i = 0; i < m->statement_count; i++)
        if (!out->ran[m->statements[i].method])
            out->is_carried[m->statements[i].method] |= carried[m->statements[i].count] != 0;
}

static bool is_real(const struct facts *facts, uint32_t row)
{
    return facts->runs[facts->counts[row].run].kind != RUN_CARRIED;
}

bool sums_make(struct sums *out, const struct facts *facts, uint32_t module, enum sums_of of,
               struct arena *arena, struct err *err)
{
    const struct fact_module *m = &facts->modules[module];
    struct summing w = {.module = m, .hit = ARENA_NEW(arena, bool, m->method_count, err)};
    bool *places = ARENA_NEW(arena, bool, m->count_len, err), whole = false;
    *out = (struct sums){.counts = ARENA_NEW(arena, uint64_t, m->count_len, err),
                         .ran = ARENA_NEW(arena, bool, m->method_count, err),
                         .is_hit = w.hit,
                         .is_carried = ARENA_NEW(arena, bool, m->method_count, err)};
    if (w.hit == NULL || places == NULL || out->counts == NULL || out->ran == NULL ||
        out->is_carried == NULL)
        return false;
    for (uint32_t i = 0; i < facts->counts_count; i++) {
        if (facts->counts[i].module != module || !is_real(facts, i))
            continue;
        whole = whole || facts->runs[facts->counts[i].run].kind != RUN_PARTIAL;
        add_counts_of_run(out->counts, facts->counts[i].counts, m->count_len);
    }
    w.counts = out->counts;
    note_methods_hit(&w);
    for (uint32_t i = 0; i < m->method_count; i++)
        out->ran[i] = whole || w.hit[m->methods[i].user_method];
    mark_places(places, out->ran, m);
    for (uint32_t i = 0; i < facts->counts_count && of == SUMS_WITH_CARRIED; i++)
        if (facts->counts[i].module == module && !is_real(facts, i))
            add_carried(out, places, m, facts->counts[i].counts);
    return true;
}

bool sums_of_modules(uint64_t ***vectors, const struct facts *facts, enum sums_of of,
                     struct arena *arena, struct err *err)
{
    *vectors = ARENA_NEW(arena, uint64_t *, facts->module_count, err);
    for (uint32_t i = 0; *vectors != NULL && i < facts->module_count; i++) {
        struct sums sums;
        if (!sums_make(&sums, facts, i, of, arena, err))
            return false;
        (*vectors)[i] = sums.counts;
    }
    return *vectors != NULL;
}
