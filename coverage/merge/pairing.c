#include "coverage/merge/pairing.h"

#include <string.h>

#include "base/list.h"
#include "base/number.h"
#include "base/sort.h"

enum {
    /* bytes of fact_method.instructions, five each: getters and empty constructors are shorter */
    TELLING_LEN = 40
};

/* A method that is in no pair yet. */
struct loose {
    const struct code *code;
    const struct code_method *method;
    uint64_t places; /* same_code_places */
    uint32_t module, index;
    bool gone; /* it is in a pair now */
};

struct pair_making {
    struct pairing *out;
    const struct facts *head, *base;
    struct list loose_head, loose_base; /* struct loose */
    struct arena *arena;
    struct err *err;
};

static bool has_checksum(const struct fact_document *a, const struct fact_document *b)
{
    return a->hash.len != 0 && a->hash.len == b->hash.len &&
           memcmp(a->hash.data, b->hash.data, a->hash.len) == 0 &&
           memcmp(a->hash_algorithm, b->hash_algorithm, sizeof a->hash_algorithm) == 0;
}

/* Is each of a's files one of b's? */
static bool has_files_of(const struct code *a, const struct code_method *of, const struct code *b,
                         const struct code_method *in)
{
    uint32_t last = NO_INDEX;
    for (uint32_t i = 0; i < of->member_count; i++)
        for (uint32_t k = 0; k < of->members[i].statement_count; k++) {
            uint32_t document = a->module->statements[of->members[i].first_statement + k].document;
            bool found = document == last;
            for (uint32_t n = 0; n < in->member_count && !found; n++)
                for (uint32_t s = 0; s < in->members[n].statement_count && !found; s++)
                    found = has_checksum(
                        &a->module->documents[document],
                        &b->module->documents
                             [b->module->statements[in->members[n].first_statement + s].document]);
            if (!found)
                return false;
            last = document;
        }
    return last != NO_INDEX;
}

static void join_pair(struct pair_making *w, uint32_t head_module, uint32_t head_method,
                      uint32_t base_module, uint32_t base_method, bool renamed)
{
    struct pairing *out = w->out;
    const struct code *head = &out->head[head_module], *base = &out->base[base_module];
    const struct code_method *now = &head->methods[head_method], *was = &base->methods[base_method];
    bool same_source = has_files_of(head, now, base, was) && has_files_of(base, was, head, now);
    out->pairs[head_module][head_method] = (struct pair){
        base_module, base_method, same_code(head, now, base, was), same_source, renamed};
    out->taken[base_module][base_method] = true;
}

/* --- which module with which ------------------------------------------------------------------ */

static uint32_t common_methods(const struct code *a, const struct code *b)
{
    uint32_t common = 0;
    for (uint32_t i = 0, k = 0; i < a->count; i++) {
        while (k < b->count && same_code_order(&b->methods[k], &a->methods[i]) < 0)
            k++;
        common += k < b->count && same_code_order(&b->methods[k], &a->methods[i]) == 0 &&
                  memcmp(a->methods[i].hash, b->methods[k].hash, FACT_BODY_LEN) == 0;
    }
    return common;
}

static uint32_t best_base(const struct pair_making *w, uint32_t head)
{
    uint32_t best = NO_INDEX, most = 0;
    for (uint32_t i = 0; i < w->base->module_count; i++) {
        if (!facts_has_code(&w->base->modules[i]) ||
            !str_eq(w->base->modules[i].name, w->head->modules[head].name))
            continue;
        uint32_t common = common_methods(&w->out->head[head], &w->out->base[i]);
        if (best == NO_INDEX || common > most) {
            best = i;
            most = common;
        }
    }
    return best;
}

/* --- by name ---------------------------------------------------------------------------------- */

/* Several builds of HEAD may be compared with one build of BASE. */
static void join_by_name(struct pair_making *w, uint32_t head, uint32_t base)
{
    const struct code *a = &w->out->head[head], *b = &w->out->base[base];
    for (uint32_t i = 0, k = 0; i < a->count && k < b->count;) {
        int order = same_code_order(&a->methods[i], &b->methods[k]);
        if (order == 0)
            join_pair(w, head, i, base, k, false);
        i += order <= 0;
        k += order >= 0;
    }
}

/* Is it a method for the user? It has statements, or its module has no symbols. */
static bool is_for_user(const struct code *code, const struct code_method *method)
{
    return method->statement_count != 0 || code->module->statement_count == 0;
}

/* `is_taken`: it is in a pair. */
static bool add_loose_method(struct list *list, const struct code *code, uint32_t module,
                             uint32_t index, bool is_taken, struct pair_making *w)
{
    if (is_taken || !is_for_user(code, &code->methods[index]))
        return true;
    const struct loose added = {.code = code,
                                .method = &code->methods[index],
                                .places = same_code_places(code, &code->methods[index]),
                                .module = module,
                                .index = index};
    return list_put(list, &added, sizeof added, w->arena, w->err);
}

static bool list_loose(struct pair_making *w)
{
    const struct pairing *out = w->out;
    for (uint32_t m = 0; m < w->head->module_count; m++)
        for (uint32_t i = 0; i < out->head[m].count; i++)
            if (!add_loose_method(&w->loose_head, &out->head[m], m, i,
                                  out->pairs[m][i].module != NO_INDEX, w))
                return false;
    for (uint32_t m = 0; m < w->base->module_count; m++)
        for (uint32_t i = 0; i < out->base[m].count; i++)
            if (!add_loose_method(&w->loose_base, &out->base[m], m, i, out->taken[m][i], w))
                return false;
    return true;
}

/* --- by code, by signature -------------------------------------------------------------------- */

/* Of the same code or not, whatever it is called. */
ORDER(compare_code, struct loose, BY_BYTES(method->hash) BY(places))
ORDER(compare_names, struct loose, BY(method->name) BY(method->signature))
ORDER(order_by_code, struct loose,
      BY_ORDER(compare_code(a, b)) BY_ORDER(compare_names(a, b)) BY(method->type) BY(module)
          BY(index))
ORDER(order_by_type_and_name, struct loose, BY(method->type) BY(method->name))

ORDER(compare_types_and_names, struct loose,
      BY_ORDER(order_by_type_and_name(a, b)) BY(code->module->name))
ORDER(order_loose_by_name, struct loose,
      BY_ORDER(compare_types_and_names(a, b)) BY(module) BY(method->method))

static void sort_loose(struct list *list, int (*order)(const void *, const void *))
{
    sort_unless_sorted(list->items, list->count, sizeof(struct loose), order);
}

static void join_loose(struct pair_making *w, struct loose *head, struct loose *base)
{
    join_pair(w, head->module, head->index, base->module, base->index, true);
    head->gone = base->gone = true;
}

static bool join_if_same(struct pair_making *w, struct loose *head, struct loose *base)
{
    bool same = same_code(head->code, head->method, base->code, base->method);
    if (same)
        join_loose(w, head, base);
    return same;
}

/* [h, h_end) and [b, b_end) have the same code: first those of the same name, then all others. */
static void join_same_code(struct pair_making *w, struct loose *h, struct loose *h_end,
                           struct loose *b, struct loose *b_end)
{
    for (struct loose *i = h, *k = b; i < h_end && k < b_end;) {
        int order = compare_names(i, k);
        if (order == 0)
            (void)join_if_same(w, i, k);
        i += order <= 0;
        k += order >= 0;
    }
    for (struct loose *i = h, *k = b; i < h_end && k < b_end;) {
        bool is_done = i->gone || i->method->instruction_count < TELLING_LEN;
        if (!is_done && !k->gone && !join_if_same(w, i, k))
            return; /* the code is not known, or the places were equal by chance */
        i += is_done;
        k += k->gone;
    }
}

static struct loose *code_end(struct loose *first, struct loose *last)
{
    struct loose *end = first;
    while (end < last && compare_code(end, first) == 0)
        end++;
    return end;
}

static void join_by_code(struct pair_making *w)
{
    sort_loose(&w->loose_head, order_by_code);
    sort_loose(&w->loose_base, order_by_code);
    struct loose *h = w->loose_head.items, *b = w->loose_base.items;
    struct loose *h_last = h + w->loose_head.count, *b_last = b + w->loose_base.count;
    while (h < h_last && b < b_last) {
        int order = compare_code(h, b);
        struct loose *h_end = order <= 0 ? code_end(h, h_last) : h;
        struct loose *b_end = order >= 0 ? code_end(b, b_last) : b;
        if (order == 0)
            join_same_code(w, h, h_end, b, b_end);
        h = h_end;
        b = b_end;
    }
}

/* Overloads that changed in the same way are paired in source order. */
static void join_by_type_and_name(struct pair_making *w)
{
    sort_loose(&w->loose_head, order_loose_by_name);
    sort_loose(&w->loose_base, order_loose_by_name);
    struct loose *h = w->loose_head.items, *b = w->loose_base.items;
    struct loose *h_last = h + w->loose_head.count, *b_last = b + w->loose_base.count;
    while (h < h_last && b < b_last) {
        int order = h->gone ? -1 : b->gone ? 1 : compare_types_and_names(h, b);
        if (order == 0)
            join_loose(w, h, b);
        h += order <= 0;
        b += order >= 0;
    }
}

/* --- by the type that the others moved to ----------------------------------------------------- */

struct type_move {
    struct str from, to;
};

ORDER(order_moves, struct type_move, BY(to) BY(from))

static bool list_moves(struct list *moves, struct pair_making *w)
{
    const struct loose *heads = w->loose_head.items;
    for (uint32_t i = 0; i < w->loose_head.count; i++) {
        const struct pair *pair = &w->out->pairs[heads[i].module][heads[i].index];
        if (!heads[i].gone)
            continue;
        struct str from = w->out->base[pair->module].methods[pair->method].type;
        if (str_eq(from, heads[i].method->type))
            continue;
        const struct type_move added = {from, heads[i].method->type};
        if (!list_put(moves, &added, sizeof added, w->arena, w->err))
            return false;
    }
    sort_unless_sorted(moves->items, moves->count, sizeof(struct type_move), order_moves);
    return true;
}

/* The method of that name and signature in type `from` of BASE, unless it is in a pair. */
static struct loose *find_loose(const struct pair_making *w, struct str from,
                                const struct loose *head)
{
    struct loose *bases = w->loose_base.items;
    uint32_t count = w->loose_base.count;
    struct code_method method = {.type = from, .name = head->method->name};
    struct loose key = {.method = &method};
    for (size_t i = sorted_place(&key, bases, count, sizeof key, order_by_type_and_name);
         i < count && order_by_type_and_name(&bases[i], &key) == 0; i++)
        if (!bases[i].gone && str_eq(bases[i].method->signature, head->method->signature))
            return &bases[i];
    return NULL;
}

/* The loose methods of BASE are in order_loose_by_name. */
static bool join_by_move(struct pair_making *w)
{
    struct list list = {.items = NULL};
    struct loose *heads = w->loose_head.items;
    if (!list_moves(&list, w))
        return false;
    const struct type_move *moves = list.items;
    for (uint32_t i = 0; i < w->loose_head.count && list.count != 0; i++) {
        struct type_move key = {.from = {"", 0}, .to = heads[i].method->type};
        size_t n = sorted_place(&key, moves, list.count, sizeof key, order_moves);
        for (; n < list.count && str_eq(moves[n].to, key.to) && !heads[i].gone; n++) {
            bool is_repeated = n != 0 && order_moves(&moves[n - 1], &moves[n]) == 0;
            struct loose *base = is_repeated ? NULL : find_loose(w, moves[n].from, &heads[i]);
            if (base != NULL)
                join_loose(w, &heads[i], base);
        }
    }
    return true;
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool list_code(struct code **out, const struct facts *facts, struct pair_making *w)
{
    *out = ARENA_NEW(w->arena, struct code, facts->module_count, w->err);
    for (uint32_t i = 0; *out != NULL && i < facts->module_count; i++)
        if (!same_code_list(&(*out)[i], &facts->modules[i], w->arena, w->err))
            return false;
    return *out != NULL;
}

static bool make_pairs(struct pair_making *w)
{
    struct pairing *out = w->out;
    out->base_of = ARENA_NEW(w->arena, uint32_t, w->head->module_count, w->err);
    out->pairs = ARENA_NEW(w->arena, struct pair *, w->head->module_count, w->err);
    out->taken = ARENA_NEW(w->arena, bool *, w->base->module_count, w->err);
    if (out->base_of == NULL || out->pairs == NULL || out->taken == NULL)
        return false;
    for (uint32_t i = 0; i < w->base->module_count; i++)
        if ((out->taken[i] = ARENA_NEW(w->arena, bool, out->base[i].count, w->err)) == NULL)
            return false;
    for (uint32_t i = 0; i < w->head->module_count; i++) {
        out->pairs[i] = ARENA_NEW(w->arena, struct pair, out->head[i].count, w->err);
        if (out->pairs[i] == NULL)
            return false;
        for (uint32_t k = 0; k < out->head[i].count; k++)
            out->pairs[i][k] = (struct pair){NO_INDEX, NO_INDEX, false, false, false};
    }
    return true;
}

bool pairing_has_base(const struct pairing *pairing, uint32_t head_count, uint32_t module)
{
    for (uint32_t i = 0; i < head_count; i++)
        if (pairing->base_of[i] == module)
            return true;
    return false;
}

bool pairing_make(struct pairing *out, const struct facts *head, const struct facts *base,
                  struct arena *arena, struct err *err)
{
    struct pair_making w = {.out = out, .head = head, .base = base, .arena = arena, .err = err};
    if (!list_code(&out->head, head, &w) || !list_code(&out->base, base, &w) || !make_pairs(&w))
        return false;
    for (uint32_t i = 0; i < head->module_count; i++) {
        out->base_of[i] = facts_has_code(&head->modules[i]) ? best_base(&w, i) : NO_INDEX;
        if (out->base_of[i] != NO_INDEX)
            join_by_name(&w, i, out->base_of[i]);
    }
    if (!list_loose(&w))
        return false;
    join_by_code(&w);
    join_by_type_and_name(&w);
    return join_by_move(&w);
}
