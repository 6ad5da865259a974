#include "coverage/session/test_worth.h"

#include "base/number.h"
#include "base/sort.h"
#include "coverage/facts/test_name.h"
#include "coverage/session/test_sets.h"
#include "metadata/names.h"

/* A count: in which visit it was met last, and how many hit it. */
struct hitter {
    uint32_t last; /* visits; NO_INDEX: it does not count */
    uint32_t count;
};

struct worth {
    const struct facts *facts;
    /* of each test its hits. It may have several in one method: it ran in several processes, or
     * runs */
    struct set_lists of;
    struct hitter **hitters; /* of each module; NULL: its code does not count */
    uint32_t visits;
};

/* --- which code counts ------------------------------------------------------------------------ */

/* The tests that are methods, which come first, ordered by the name after the last dot. */
ORDER(order_method_name, struct fact_test,
      BY_ORDER(str_cmp(test_name_method(a->name), test_name_method(b->name))))
ORDER(order_method, struct fact_test, BY_ORDER(order_method_name(a, b)) BY(name))

struct test_names {
    struct fact_test *items;
    uint32_t count;
};

static bool list_test_names(struct test_names *out, const struct facts *facts, struct arena *arena,
                            struct err *err)
{
    *out = (struct test_names){ARENA_NEW(arena, struct fact_test, facts->test_count, err), 0};
    for (uint32_t i = 0; out->items != NULL && i < facts->test_count; i++)
        if (facts->tests[i].kind == TEST_METHOD)
            out->items[out->count++] = facts->tests[i];
    sort_unless_sorted(out->items, out->count, sizeof *out->items, order_method);
    return out->items != NULL;
}

static bool is_test(const struct test_names *names, const struct fact_method *method)
{
    const struct fact_test key = {.name = method->name};
    for (size_t i = sorted_place(&key, names->items, names->count, sizeof key, order_method_name);
         i < names->count; i++) {
        struct str name = names->items[i].name;
        if (!str_eq(test_name_method(name), method->name))
            return false;
        if (name_is_full(test_name_class(name), method->type))
            return true;
    }
    return false;
}

/* `run --include-tests` has test assemblies as any other. */
static bool has_test_methods(const struct fact_module *module, const struct test_names *names)
{
    for (uint32_t i = 0; i < module->method_count; i++)
        if (is_test(names, &module->methods[i]))
            return true;
    return false;
}

static bool is_left_out(const struct fact_module *module, uint32_t method, uint32_t document,
                        const struct reason *reason, bool counts_generated)
{
    const struct fact_method *user = &module->methods[module->methods[method].user_method];
    const struct fact_document *of = &module->documents[document];
    return reason != NULL || module->methods[method].state != METHOD_INSTRUMENTED ||
           of->reason != NULL ||
           (!counts_generated && (of->generated != NULL || user->generated != NULL));
}

/* Statements and outcomes count, if reports have them. */
static void open_hitters(struct hitter *hitters, const struct fact_module *module, bool generated)
{
    for (uint32_t i = 0; i < module->count_len; i++)
        hitters[i].last = NO_INDEX;
    for (uint32_t i = 0; i < module->statement_count; i++) {
        const struct fact_statement *s = &module->statements[i];
        if (!is_left_out(module, s->method, s->document, s->reason, generated))
            hitters[s->count].last = 0;
    }
    for (uint32_t i = 0; i < module->decision_count; i++) {
        const struct fact_decision *d = &module->decisions[i];
        for (uint32_t o = 0; o < d->outcome_count; o++)
            if (!is_left_out(module, d->method, d->document, d->reason, generated))
                hitters[d->first_count + o].last = 0;
    }
}

static bool open_worth(struct worth *out, const struct facts *facts, struct arena *arena,
                       struct err *err)
{
    struct test_names names;
    *out = (struct worth){.facts = facts,
                          .hitters = ARENA_NEW(arena, struct hitter *, facts->module_count, err)};
    if (out->hitters == NULL ||
        !set_lists_make(
            &out->of,
            (struct set_source){facts->hits, offsetof(struct fact_hits, tests), facts->hits_count},
            facts->test_count, NULL, arena, err) ||
        !list_test_names(&names, facts, arena, err))
        return false;
    for (uint32_t m = 0; m < facts->module_count; m++) {
        const struct fact_module *module = &facts->modules[m];
        if (!facts_has_code(module) || has_test_methods(module, &names))
            continue;
        out->hitters[m] = ARENA_NEW(arena, struct hitter, module->count_len, err);
        if (out->hitters[m] == NULL)
            return false;
        open_hitters(out->hitters[m], module, facts->counts_generated);
    }
    return true;
}

/* --- what a test hits ------------------------------------------------------------------------- */

typedef bool visit_count(struct hitter *hitter, void *context);

/* Each count of a test that counts and was not met in this visit. False: the visitor ended it. */
static bool visit_test(struct worth *w, uint32_t test, visit_count *visit, void *context)
{
    for (uint32_t i = w->of.first[test]; i < w->of.first[test + 1]; i++) {
        const struct fact_hits *hits = &w->facts->hits[w->of.sets[i]];
        struct hitter *hitters = w->hitters[hits->module];
        struct index_runs runs = index_set_runs(hits->counts);
        uint32_t first, end;
        while (hitters != NULL && index_set_next(&runs, &first, &end))
            for (uint32_t count = first; count < end; count++) {
                if (hitters[count].last == w->visits || hitters[count].last == NO_INDEX)
                    continue;
                hitters[count].last = w->visits;
                if (!visit(&hitters[count], context))
                    return false;
            }
    }
    return true;
}

static bool add_hitter(struct hitter *hitter, void *hit)
{
    hitter->count++;
    ++*(uint32_t *)hit;
    return true;
}

static bool weigh_alone(struct hitter *hitter, void *alone)
{
    *(uint32_t *)alone += hitter->count == 1;
    return true;
}

bool test_worth_weigh(struct test_weight **weights, const struct facts *facts, struct arena *arena,
                      struct err *err)
{
    struct worth w;
    *weights = ARENA_NEW(arena, struct test_weight, facts->test_count, err);
    if (*weights == NULL || !open_worth(&w, facts, arena, err))
        return false;
    for (uint32_t test = 0; test < facts->test_count; test++) {
        w.visits++;
        (void)visit_test(&w, test, add_hitter, &(*weights)[test].hit);
    }
    for (uint32_t test = 0; test < facts->test_count; test++) {
        w.visits++;
        (void)visit_test(&w, test, weigh_alone, &(*weights)[test].alone);
    }
    return true;
}

/* --- which tests add nothing ------------------------------------------------------------------ */

/* A test, and its class: what runs around its tests. */
struct removable {
    uint32_t test;
    uint32_t class; /* NO_INDEX: nothing does */
    uint32_t hit;
};

static bool is_hit_elsewhere(struct hitter *hitter, void *context)
{
    (void)context;
    return hitter->count > 1;
}

static bool remove_hitter(struct hitter *hitter, void *context)
{
    (void)context;
    hitter->count--;
    return true;
}

static bool visit_candidate(struct worth *w, const struct removable *candidate, visit_count *visit,
                            void *context)
{
    w->visits++;
    return visit_test(w, candidate->test, visit, context) &&
           (candidate->class == NO_INDEX || visit_test(w, candidate->class, visit, context));
}

/* By kind and name. */
ORDER(order_worth_owners, struct fact_test, BY(kind) BY(name))

static uint32_t class_of_test(const struct facts *facts, uint32_t test)
{
    const struct fact_test class = {.kind = TEST_CLASS,
                                    .name = test_name_class(facts->tests[test].name)};
    const struct fact_test *found =
        sorted_find(&class, facts->tests, facts->test_count, sizeof class, order_worth_owners);
    return found != NULL ? (uint32_t)(found - facts->tests) : NO_INDEX;
}

/* Those that hit the least are left out first, so that those that take their place remain; of equal
 * ones the last. */
ORDER(order_removable, struct removable, BY(hit) BY_ORDER(number_order(b->test, a->test)))

/* Tests that did not throw are candidates; all else has its hits whichever of them are left out,
 * but classes without tests that remain. */
static bool list_removable(struct removable *out, uint32_t *count, struct worth *w,
                           struct arena *arena, struct err *err)
{
    const struct facts *facts = w->facts;
    uint32_t unused = 0;
    bool *is_class = ARENA_NEW(arena, bool, facts->test_count, err);
    for (uint32_t i = 0; is_class != NULL && i < facts->test_count; i++) {
        uint32_t class = class_of_test(facts, i);
        if (facts->tests[i].kind == TEST_METHOD && class != NO_INDEX)
            is_class[class] = true;
        if (facts->tests[i].kind != TEST_METHOD || facts->tests[i].end == TEST_THREW)
            continue;
        struct removable *candidate = &out[(*count)++];
        *candidate = (struct removable){i, class, 0};
        (void)visit_candidate(w, candidate, add_hitter, &candidate->hit);
    }
    for (uint32_t i = 0; is_class != NULL && i < facts->test_count; i++)
        if (facts->tests[i].kind != TEST_METHOD && !is_class[i])
            (void)visit_candidate(w, &(struct removable){i, NO_INDEX, 0}, add_hitter, &unused);
    return is_class != NULL;
}

bool test_worth_redundant(bool **redundant, const struct facts *facts, struct arena *arena,
                          struct err *err)
{
    struct worth w;
    uint32_t count = 0;
    *redundant = ARENA_NEW(arena, bool, facts->test_count, err);
    struct removable *candidates = ARENA_NEW(arena, struct removable, facts->test_count, err);
    if (*redundant == NULL || candidates == NULL || !open_worth(&w, facts, arena, err) ||
        !list_removable(candidates, &count, &w, arena, err))
        return false;
    sort_unless_sorted(candidates, count, sizeof *candidates, order_removable);
    for (uint32_t i = 0; i < count; i++)
        if (visit_candidate(&w, &candidates[i], is_hit_elsewhere, NULL)) {
            (void)visit_candidate(&w, &candidates[i], remove_hitter, NULL);
            (*redundant)[candidates[i].test] = true;
        }
    return true;
}
