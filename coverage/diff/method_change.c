#include "coverage/diff/method_change.h"

#include "base/sort.h"

ORDER(order_key_names, struct method_key, BY(package) BY(type) BY(name) BY(signature))
ORDER(order_change_keys, struct method_change, BY_ORDER(method_key_order(&a->key, &b->key)))
/* Among several builds, the one that changed most comes first. */
ORDER(order_method_changes, struct method_change,
      BY_ORDER(order_change_keys(a, b)) BY_ORDER(number_order(b->kind, a->kind)) BY(from))

int method_key_order(const struct method_key *a, const struct method_key *b)
{
    return order_key_names(a, b);
}

static struct method_change *add_change(struct list *changes, enum diff_kind kind,
                                        const struct code *code, uint32_t index,
                                        struct arena *arena, struct err *err)
{
    const struct fact_method *method = &code->module->methods[code->methods[index].method];
    struct method_change *change = list_add(changes, sizeof *change, arena, err);
    if (change != NULL)
        *change = (struct method_change){
            .key = {code->module->name, method->type, method->name, method->signature},
            .kind = kind,
            .was_module = NO_INDEX};
    return change;
}

static struct str file_of_code(const struct code *code, const struct code_method *method)
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

static bool tell_origin(struct method_change *change, const struct code *code,
                        const struct code_method *method, const struct code *base, struct pair pair,
                        struct arena *arena, struct err *err)
{
    const struct code_method *was = &base->methods[pair.method];
    const struct fact_method *named = &base->module->methods[was->method];
    struct str here = file_of_code(code, method), there = file_of_code(base, was);
    change->was_module = pair.module;
    change->was_method = was->method;
    if (pair.renamed &&
        (!fact_display_text(&change->from,
                            (struct fact_display){named->type, named->name, named->signature},
                            arena, err) ||
         !fact_display_text(&change->display_from, fact_method_display(named), arena, err)))
        return false;
    if (!pair.renamed && !str_eq(here, there) && here.len != 0 && there.len != 0)
        change->from = change->display_from = there;
    change->kind = !pair.same && !pair.same_source ? DIFF_EDITED
                   : change->from.len != 0         ? DIFF_MOVED
                                                   : DIFF_UNCHANGED;
    return true;
}

bool method_changes_of_head(struct list *out, const struct pairing *pairing,
                            const struct facts *head, struct arena *arena, struct err *err)
{
    for (uint32_t i = 0; i < head->module_count; i++)
        for (uint32_t k = 0; k < pairing->head[i].count; k++) {
            const struct code *code = &pairing->head[i];
            struct pair pair = pairing->pairs[i][k];
            struct method_change *change = add_change(out, DIFF_ADDED, code, k, arena, err);
            if (change == NULL || (pair.module != NO_INDEX &&
                                   !tell_origin(change, code, &code->methods[k],
                                                &pairing->base[pair.module], pair, arena, err)))
                return false;
        }
    sort_unless_sorted(out->items, out->count, sizeof(struct method_change), order_method_changes);
    return true;
}

const struct method_change *method_change_find(const struct list *changes,
                                               const struct method_key *key)
{
    const struct method_change named = {.key = *key};
    return sorted_find(&named, changes->items, changes->count, sizeof named, order_change_keys);
}

bool method_changes_removed(struct list *out, const struct pairing *pairing,
                            const struct facts *base, struct arena *arena, struct err *err)
{
    for (uint32_t i = 0; i < base->module_count; i++)
        for (uint32_t k = 0; k < pairing->base[i].count; k++)
            if (!pairing->taken[i][k] &&
                add_change(out, DIFF_REMOVED, &pairing->base[i], k, arena, err) == NULL)
                return false;
    sort_unless_sorted(out->items, out->count, sizeof(struct method_change), order_method_changes);
    return true;
}
