#include "coverage/merge/carry_tests.h"

#include <string.h>

#include "base/list.h"
#include "base/number.h"
#include "base/sort.h"
#include "coverage/facts/index_set.h"
#include "coverage/facts/test_name.h"
#include "coverage/merge/transplant.h"
#include "metadata/names.h"

/* What became of a method of BASE, in all builds of HEAD; nothing: it is gone. */
enum {
    CHANGE_NONE = 1,
    CHANGE_CODE = 2,
    CHANGE_DECLARATION = 4,
};

/* A count of HEAD. */
struct count_place {
    uint32_t module, count;
};

/* A method of a test assembly of BASE. */
struct declared {
    struct str name, type;
    uint8_t change_kind;
};

struct test_carrying {
    struct facts head, base; /* test assemblies have code; the tests of the base are joined */
    struct pairing pairing;
    uint8_t **change_kinds; /* by module of BASE, and method of its code */
    bool **lost;            /* by module of BASE, and count: its method is not what it was */
    uint32_t *first_id;     /* of each module of BASE: the number of its first count */
    uint32_t *first_place;  /* by number of a count: where it is now, up to that of the next one */
    struct count_place *places;
    struct list declared; /* ascending name */
    bool *is_stale, *has_hits;
    uint32_t *number; /* by test of BASE: in `out`; NO_INDEX: it is not carried */
    struct facts *out;
    struct arena *arena;
    struct err *err;
};

/* --- what is compared ------------------------------------------------------------------------- */

static bool is_redeclared(const struct fact_method *now, const struct fact_method *was)
{
    return now->declaration != was->declaration && now->declaration != 0 && was->declaration != 0;
}

/* Notes what became of the methods of BASE, and leaves only those pairs whose code is the same. */
static bool judge_pairs(struct test_carrying *w)
{
    w->change_kinds = ARENA_NEW(w->arena, uint8_t *, w->base.module_count, w->err);
    for (uint32_t i = 0; w->change_kinds != NULL && i < w->base.module_count; i++)
        if ((w->change_kinds[i] = ARENA_NEW(w->arena, uint8_t, w->pairing.base[i].count, w->err)) ==
            NULL)
            return false;
    for (uint32_t m = 0; w->change_kinds != NULL && m < w->head.module_count; m++) {
        const struct code *code = &w->pairing.head[m];
        for (uint32_t i = 0; i < code->count; i++) {
            struct pair *pair = &w->pairing.pairs[m][i];
            if (pair->module == NO_INDEX)
                continue;
            const struct code *base = &w->pairing.base[pair->module];
            const struct code_method *was = &base->methods[pair->method];
            uint8_t *change_kind = &w->change_kinds[pair->module][pair->method];
            bool same = !pair->renamed && same_code_text(&code->methods[i], was);
            *change_kind |= same ? CHANGE_NONE : CHANGE_CODE;
            if (is_redeclared(&code->module->methods[code->methods[i].method],
                              &base->module->methods[was->method]))
                *change_kind |= CHANGE_DECLARATION;
            if (!same)
                pair->module = NO_INDEX;
        }
    }
    return w->change_kinds != NULL;
}

/* --- what is lost ----------------------------------------------------------------------------- */

static void lose_counts(void *lost, uint32_t first, uint32_t same, uint32_t count)
{
    (void)same;
    memset((bool *)lost + first, true, count);
}

static bool has_assembly(const struct facts *facts, struct str name)
{
    for (uint32_t i = 0; i < facts->module_count; i++)
        if (facts_has_code(&facts->modules[i]) && str_eq(facts->modules[i].name, name))
            return true;
    return false;
}

/* A build of a framework that HEAD did not run loses nothing: the others stand for it. */
static bool find_lost(struct test_carrying *w)
{
    w->lost = ARENA_NEW(w->arena, bool *, w->base.module_count, w->err);
    for (uint32_t m = 0; w->lost != NULL && m < w->base.module_count; m++) {
        const struct fact_module *module = &w->base.modules[m];
        const struct code *code = &w->pairing.base[m];
        bool compared = pairing_has_base(&w->pairing, w->head.module_count, m);
        if ((w->lost[m] = ARENA_NEW(w->arena, bool, module->count_len, w->err)) == NULL)
            return false;
        if (!has_assembly(&w->head, module->name)) {
            memset(w->lost[m], true, module->count_len * sizeof *w->lost[m]);
            continue;
        }
        for (uint32_t i = 0; i < code->count; i++)
            for (uint32_t k = 0; k < code->methods[i].member_count; k++) {
                const struct code_member *member = &code->methods[i].members[k];
                if ((w->change_kinds[m][i] & CHANGE_CODE) != 0 ||
                    (w->change_kinds[m][i] == 0 && compared))
                    same_code_counts(code, member, code, member, lose_counts, w->lost[m]);
            }
    }
    return w->lost != NULL;
}

/* --- where counts are now --------------------------------------------------------------------- */

/* Vectors whose counts are their own numbers, from 1. */
static uint64_t **number_counts(uint32_t *total, struct test_carrying *w)
{
    uint64_t **ids = ARENA_NEW(w->arena, uint64_t *, w->base.module_count, w->err);
    w->first_id = ARENA_NEW(w->arena, uint32_t, w->base.module_count, w->err);
    uint64_t next = 0;
    for (uint32_t m = 0; ids != NULL && w->first_id != NULL && m < w->base.module_count; m++) {
        uint32_t len = w->base.modules[m].count_len;
        if (next + len >= UINT32_MAX - 1) {
            (void)err_set(w->err, ERR_LIMIT, "the older build has too many counts");
            return NULL;
        }
        if ((ids[m] = ARENA_NEW(w->arena, uint64_t, len, w->err)) == NULL)
            return NULL;
        w->first_id[m] = (uint32_t)next;
        for (uint32_t i = 0; i < len; i++)
            ids[m][i] = ++next;
    }
    *total = (uint32_t)next;
    return w->first_id != NULL ? ids : NULL;
}

/* Sorted by number, by counting. */
static bool list_count_places(uint64_t *const *moved, uint32_t total, struct test_carrying *w)
{
    uint32_t *next = ARENA_NEW(w->arena, uint32_t, (size_t)total + 2, w->err);
    if (next == NULL)
        return false;
    for (uint32_t m = 0; m < w->head.module_count; m++)
        for (uint32_t i = 0; i < w->head.modules[m].count_len; i++)
            if (moved[m][i] != 0)
                next[moved[m][i] + 1]++;
    for (uint32_t i = 1; i < total + 2; i++)
        next[i] += next[i - 1];
    w->places = ARENA_NEW(w->arena, struct count_place, next[total + 1], w->err);
    for (uint32_t m = 0; w->places != NULL && m < w->head.module_count; m++)
        for (uint32_t i = 0; i < w->head.modules[m].count_len; i++)
            if (moved[m][i] != 0)
                w->places[next[moved[m][i]]++] = (struct count_place){m, i};
    w->first_place = next; /* each has moved on to the first of the next one */
    return w->places != NULL;
}

static bool find_count_places(struct test_carrying *w)
{
    uint32_t total = 0;
    struct transplant moved;
    uint64_t **ids = number_counts(&total, w);
    return ids != NULL &&
           transplant(&moved, &w->pairing, &w->head, &w->base, ids, w->arena, w->err) &&
           list_count_places(moved.base, total, w);
}

/* --- which tests ------------------------------------------------------------------------------ */

ORDER(order_declared, struct declared, BY(name))

static bool list_declared(const struct facts *base, struct test_carrying *w)
{
    for (uint32_t m = 0; m < base->module_count; m++)
        for (uint32_t i = 0; facts_has_test_code(&base->modules[m]) && i < w->pairing.base[m].count;
             i++) {
            const struct fact_method *method =
                &base->modules[m].methods[w->pairing.base[m].methods[i].method];
            const struct declared added = {method->name, method->type, w->change_kinds[m][i]};
            if (!list_put(&w->declared, &added, sizeof added, w->arena, w->err))
                return false;
        }
    sort_unless_sorted(w->declared.items, w->declared.count, sizeof(struct declared),
                       order_declared);
    return true;
}

/* What became of the methods of this name in the type; *found: are there any? */
static uint8_t find_change_kind(bool *found, const struct test_carrying *w, struct str type,
                                struct str name)
{
    const struct declared *items = w->declared.items;
    const struct declared key = {.name = name};
    uint32_t count = w->declared.count;
    uint8_t change_kind = 0;
    *found = false;
    for (size_t i = sorted_place(&key, items, count, sizeof key, order_declared);
         i < count && str_eq(items[i].name, name); i++)
        if (name_is_full(type, items[i].type)) {
            *found = true;
            change_kind |= items[i].change_kind;
        }
    return change_kind;
}

/* Has a test assembly declared methods of the type, and are all gone? */
static bool is_type_gone(const struct test_carrying *w, struct str type)
{
    const struct declared *items = w->declared.items;
    bool found = false;
    for (uint32_t i = 0; i < w->declared.count; i++) {
        if (!name_is_full(type, items[i].type))
            continue;
        if (items[i].change_kind != 0)
            return false;
        found = true;
    }
    return found;
}

/* As it was in BASE. A test that a class inherits is one as long as the class is there. */
static bool is_same_test(const struct test_carrying *w, struct str name)
{
    bool found = false;
    struct str type = test_name_class(name);
    uint8_t change_kind = find_change_kind(&found, w, type, test_name_method(name));
    return found ? change_kind == CHANGE_NONE : !is_type_gone(w, type);
}

ORDER(order_carried_contexts, struct fact_test, BY(kind) BY(name))

/* `ran`: the tests of HEAD, joined. */
static bool was_carried(const struct test_carrying *w, uint32_t test, const struct facts *ran)
{
    const struct fact_test *context = &w->base.tests[test];
    bool ran_again = sorted_find(context, ran->tests, ran->test_count, sizeof *context,
                                 order_carried_contexts) != NULL;
    switch (context->kind) {
    case TEST_METHOD:
        return !ran_again && is_same_test(w, context->name);
    case TEST_CLASS:
        if (is_type_gone(w, context->name))
            return false;
        break;
    case TEST_STATIC:
    case TEST_OUTSIDE:
        break;
    }
    return w->has_hits[test] && !(ran_again && w->is_stale[test]);
}

/* A set of counts is of one method. */
static void judge_hits(struct test_carrying *w)
{
    for (uint32_t i = 0; i < w->base.hits_count; i++) {
        const struct fact_hits *hits = &w->base.hits[i];
        struct index_runs counts = index_set_runs(hits->counts);
        uint32_t first, end;
        bool lost = false, any = false;
        while (index_set_next(&counts, &first, &end))
            for (uint32_t k = first; k < end; k++) {
                uint32_t id = w->first_id[hits->module] + k + 1;
                lost |= w->lost[hits->module][k];
                any |= w->first_place[id] != w->first_place[id - 1];
            }
        if (lost)
            index_set_mark(w->is_stale, hits->tests);
        if (any)
            index_set_mark(w->has_hits, hits->tests);
    }
}

/* Those that HEAD did not run. */
static bool choose_tests(struct test_carrying *w, const struct facts *ran)
{
    bool all_stale = false;
    w->number = ARENA_NEW(w->arena, uint32_t, w->base.test_count, w->err);
    w->out->tests = ARENA_NEW(w->arena, struct fact_test, w->base.test_count, w->err);
    if (w->number == NULL || w->out->tests == NULL)
        return false;
    for (uint32_t i = 0; i < w->base.test_count; i++) {
        struct fact_test *test = &w->out->tests[w->out->test_count];
        w->number[i] = NO_INDEX;
        if (!was_carried(w, i, ran))
            continue;
        w->number[i] = w->out->test_count++;
        *test = w->base.tests[i];
        if (w->is_stale[i]) {
            test->end = TEST_END_UNKNOWN;
            test->rows = test->ns = 0;
            all_stale |= test->kind != TEST_METHOD;
        }
    }
    for (uint32_t i = 0; all_stale && i < w->out->test_count; i++) {
        w->out->tests[i].end = TEST_END_UNKNOWN;
        w->out->tests[i].rows = w->out->tests[i].ns = 0;
    }
    return true;
}

/* --- their hits ------------------------------------------------------------------------------- */

ORDER(order_count_places, struct count_place, BY(module) BY(count))

/* `places`: of one method in each build of HEAD. */
static bool add_carried_hits(struct test_carrying *w, struct list *hits, const struct list *places,
                             struct view tests)
{
    const struct count_place *items = places->items;
    for (uint32_t i = 0, end = 0; i < places->count; i = end) {
        struct fact_hits *added = list_add(hits, sizeof *added, w->arena, w->err);
        uint32_t *numbers = ARENA_NEW(w->arena, uint32_t, places->count - i, w->err);
        if (added == NULL || numbers == NULL)
            return false;
        for (; end < places->count && items[end].module == items[i].module; end++)
            numbers[end - i] = items[end].count;
        *added = (struct fact_hits){.module = items[i].module, .tests = tests};
        if (!index_set_pack(&added->counts, numbers, end - i, w->arena, w->err))
            return false;
    }
    return true;
}

static bool list_hit_places(struct list *out, const struct test_carrying *w,
                            const struct fact_hits *hits, struct arena *scratch)
{
    struct index_runs counts = index_set_runs(hits->counts);
    uint32_t first, end;
    while (index_set_next(&counts, &first, &end))
        for (uint32_t k = first; k < end; k++) {
            uint32_t id = w->first_id[hits->module] + k + 1;
            for (uint32_t p = w->first_place[id - 1]; p < w->first_place[id]; p++) {
                if (!list_put(out, &w->places[p], sizeof w->places[p], scratch, w->err))
                    return false;
            }
        }
    sort_unless_sorted(out->items, out->count, sizeof(struct count_place), order_count_places);
    return true;
}

static bool move_hits(struct test_carrying *w)
{
    struct list found = {0};
    bool ok = true;
    struct arena scratch = ARENA_EMPTY;
    for (uint32_t i = 0; ok && i < w->base.hits_count; i++) {
        const struct fact_hits *hits = &w->base.hits[i];
        struct list places = {0};
        struct view tests = {NULL, 0};
        arena_reset(&scratch);
        ok = list_hit_places(&places, w, hits, &scratch) &&
             (places.count == 0 ||
              index_set_renumber(&tests, hits->tests, w->number, &scratch, w->arena, w->err)) &&
             (tests.len == 0 || add_carried_hits(w, &found, &places, tests));
    }
    arena_free(&scratch);
    w->out->hits = found.items;
    w->out->hits_count = found.count;
    return ok;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* Each of its runs that tells tests apart is partial, or carried itself. */
static bool is_partial_run(const struct facts *head)
{
    for (uint32_t i = 0; i < head->test_count; i++)
        if (head->runs[head->tests[i].run].kind == RUN_MEASURED)
            return false;
    return head->test_count != 0;
}

bool carry_tests(struct facts *out, const struct facts *head, const struct facts *base,
                 struct arena *arena, struct err *err)
{
    struct test_carrying w = {.out = out, .arena = arena, .err = err};
    struct facts ran = *head;
    if (base->test_count == 0 || !is_partial_run(head))
        return true;
    w.is_stale = ARENA_NEW(arena, bool, base->test_count, err);
    w.has_hits = ARENA_NEW(arena, bool, base->test_count, err);
    if (w.is_stale == NULL || w.has_hits == NULL ||
        !facts_with_test_code(&w.head, head, arena, err) ||
        !facts_with_test_code(&w.base, base, arena, err) ||
        !facts_join_tests(&w.base, arena, err) || !facts_join_tests(&ran, arena, err) ||
        !pairing_make(&w.pairing, &w.head, &w.base, arena, err) || !judge_pairs(&w) ||
        !find_lost(&w) || !find_count_places(&w) || !list_declared(base, &w))
        return false;
    judge_hits(&w);
    return choose_tests(&w, &ran) && move_hits(&w);
}
