#include "coverage/carry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/number.h"
#include "coverage/digest.h"
#include "coverage/same_code.h"
#include "coverage/sums.h"

struct work {
    const struct facts *head, *base;
    struct facts *out;
    uint64_t methods;
    struct arena *arena;
    struct arena scratch; /* of one module of head */
    struct err *err;
};

static uint64_t carry_counts(uint64_t *to, uint32_t to_at, const uint64_t *from, uint32_t from_at,
                             uint32_t count)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < count; i++) {
        to[to_at + i] = number_add(to[to_at + i], from[from_at + i]);
        any |= from[from_at + i];
    }
    return any;
}

/* Their code is the same, so their lists are. */
static bool carry_method(uint64_t *to, const struct code *a, const struct code_method *head,
                         const uint64_t *from, const struct code *b, const struct code_method *base)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < head->member_count; i++) {
        const struct code_member *x = &head->members[i], *y = &base->members[i];
        const struct fact_method *mine = &a->module->methods[x->method];
        const struct fact_method *theirs = &b->module->methods[y->method];
        if (mine->entry_count != NO_INDEX && theirs->entry_count != NO_INDEX)
            any |= carry_counts(to, mine->entry_count, from, theirs->entry_count, 1);
        for (uint32_t k = 0; k < x->statement_count; k++)
            any |= carry_counts(to, a->module->statements[x->first_statement + k].count, from,
                                b->module->statements[y->first_statement + k].count, 1);
        for (uint32_t k = 0; k < x->decision_count; k++) {
            const struct fact_decision *mine_of = &a->module->decisions[x->first_decision + k];
            const struct fact_decision *of = &b->module->decisions[y->first_decision + k];
            any |= carry_counts(to, mine_of->first_count, from, of->first_count, of->outcome_count);
        }
    }
    return any != 0;
}

/* From one module of the base to one of the head, both of the same name. */
static bool carry_module(uint64_t *to, bool *carried, const struct code *head,
                         const struct sums *head_sums, uint32_t base_index, struct work *w)
{
    struct code base;
    struct sums sums;
    if (!same_code_list(&base, &w->base->modules[base_index], &w->scratch, w->err) ||
        !sums_make(&sums, w->base, base_index, SUMS_WITH_CARRIED, &w->scratch, w->err))
        return false;
    for (uint32_t i = 0, k = 0; i < head->count; i++) {
        const struct code_method *method = &head->methods[i];
        while (k < base.count && same_code_order(&base.methods[k], method) < 0)
            k++;
        if (k == base.count)
            return true;
        if (same_code_order(&base.methods[k], method) == 0 && !head_sums->ran[method->method] &&
            same_code(head, method, &base, &base.methods[k]) &&
            carry_method(to, head, method, sums.counts, &base, &base.methods[k]))
            carried[i] = true;
    }
    return true;
}

static bool carry_into(uint32_t index, struct work *w)
{
    const struct fact_module *module = &w->head->modules[index];
    struct code head;
    struct sums sums;
    uint64_t any = 0;
    uint64_t *counts = ARENA_NEW(w->arena, uint64_t, module->count_len, w->err);
    if (counts == NULL || !same_code_list(&head, module, &w->scratch, w->err) ||
        !sums_make(&sums, w->head, index, SUMS_REAL, &w->scratch, w->err))
        return false;
    bool *carried = ARENA_NEW(&w->scratch, bool, head.count, w->err);
    if (carried == NULL)
        return false;
    for (uint32_t i = 0; i < w->base->module_count; i++)
        if (str_eq(w->base->modules[i].name, module->name) &&
            !carry_module(counts, carried, &head, &sums, i, w))
            return false;
    for (uint32_t i = 0; i < head.count; i++)
        any += carried[i];
    w->methods += any;
    if (any != 0)
        w->out->counts[w->out->counts_count++] = (struct fact_counts){0, index, counts};
    return true;
}

static int order_runs(const void *left, const void *right)
{
    const struct fact_run *const *a = left, *const *b = right;
    return memcmp((*a)->id, (*b)->id, FACT_ID_LEN);
}

/* The same base gives the same run, whatever it is carried to. */
static bool identify(struct fact_run *run, struct work *w)
{
    struct digest digest;
    uint8_t hash[DIGEST_LEN];
    uint32_t count = w->base->run_count;
    const struct fact_run **runs = ARENA_NEW(w->arena, const struct fact_run *, count, w->err);
    if (runs == NULL || !digest_open(&digest, w->err))
        return false;
    for (uint32_t i = 0; i < count; i++)
        runs[i] = &w->base->runs[i];
    qsort(runs, count, sizeof *runs, order_runs);
    digest_text(&digest, STR("carried"));
    for (uint32_t i = 0; i < count; i++)
        digest_bytes(&digest, runs[i]->id, sizeof runs[i]->id);
    digest_take(hash, &digest);
    digest_close(&digest);
    memcpy(run->id, hash, sizeof run->id);
    return true;
}

/* "from run 1a2b3c4d of 2026-11-21", the last of the base's. */
static bool describe(struct fact_run *run, struct work *w)
{
    const struct fact_run *last = &w->base->runs[w->base->run_count - 1];
    char day[16] = "", more[48] = "";
    struct tm parts;
    time_t started = (time_t)last->started;
    run->started = last->started;
    run->kind = RUN_CARRIED;
    if (gmtime_r(&started, &parts) != NULL && last->started != 0)
        (void)strftime(day, sizeof day, "%Y-%m-%d", &parts);
    if (w->base->run_count > 1)
        (void)snprintf(more, sizeof more, " and %u before", w->base->run_count - 1);
    return text_format(&run->label, w->arena, w->err, "from run %02x%02x%02x%02x%s%s%s",
                       last->id[0], last->id[1], last->id[2], last->id[3],
                       day[0] != '\0' ? " of " : "", day, more);
}

bool carry(struct facts *out, uint64_t *methods, const struct facts *head, const struct facts *base,
           struct arena *arena, struct err *err)
{
    struct work w = {.head = head, .base = base, .out = out, .arena = arena, .err = err};
    *out = (struct facts){.modules = head->modules, .module_count = head->module_count};
    *methods = 0;
    if (base->run_count == 0)
        return true;
    out->run_count = 1;
    out->runs = ARENA_NEW(arena, struct fact_run, 1, err);
    out->counts = ARENA_NEW(arena, struct fact_counts, head->module_count, err);
    if (out->runs == NULL || out->counts == NULL || !identify(out->runs, &w) ||
        !describe(out->runs, &w))
        return false;
    arena_init(&w.scratch, NULL, 0, ARENA_NO_LIMIT);
    bool ok = true;
    for (uint32_t i = 0; ok && i < head->module_count; i++) {
        arena_reset(&w.scratch);
        ok = carry_into(i, &w);
    }
    arena_free(&w.scratch);
    *methods = w.methods;
    return ok;
}
