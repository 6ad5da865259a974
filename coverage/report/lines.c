#include "coverage/report/lines.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/number.h"
#include "coverage/report/case_starts.h"
#include "coverage/report/missed_text.h"
#include "coverage/report/why.h"

/* Lines spanned by all statements of a package, counting a line once for each statement. */
enum {
    SPANNED_LINES_LIMIT = 1 << 25
};

/* One line of one statement. */
struct touch {
    uint32_t file, line, owner; /* NO_INDEX: left out */
    uint64_t rank; /* 0: the statement starts or ends here; else the smaller the further inside */
    const struct fact_statement *statement;
};

/* One line of one user method in one module. */
struct entry {
    uint32_t file, line, owner, module;
    uint64_t hits;
    uint64_t class_hits; /* including those of copies in other methods */
    const struct fact_statement
        *first; /* of the statements that make up the line, the one that starts first */
    struct report_condition *conditions;
    uint32_t condition_count;
};

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

struct work {
    const struct lines_module *modules;
    uint32_t module_count;
    const uint32_t *type_of_owner;
    struct list *pieces;     /* struct text_piece: of the lines on which not all may have run */
    struct why_finder *whys; /* per module */
    struct arena *arena, *scratch;
    struct err *err;
};

/* Where a statement starts. Of two that start together, the longer is the outer one and comes
 * first. */
static int order_places(const struct fact_statement *a, const struct fact_statement *b)
{
    int order = number_order(a->start_line, b->start_line);
    if (order == 0)
        order = number_order(a->start_column, b->start_column);
    if (order == 0)
        order = number_order(b->end_line, a->end_line);
    return order != 0 ? order : number_order(b->end_column, a->end_column);
}

/* --- one module: statements to entries -------------------------------------------------------- */

static bool has_file(const struct lines_module *m, const struct fact_statement *statement)
{
    return m->file_of[statement->document] != NO_INDEX;
}

/* NO_INDEX: the statement is left out. */
static uint32_t owner_of(const struct lines_module *m, const struct fact_statement *statement)
{
    return statement->reason == NULL ? m->owner_of[statement->method] : NO_INDEX;
}

static bool is_choice(const struct lines_module *m, const struct fact_decision *decision)
{
    return decision->reason == NULL && m->owner_of[decision->method] != NO_INDEX &&
           m->file_of[decision->document] != NO_INDEX &&
           decision->outcome_count >= 2; /* a single outcome is not a decision */
}

static bool count_touches(size_t *out, const struct work *work)
{
    size_t total = 0;
    for (uint32_t i = 0; i < work->module_count; i++) {
        const struct lines_module *m = &work->modules[i];
        for (uint32_t s = 0; s < m->module->statement_count; s++) {
            const struct fact_statement *statement = &m->module->statements[s];
            if (has_file(m, statement))
                total += statement->end_line - statement->start_line + 1;
        }
        if (total > SPANNED_LINES_LIMIT)
            return err_set(work->err, ERR_LIMIT, "the statements of %.*s span more than %d lines",
                           STR_ARGS(m->module->name), SPANNED_LINES_LIMIT);
    }
    *out = total;
    return true;
}

static uint64_t rank_of(const struct fact_statement *statement, uint32_t line)
{
    if (line == statement->start_line || line == statement->end_line)
        return 0;
    return (uint64_t)(statement->end_line - statement->start_line) << 32 |
           (uint64_t)(UINT16_MAX - statement->start_column) << 16 | statement->end_column;
}

static int order_touches(const void *left, const void *right)
{
    const struct touch *a = left, *b = right;
    int order = number_order(a->file, b->file);
    if (order == 0)
        order = number_order(a->line, b->line);
    if (order == 0)
        order = number_order(a->rank, b->rank);
    if (order == 0)
        order = number_order(a->owner, b->owner);
    if (order == 0)
        order = order_places(a->statement, b->statement);
    return order != 0 ? order : number_order((uintptr_t)a->statement, (uintptr_t)b->statement);
}

static size_t touch_lines(struct touch *touches, const struct lines_module *m)
{
    size_t count = 0;
    for (uint32_t s = 0; s < m->module->statement_count; s++) {
        const struct fact_statement *statement = &m->module->statements[s];
        if (!has_file(m, statement))
            continue;
        for (uint32_t line = statement->start_line; line <= statement->end_line; line++)
            if (facts_has_text(statement, line))
                touches[count++] = (struct touch){.file = m->file_of[statement->document],
                                                  .line = line,
                                                  .owner = owner_of(m, statement),
                                                  .rank = rank_of(statement, line),
                                                  .statement = statement};
    }
    qsort(touches, count, sizeof *touches, order_touches);
    return count;
}

/* For each first copy, the count of all copies that are shown. */
static bool sum_copies(uint64_t **out, const struct lines_module *m, const struct copies *copies,
                       const struct work *work)
{
    uint64_t *sums = ARENA_NEW(work->scratch, uint64_t, m->module->statement_count, work->err);
    if (sums == NULL)
        return false;
    for (uint32_t s = 0; s < m->module->statement_count; s++) {
        const struct fact_statement *statement = &m->module->statements[s];
        uint64_t *sum = &sums[copies->statement[s]];
        if (has_file(m, statement) && owner_of(m, statement) != NO_INDEX)
            *sum = number_add(*sum, m->counts[statement->count]);
    }
    *out = sums;
    return true;
}

/* Keeps the touches of lowest rank on each line, joined per owner. An owner's copies are
 * neighbours. A statement that is left out has no owner but keeps its line, which does not fall to
 * an enclosing statement. */
static size_t join_touches(struct entry *entries, const struct touch *touches, size_t touch_count,
                           uint32_t module, const struct lines_module *m,
                           const struct copies *copies, const uint64_t *sums)
{
    size_t count = 0;
    uint64_t hits = 0;
    for (size_t i = 0, line = 0; i < touch_count; i++) {
        const struct touch *touch = &touches[i], *lowest = &touches[line];
        if (touch->file != lowest->file || touch->line != lowest->line) {
            line = i;
            lowest = touch;
        }
        if (touch->rank != lowest->rank || touch->owner == NO_INDEX)
            continue;
        uint32_t copy = copies->statement[touch->statement - m->module->statements];
        bool same_owner = i != line && touches[i - 1].owner == touch->owner;
        bool again = same_owner &&
                     copies->statement[touches[i - 1].statement - m->module->statements] == copy;
        hits = number_add(again ? hits : 0, m->counts[touch->statement->count]);
        if (!same_owner)
            entries[count++] = (struct entry){.file = touch->file,
                                              .line = touch->line,
                                              .owner = touch->owner,
                                              .module = module,
                                              .first = touch->statement};
        struct entry *entry = &entries[count - 1];
        entry->hits = hits > entry->hits ? hits : entry->hits;
        entry->class_hits = sums[copy] > entry->class_hits ? sums[copy] : entry->class_hits;
    }
    return count;
}

/* --- one module: statements to pieces of text ------------------------------------------------- */

static bool add_piece(const struct touch *touch, const struct lines_module *m,
                      const struct copies *copies, const uint64_t *sums, const struct work *work)
{
    struct text_piece piece;
    const struct fact_statement *statement = touch->statement;
    if ((touch->owner == NO_INDEX && statement->reason == NULL) || /* another build shows it */
        !text_piece_make(&piece, statement, touch->line))
        return true;
    piece.file = touch->file;
    piece.ran = sums[copies->statement[statement - m->module->statements]] != 0;
    piece.is_left_out = statement->reason != NULL;
    struct text_piece *added = list_add(work->pieces, sizeof *added, work->scratch, work->err);
    if (added != NULL)
        *added = piece;
    return added != NULL;
}

/* One build alone tells whether some of a line ran and some did not. */
static bool may_be_mixed(const struct touch *touches, size_t count, const struct lines_module *m,
                         const struct copies *copies, const uint64_t *sums, const struct work *work)
{
    size_t ran = 0;
    if (work->module_count > 1)
        return true;
    for (size_t i = 0; i < count; i++)
        ran += sums[copies->statement[touches[i].statement - m->module->statements]] != 0;
    return ran != 0 && ran != count;
}

/* Of each line, the statements that start or end on it. */
static bool keep_pieces(const struct touch *touches, size_t touch_count,
                        const struct lines_module *m, const struct copies *copies,
                        const uint64_t *sums, const struct work *work)
{
    for (size_t i = 0, end; i < touch_count; i = end) {
        size_t edges = i;
        for (end = i; end < touch_count && touches[end].file == touches[i].file &&
                      touches[end].line == touches[i].line;
             end++)
            edges += touches[end].rank == 0;
        if (!may_be_mixed(&touches[i], edges - i, m, copies, sums, work))
            continue;
        for (size_t k = i; k < edges; k++)
            if (!add_piece(&touches[k], m, copies, sums, work))
                return false;
    }
    return true;
}

/* --- one module: decisions to conditions of entries ------------------------------------------- */

static int order_lines(uint32_t file_a, uint32_t line_a, uint32_t owner_a, uint32_t file_b,
                       uint32_t line_b, uint32_t owner_b)
{
    int order = number_order(file_a, file_b);
    if (order == 0)
        order = number_order(line_a, line_b);
    return order != 0 ? order : number_order(owner_a, owner_b);
}

static int order_choices(const void *left, const void *right)
{
    const struct choice *a = left, *b = right;
    int order = order_lines(a->file, a->line, a->owner, b->file, b->line, b->owner);
    /* Decisions are in order of method and IL offset. */
    return order != 0 ? order : number_order((uintptr_t)a->decision, (uintptr_t)b->decision);
}

static bool add_hits(const uint64_t **into, const uint64_t *from, uint32_t count,
                     const struct work *work)
{
    uint64_t *sums = ARENA_NEW(work->arena, uint64_t, count, work->err);
    if (sums == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        sums[i] = number_add((*into)[i], from[i]);
    *into = sums;
    return true;
}

/* Per decision, the hits of its outcomes; NULL if they are added to those of a copy in the same
 * method. */
static bool sum_outcomes(const uint64_t **hits, const struct lines_module *m,
                         const struct copies *copies, const struct work *work)
{
    for (uint32_t i = 0; i < m->module->decision_count; i++) {
        const struct fact_decision *decision = &m->module->decisions[i];
        uint32_t copy = copies->decision[i];
        hits[i] = m->counts + decision->first_count;
        if (copy == i ||
            m->owner_of[m->module->decisions[copy].method] != m->owner_of[decision->method])
            continue;
        if (!add_hits(&hits[copy], hits[i], decision->outcome_count, work))
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
    qsort(choices, count, sizeof *choices, order_choices);
    return count;
}

static uint32_t count_covered(const uint64_t *hits, uint32_t count)
{
    uint32_t covered = 0;
    for (uint32_t i = 0; i < count; i++)
        covered += hits[i] != 0;
    return covered;
}

/* A line that was not hit has no outcome that was taken. Exception: a switch that has no line of
 * its own in Release code is reported on its first arm, whether or not that arm ran. */
static bool fill_condition(struct report_condition *out, const struct choice *choice,
                           const struct choices *choices, bool line_hit, const struct work *work)
{
    const struct fact_decision *decision = choice->decision;
    const uint64_t *hits = choice->hits;
    if (!line_hit && !decision->is_switch) {
        hits = ARENA_NEW(work->arena, uint64_t, decision->outcome_count, work->err);
        if (hits == NULL)
            return false;
    }
    *out = (struct report_condition){.is_switch = decision->is_switch,
                                     .outcome_count = decision->outcome_count,
                                     .covered_count = count_covered(hits, decision->outcome_count),
                                     .outcome_hits = hits,
                                     .span = decision->span,
                                     .is_exact = decision->is_exact,
                                     .words = decision->words};
    out->never_asked = line_hit && out->covered_count == 0 &&
                       why_never_asked(&work->whys[choices->module - work->modules], decision);
    return case_starts_list(out, choices->module->module, decision, choices->module->copies,
                            choices->sums, work->arena, work->err);
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
static bool attach_choices(struct entry *entries, size_t entry_count, const struct choices *all,
                           const struct work *work)
{
    const struct choice *choices = all->items;
    size_t next = 0, choice_count = all->count;
    for (size_t i = 0; i < entry_count; i++) {
        struct entry *entry = &entries[i];
        int order = -1;
        while (next < choice_count &&
               (order = order_lines(choices[next].file, choices[next].line, choices[next].owner,
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

static bool add_module(struct entry *entries, size_t *entry_count, uint32_t index,
                       struct touch *touches, const struct work *work)
{
    const struct lines_module *m = &work->modules[index];
    uint32_t decision_count = m->module->decision_count;
    struct choices choices = {
        .items = ARENA_NEW(work->scratch, struct choice, decision_count, work->err), .module = m};
    const uint64_t **hits = ARENA_NEW(work->scratch, const uint64_t *, decision_count, work->err);
    uint64_t *sums = NULL;
    if (choices.items == NULL || hits == NULL || !sum_copies(&sums, m, m->copies, work) ||
        !sum_outcomes(hits, m, m->copies, work))
        return false;
    struct entry *mine = entries + *entry_count;
    size_t touch_count = touch_lines(touches, m);
    size_t mine_count = join_touches(mine, touches, touch_count, index, m, m->copies, sums);
    choices.count = list_choices(choices.items, m, hits);
    choices.sums = sums;
    *entry_count += mine_count;
    return keep_pieces(touches, touch_count, m, m->copies, sums, work) &&
           attach_choices(mine, mine_count, &choices, work);
}

/* --- all modules: entries to lines ------------------------------------------------------------ */

static int order_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int order = order_lines(a->file, a->line, a->owner, b->file, b->line, b->owner);
    return order != 0 ? order : number_order(a->module, b->module);
}

static bool are_alike(const struct report_condition *a, const struct report_condition *b)
{
    return a->is_switch == b->is_switch && a->outcome_count == b->outcome_count;
}

static uint64_t count_outcomes(const struct report_condition *conditions, uint32_t count)
{
    uint64_t outcomes = 0;
    for (uint32_t i = 0; i < count; i++)
        outcomes += conditions[i].outcome_count;
    return outcomes;
}

static bool are_reversed(enum outcome_words a, enum outcome_words b)
{
    static const enum outcome_words other[WORDS_LAST + 1] = {
        [WORDS_FALSE_TRUE] = WORDS_TRUE_FALSE, [WORDS_TRUE_FALSE] = WORDS_FALSE_TRUE,
        [WORDS_VALUE_NULL] = WORDS_NULL_VALUE, [WORDS_NULL_VALUE] = WORDS_VALUE_NULL,
        [WORDS_BODY_END] = WORDS_END_BODY,     [WORDS_END_BODY] = WORDS_BODY_END,
    };
    return a != WORDS_UNKNOWN && other[a] == b;
}

/* Another build of the same source may test the opposite: its outcomes are then the other way
 * round. */
static bool add_outcomes(struct report_condition *into, const struct report_condition *from,
                         const struct work *work)
{
    const uint64_t *hits = from->outcome_hits;
    uint64_t swapped[2];
    into->starts = NULL; /* what ran is then known for one of them only */
    into->start_count = 0;
    if (are_reversed(into->words, from->words)) {
        swapped[0] = hits[1];
        swapped[1] = hits[0];
        hits = swapped;
    } else if (into->words != from->words) {
        into->words = WORDS_UNKNOWN;
    }
    if (!add_hits(&into->outcome_hits, hits, into->outcome_count, work))
        return false;
    into->covered_count = count_covered(into->outcome_hits, into->outcome_count);
    into->never_asked &= from->never_asked;
    return true;
}

static bool all_alike(const struct report_line *line, const struct entry *entry)
{
    if (line->condition_count != entry->condition_count)
        return false;
    for (uint32_t i = 0; i < line->condition_count; i++)
        if (!are_alike(&line->conditions[i], &entry->conditions[i]))
            return false;
    return true;
}

/* The same line of the same method in another build. */
static bool merge_conditions(struct report_line *line, const struct entry *entry,
                             const struct work *work)
{
    if (!all_alike(line, entry)) {
        if (count_outcomes(entry->conditions, entry->condition_count) >
            count_outcomes(line->conditions, line->condition_count)) {
            line->conditions = entry->conditions;
            line->condition_count = entry->condition_count;
        }
        return true;
    }
    for (uint32_t i = 0; i < line->condition_count; i++)
        if (!add_outcomes(&line->conditions[i], &entry->conditions[i], work))
            return false;
    return true;
}

static void count_conditions(struct report_line *line)
{
    line->outcome_count = line->covered_count = 0;
    for (uint32_t i = 0; i < line->condition_count; i++) {
        line->outcome_count += line->conditions[i].outcome_count;
        line->covered_count += line->conditions[i].covered_count;
    }
}

/* The entries of one line and owner, one per module. */
static bool make_method_line(struct report_line *out, const struct entry *entries, size_t count,
                             const struct work *work)
{
    *out = (struct report_line){.number = entries->line,
                                .hits = entries->hits,
                                .conditions = entries->conditions,
                                .condition_count = entries->condition_count};
    for (size_t i = 1; i < count; i++) {
        out->hits = number_add(out->hits, entries[i].hits);
        if (!merge_conditions(out, &entries[i], work))
            return false;
    }
    count_conditions(out);
    struct why_finder *whys = &work->whys[entries->module];
    return out->hits != 0 ||
           why_of(&out->why, whys, (uint32_t)(entries->first - whys->module->statements),
                  work->err);
}

/* The line of the class, while its owners are added one by one. */
struct class_line {
    struct report_line line;
    uint32_t room; /* for its conditions; 0: they are those of its first owner */
    const struct fact_statement
        *last;           /* the statement of the owner that came last with conditions */
    uint32_t last_start; /* and where that starts */
};

static bool is_copy(const struct class_line *class, const struct report_line *line,
                    const struct fact_statement *statement)
{
    if (class->last == NULL || order_places(class->last, statement) != 0 ||
        class->line.condition_count - class->last_start != line->condition_count)
        return false;
    for (uint32_t i = 0; i < line->condition_count; i++)
        if (!are_alike(&class->line.conditions[class->last_start + i], &line->conditions[i]))
            return false;
    return true;
}

static bool reserve_conditions(struct class_line *class, uint32_t more, const struct work *work)
{
    uint32_t count = class->line.condition_count;
    if (class->room >= count + more)
        return true;
    uint32_t room = (count + more) * 2;
    struct report_condition *conditions =
        ARENA_NEW(work->arena, struct report_condition, room, work->err);
    if (conditions == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        conditions[i] = class->line.conditions[i];
    class->line.conditions = conditions;
    class->room = room;
    return true;
}

static bool add_to_class_line(struct class_line *class, const struct report_line *line,
                              const struct fact_statement *statement, const struct work *work)
{
    uint32_t count = line->condition_count;
    if (count == 0)
        return true;
    if (class->line.condition_count == 0) {
        class->line.conditions = line->conditions;
        class->line.condition_count = count;
        class->last = statement;
        return true;
    }
    bool copy = is_copy(class, line, statement);
    if (!reserve_conditions(class, copy ? 0 : count, work))
        return false;
    if (copy) {
        for (uint32_t i = 0; i < count; i++)
            if (!add_outcomes(&class->line.conditions[class->last_start + i], &line->conditions[i],
                              work))
                return false;
        return true;
    }
    class->last = statement;
    class->last_start = class->line.condition_count;
    for (uint32_t i = 0; i < count; i++) {
        struct report_condition *added = &class->line.conditions[class->line.condition_count++];
        *added = line->conditions[i];
        added->expression += class->last_start;
    }
    return true;
}

static uint32_t winning_type(const struct entry *entries, size_t count,
                             const uint32_t *type_of_owner)
{
    const struct entry *winner = entries;
    for (size_t i = 1; i < count; i++)
        if (order_places(entries[i].first, winner->first) < 0)
            winner = &entries[i];
    return type_of_owner[winner->owner];
}

/* The pieces of the line, if there are any; `*next` goes on behind them. */
static bool add_missed_text(struct report_line *line, uint32_t file, size_t *next,
                            const struct work *work)
{
    const struct text_piece *pieces = work->pieces->items;
    size_t count = work->pieces->count, first, end;
    while (*next < count &&
           order_lines(pieces[*next].file, pieces[*next].line, 0, file, line->number, 0) < 0)
        ++*next;
    for (first = end = *next;
         end < count && pieces[end].file == file && pieces[end].line == line->number;)
        end++;
    *next = end;
    return missed_text_make(line, pieces + first, end - first, work->arena, work->err);
}

/* All entries of one file and line. `best` has one element per module, all 0. */
static bool make_line(struct package_lines *out, const struct entry *entries, size_t count,
                      uint64_t *best, size_t *next_piece, const struct work *work)
{
    uint32_t type = winning_type(entries, count, work->type_of_owner);
    struct class_line class = {.line = {.number = entries->line}};
    for (size_t i = 0, end = 0; i < count; i = end) {
        while (end < count && entries[end].owner == entries[i].owner) {
            const struct entry *entry = &entries[end++];
            if (entry->class_hits > best[entry->module])
                best[entry->module] = entry->class_hits;
        }
        struct owned_line owned = {.type = type, .file = entries->file, .owner = entries[i].owner};
        if (!make_method_line(&owned.line, &entries[i], end - i, work) ||
            !add_to_class_line(&class, &owned.line, entries[i].first, work))
            return false;
        if (class.line.why == NULL)
            class.line.why = owned.line.why;
        if (work->type_of_owner[owned.owner] == type)
            out->of_methods[out->of_methods_count++] = owned;
    }
    for (uint32_t i = 0; i < work->module_count; i++) {
        class.line.hits = number_add(class.line.hits, best[i]);
        best[i] = 0;
    }
    if (class.line.hits != 0)
        class.line.why = NULL;
    count_conditions(&class.line);
    if (!add_missed_text(&class.line, entries->file, next_piece, work))
        return false;
    out->of_classes[out->of_classes_count++] = (struct owned_line){
        .type = type, .file = entries->file, .owner = NO_INDEX, .line = class.line};
    return true;
}

static bool make_lines(struct package_lines *out, const struct entry *entries, size_t count,
                       const struct work *work)
{
    uint64_t *best = ARENA_NEW(work->scratch, uint64_t, work->module_count, work->err);
    if (best == NULL)
        return false;
    if (work->pieces->count != 0)
        qsort(work->pieces->items, work->pieces->count, sizeof(struct text_piece),
              text_piece_order);
    size_t next_piece = 0;
    for (size_t i = 0, end = 0; i < count; i = end) {
        while (end < count && entries[end].file == entries[i].file &&
               entries[end].line == entries[i].line)
            end++;
        if (!make_line(out, &entries[i], end - i, best, &next_piece, work))
            return false;
    }
    return true;
}

static int order_owned(const void *left, const void *right)
{
    const struct owned_line *a = left, *b = right;
    int order = order_lines(a->type, a->file, a->owner, b->type, b->file, b->owner);
    return order != 0 ? order : number_order(a->line.number, b->line.number);
}

bool lines_build(struct package_lines *out, const struct lines_module *modules,
                 uint32_t module_count, const uint32_t *type_of_owner, struct arena *arena,
                 struct arena *scratch, struct err *err)
{
    struct list pieces = {.items = NULL};
    struct work work = {.modules = modules,
                        .module_count = module_count,
                        .type_of_owner = type_of_owner,
                        .pieces = &pieces,
                        .arena = arena,
                        .scratch = scratch,
                        .err = err};
    size_t touch_count = 0, entry_count = 0;
    *out = (struct package_lines){0};
    if (!count_touches(&touch_count, &work))
        return false;
    struct touch *touches = arena_raw(scratch, touch_count, sizeof *touches, err);
    struct entry *entries = arena_raw(scratch, touch_count, sizeof *entries, err);
    work.whys = ARENA_NEW(scratch, struct why_finder, module_count, err);
    if (touches == NULL || entries == NULL || work.whys == NULL)
        return false;
    for (uint32_t i = 0; i < module_count; i++)
        if (!why_open(&work.whys[i], modules[i].module, modules[i].counts, arena, scratch, err) ||
            !add_module(entries, &entry_count, i, touches, &work))
            return false;
    if (module_count > 1)
        qsort(entries, entry_count, sizeof *entries, order_entries);
    out->of_methods = arena_raw(scratch, entry_count, sizeof *out->of_methods, err);
    out->of_classes = arena_raw(scratch, entry_count, sizeof *out->of_classes, err);
    if (out->of_methods == NULL || out->of_classes == NULL ||
        !make_lines(out, entries, entry_count, &work))
        return false;
    qsort(out->of_methods, out->of_methods_count, sizeof *out->of_methods, order_owned);
    qsort(out->of_classes, out->of_classes_count, sizeof *out->of_classes, order_owned);
    return true;
}
