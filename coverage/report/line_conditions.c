#include "coverage/report/line_conditions.h"

#include "base/sort.h"
#include "coverage/report/line_sums.h"

/* One decision, before it is attached to its line. */
struct line_choice {
    uint32_t file, line, owner; /* line: of its statement, until all are placed */
    uint32_t own_line;
    const struct lines_module *in;
    const struct fact_decision *decision;
    const uint64_t *hits; /* per outcome, including copies that are folded into it */
};

static bool is_choice(const struct lines_module *m, const struct fact_decision *decision)
{
    return decision->reason == NULL && m->owner_of[decision->method] != NO_INDEX &&
           lines_file_of(m, decision->document) != NO_INDEX &&
           decision->outcome_count >= 2; /* a single outcome is not a decision */
}

/* Decisions are in order of method and IL offset. */
ORDER(order_choice_lines, struct line_choice, BY(file) BY(line) BY(owner))
ORDER(order_choices, struct line_choice,
      BY_ORDER(order_choice_lines(a, b))
          BY_ORDER(number_order((uintptr_t)a->decision, (uintptr_t)b->decision)))

/* Per decision, the hits of its outcomes; NULL if they are added to those of a copy in the same
 * method. */
static bool sum_outcomes(const uint64_t **hits, const struct lines_module *m, struct building *b)
{
    const struct fact_module *module = m->part->module;
    for (uint32_t i = 0; i < module->decision_count; i++) {
        const struct fact_decision *decision = &module->decisions[i];
        uint32_t copy = m->part->copies.decision[i];
        hits[i] = m->counts + decision->first_count;
        if (copy == i ||
            m->owner_of[module->decisions[copy].method] != m->owner_of[decision->method])
            continue;
        if (!condition_add_hits(&hits[copy], hits[i], decision->outcome_count, &b->slice, b->err))
            return false;
        hits[i] = NULL;
    }
    return true;
}

/* --- on which line ---------------------------------------------------------------------------- */

ORDER(order_module_lines, struct line_statement, BY(file) BY(line) BY(module))

/* Does a statement of the method that starts on line `first_line` make up the line? */
static bool is_line_of(const struct lines_module *m, uint32_t file, uint32_t line, uint32_t owner,
                       uint32_t first_line)
{
    const struct line_statements *all = m->all;
    const struct line_statement key = {.file = file, .line = line, .module = m->number};
    size_t first = sorted_place(&key, all->items, all->count, sizeof key, order_module_lines);
    for (size_t i = first; i < all->count && order_module_lines(&key, &all->items[i]) == 0 &&
                           all->items[i].rank == all->items[first].rank;
         i++)
        if (all->items[i].owner == owner && all->items[i].statement->start_line == first_line)
            return true;
    return false;
}

/* That of its own text; that of its statement if the text is on none of its lines. */
static uint32_t choose_line(const struct lines_module *m, uint32_t file,
                            const struct fact_decision *decision)
{
    uint32_t line = decision->span.start_line, owner = m->owner_of[decision->method];
    bool is_placed = line == decision->line || is_line_of(m, file, line, owner, decision->line);
    return is_placed ? line : decision->line;
}

bool line_conditions_open(struct lines_module *m, struct building *b)
{
    const struct fact_module *module = m->part->module;
    const uint64_t **hits =
        arena_raw(&b->slice_scratch, module->decision_count, sizeof *hits, b->err);
    m->choices = arena_raw(&b->slice_scratch, module->decision_count, sizeof *m->choices, b->err);
    m->choice_count = m->next_choice = 0;
    if (hits == NULL || m->choices == NULL || !sum_outcomes(hits, m, b))
        return false;
    for (uint32_t i = 0; i < module->decision_count; i++) {
        const struct fact_decision *decision = &module->decisions[i];
        if (hits[i] == NULL || !is_choice(m, decision))
            continue;
        uint32_t file = lines_file_of(m, decision->document);
        m->choices[m->choice_count++] =
            (struct line_choice){.file = file,
                                 .line = decision->line,
                                 .owner = m->owner_of[decision->method],
                                 .own_line = choose_line(m, file, decision),
                                 .in = m,
                                 .decision = decision,
                                 .hits = hits[i]};
    }
    return true;
}

/* --- builds of an assembly -------------------------------------------------------------------- */

/* What the builds have on the first line of statements of one method. */
ORDER(order_builds_choices, struct line_choice,
      BY_ORDER(order_choice_lines(a, b)) BY(in->number)
          BY_ORDER(number_order((uintptr_t)a->decision, (uintptr_t)b->decision)))

static int order_choice_pointers(const void *left, const void *right)
{
    const struct line_choice *const *a = left, *const *b = right;
    return order_builds_choices(*a, *b);
}

/* How many of the first choices are of the build of the first. */
static size_t count_of_build(struct line_choice *const *choices, size_t count)
{
    size_t end = 1;
    while (end < count && choices[end]->in == choices[0]->in)
        end++;
    return end;
}

/* The outcomes of a build that knows the texts of its conditions and has some on other lines; else
 * 0. */
static uint64_t placed_outcomes(struct line_choice *const *choices, size_t count)
{
    uint64_t outcomes = 0;
    bool is_placed = false;
    for (size_t i = 0; i < count; i++) {
        outcomes += choices[i]->decision->outcome_count;
        is_placed |= choices[i]->own_line != choices[i]->line;
    }
    return is_placed ? outcomes : 0;
}

static bool are_alike_choices(struct line_choice *const *a, size_t count,
                              struct line_choice *const *b, size_t other_count)
{
    bool alike = count == other_count;
    for (size_t i = 0; alike && i < count; i++)
        alike = a[i]->decision->is_switch == b[i]->decision->is_switch &&
                a[i]->decision->outcome_count == b[i]->decision->outcome_count &&
                is_line_of(a[i]->in, a[i]->file, b[i]->own_line, a[i]->owner, a[i]->line);
    return alike;
}

/* A build that knows where its conditions stand says so for those that do not. What has other
 * conditions there cannot be added to them. */
static void follow_placed(struct line_choice **choices, size_t count)
{
    uint64_t most = 0;
    size_t best = 0, best_count = 0;
    for (size_t i = 0, n; i < count; i += n) {
        n = count_of_build(choices + i, count - i);
        uint64_t outcomes = placed_outcomes(choices + i, n);
        if (outcomes <= most)
            continue;
        most = outcomes;
        best = i;
        best_count = n;
    }
    for (size_t i = 0, n; most != 0 && i < count; i += n) {
        n = count_of_build(choices + i, count - i);
        if (placed_outcomes(choices + i, n) != 0)
            continue;
        bool alike = are_alike_choices(choices + i, n, choices + best, best_count);
        for (size_t k = 0; k < n; k++) {
            if (alike)
                choices[i + k]->own_line = choices[best + k]->own_line;
            else
                choices[i + k]->hits = NULL;
        }
    }
}

static bool follow_builds(const struct lines_module *modules, uint32_t count, struct building *b)
{
    size_t all = 0, next = 0;
    for (uint32_t i = 0; i < count; i++)
        all += modules[i].choice_count;
    struct line_choice **choices = arena_raw(&b->slice_scratch, all, sizeof *choices, b->err);
    if (choices == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < modules[i].choice_count; k++)
            choices[next++] = &modules[i].choices[k];
    sort_unless_sorted(choices, all, sizeof *choices, order_choice_pointers);
    for (size_t i = 0, end = 0; i < all; i = end) {
        while (end < all && order_choice_lines(choices[end], choices[i]) == 0)
            end++;
        follow_placed(choices + i, end - i);
    }
    return true;
}

bool line_conditions_place(struct lines_module *modules, uint32_t count, struct building *b)
{
    if (count > 1 && !follow_builds(modules, count, b))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct lines_module *m = &modules[i];
        uint32_t kept = 0;
        for (uint32_t k = 0; k < m->choice_count; k++) {
            m->choices[k].line = m->choices[k].own_line;
            if (m->choices[k].hits != NULL)
                m->choices[kept++] = m->choices[k];
        }
        m->choice_count = kept;
        sort_unless_sorted(m->choices, kept, sizeof *m->choices, order_choices);
    }
    return true;
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
                      const struct lines_module *m, struct building *b)
{
    const uint32_t *first_copy = m->part->copies.statement;
    condition->arms = decision->arms;
    condition->arms_len = decision->arms_len;
    if (condition->covered_count == condition->outcome_count || !has_shared(decision))
        return true;
    struct fact_arm arm;
    uint32_t first = facts_first_statement(m->part->module, decision->method);
    struct reader r = arms_open(decision->arms, decision->arms_len);
    struct writer w = wr_in(&b->slice);
    while (arms_next(&r, &arm)) {
        if (arm.kind == ARM_SHARED && m->sums[first_copy[first + arm.statement]] == 0)
            arm.kind = ARM_LABEL;
        arms_add(&w, &arm);
    }
    condition->arms = w.data;
    condition->arms_len = (uint32_t)w.len;
    return !w.failed || err_set(b->err, ERR_MEMORY, "out of memory: the arms of a switch");
}

/* A line that was not hit has no outcome that was taken. Exceptions: a switch that has no line of
 * its own in Release code is reported on its first arm, whether or not that arm ran; and what other
 * tools say of their lines. */
static bool fill_condition(struct report_condition *out, const struct line_choice *choice,
                           const struct lines_module *m, bool line_hit, struct building *b)
{
    const struct fact_decision *decision = choice->decision;
    const uint64_t *hits = choice->hits;
    if (!line_hit && !decision->is_switch && m->part->module->state != MODULE_EXTERNAL) {
        hits = ARENA_NEW(&b->slice, uint64_t, decision->outcome_count, b->err);
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
    out->never_asked = line_hit && out->covered_count == 0 && why_never_asked(&m->whys, decision);
    return list_arms(out, decision, m, b);
}

static const struct fact_decision *first_operand(const struct line_choice *choice)
{
    return choice->decision - choice->decision->expression;
}

/* The index of the first condition, on the line, of the expression that choice `n` belongs to. */
static uint32_t first_of_expression(const struct line_choice *choices, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (first_operand(&choices[i]) == first_operand(&choices[n]))
            return i;
    return n;
}

/* A decision whose line is not a line of its method is dropped. */
bool line_conditions_take(struct line_entry *entry, struct lines_module *m, uint32_t file,
                          uint32_t line, struct building *b)
{
    const struct line_choice key = {.file = file, .line = line, .owner = entry->owner};
    uint32_t next = m->next_choice, count = 0;
    while (next < m->choice_count && order_choice_lines(&m->choices[next], &key) < 0)
        next++;
    while (next + count < m->choice_count &&
           order_choice_lines(&m->choices[next + count], &key) == 0)
        count++;
    m->next_choice = next + count;
    if (count == 0)
        return true;
    const struct line_choice *choices = &m->choices[next];
    entry->conditions = ARENA_NEW(&b->slice, struct report_condition, count, b->err);
    if (entry->conditions == NULL)
        return false;
    for (; entry->condition_count < count; entry->condition_count++) {
        uint32_t n = entry->condition_count;
        if (!fill_condition(&entry->conditions[n], &choices[n], m, entry->hits != 0, b))
            return false;
        entry->conditions[n].expression = first_of_expression(choices, n);
    }
    return true;
}
