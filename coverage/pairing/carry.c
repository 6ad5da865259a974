#include "coverage/pairing/carry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hex.h"
#include "coverage/facts/digest.h"
#include "coverage/facts/sums.h"
#include "coverage/pairing/carry_tests.h"
#include "coverage/pairing/transplant.h"

enum {
    RUN_ID_SHOWN = 4 /* bytes */
};

struct work {
    const struct facts *head, *base;
    struct facts *out;
    uint64_t methods;
    struct arena *arena;
    struct arena scratch; /* of one module of head */
    struct err *err;
};

/* Only pairs with the same code and, of these, what HEAD did not run. */
static bool drop_pairs(struct pairing *pairing, struct work *w)
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

static bool carries(const struct code *code, const struct code_method *method,
                    const uint64_t *counts)
{
    for (uint32_t i = 0; i < method->member_count; i++) {
        const struct code_member *member = &method->members[i];
        uint32_t entry = code->module->methods[member->method].entry_count;
        if (entry != NO_INDEX && counts[entry] != 0)
            return true;
        for (uint32_t k = 0; k < member->statement_count; k++)
            if (counts[code->module->statements[member->first_statement + k].count] != 0)
                return true;
    }
    return false;
}

static bool carry_all(struct work *w)
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
            w->methods += carries(&pairing.head[i], &pairing.head[i].methods[k], moved.base[i]);
        if (w->methods != methods)
            w->out->counts[w->out->counts_count++] = (struct fact_counts){0, i, moved.base[i]};
    }
    return true;
}

static int order_ids(const void *left, const void *right)
{
    const uint8_t *const *a = left, *const *b = right;
    return memcmp(*a, *b, FACT_ID_LEN);
}

/* The runs of the base; runs that were folded are listed instead of the result. */
static uint32_t list_ids(const uint8_t **ids, const struct facts *base)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < base->run_count; i++) {
        struct view folded = base->runs[i].folded;
        if (folded.len == 0)
            ids[count++] = base->runs[i].id;
        for (size_t at = 0; at < folded.len; at += FACT_ID_LEN)
            ids[count++] = folded.data + at;
    }
    return count;
}

/* The same base gives the same run, whatever it is carried to, even after it was squashed. */
static bool identify(struct fact_run *run, struct work *w)
{
    struct digest digest;
    uint8_t hash[DIGEST_LEN];
    size_t room = w->base->run_count;
    for (uint32_t i = 0; i < w->base->run_count; i++)
        room += w->base->runs[i].folded.len / FACT_ID_LEN;
    const uint8_t **ids = ARENA_NEW(w->arena, const uint8_t *, room, w->err);
    if (ids == NULL || !digest_open(&digest, w->err))
        return false;
    uint32_t count = list_ids(ids, w->base);
    qsort(ids, count, sizeof *ids, order_ids);
    digest_text(&digest, STR("carried"));
    for (uint32_t i = 0; i < count; i++)
        digest_bytes(&digest, ids[i], FACT_ID_LEN);
    digest_take(hash, &digest);
    digest_close(&digest);
    memcpy(run->id, hash, sizeof run->id);
    return true;
}

/* "from run 1a2b3c4d of 2026-11-21", the base's last run. */
static bool describe(struct fact_run *run, struct work *w)
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
    bool ok = carry_all(&w);
    arena_free(&w.scratch);
    *methods = w.methods;
    return ok && carry_tests(out, head, base, arena, err);
}
