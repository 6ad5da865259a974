#include "coverage/merge/carry.h"

#include <stdio.h>
#include <time.h>

#include "base/hex.h"
#include "coverage/facts/digest.h"
#include "coverage/facts/sums.h"
#include "coverage/merge/carry_tests.h"
#include "coverage/merge/transplant.h"

enum {
    RUN_ID_SHOWN = 4 /* bytes */
};

struct carrying {
    const struct facts *head, *base;
    struct facts *out;
    uint64_t methods;
    struct arena *arena;
    struct arena scratch; /* of one module of head */
    struct err *err;
};

/* Only pairs with the same code and, of these, what HEAD did not run. */
static bool drop_pairs(struct pairing *pairing, struct carrying *w)
{
    for (uint32_t i = 0; i < w->head->module_count; i++) {
        struct sums sums;
        const struct code *code = &pairing->head[i];
        arena_reset(&w->scratch);
        if (!sums_make(&sums, w->head, i, SUMS_REAL, &w->scratch, w->err))
            return false;
        for (uint32_t k = 0; k < code->count; k++)
            if (!pairing->pairs[i][k].same || sums.ran[code->methods[k].method])
                pairing->pairs[i][k].module = NO_INDEX;
    }
    return true;
}

struct carried {
    const uint64_t *counts;
    bool any;
};

static void note_carried(void *context, uint32_t first, uint32_t same, uint32_t count)
{
    struct carried *carried = context;
    (void)same;
    for (uint32_t i = first; i < first + count; i++)
        carried->any |= carried->counts[i] != 0;
}

static bool carries_counts(const struct code *code, const struct code_method *method,
                           const uint64_t *counts)
{
    struct carried carried = {.counts = counts};
    for (uint32_t i = 0; i < method->member_count; i++)
        same_code_counts(code, &method->members[i], code, &method->members[i], note_carried,
                         &carried);
    return carried.any;
}

static bool carry_all(struct carrying *w)
{
    struct pairing pairing;
    struct transplant moved;
    uint64_t **counts = NULL;
    if (!pairing_make(&pairing, w->head, w->base, w->arena, w->err) || !drop_pairs(&pairing, w) ||
        !sums_of_modules(&counts, w->base, SUMS_WITH_CARRIED, w->arena, w->err) ||
        !transplant(&moved, &pairing, w->head, w->base, counts, w->arena, w->err))
        return false;
    for (uint32_t i = 0; i < w->head->module_count; i++) {
        uint64_t methods = w->methods;
        for (uint32_t k = 0; k < pairing.head[i].count; k++)
            w->methods +=
                carries_counts(&pairing.head[i], &pairing.head[i].methods[k], moved.base[i]);
        if (w->methods != methods)
            w->out->counts[w->out->counts_count++] = (struct fact_counts){0, i, moved.base[i]};
    }
    return true;
}

/* The same base gives the same run, whatever it is carried to, even after it was squashed. */
static bool identify_carried_run(struct fact_run *run, struct carrying *w)
{
    struct digest digest;
    struct writer ids = wr_in(w->arena);
    for (uint32_t i = 0; i < w->base->run_count; i++)
        facts_add_ids(&ids, &w->base->runs[i]);
    if (ids.failed)
        return err_set(w->err, ERR_MEMORY, "out of memory: %u runs", w->base->run_count);
    if (!digest_open(&digest, w->err))
        return false;
    digest_text(&digest, STR("carried"));
    run_id_join(run->id, &digest, &ids);
    return true;
}

/* "from run 1a2b3c4d of 2026-11-21", the base's last run. */
static bool describe_carried_run(struct fact_run *run, struct carrying *w)
{
    const struct fact_run *last = &w->base->runs[w->base->run_count - 1];
    char day[16] = "", more[48] = "", id[HEX_ROOM(RUN_ID_SHOWN)];
    struct tm parts;
    time_t started = (time_t)last->started;
    run->started = last->started;
    run->kind = RUN_CARRIED;
    if (gmtime_r(&started, &parts) != NULL && last->started != 0)
        (void)strftime(day, sizeof day, "%Y-%m-%d", &parts);
    if (w->base->run_count > 1)
        (void)snprintf(more, sizeof more, " and %u before", w->base->run_count - 1);
    return text_format(&run->label, w->arena, w->err, "from run %s%s%s%s",
                       hex_of(id, last->id, RUN_ID_SHOWN), day[0] != '\0' ? " of " : "", day, more);
}

bool carry(struct facts *out, uint64_t *methods, const struct facts *head, const struct facts *base,
           struct arena *arena, struct err *err)
{
    struct carrying w = {.head = head, .base = base, .out = out, .arena = arena, .err = err};
    *out = (struct facts){.modules = head->modules, .module_count = head->module_count};
    *methods = 0;
    if (base->run_count == 0)
        return true;
    out->run_count = 1;
    out->runs = ARENA_NEW(arena, struct fact_run, 1, err);
    out->counts = ARENA_NEW(arena, struct fact_counts, head->module_count, err);
    if (out->runs == NULL || out->counts == NULL || !identify_carried_run(out->runs, &w) ||
        !describe_carried_run(out->runs, &w))
        return false;
    w.scratch = ARENA_EMPTY;
    bool ok = carry_all(&w);
    arena_free(&w.scratch);
    *methods = w.methods;
    return ok && carry_tests(out, head, base, arena, err);
}
