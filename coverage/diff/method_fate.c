#include "coverage/diff/method_fate.h"

#include <stdlib.h>

struct work {
    struct list *out;
    const struct pairing *pairing;
    struct arena *arena;
    struct err *err;
};

/* Among several builds, the one that changed most comes first. */
static int order_fates(const void *left, const void *right)
{
    const struct method_fate *a = left, *b = right;
    int order = method_key_compare(&a->key, &b->key);
    if (order == 0)
        order = (int)b->kind - (int)a->kind;
    return order != 0 ? order : str_cmp(a->from, b->from);
}

static struct str file_of(const struct code *code, const struct code_method *method)
{
    for (uint32_t i = 0; i < method->member_count; i++)
        if (method->members[i].statement_count != 0) {
            const struct fact_module *module = code->module;
            return module
                ->documents[module->statements[method->members[i].first_statement].document]
                .relative;
        }
    return STR("");
}

static bool tell_origin(struct method_fate *fate, const struct code *head,
                        const struct code_method *method, struct pair pair, struct work *w)
{
    const struct code *base = &w->pairing->base[pair.module];
    const struct code_method *was = &base->methods[pair.method];
    const struct fact_method *named = &base->module->methods[was->method];
    struct str here = file_of(head, method), there = file_of(base, was);
    if (pair.renamed)
        return fact_display_text(&fate->from,
                                 (struct fact_display){named->type, named->name, named->signature},
                                 w->arena, w->err) &&
               fact_display_text(&fate->display_from, fact_method_display(named), w->arena, w->err);
    if (!str_eq(here, there) && here.len != 0 && there.len != 0)
        fate->from = fate->display_from = there;
    return true;
}

static bool add_fate(struct work *w, uint32_t module, uint32_t index)
{
    const struct code *code = &w->pairing->head[module];
    const struct code_method *method = &code->methods[index];
    const struct fact_method *named = &code->module->methods[method->method];
    struct pair pair = w->pairing->pairs[module][index];
    struct method_fate *fate = list_add(w->out, sizeof *fate, w->arena, w->err);
    if (fate == NULL)
        return false;
    *fate = (struct method_fate){
        .key = {code->module->name, named->type, named->name, named->signature},
        .kind = DIFF_ADDED,
        .was_module = NO_INDEX};
    if (pair.module == NO_INDEX)
        return true;
    fate->was_module = pair.module;
    fate->was_method = w->pairing->base[pair.module].methods[pair.method].method;
    if (!tell_origin(fate, code, method, pair, w))
        return false;
    fate->kind = !pair.same && !pair.same_source ? DIFF_EDITED
                 : fate->from.len != 0           ? DIFF_MOVED
                                                 : DIFF_UNCHANGED;
    return true;
}

bool method_fates_of_head(struct list *out, const struct pairing *pairing, const struct facts *head,
                          struct arena *arena, struct err *err)
{
    struct work work = {out, pairing, arena, err}, *w = &work;
    for (uint32_t i = 0; i < head->module_count; i++)
        for (uint32_t k = 0; k < w->pairing->head[i].count; k++)
            if (!add_fate(w, i, k))
                return false;
    if (w->out->count != 0)
        qsort(w->out->items, w->out->count, sizeof(struct method_fate), order_fates);
    return true;
}

const struct method_fate *method_fate_find(const struct list *fates, const struct method_key *key)
{
    const struct method_fate *items = fates->items;
    uint32_t low = 0, high = fates->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (method_key_compare(&items[middle].key, key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < fates->count && method_key_compare(&items[low].key, key) == 0 ? &items[low] : NULL;
}

bool method_fates_removed(struct list *out, const struct pairing *pairing, const struct facts *base,
                          struct arena *arena, struct err *err)
{
    for (uint32_t i = 0; i < base->module_count; i++)
        for (uint32_t k = 0; k < pairing->base[i].count; k++) {
            const struct code *code = &pairing->base[i];
            const struct fact_method *method = &code->module->methods[code->methods[k].method];
            struct method_fate *fate = NULL;
            if (pairing->taken[i][k])
                continue;
            fate = list_add(out, sizeof *fate, arena, err);
            if (fate == NULL)
                return false;
            *fate = (struct method_fate){
                .key = {code->module->name, method->type, method->name, method->signature},
                .kind = DIFF_REMOVED};
        }
    if (out->count != 0)
        qsort(out->items, out->count, sizeof(struct method_fate), order_fates);
    return true;
}
