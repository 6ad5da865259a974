#include "coverage/report/line_conditions.h"

#include "base/sort.h"
#include "coverage/report/line_sums.h"

/* One decision, before it is attached to its line. */
struct choice {
    uint32_t file, line, owner;
    const struct fact_decision *decision;
    const uint64_t *hits; /* per outcome, including copies that are folded into it */
};

struct choices {
    struct choice *items;
    size_t count;
    const struct lines_module *module;
    const uint64_t *sums; /* per first copy of a statement */
};

static bool is_choice(const struct lines_module *m, const struct fact_decision *decision)
{
    return decision->reason == NULL && m->owner_of[decision->method] != NO_INDEX &&
           m->file_of[decision->document] != NO_INDEX &&
           decision->outcome_count >= 2; /* a single outcome is not a decision */
}

static int order_choices(const void *left, const void *right)
{
    const struct choice *a = left, *b = right;
    int order = line_order(a->file, a->line, a->owner, b->file, b->line, b->owner);
    /* Decisions are in order of method and IL offset. */
    return order != 0 ? order : number_order((uintptr_t)a->decision, (uintptr_t)b->decision);
}

/* Per decision, the hits of its outcomes; NULL if they are added to those of a copy in the same
 * method. */
static bool sum_outcomes(const uint64_t **hits, const struct lines_module *m,
                         const struct copies *copies, const struct lines_work *work)
{
    for (uint32_t i = 0; i < m->module->decision_count; i++) {
        const struct fact_decision *decision = &m->module->decisions[i];
        uint32_t copy = copies->decision[i];
        hits[i] = m->counts + decision->first_count;
        if (copy == i ||
            m->owner_of[m->module->decisions[copy].method] != m->owner_of[decision->method])
            continue;
        if (!condition_add_hits(&hits[copy], hits[i], decision->outcome_count, work->arena,
                                work->err))
            return false;
        hits[i] = NULL;
    }
    return true;
}

static size_t list_choices(struct choice *choices, const struct lines_module *m,
                           const uint64_t *const *hits)
{
    size_t count = 0;
    for (uint32_t i = 0; i < m->module->decision_count; i++) {
        const struct fact_decision *decision = &m->module->decisions[i];
        if (hits[i] != NULL && is_choice(m, decision))
            choices[count++] = (struct choice){.file = m->file_of[decision->document],
                                               .line = decision->line,
                                               .owner = m->owner_of[decision->method],
                                               .decision = decision,
                                               .hits = hits[i]};
    }
    sort_unless_sorted(choices, count, sizeof *choices, order_choices);
    return count;
}

static bool has_shared(const struct fact_decision *decision)
{
    struct fact_arm arm;
    struct reader r = arms_open(decision->arms, decision->arms_len);
    while (arms_next(&r, &arm))
        if (arm.kind == ARM_SHARED)
            return true;
    return false;
}

/* Of a switch that missed something: what its outcomes are called. Of the arms to which other
 * decisions lead as well, only those that were taken are still ARM_SHARED. */
static bool list_arms(struct report_condition *condition, const struct fact_decision *decision,
                      const struct choices *choices, const struct lines_work *work)
{
    const uint32_t *first_copy = choices->module->copies->statement;
    condition->arms = decision->arms;
    condition->arms_len = decision->arms_len;
    if (condition->covered_count == condition->outcome_count || !has_shared(decision))
        return true;
    struct writer w;
    struct fact_arm arm;
    uint32_t first = facts_first_statement(choices->module->module, decision->method);
    struct reader r = arms_open(decision->arms, decision->arms_len);
    wr_open(&w, work->arena);
    while (arms_next(&r, &arm)) {
        if (arm.kind == ARM_SHARED && choices->sums[first_copy[first + arm.statement]] == 0)
            arm.kind = ARM_LABEL;
        arms_add(&w, &arm);
    }
    condition->arms = w.data;
    condition->arms_len = (uint32_t)w.len;
    return !w.failed || err_set(work->err, ERR_MEMORY, "out of memory: the arms of a switch");
}

/* A line that was not hit has no outcome that was taken. Exceptions: a switch that has no line of
 * its own in Release code is reported on its first arm, whether or not that arm ran; and what other
 * tools say of their lines. */
static bool fill_condition(struct report_condition *out, const struct choice *choice,
                           const struct choices *choices, bool line_hit,
                           const struct lines_work *work)
{
    const struct fact_decision *decision = choice->decision;
    const uint64_t *hits = choice->hits;
    if (!line_hit && !decision->is_switch && choices->module->module->state != MODULE_FOREIGN) {
        hits = ARENA_NEW(work->arena, uint64_t, decision->outcome_count, work->err);
        if (hits == NULL)
            return false;
    }
    *out = (struct report_condition){.is_switch = decision->is_switch,
                                     .outcome_count = decision->outcome_count,
                                     .covered_count =
                                         condition_count_covered(hits, decision->outcome_count),
                                     .outcome_hits = hits,
                                     .span = decision->span,
                                     .is_exact = decision->is_exact,
                                     .words = decision->words};
    out->never_asked = line_hit && out->covered_count == 0 &&
                       why_never_asked(&work->whys[choices->module - work->modules], decision);
    return list_arms(out, decision, choices, work);
}

/* The index of the first condition, on the line, of the expression that choice `n` belongs to. */
static uint32_t first_of_expression(const struct choice *choices, uint32_t n)
{
    const struct fact_decision *first = choices[n].decision - choices[n].decision->expression;
    for (uint32_t i = 0; i < n; i++)
        if (choices[i].decision == first)
            return i;
    return n;
}

/* Both lists are in order of file, line and owner. A decision whose line is not a line of its
 * method is dropped. */
static bool attach_choices(struct line_entry *entries, size_t entry_count,
                           const struct choices *all, const struct lines_work *work)
{
    const struct choice *choices = all->items;
    size_t next = 0, choice_count = all->count;
    for (size_t i = 0; i < entry_count; i++) {
        struct line_entry *entry = &entries[i];
        int order = -1;
        while (next < choice_count &&
               (order = line_order(choices[next].file, choices[next].line, choices[next].owner,
                                   entry->file, entry->line, entry->owner)) < 0)
            next++;
        if (next == choice_count || order != 0)
            continue;
        size_t end = next;
        while (end < choice_count && choices[end].file == entry->file &&
               choices[end].line == entry->line && choices[end].owner == entry->owner)
            end++;
        entry->conditions = ARENA_NEW(work->arena, struct report_condition, end - next, work->err);
        if (entry->conditions == NULL)
            return false;
        for (const struct choice *first = &choices[next]; next < end; next++) {
            uint32_t n = entry->condition_count++;
            if (!fill_condition(&entry->conditions[n], &first[n], all, entry->hits != 0, work))
                return false;
            entry->conditions[n].expression = first_of_expression(first, n);
        }
    }
    return true;
}

bool line_conditions_attach(struct line_entry *entries, size_t entry_count,
                            const struct lines_module *m, const uint64_t *sums,
                            const struct lines_work *work)
{
    uint32_t decision_count = m->module->decision_count;
    struct choices choices = {
        .items = arena_raw(work->scratch, decision_count, sizeof(struct choice), work->err),
        .module = m};
    const uint64_t **hits = arena_raw(work->scratch, decision_count, sizeof *hits, work->err);
    if (choices.items == NULL || hits == NULL || !sum_outcomes(hits, m, m->copies, work))
        return false;
    choices.count = list_choices(choices.items, m, hits);
    choices.sums = sums;
    return attach_choices(entries, entry_count, &choices, work);
}
