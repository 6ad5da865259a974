#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "coverage/facts/index_set.h"
#include "coverage/facts/test_name.h"
#include "impact/input_changes.h"
#include "impact/left_values.h"
#include "impact/method_changes.h"
#include "impact/new_tests.h"
#include "impact/type_changes.h"
#include "metadata/names.h"

/* Causes that are no changes. */
enum {
    CAUSE_NEW,
    CAUSE_FAILED,
    CAUSE_STALE,
    OTHER_CAUSES
};
static const char *const other_causes[OTHER_CAUSES] = {"it is new", "it failed before",
                                                       "it did not run after the previous change"};

struct selecting {
    struct build_changes *changes;
    const struct new_tests *tests;
    struct str *names; /* ascending: the tests that the build has, or may have */
    uint32_t name_count;
    uint32_t cause_count; /* changes, then OTHER_CAUSES */
    size_t words;         /* of a set of causes, a bit each */
    uint64_t *of_name;    /* per name: words */
    uint64_t *of_context; /* likewise per test of the older run: changes in what it hit */
};

/* --- sets of causes --------------------------------------------------------------------------- */

enum {
    WORD_BITS = 64
};

static void add_cause(uint64_t *set, uint32_t cause)
{
    set[cause / WORD_BITS] |= UINT64_C(1) << cause % WORD_BITS;
}

static void join_causes(uint64_t *set, const uint64_t *more, size_t words)
{
    for (size_t i = 0; i < words; i++)
        set[i] |= more[i];
}

static uint32_t count_causes(const uint64_t *set, size_t words)
{
    uint32_t count = 0;
    for (size_t i = 0; i < words; i++)
        count += (uint32_t)__builtin_popcountll(set[i]);
    return count;
}

/* The first that is not before `from`, or NO_INDEX. */
static uint32_t next_cause(const uint64_t *set, size_t words, uint32_t from)
{
    for (size_t i = from / WORD_BITS; i < words; i++, from = 0) {
        uint64_t left = set[i] >> from % WORD_BITS << from % WORD_BITS;
        if (left != 0)
            return (uint32_t)(i * WORD_BITS) + (uint32_t)__builtin_ctzll(left);
    }
    return NO_INDEX;
}

static struct str text_of_cause(const struct selecting *s, uint32_t cause)
{
    const struct build_change *changes = s->changes->list.items;
    uint32_t count = s->changes->list.count;
    return cause < count ? changes[cause].text : str_of(other_causes[cause - count]);
}

/* --- who hit it ------------------------------------------------------------------------------- */

/* By count of a module of BASE: 1 + the method of its code, or 0. */
static uint32_t *list_methods_of_counts(const struct build_changes *c, uint32_t module)
{
    const struct fact_module *of = &c->base.modules[module];
    const struct code *code = &c->pairing.base[module];
    uint32_t *method_of = ARENA_NEW(c->arena, uint32_t, of->count_len, c->err);
    for (uint32_t i = 0; method_of != NULL && i < code->count; i++)
        for (uint32_t k = 0; k < code->methods[i].member_count; k++) {
            uint32_t member = code->methods[i].members[k].method;
            struct fact_extent extent = facts_extent(of, member);
            if (of->methods[member].entry_count < of->count_len)
                method_of[of->methods[member].entry_count] = i + 1;
            for (uint32_t n = extent.first_statement; n < extent.end_statement; n++)
                method_of[of->statements[n].count] = i + 1;
            for (uint32_t n = extent.first_decision; n < extent.end_decision; n++)
                for (uint32_t o = 0; o < of->decisions[n].outcome_count; o++)
                    method_of[of->decisions[n].first_count + o] = i + 1;
        }
    return method_of;
}

/* The changes of what they hit. */
static bool collect_changes(uint64_t *set, const struct selecting *s, const struct fact_hits *hits,
                            const uint32_t *method_of)
{
    const struct build_changes *c = s->changes;
    const struct change_mark *marks = c->marks.items;
    struct index_runs runs = index_set_runs(hits->counts);
    uint32_t first, end, last = 0;
    bool any = false;
    memset(set, 0, s->words * sizeof *set);
    while (index_set_next(&runs, &first, &end))
        for (uint32_t i = first; i < end; i++) {
            uint32_t method = method_of[i];
            if (method == 0 || method == last)
                continue;
            last = method;
            for (uint32_t mark = c->marks_of[hits->module][method - 1]; mark != 0;
                 mark = marks[mark - 1].next) {
                add_cause(set, marks[mark - 1].change);
                any = true;
            }
        }
    return any;
}

/* Adds what the makers of a value depend on to its readers; false: they had it. */
static bool pass_on_causes(struct selecting *s, const struct left_value *value, uint64_t *set)
{
    bool any = false;
    uint32_t tests = s->changes->base.test_count;
    memset(set, 0, s->words * sizeof *set);
    for (uint32_t t = 0; t < tests; t++)
        if (value->makers[t])
            join_causes(set, s->of_context + t * s->words, s->words);
    for (uint32_t t = 0; t < tests; t++)
        for (size_t i = 0; value->readers[t] && i < s->words; i++) {
            any |= (set[i] & ~s->of_context[t * s->words + i]) != 0;
            s->of_context[t * s->words + i] |= set[i];
        }
    return any;
}

static bool follow_left_values(struct selecting *s, uint64_t *set, uint32_t *const *method_of)
{
    struct list values = {0};
    if (!left_values_find(&values, s->changes, method_of))
        return false;
    const struct left_value *value = values.items;
    for (bool any = true; any;) {
        any = false;
        for (uint32_t i = 0; i < values.count; i++)
            any |= pass_on_causes(s, &value[i], set);
    }
    return true;
}

static bool note_changed_hits(struct selecting *s)
{
    const struct build_changes *c = s->changes;
    if (c->marks.count == 0)
        return true;
    uint64_t *set = ARENA_NEW(c->arena, uint64_t, s->words, c->err);
    uint32_t **method_of = ARENA_NEW(c->arena, uint32_t *, c->base.module_count, c->err);
    for (uint32_t i = 0; method_of != NULL && i < c->base.module_count; i++)
        if ((method_of[i] = list_methods_of_counts(c, i)) == NULL)
            return false;
    if (set == NULL || method_of == NULL)
        return false;
    for (uint32_t i = 0; i < c->base.hits_count; i++) {
        const struct fact_hits *hits = &c->base.hits[i];
        if (!collect_changes(set, s, hits, method_of[hits->module]))
            continue;
        struct index_runs runs = index_set_runs(hits->tests);
        uint32_t first, end;
        while (index_set_next(&runs, &first, &end))
            for (uint32_t t = first; t < end; t++)
                join_causes(s->of_context + t * s->words, set, s->words);
    }
    return follow_left_values(s, set, method_of);
}

/* --- whose tests ------------------------------------------------------------------------------ */

static void select_test(struct selecting *s, struct str name, const uint64_t *causes)
{
    const struct str *found = sorted_find(&name, s->names, s->name_count, sizeof name, str_order);
    if (found != NULL)
        join_causes(s->of_name + (size_t)(found - s->names) * s->words, causes, s->words);
}

static void select_for(struct selecting *s, struct str name, uint32_t cause)
{
    const struct str *found = sorted_find(&name, s->names, s->name_count, sizeof name, str_order);
    if (found != NULL)
        add_cause(s->of_name + (size_t)(found - s->names) * s->words, cause);
}

/* What the context depends on, all tests do, because of where it ran. */
static bool select_all_for(struct selecting *s, const struct fact_test *context,
                           const uint64_t *causes)
{
    const struct build_change *changes = s->changes->list.items;
    for (uint32_t i = next_cause(causes, s->words, 0); i != NO_INDEX;
         i = next_cause(causes, s->words, i + 1)) {
        struct str why = changes[i].text;
        bool ok = true;
        if (context->kind == TEST_OUTSIDE)
            ok = build_changes_add_all(s->changes, "%.*s; it ran outside of tests", STR_ARGS(why));
        else if (context->kind == TEST_CLASS)
            ok = build_changes_add_all(s->changes, "%.*s; %.*s runs it, around unknown tests",
                                       STR_ARGS(why), STR_ARGS(context->name));
        else if (!name_is_full(context->name, changes[i].type)) /* not by what others see of it */
            ok = build_changes_add_all(s->changes, "%.*s; it ran in the static constructor of %.*s",
                                       STR_ARGS(why), STR_ARGS(context->name));
        if (!ok)
            return false;
    }
    return true;
}

static bool derives_from(const struct new_tests *tests, struct str class, struct str base)
{
    const struct test_base *bases = tests->bases.items;
    for (uint32_t i = 0; i < tests->bases.count; i++)
        if (str_eq(bases[i].class, class) && str_eq(bases[i].base, base))
            return true;
    return false;
}

static bool select_class(struct selecting *s, const struct fact_test *context,
                         const uint64_t *causes, bool may_be_none)
{
    const struct str *wide = s->tests->wide.items;
    struct str class = context->name;
    bool any = false, is_wide = false;
    for (uint32_t i = 0; i < s->tests->wide.count; i++)
        is_wide |= str_eq(wide[i], class);
    for (uint32_t i = 0; i < s->tests->count && !is_wide; i++) {
        const struct new_test *test = &s->tests->items[i];
        if (!str_eq(test->class, class) && !derives_from(s->tests, test->class, class))
            continue;
        any = true;
        select_test(s, test->name, causes);
    }
    return any || (may_be_none && !is_wide) || select_all_for(s, context, causes);
}

/* Did a test assembly declare it that the new build has? Then that has it, if it is still there. */
static bool is_declared(const struct build_changes *c, struct str name)
{
    struct str method = test_name_method(name), type = test_name_class(name);
    for (uint32_t m = 0; m < c->base.module_count; m++)
        for (uint32_t i = 0; c->is_test_code[m] && i < c->base.modules[m].method_count; i++) {
            const struct fact_method *known = &c->base.modules[m].methods[i];
            if (str_eq(known->name, method) && name_is_full(type, known->type))
                return new_build_module(c->build, c->base.modules[m].name) != NO_INDEX;
        }
    return false;
}

/* A test that the build has, or, inherited from another assembly, may have. */
static bool is_in_build(const struct selecting *s, struct str name)
{
    return new_tests_named(s->tests, name) != NULL || !is_declared(s->changes, name);
}

static bool select_contexts(struct selecting *s)
{
    const struct facts *base = &s->changes->base;
    for (uint32_t i = 0; i < base->test_count; i++) {
        const struct fact_test *context = &base->tests[i];
        const uint64_t *causes = s->of_context + i * s->words;
        if (context->kind == TEST_METHOD)
            select_test(s, context->name, causes);
        else if (!(context->kind == TEST_CLASS ? select_class(s, context, causes, false)
                                               : select_all_for(s, context, causes)))
            return false;
    }
    return true;
}

static bool select_classes(struct selecting *s)
{
    const struct changed_class *classes = s->changes->classes.items;
    uint64_t *causes = ARENA_NEW(s->changes->arena, uint64_t, s->words, s->changes->err);
    for (uint32_t i = 0; causes != NULL && i < s->changes->classes.count; i++) {
        memset(causes, 0, s->words * sizeof *causes);
        add_cause(causes, classes[i].change);
        if (!select_class(s, &(struct fact_test){.name = classes[i].name, .kind = TEST_CLASS},
                          causes, classes[i].may_be_none))
            return false;
    }
    return causes != NULL;
}

/* --- new ones --------------------------------------------------------------------------------- */

/* By test of the build: did the older run have it? */
static bool *mark_known(const struct selecting *s)
{
    const struct facts *base = &s->changes->base;
    bool *known = ARENA_NEW(s->changes->arena, bool, s->tests->count, s->changes->err);
    for (uint32_t i = 0; known != NULL && i < base->test_count; i++) {
        const struct new_test *test = new_tests_named(s->tests, base->tests[i].name);
        if (test != NULL && base->tests[i].kind == TEST_METHOD)
            known[test - s->tests->items] = true;
    }
    return known;
}

/* Did what its class declares change, such as [Ignore]? Or that of a base. */
static bool has_changed_class(const struct build_changes *c, struct str class)
{
    const struct changed_type *types = c->types.items;
    for (uint32_t i = 0; i < c->types.count; i++)
        if (name_is_full(class, types[i].name))
            return true;
    return false;
}

/* Was the method there, the same, and was not run? */
static bool has_rested(const struct selecting *s, const struct new_test *test)
{
    const struct build_changes *c = s->changes;
    const struct code *code = &c->pairing.head[test->module];
    if (has_changed_class(c, test->class))
        return false;
    for (uint32_t i = 0; i < code->count; i++) {
        const struct fact_method *now = &code->module->methods[code->methods[i].method];
        const struct pair *pair = &c->pairing.pairs[test->module][i];
        if (now->token != TOKEN(TABLE_MethodDef, test->declared))
            continue;
        if (pair->module == NO_INDEX || pair->renamed)
            return false;
        const struct code_method *was = &c->pairing.base[pair->module].methods[pair->method];
        return same_code_text(&code->methods[i], was) &&
               c->base.modules[pair->module].methods[was->method].declaration == now->declaration;
    }
    return false;
}

static bool is_carried_test(const struct facts *base, const struct fact_test *test)
{
    return base->runs[test->run].kind == RUN_CARRIED;
}

/* Does it have all tests that ran? A partial run of those that a change needed has, with those that
 * were carried beside it. */
static bool is_whole_run(const struct facts *base)
{
    bool partial = false, carried = false;
    for (uint32_t i = 0; i < base->run_count; i++)
        partial |= base->runs[i].kind == RUN_PARTIAL;
    for (uint32_t i = 0; i < base->test_count; i++)
        carried |= is_carried_test(base, &base->tests[i]);
    return carried || !partial;
}

static bool select_new(struct selection *out, struct selecting *s)
{
    bool whole = is_whole_run(&s->changes->base), *known = mark_known(s);
    for (uint32_t i = 0; known != NULL && i < s->tests->count; i++) {
        const struct new_test *test = &s->tests->items[i];
        if (known[i])
            continue;
        bool rested = (whole || test->is_unknown) && has_rested(s, test);
        if (rested)
            out->resting += !test->is_unknown;
        else
            select_for(s, test->name, s->changes->list.count + CAUSE_NEW);
    }
    return known != NULL;
}

/* What it ran changed, and it was carried as it was before (carry_tests.h). */
static bool is_stale_test(const struct facts *base, const struct fact_test *test)
{
    return is_carried_test(base, test) && test->rows == 0;
}

static void select_unfinished(struct selecting *s)
{
    const struct facts *base = &s->changes->base;
    for (uint32_t i = 0; i < base->test_count; i++) {
        const struct fact_test *test = &base->tests[i];
        bool stale = is_stale_test(base, test);
        if (test->kind == TEST_METHOD && (stale || test->end == TEST_THREW))
            select_for(s, test->name,
                       s->changes->list.count + (stale ? CAUSE_STALE : CAUSE_FAILED));
    }
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool list_names(struct selecting *s)
{
    const struct facts *base = &s->changes->base;
    struct list names = {0};
    for (uint32_t i = 0; i < s->tests->count; i++)
        if (!list_put(&names, &s->tests->items[i].name, sizeof(struct str), s->changes->arena,
                      s->changes->err))
            return false;
    for (uint32_t i = 0; i < base->test_count; i++)
        if (base->tests[i].kind == TEST_METHOD && is_in_build(s, base->tests[i].name) &&
            !list_put(&names, &base->tests[i].name, sizeof(struct str), s->changes->arena,
                      s->changes->err))
            return false;
    s->names = names.items;
    s->name_count =
        (uint32_t)sort_distinct(names.items, names.count, sizeof(struct str), str_order);
    return true;
}

static bool open_selecting(struct selecting *s, struct build_changes *changes,
                           const struct new_tests *tests)
{
    *s = (struct selecting){
        .changes = changes, .tests = tests, .cause_count = changes->list.count + OTHER_CAUSES};
    s->words = (s->cause_count + WORD_BITS - 1) / WORD_BITS;
    if (!list_names(s))
        return false;
    s->of_name = ARENA_NEW(changes->arena, uint64_t, s->words * s->name_count, changes->err);
    s->of_context =
        ARENA_NEW(changes->arena, uint64_t, s->words * changes->base.test_count, changes->err);
    return s->of_name != NULL && s->of_context != NULL;
}

ORDER(order_causes, struct cause, BY_ORDER(number_order(b->tests, a->tests)) BY(text))

/* How many tests each cause selects, and of how many it is the only one. */
static bool count_by_cause(struct selection *out, const struct selecting *s)
{
    const struct build_changes *c = s->changes;
    const struct str *all = c->all.items;
    uint32_t room = s->cause_count + c->all.count;
    out->causes = ARENA_NEW(c->arena, struct cause, room, c->err);
    if (out->causes == NULL)
        return false;
    for (uint32_t i = 0; i < room; i++)
        out->causes[i].text = i < s->cause_count ? text_of_cause(s, i) : all[i - s->cause_count];
    for (uint32_t i = 0; i < s->name_count; i++) {
        const uint64_t *set = s->of_name + i * s->words;
        bool is_only = count_causes(set, s->words) + c->all.count == 1;
        for (uint32_t k = next_cause(set, s->words, 0); k != NO_INDEX;
             k = next_cause(set, s->words, k + 1)) {
            out->causes[k].tests++;
            out->causes[k].only += is_only;
        }
        for (uint32_t k = s->cause_count; k < room; k++) {
            out->causes[k].tests++;
            out->causes[k].only += is_only;
        }
    }
    qsort(out->causes, room, sizeof *out->causes, order_causes);
    while (out->cause_count < room && out->causes[out->cause_count].tests != 0)
        out->cause_count++;
    return true;
}

static bool list_selected(struct selection *out, const struct selecting *s)
{
    const struct build_changes *c = s->changes;
    out->tests = ARENA_NEW(c->arena, struct selected_test, s->name_count, c->err);
    for (uint32_t i = 0; out->tests != NULL && i < s->name_count; i++) {
        const uint64_t *set = s->of_name + i * s->words;
        uint32_t count = count_causes(set, s->words);
        if (count == 0 && c->all.count == 0)
            continue;
        struct selected_test *test = &out->tests[out->count++];
        *test = (struct selected_test){.name = s->names[i],
                                       .why = ARENA_NEW(c->arena, struct str, count, c->err)};
        if (test->why == NULL)
            return false;
        for (uint32_t k = next_cause(set, s->words, 0); k != NO_INDEX;
             k = next_cause(set, s->words, k + 1))
            test->why[test->why_count++] = text_of_cause(s, k);
    }
    out->names = s->names;
    out->of = s->name_count; /* with those that the build inherits from other assemblies */
    return out->tests != NULL;
}

/* Adds to changes->all what is known only once it is known who hit what. */
static bool select_tests(struct selection *out, struct build_changes *changes,
                         const struct new_tests *tests)
{
    struct selecting s;
    *out = (struct selection){.count = 0};
    if (!open_selecting(&s, changes, tests) || !note_changed_hits(&s) || !select_contexts(&s) ||
        !select_classes(&s) || !select_new(out, &s))
        return false;
    select_unfinished(&s);
    out->all = changes->all.items;
    out->all_count = changes->all.count;
    return count_by_cause(out, &s) && list_selected(out, &s);
}

static bool take_changes(struct selection *out, const struct build_changes *changes)
{
    const struct build_change *list = changes->list.items;
    out->changes = ARENA_NEW(changes->arena, struct str, changes->list.count, changes->err);
    for (; out->changes != NULL && out->change_count < changes->list.count; out->change_count++)
        out->changes[out->change_count] = list[out->change_count].text;
    return out->changes != NULL;
}

static bool require_fresh_build(const struct new_build *build, struct str root, struct err *err)
{
    const struct fact_document *stale = new_build_stale_source(build, root);
    return stale == NULL ||
           err_set(err, ERR_FORMAT,
                   "%.*s has changed since the last build: build first, or name the BUILD-OUTPUT",
                   STR_ARGS(stale->relative));
}

bool impact_select(struct selection *out, const struct impact_request *request, struct arena *arena,
                   struct err *err)
{
    struct new_build build;
    struct build_changes changes;
    struct new_tests tests;
    bool ok = new_build_open(&build, request, arena, err) &&
              (!request->needs_fresh || require_fresh_build(&build, request->root, err)) &&
              changes_find(&changes, request->base, &build, arena, err) &&
              input_changes_find(&changes, request) &&
              (request->patch == NULL || input_changes_of_patch(&changes, request)) &&
              type_changes_mark(&changes) && new_tests_find(&tests, &build, arena, err) &&
              select_tests(out, &changes, &tests) && take_changes(out, &changes);
    new_build_close(&build);
    return ok;
}
