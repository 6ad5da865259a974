#include "coverage/report/why.h"

#include <inttypes.h>
#include <string.h>

#include "base/sort.h"
#include "coverage/facts/causes.h"
#include "coverage/report/sentence.h"

enum {
    PLACES_MAX = 64 /* that are traced back from one statement, but for straight ways */
};

/* A statement or decision on the way back. */
struct traced_place {
    bool is_decision;
    uint32_t index;
};

struct tracing {
    const struct why_finder *finder;
    struct report_why why;
    struct traced_place places[PLACES_MAX]; /* each once; those before `next` are done */
    uint32_t count, next;
    uint32_t first_statement, first_decision; /* of the method */
    uint32_t document;
    bool never_entered; /* the method: nothing else matters */
    bool failed;
};

static bool statement_ran(const struct why_finder *f, uint32_t statement)
{
    return f->counts[f->module->statements[statement].count] != 0;
}

static bool outcome_happened(const struct why_finder *f, const struct fact_decision *decision,
                             uint32_t outcome)
{
    return f->counts[decision->first_count + outcome] != 0;
}

static bool was_asked(const struct why_finder *f, const struct fact_decision *decision)
{
    for (uint32_t i = 0; i < decision->outcome_count; i++)
        if (outcome_happened(f, decision, i))
            return true;
    return false;
}

static bool same_root(const struct why_root *a, const struct why_root *b)
{
    return a->kind == b->kind && a->statement == b->statement && a->decision == b->decision &&
           a->outcome == b->outcome;
}

/* Lines are named, so all must be in one document (#line). */
static void add_why_root(struct tracing *t, struct why_root root)
{
    struct report_why *why = &t->why;
    t->failed |= (root.statement != NULL && root.statement->document != t->document) ||
                 (root.decision != NULL && root.decision->document != t->document);
    for (uint32_t i = 0; i < why->root_count; i++)
        if (same_root(&why->roots[i], &root))
            return;
    t->failed |= why->root_count == WHY_ROOTS_MAX;
    if (!t->failed)
        why->roots[why->root_count++] = root;
}

static void add_traced(struct tracing *t, bool is_decision, uint32_t index)
{
    for (uint32_t i = 0; i < t->count; i++)
        if (t->places[i].is_decision == is_decision && t->places[i].index == index)
            return;
    t->failed |= t->count == PLACES_MAX;
    if (!t->failed)
        t->places[t->count++] = (struct traced_place){is_decision, index};
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

static void trace_entry(struct tracing *t, uint32_t method)
{
    const struct fact_method *methods = t->finder->module->methods;
    t->failed |= has_run(t->finder, &methods[method]) || /* or nobody can know */
                 reason_is(methods[methods[method].user_method].reason, REASON_INLINED);
    t->why.callee = callee_of(t->finder, method);
    enum why_earlier user = earlier_of(&methods[methods[method].user_method]);
    if (t->why.callee == CALLEE_METHOD && user > t->why.earlier)
        t->why.earlier = user;
    t->why.root_count = 0;
    add_why_root(t, (struct why_root){.kind = CAUSE_ENTRY});
    t->never_entered = !t->failed;
}

static void trace_outcome(struct tracing *t, uint32_t index, uint32_t outcome)
{
    const struct why_finder *f = t->finder;
    const struct fact_decision *decision = &f->module->decisions[index];
    t->failed |= outcome_happened(f, decision, outcome);
    if (was_asked(f, decision))
        add_why_root(
            t, (struct why_root){.kind = CAUSE_OUTCOME, .decision = decision, .outcome = outcome});
    else
        add_traced(t, true, index);
}

static void trace_cause(struct tracing *t, uint32_t method, const struct fact_cause *cause)
{
    const struct why_finder *f = t->finder;
    uint32_t index = t->first_statement + cause->index;
    if (cause->kind == CAUSE_ENTRY)
        trace_entry(t, method);
    else if (cause->kind == CAUSE_OUTCOME)
        trace_outcome(t, t->first_decision + cause->index, cause->outcome);
    else if (statement_ran(f, index))
        add_why_root(
            t, (struct why_root){.kind = cause->kind, .statement = &f->module->statements[index]});
    else
        add_traced(t, false, index);
}

/* As people read them. */
static int order_points_by_offset(const struct fact_decision *a, const struct fact_decision *b)
{
    return a == NULL || b == NULL ? 0 : number_order(a->il_offset, b->il_offset);
}

ORDER(order_roots, struct why_root,
      BY_ORDER(number_order(why_line(a), why_line(b)))
          BY_ORDER(order_points_by_offset(a->decision, b->decision)))

static bool trace_statement(struct report_why *out, const struct why_finder *finder,
                            uint32_t statement)
{
    const struct fact_module *module = finder->module;
    uint32_t method = module->statements[statement].method;
    struct tracing t = {.finder = finder,
                        .first_statement = facts_first_statement(module, method),
                        .first_decision = facts_first_decision(module, method),
                        .document = module->statements[statement].document};
    t.why.earlier = earlier_of(&module->methods[method]);
    add_traced(&t, false, statement);
    while (t.next < t.count && !t.failed && !t.never_entered) {
        struct traced_place place = t.places[t.next++];
        const struct fact_causes *causes = place.is_decision
                                               ? &module->decisions[place.index].causes
                                               : &module->statements[place.index].causes;
        struct reader r = causes_open(causes);
        struct fact_cause cause;
        t.failed |= causes->len == 0;
        while (!t.failed && !t.never_entered && causes_next(&r, &cause))
            trace_cause(&t, method, &cause);
    }
    *out = t.why;
    sort_unless_sorted(out->roots, out->root_count, sizeof *out->roots, order_roots);
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
    return before < statement && !statement_ran(f, before) ? before : NO_INDEX;
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
                ? outcome_happened(f, &f->module->decisions[other + cause.index], cause.outcome)
                : statement_ran(f, statement + cause.index))
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
    for (uint32_t i = 0; equal && i < a->root_count; i++)
        equal = same_root(&a->roots[i], &b->roots[i]) &&
                (a->roots[i].kind != CAUSE_ENTRY || a->callee == b->callee);
    return equal;
}

static const struct report_why unknown;

/* In *out, which may become &unknown. */
static bool find_why(const struct report_why **out, struct why_finder *f, uint32_t statement,
                     struct err *err)
{
    struct report_why found;
    if (!trace_statement(&found, f, statement)) {
        *out = &unknown;
        return true;
    }
    *out = arena_copy(f->arena, &found, 1, sizeof found, err);
    return *out != NULL;
}

bool why_open(struct why_finder *out, const struct fact_module *module, const uint64_t *counts,
              struct arena *arena, struct arena *scratch, struct err *err)
{
    *out = (struct why_finder){.module = module, .counts = counts, .arena = arena};
    out->known = ARENA_NEW(scratch, const struct report_why *, module->statement_count, err);
    return out->known != NULL;
}

bool why_of(const struct report_why **out, struct why_finder *f, uint32_t statement,
            struct err *err)
{
    uint32_t at = statement, before = NO_INDEX;
    *out = NULL;
    if (f->module->state != MODULE_INSTRUMENTED)
        return true;
    while (f->known[at] == NULL && (before = straight_before(f, at)) != NO_INDEX)
        at = before;
    if (f->known[at] == NULL && !find_why(&f->known[at], f, at, err))
        return false;
    for (uint32_t n = statement; f->known[n] == NULL; n = straight_before(f, n))
        f->known[n] = f->known[at];
    *out = f->known[at] != &unknown ? f->known[at] : NULL;
    return true;
}

/* --- in words --------------------------------------------------------------------------------- */

const struct fact_span *why_condition(const struct why_root *root)
{
    const struct fact_decision *decision = root->decision;
    bool has_text = root->kind == CAUSE_OUTCOME && decision->is_exact &&
                    decision->span.start_column != 0 &&
                    !words_are_of_loop(decision->words); /* of these it is the word `in` */
    return has_text ? &decision->span : NULL;
}

/* What to say of a root, around the line that it names; `after` NULL: it names none. CAUSE_ENTRY
 * has words of its own. */
static const struct {
    const char *before, *after;
} cause_words[CAUSE_LAST + 1] = {
    [CAUSE_COMPLETED] = {"", " never completed: it threw or did not return"},
    [CAUSE_CLEANED_UP] = {"", ", or the cleanup after it, never completed"},
    [CAUSE_RESUMED] = {"the iteration never continued after ", ""},
    [CAUSE_CAUGHT] = {"no exception was caught here", NULL},
    [CAUSE_LEFT] = {"its try block was never left", NULL},
    [CAUSE_OUTCOME] = {"", " never led here"},
};

uint32_t why_line(const struct why_root *root)
{
    if (root->kind == CAUSE_OUTCOME)
        return root->decision->span.start_line;
    return cause_words[root->kind].after != NULL ? root->statement->start_line : 0;
}

bool why_needs_subject(const struct why_root *root)
{
    return root->kind == CAUSE_OUTCOME && root->decision->words != WORDS_UNKNOWN;
}

static void name_line(struct text *out, uint32_t of, uint32_t line)
{
    if (of != line)
        text_addf(out, "line %" PRIu32, of);
    else
        text_add_c(out, "what comes before it on this line");
}

/* One that ran before may have done then what it has not done since. */
static const char *since_attached(const struct report_why *why)
{
    return why->earlier != EARLIER_NOTHING ? " (since ilcov was attached)" : "";
}

static void add_never_called(struct text *out, const struct report_why *why)
{
    static const char *const earlier[] = {
        [EARLIER_NOTHING] = " was never called",
        [EARLIER_MAY_HAVE_RUN] =
            " was never called since ilcov was attached, but may have run before",
        [EARLIER_WAS_RUNNING] = " was running when ilcov was attached, and was never called since",
    };
    if (why->callee == CALLEE_ITERATOR)
        text_addf(out, "nobody enumerated what the method returned%s", since_attached(why));
    else
        text_addf(out, "%s%s", why->callee == CALLEE_FUNCTION ? "this code" : "the method",
                  earlier[why->earlier]);
}

void why_words(struct text *out, const struct report_why *why, const struct why_root *root,
               uint32_t line)
{
    uint32_t of = why_line(root);
    if (root->kind == CAUSE_ENTRY) {
        add_never_called(out, why);
        return;
    }
    if (why_needs_subject(root)) {
        if (of != line)
            text_addf(out, " on line %" PRIu32, of);
        text_addf(out, " %s", sentence_never(root->decision->words, root->outcome));
    } else {
        text_add_c(out, cause_words[root->kind].before);
        if (cause_words[root->kind].after != NULL)
            name_line(out, of, line);
        text_add_c(out, cause_words[root->kind].after != NULL ? cause_words[root->kind].after : "");
    }
    text_add_c(out, since_attached(why));
}

void why_begin(struct why_said *said, struct text *out)
{
    said->before = out->len;
    text_add_c(out, said->count != 0 ? "; " : "");
    said->items[said->count].from = out->len;
}

void why_end(struct why_said *said, struct text *out)
{
    size_t from = said->items[said->count].from, len = out->len - from;
    for (uint32_t i = 0; i < said->count && !out->failed; i++)
        if (said->items[i].len == len &&
            memcmp(out->data + said->items[i].from, out->data + from, len) == 0) {
            out->len = said->before;
            return;
        }
    said->items[said->count++].len = len;
}
