#include "base/sort.h"
#include "coverage/facts/index_set.h"
#include "coverage/facts/test_name.h"
#include "impact/input_changes.h"
#include "impact/method_changes.h"
#include "impact/new_tests.h"
#include "metadata/names.h"

struct selecting {
    struct build_changes *changes;
    const struct new_tests *tests;
    uint32_t *why_of;  /* per test of the older run: 1 + a change, or 0 */
    struct list found; /* struct selected_test */
};

/* --- who hit it ------------------------------------------------------------------------------- */

/* The first change in what they hit; 0: none. */
static uint32_t change_in(const struct build_changes *c, const struct fact_hits *hits)
{
    struct index_runs runs = index_set_runs(hits->counts);
    uint32_t first, end, least = 0;
    while (index_set_next(&runs, &first, &end))
        for (uint32_t i = first; i < end; i++) {
            uint32_t change = c->of_count[hits->module][i];
            if (change != 0 && (least == 0 || change < least))
                least = change;
        }
    return least;
}

/* Its static constructor does not depend on what other code sees of the type. */
static bool depends_on(const struct selecting *s, uint32_t context, uint32_t change)
{
    const struct fact_test *test = &s->changes->base.tests[context];
    const struct build_change *changes = s->changes->list.items;
    return test->kind != TEST_STATIC || !name_is_full(test->name, changes[change - 1].type);
}

static void note_changed_hits(struct selecting *s)
{
    const struct facts *base = &s->changes->base;
    for (uint32_t i = 0; i < base->hits_count; i++) {
        uint32_t change = change_in(s->changes, &base->hits[i]);
        struct index_runs runs = index_set_runs(base->hits[i].tests);
        uint32_t first, end;
        while (change != 0 && index_set_next(&runs, &first, &end))
            for (uint32_t t = first; t < end; t++)
                if (depends_on(s, t, change) && (s->why_of[t] == 0 || change < s->why_of[t]))
                    s->why_of[t] = change;
    }
}

/* --- whose tests ------------------------------------------------------------------------------ */

static struct str text_of_change(const struct selecting *s, uint32_t why)
{
    return ((const struct build_change *)s->changes->list.items)[why - 1].text;
}

static bool select_test(struct selecting *s, struct str name, struct str why)
{
    return list_put(&s->found, &(struct selected_test){name, why}, sizeof(struct selected_test),
                    s->changes->arena, s->changes->err);
}

static bool derives_from(const struct new_tests *tests, struct str class, struct str base)
{
    const struct test_base *bases = tests->bases.items;
    for (uint32_t i = 0; i < tests->bases.count; i++)
        if (str_eq(bases[i].class, class) && str_eq(bases[i].base, base))
            return true;
    return false;
}

static bool select_class(struct selecting *s, struct str class, struct str why)
{
    const struct str *wide = s->tests->wide.items;
    bool any = false, is_wide = false;
    for (uint32_t i = 0; i < s->tests->wide.count; i++)
        is_wide |= str_eq(wide[i], class);
    for (uint32_t i = 0; i < s->tests->count && !is_wide; i++) {
        const struct new_test *test = &s->tests->items[i];
        if (!str_eq(test->class, class) && !derives_from(s->tests, test->class, class))
            continue;
        any = true;
        if (!select_test(s, test->name, why))
            return false;
    }
    return any || build_changes_add_all(s->changes, "%.*s; %.*s runs it, around unknown tests",
                                        STR_ARGS(why), STR_ARGS(class));
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

static bool select_context(struct selecting *s, const struct fact_test *context, struct str why)
{
    switch (context->kind) {
    case TEST_METHOD:
        return !is_in_build(s, context->name) || select_test(s, context->name, why);
    case TEST_CLASS:
        return select_class(s, context->name, why);
    case TEST_STATIC:
        return build_changes_add_all(s->changes, "%.*s; it ran in the static constructor of %.*s",
                                     STR_ARGS(why), STR_ARGS(context->name));
    case TEST_OUTSIDE:
        return build_changes_add_all(s->changes, "%.*s; it ran outside of tests", STR_ARGS(why));
    }
    return true;
}

static bool select_classes(struct selecting *s)
{
    const struct changed_class *classes = s->changes->classes.items;
    for (uint32_t i = 0; i < s->changes->classes.count; i++)
        if (!select_class(s, classes[i].name, classes[i].why))
            return false;
    return true;
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
        else if (!select_test(s, test->name, STR("it is new")))
            return false;
    }
    return known != NULL;
}

/* What it ran changed, and it was carried as it was before (carry_tests.h). */
static bool is_stale_test(const struct facts *base, const struct fact_test *test)
{
    return is_carried_test(base, test) && test->rows == 0;
}

static bool select_unfinished(struct selecting *s)
{
    const struct facts *base = &s->changes->base;
    for (uint32_t i = 0; i < base->test_count; i++) {
        const struct fact_test *test = &base->tests[i];
        bool stale = is_stale_test(base, test);
        if (test->kind == TEST_METHOD && (stale || test->end == TEST_THREW) &&
            is_in_build(s, test->name) &&
            !select_test(s, test->name,
                         stale ? STR("it did not run after the previous change")
                               : STR("it failed before")))
            return false;
    }
    return true;
}

/* --- the whole -------------------------------------------------------------------------------- */

ORDER(order_selected, struct selected_test, BY(name) BY(why))

static bool select_all(struct selecting *s)
{
    const struct facts *base = &s->changes->base;
    struct str why = *(const struct str *)s->changes->all.items;
    for (uint32_t i = 0; i < s->tests->count; i++)
        if (!select_test(s, s->tests->items[i].name, why))
            return false;
    for (uint32_t i = 0; i < base->test_count; i++)
        if (base->tests[i].kind == TEST_METHOD && is_in_build(s, base->tests[i].name) &&
            !select_test(s, base->tests[i].name, why))
            return false;
    return true;
}

static void finish_selection(struct selection *out, struct selecting *s)
{
    out->tests = s->found.items;
    sort_unless_sorted(s->found.items, s->found.count, sizeof(struct selected_test),
                       order_selected);
    for (uint32_t i = 0; i < s->found.count; i++)
        if (out->count == 0 || !str_eq(out->tests[out->count - 1].name, out->tests[i].name))
            out->tests[out->count++] = out->tests[i];
}

/* Adds to changes->all what is known only once it is known who hit what. */
static bool select_tests(struct selection *out, struct build_changes *changes,
                         const struct new_tests *tests)
{
    const struct facts *base = &changes->base;
    struct selecting s = {.changes = changes,
                          .tests = tests,
                          .why_of =
                              ARENA_NEW(changes->arena, uint32_t, base->test_count, changes->err)};
    *out = (struct selection){.of = tests->count};
    if (s.why_of == NULL)
        return false;
    note_changed_hits(&s);
    for (uint32_t i = 0; i < base->test_count; i++)
        if (s.why_of[i] != 0 &&
            !select_context(&s, &base->tests[i], text_of_change(&s, s.why_of[i])))
            return false;
    if (!select_classes(&s) || !select_new(out, &s) || !select_unfinished(&s) ||
        (changes->all.count != 0 && !select_all(&s)))
        return false;
    finish_selection(out, &s);
    if (out->of < out->count)
        out->of = out->count; /* with those that the build inherits from other assemblies */
    return true;
}

static bool take_changes(struct selection *out, const struct build_changes *changes)
{
    const struct build_change *list = changes->list.items;
    out->causes = changes->all.items;
    out->cause_count = changes->all.count;
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
              new_tests_find(&tests, &build, arena, err) && select_tests(out, &changes, &tests) &&
              take_changes(out, &changes);
    new_build_close(&build);
    return ok;
}
