#include "coverage/report/why.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "coverage/facts/causes.h"
#include "coverage/report/why_words.h"

enum {
    PLACES_MAX = 64 /* that are traced back from one statement, but for straight ways */
};

/* A statement or decision on the way back. */
struct place {
    bool is_decision;
    uint32_t index;
};

struct tracing {
    const struct why_finder *finder;
    struct report_why why;
    struct place places[PLACES_MAX]; /* each once; those before `next` are done */
    uint32_t count, next;
    uint32_t first_statement, first_decision; /* of the method */
    uint32_t document;
    bool failed;
};

static bool ran(const struct why_finder *f, uint32_t statement)
{
    return f->counts[f->module->statements[statement].count] != 0;
}

static bool happened(const struct why_finder *f, const struct fact_decision *decision,
                     uint32_t outcome)
{
    return f->counts[decision->first_count + outcome] != 0;
}

static bool was_asked(const struct why_finder *f, const struct fact_decision *decision)
{
    for (uint32_t i = 0; i < decision->outcome_count; i++)
        if (happened(f, decision, i))
            return true;
    return false;
}

/* Lines are named, so all must be in one document (#line). */
static void add_root(struct tracing *t, struct why_root root)
{
    struct report_why *why = &t->why;
    t->failed |= (root.statement != NULL && root.statement->document != t->document) ||
                 (root.decision != NULL && root.decision->document != t->document);
    for (uint32_t i = 0; i < why->root_count; i++)
        if (why->roots[i].kind == root.kind && why->roots[i].statement == root.statement &&
            why->roots[i].decision == root.decision && why->roots[i].outcome == root.outcome)
            return;
    t->failed |= why->root_count == WHY_ROOTS_MAX;
    if (!t->failed)
        why->roots[why->root_count++] = root;
}

static void add_place(struct tracing *t, bool is_decision, uint32_t index)
{
    for (uint32_t i = 0; i < t->count; i++)
        if (t->places[i].is_decision == is_decision && t->places[i].index == index)
            return;
    t->failed |= t->count == PLACES_MAX;
    if (!t->failed)
        t->places[t->count++] = (struct place){is_decision, index};
}

static bool has_run(const struct why_finder *f, const struct fact_method *method)
{
    return method->entry_count != NO_INDEX && f->counts[method->entry_count] != 0;
}

/* The method of a state machine is the user's, unless that of a lambda is folded into it: then the
 * name of its type holds two names, `<<F>b__0>d`. */
static enum why_callee callee_of(const struct why_finder *f, uint32_t index)
{
    const struct fact_method *method = &f->module->methods[index];
    const struct fact_method *user = &f->module->methods[method->user_method];
    if (user == method)
        return CALLEE_METHOD;
    struct str type = method->type;
    for (size_t i = type.len; i > 0; i--)
        if (type.text[i - 1] == '/') {
            type = (struct str){type.text + i, type.len - i};
            break;
        }
    if (!str_is(method->name, "MoveNext") || !str_starts(type, "<") || str_starts(type, "<<"))
        return CALLEE_FUNCTION;
    return has_run(f, user) ? CALLEE_ITERATOR : CALLEE_METHOD;
}

static enum why_earlier earlier_of(const struct fact_method *method)
{
    uint32_t code = method->reason != NULL ? method->reason->code : 0;
    return code == REASON_VERDICT + VERDICT_WAS_RUNNING    ? EARLIER_WAS_RUNNING
           : code == REASON_VERDICT + VERDICT_MAY_HAVE_RUN ? EARLIER_MAY_HAVE_RUN
                                                           : EARLIER_NOTHING;
}

static void add_entry(struct tracing *t, uint32_t method)
{
    t->failed |= has_run(t->finder, &t->finder->module->methods[method]);
    const struct fact_method *methods = t->finder->module->methods;
    t->why.callee = callee_of(t->finder, method);
    enum why_earlier user = earlier_of(&methods[methods[method].user_method]);
    if (t->why.callee == CALLEE_METHOD && user > t->why.earlier)
        t->why.earlier = user;
    add_root(t, (struct why_root){.kind = CAUSE_ENTRY});
}

static void add_outcome(struct tracing *t, uint32_t index, uint32_t outcome)
{
    const struct why_finder *f = t->finder;
    const struct fact_decision *decision = &f->module->decisions[index];
    t->failed |= happened(f, decision, outcome);
    if (was_asked(f, decision))
        add_root(
            t, (struct why_root){.kind = CAUSE_OUTCOME, .decision = decision, .outcome = outcome});
    else
        add_place(t, true, index);
}

static void add_cause(struct tracing *t, uint32_t method, const struct fact_cause *cause)
{
    const struct why_finder *f = t->finder;
    uint32_t index = t->first_statement + cause->index;
    if (cause->kind == CAUSE_ENTRY)
        add_entry(t, method);
    else if (cause->kind == CAUSE_OUTCOME)
        add_outcome(t, t->first_decision + cause->index, cause->outcome);
    else if (ran(f, index))
        add_root(
            t, (struct why_root){.kind = cause->kind, .statement = &f->module->statements[index]});
    else
        add_place(t, false, index);
}

/* As people read them. */
static int order_roots(const void *left, const void *right)
{
    const struct why_root *a = left, *b = right;
    const struct fact_decision *x = a->decision, *y = b->decision;
    int order = number_order(why_line(a), why_line(b));
    return order != 0 || x == NULL || y == NULL ? order : number_order(x->il_offset, y->il_offset);
}

static bool trace(struct report_why *out, const struct why_finder *finder, uint32_t statement)
{
    const struct fact_module *module = finder->module;
    uint32_t method = module->statements[statement].method;
    struct tracing t = {.finder = finder,
                        .first_statement = facts_first_statement(module, method),
                        .first_decision = facts_first_decision(module, method),
                        .document = module->statements[statement].document};
    t.why.earlier = earlier_of(&module->methods[method]);
    add_place(&t, false, statement);
    while (t.next < t.count && !t.failed) {
        struct place place = t.places[t.next++];
        const struct fact_causes *causes = place.is_decision
                                               ? &module->decisions[place.index].causes
                                               : &module->statements[place.index].causes;
        struct reader r = causes_open(causes);
        struct fact_cause cause;
        t.failed |= causes->len == 0;
        while (!t.failed && causes_next(&r, &cause))
            add_cause(&t, method, &cause);
    }
    *out = t.why;
    qsort(out->roots, out->root_count, sizeof *out->roots, order_roots);
    return !t.failed && t.why.root_count != 0;
}

/* The statement before, if it is all that lets this one run, and did not run either; else
 * NO_INDEX. */
static uint32_t straight_before(const struct why_finder *f, uint32_t statement)
{
    const struct fact_statement *of = &f->module->statements[statement];
    struct fact_cause cause, more;
    struct reader r = causes_open(&of->causes);
    if (!causes_next(&r, &cause) || cause.kind != CAUSE_COMPLETED || causes_next(&r, &more))
        return NO_INDEX;
    uint32_t before = facts_first_statement(f->module, of->method) + cause.index;
    return before < statement && !ran(f, before) ? before : NO_INDEX;
}

bool why_never_asked(const struct why_finder *f, const struct fact_decision *decision)
{
    uint32_t statement = facts_first_statement(f->module, decision->method);
    uint32_t other = facts_first_decision(f->module, decision->method);
    struct reader r = causes_open(&decision->causes);
    struct fact_cause cause;
    while (causes_next(&r, &cause)) {
        if (cause.kind == CAUSE_ENTRY)
            return false;
        if (cause.kind == CAUSE_OUTCOME
                ? happened(f, &f->module->decisions[other + cause.index], cause.outcome)
                : ran(f, statement + cause.index))
            return false;
    }
    return decision->causes.len != 0;
}

const struct report_why *why_copy(const struct report_why *why, struct arena *arena,
                                  struct err *err)
{
    struct report_why *copy = ARENA_NEW(arena, struct report_why, 1, err);
    if (copy == NULL)
        return NULL;
    *copy = *why;
    for (uint32_t i = 0; i < copy->root_count; i++) {
        struct why_root *root = &copy->roots[i];
        struct fact_statement *statement = ARENA_NEW(arena, struct fact_statement, 1, err);
        struct fact_decision *decision = ARENA_NEW(arena, struct fact_decision, 1, err);
        if (statement == NULL || decision == NULL)
            return NULL;
        if (root->statement != NULL)
            root->statement = memcpy(statement, root->statement, sizeof *statement);
        if (root->decision != NULL)
            root->decision = memcpy(decision, root->decision, sizeof *decision);
    }
    return copy;
}

bool why_equal(const struct report_why *a, const struct report_why *b)
{
    if (a == b || a == NULL || b == NULL)
        return a == b;
    bool equal = a->root_count == b->root_count && a->earlier == b->earlier;
    for (uint32_t i = 0; equal && i < a->root_count; i++) {
        const struct why_root *x = &a->roots[i], *y = &b->roots[i];
        equal = x->kind == y->kind && x->statement == y->statement && x->decision == y->decision &&
                x->outcome == y->outcome && (x->kind != CAUSE_ENTRY || a->callee == b->callee);
    }
    return equal;
}

static bool find(uint32_t *out, struct why_finder *f, uint32_t statement, struct err *err)
{
    struct report_why found;
    *out = 1;
    if (!trace(&found, f, statement))
        return true;
    struct report_why *why = ARENA_NEW(f->arena, struct report_why, 1, err);
    const struct report_why **added = list_add(&f->whys, sizeof *added, f->scratch, err);
    if (why == NULL || added == NULL)
        return false;
    *why = found;
    *added = why;
    *out = 1 + f->whys.count;
    return true;
}

bool why_open(struct why_finder *out, const struct fact_module *module, const uint64_t *counts,
              struct arena *arena, struct arena *scratch, struct err *err)
{
    *out =
        (struct why_finder){.module = module, .counts = counts, .arena = arena, .scratch = scratch};
    out->known = ARENA_NEW(scratch, uint32_t, module->statement_count, err);
    return out->known != NULL;
}

bool why_of(const struct report_why **out, struct why_finder *f, uint32_t statement,
            struct err *err)
{
    uint32_t at = statement, before = NO_INDEX;
    *out = NULL;
    if (f->module->state != MODULE_COVERED)
        return true;
    while (f->known[at] == 0 && (before = straight_before(f, at)) != NO_INDEX)
        at = before;
    if (f->known[at] == 0 && !find(&f->known[at], f, at, err))
        return false;
    uint32_t known = f->known[at];
    for (uint32_t n = statement; f->known[n] == 0; n = straight_before(f, n))
        f->known[n] = known;
    if (known != 1)
        *out = ((const struct report_why **)f->whys.items)[known - 2];
    return true;
}
