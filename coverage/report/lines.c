#include "coverage/report/lines.h"

#include "base/sort.h"
#include "coverage/facts/line_rank.h"
#include "coverage/report/line_conditions.h"
#include "coverage/report/line_sums.h"
#include "coverage/report/missed_text.h"

/* Lines spanned by all statements of a package, counting a line once for each statement. */
enum {
    SPANNED_LINES_LIMIT = 1 << 25
};

struct lines_work {
    struct package_lines *out;
    const struct package_parts *package;
    struct lines_module *modules;
    struct line_tests_maker tests;
    /* Of the line that is made: */
    struct list entries; /* struct line_entry */
    struct list pieces;  /* struct line_piece: if not all of it may have run */
    struct list sets;    /* uint32_t: of the tests that ran it */
    struct building *b;
};

/* --- what statements touch -------------------------------------------------------------------- */

static uint32_t shown_file(const struct lines_module *m, const struct fact_statement *statement)
{
    return lines_file_of(m, statement->document);
}

/* NO_INDEX: the statement is left out. */
static uint32_t shown_owner(const uint32_t *owners, const struct fact_statement *statement)
{
    return statement->reason == NULL ? owners[statement->method] : NO_INDEX;
}

static bool count_line_statements(size_t *out, const struct lines_work *w)
{
    *out = 0;
    for (uint32_t i = 0; i < w->package->part_count; i++) {
        const struct fact_module *module = w->modules[i].part->module;
        for (uint32_t s = 0; s < module->statement_count; s++) {
            const struct fact_statement *statement = &module->statements[s];
            if (shown_file(&w->modules[i], statement) != NO_INDEX)
                *out += statement->end_line - statement->start_line + 1;
        }
        if (*out > SPANNED_LINES_LIMIT)
            return err_set(w->b->err, ERR_LIMIT, "the statements of %.*s span more than %d lines",
                           STR_ARGS(module->name), SPANNED_LINES_LIMIT);
    }
    return true;
}

ORDER(order_line_line_statements, struct line_statement,
      BY(file) BY(line) BY(module) BY(rank) BY(owner)
          BY_ORDER(statement_place_order(a->statement, b->statement))
              BY_ORDER(number_order((uintptr_t)a->statement, (uintptr_t)b->statement)))

static bool list_line_statements(struct line_statements *out, const struct lines_work *w)
{
    size_t room;
    if (!count_line_statements(&room, w))
        return false;
    out->count = 0;
    out->items = arena_raw(&w->b->slice_scratch, room, sizeof *out->items, w->b->err);
    for (uint32_t i = 0; out->items != NULL && i < w->package->part_count; i++) {
        const struct lines_module *m = &w->modules[i];
        struct condition_lines conditions;
        if (!condition_lines_find(&conditions, m->part->module, &w->b->slice_scratch, w->b->err))
            return false;
        for (uint32_t s = 0; s < m->part->module->statement_count; s++) {
            const struct fact_statement *statement = &m->part->module->statements[s];
            uint32_t file = shown_file(m, statement);
            for (uint32_t line = statement->start_line;
                 file != NO_INDEX && line <= statement->end_line; line++)
                if (facts_has_text(statement, line))
                    out->items[out->count++] =
                        (struct line_statement){.file = file,
                                                .line = line,
                                                .module = i,
                                                .owner = shown_owner(m->owner_of, statement),
                                                .rank = line_rank(&conditions, statement, line),
                                                .statement = statement};
        }
    }
    if (out->items != NULL)
        sort_unless_sorted(out->items, out->count, sizeof *out->items, order_line_line_statements);
    return out->items != NULL;
}

/* --- modules ---------------------------------------------------------------------------------- */

static uint32_t copy_of(const struct lines_module *m, const struct fact_statement *statement)
{
    return m->part->copies.statement[statement - m->part->module->statements];
}

static bool sum_copies(struct lines_module *m, struct building *b)
{
    const struct fact_module *module = m->part->module;
    m->sums = ARENA_NEW(&b->slice_scratch, uint64_t, module->statement_count, b->err);
    for (uint32_t s = 0; m->sums != NULL && s < module->statement_count; s++) {
        const struct fact_statement *statement = &module->statements[s];
        uint64_t *sum = &m->sums[m->part->copies.statement[s]];
        if (shown_file(m, statement) != NO_INDEX && shown_owner(m->owner_of, statement) != NO_INDEX)
            *sum = number_add(*sum, m->counts[statement->count]);
    }
    return m->sums != NULL;
}

static bool counts_for_tests(const struct lines_module *m, const struct fact_statement *statement)
{
    return shown_owner(m->part->owner_of, statement) != NO_INDEX;
}

static bool list_tests(struct lines_module *m, struct building *b)
{
    const struct fact_module *module = m->part->module;
    bool *wanted = ARENA_NEW(&b->slice_scratch, bool, module->count_len, b->err);
    for (uint32_t s = 0; wanted != NULL && s < module->statement_count; s++) {
        const struct fact_statement *statement = &module->statements[s];
        wanted[statement->count] |=
            shown_file(m, statement) != NO_INDEX && counts_for_tests(m, statement);
    }
    return wanted != NULL &&
           test_sets_of_counts(&m->tests, b->tests, (uint32_t)(module - b->facts->modules),
                               module->count_len, wanted, &b->slice_scratch, b->err);
}

static bool open_lines_module(struct lines_module *m, struct building *b)
{
    return sum_copies(m, b) &&
           why_open(&m->whys, m->part->module, m->counts, &b->slice, &b->slice_scratch, b->err) &&
           line_conditions_open(m, b) && (b->tests == NULL || list_tests(m, b));
}

/* --- what a module has on a line -------------------------------------------------------------- */

/* The touches of lowest rank, joined per owner. A statement that is left out has no owner but keeps
 * its line, which does not fall to an enclosing statement. *most: with copies in other methods. */
static bool add_line_entries(struct lines_work *w, uint64_t *most,
                             const struct line_statement *line_statements, size_t count)
{
    struct lines_module *m = &w->modules[line_statements->module];
    struct line_entry *entry = NULL;
    uint64_t hits = 0;
    uint32_t last = NO_INDEX;
    for (size_t i = 0; i < count && line_statements[i].rank == line_statements->rank; i++) {
        const struct line_statement *line_statement = &line_statements[i];
        uint32_t copy = copy_of(m, line_statement->statement);
        bool is_further = entry != NULL && entry->owner == line_statement->owner;
        if (line_statement->owner == NO_INDEX)
            break;
        if (!is_further) {
            entry = list_add(&w->entries, sizeof *entry, &w->b->slice_scratch, w->b->err);
            if (entry == NULL)
                return false;
            *entry = (struct line_entry){.owner = line_statement->owner,
                                         .module = line_statement->module,
                                         .first = line_statement->statement};
        }
        hits = number_add(is_further && copy == last ? hits : 0,
                          m->counts[line_statement->statement->count]);
        entry->hits = hits > entry->hits ? hits : entry->hits;
        *most = m->sums[copy] > *most ? m->sums[copy] : *most;
        last = copy;
    }
    return true;
}

static bool add_line_piece(struct lines_work *w, const struct lines_module *m,
                           const struct line_statement *line_statement)
{
    struct line_piece piece;
    const struct fact_statement *statement = line_statement->statement;
    if ((line_statement->owner == NO_INDEX &&
         statement->reason == NULL) || /* another build shows it */
        !line_piece_make(&piece, statement, line_statement->line))
        return true;
    piece.ran = m->sums[copy_of(m, statement)] != 0;
    piece.is_left_out = statement->reason != NULL;
    return list_put(&w->pieces, &piece, sizeof piece, &w->b->slice_scratch, w->b->err);
}

/* Of the statements that start or end on the line, or have a condition there. One build alone tells
 * whether some of them ran and some did not. */
static bool add_pieces(struct lines_work *w, const struct line_statement *line_statements,
                       size_t count)
{
    const struct lines_module *m = &w->modules[line_statements->module];
    size_t edges = 0, ran = 0;
    for (; edges < count && line_statements[edges].rank == 0; edges++)
        ran += m->sums[copy_of(m, line_statements[edges].statement)] != 0;
    if (w->package->part_count == 1 && (ran == 0 || ran == edges))
        return true;
    for (size_t i = 0; i < edges; i++)
        if (!add_line_piece(w, m, &line_statements[i]))
            return false;
    return true;
}

/* Of the statements that make up the line. */
static bool add_sets(struct lines_work *w, const struct line_statement *line_statements,
                     size_t count)
{
    const struct lines_module *m = &w->modules[line_statements->module];
    for (size_t i = 0; i < count && line_statements[i].rank == line_statements->rank; i++) {
        uint32_t at = line_statements[i].statement->count;
        if (!counts_for_tests(m, line_statements[i].statement))
            continue;
        for (uint32_t k = m->tests.first[at]; k < m->tests.first[at + 1]; k++) {
            if (!list_put(&w->sets, &m->tests.sets[k], sizeof(uint32_t), &w->b->slice_scratch,
                          w->b->err))
                return false;
        }
    }
    return true;
}

static bool take_module(struct lines_work *w, struct report_line *line,
                        const struct line_statement *line_statements, size_t count)
{
    uint32_t before = w->entries.count;
    uint64_t most = 0;
    if (!add_line_entries(w, &most, line_statements, count) ||
        !add_pieces(w, line_statements, count) ||
        (w->b->tests != NULL && !add_sets(w, line_statements, count)))
        return false;
    line->hits = number_add(line->hits, most);
    for (struct line_entry *entries = w->entries.items; before < w->entries.count; before++)
        if (!line_conditions_take(&entries[before], &w->modules[line_statements->module],
                                  line_statements->file, line_statements->line, w->b))
            return false;
    return true;
}

/* --- lines ------------------------------------------------------------------------------------ */

static bool add_owned(struct owned_list *list, const struct report_line *line,
                      struct owner_lines owner, struct building *b)
{
    struct owner_lines *run = list->runs.items;
    if (!list_put(&list->lines, line, sizeof *line, &b->slice_scratch, b->err))
        return false;
    run = list->runs.count != 0 ? &run[list->runs.count - 1] : NULL;
    if (run == NULL || owner_lines_order(run, &owner) != 0) {
        run = list_add(&list->runs, sizeof *run, &b->slice_scratch, b->err);
        if (run == NULL)
            return false;
        *run = owner;
        run->first = list->lines.count - 1;
    }
    run->count++;
    return true;
}

/* The entries of one owner, one per module. */
static bool make_method_line(struct report_line *out, const struct line_entry *entries,
                             uint32_t count, uint32_t number, const struct lines_work *w)
{
    *out = (struct report_line){.number = number,
                                .hits = entries->hits,
                                .conditions = entries->conditions,
                                .condition_count = entries->condition_count};
    for (uint32_t i = 1; i < count; i++) {
        out->hits = number_add(out->hits, entries[i].hits);
        if (!line_sums_add(out, entries[i].conditions, entries[i].condition_count, &w->b->slice,
                           w->b->err))
            return false;
    }
    line_sums_count(out);
    struct why_finder *whys = &w->modules[entries->module].whys;
    return out->hits != 0 ||
           why_of(&out->why, whys, (uint32_t)(entries->first - whys->module->statements),
                  w->b->err);
}

static uint32_t winning_type(const struct line_entry *entries, uint32_t count,
                             const uint32_t *type_of_owner)
{
    const struct line_entry *winner = entries;
    for (uint32_t i = 1; i < count; i++)
        if (statement_place_order(entries[i].first, winner->first) < 0)
            winner = &entries[i];
    return type_of_owner[winner->owner];
}

ORDER(order_entries, struct line_entry, BY(owner) BY(module))

/* Adds the lines of methods, and their conditions to that of the class. */
static bool add_method_lines(struct lines_work *w, struct class_line *class, struct owner_lines own)
{
    const struct line_entry *entries = w->entries.items;
    for (uint32_t i = 0, end = 0; i < w->entries.count; i = end) {
        struct report_line line;
        while (end < w->entries.count && entries[end].owner == entries[i].owner)
            end++;
        if (!make_method_line(&line, &entries[i], end - i, class->line.number, w) ||
            !class_line_add(class, &line, entries[i].first, &w->b->slice, w->b->err))
            return false;
        if (class->line.why == NULL)
            class->line.why = line.why;
        own.owner = entries[i].owner;
        if (w->package->types[own.owner] == own.type &&
            !add_owned(&w->out->of_methods, &line, own, w->b))
            return false;
    }
    return true;
}

static bool make_class_line(struct lines_work *w, const struct line_statement *line_statements,
                            size_t count)
{
    struct class_line class = {.line = {.number = line_statements->line}};
    struct report_line *line = &class.line;
    struct owner_lines own = {.file = line_statements->file, .owner = NO_INDEX};
    w->entries.count = w->pieces.count = w->sets.count = 0;
    for (size_t i = 0, end = 0; i < count; i = end) {
        while (end < count && line_statements[end].module == line_statements[i].module)
            end++;
        if (!take_module(w, line, &line_statements[i], end - i))
            return false;
    }
    if (w->entries.count == 0)
        return true;
    sort_unless_sorted(w->entries.items, w->entries.count, sizeof(struct line_entry),
                       order_entries);
    own.type = winning_type(w->entries.items, w->entries.count, w->package->types);
    if (!add_method_lines(w, &class, own))
        return false;
    if (line->hits != 0)
        line->why = NULL;
    line_sums_count(line);
    return missed_text_make(line, w->pieces.items, w->pieces.count, &w->b->slice, w->b->err) &&
           (line->hits == 0 ||
            line_tests_make(&line->tests, &w->tests, w->sets.items, w->sets.count)) &&
           add_owned(&w->out->of_classes, line, own, w->b);
}

bool lines_build(struct package_lines *out, const struct package_parts *package,
                 struct lines_module *modules, struct building *b)
{
    struct lines_work w = {.out = out, .package = package, .modules = modules, .b = b};
    struct line_statements all;
    *out = (struct package_lines){0};
    if (b->tests != NULL &&
        !line_tests_open(&w.tests, b->tests, &b->slice, &b->slice_scratch, b->err))
        return false;
    if (!list_line_statements(&all, &w))
        return false;
    for (uint32_t i = 0; i < package->part_count; i++) {
        modules[i].number = i;
        modules[i].all = &all;
        if (!open_lines_module(&modules[i], b))
            return false;
    }
    if (!line_conditions_place(modules, package->part_count, b))
        return false;
    for (size_t i = 0, end = 0; i < all.count; i = end) {
        while (end < all.count && all.items[end].file == all.items[i].file &&
               all.items[end].line == all.items[i].line)
            end++;
        if (!make_class_line(&w, &all.items[i], end - i))
            return false;
    }
    return true;
}
