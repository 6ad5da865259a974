#include "coverage/report/lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "coverage/report/line_conditions.h"
#include "coverage/report/line_sums.h"
#include "coverage/report/missed_text.h"
#include "coverage/report/touches.h"

static bool add_module(struct line_entry *entries, size_t *entry_count, uint32_t index,
                       struct touch *touches, const struct lines_work *work)
{
    const struct lines_module *m = &work->modules[index];
    uint64_t *sums = NULL;
    if (!touches_sum_copies(&sums, m, m->copies, work))
        return false;
    struct line_entry *mine = entries + *entry_count;
    size_t touch_count = touches_find(touches, m);
    size_t mine_count = touches_join(mine, touches, touch_count, index, m, m->copies, sums);
    *entry_count += mine_count;
    return touches_keep_pieces(touches, touch_count, m, m->copies, sums, work) &&
           touches_tell_tests(touches, touch_count, m, work) &&
           line_conditions_attach(mine, mine_count, m, sums, work);
}

static int order_entries(const void *left, const void *right)
{
    const struct line_entry *a = left, *b = right;
    int order = line_order(a->file, a->line, a->owner, b->file, b->line, b->owner);
    return order != 0 ? order : number_order(a->module, b->module);
}

/* The entries of one line and owner, one per module. */
static bool make_method_line(struct report_line *out, const struct line_entry *entries,
                             size_t count, const struct lines_work *work)
{
    *out = (struct report_line){.number = entries->line,
                                .hits = entries->hits,
                                .conditions = entries->conditions,
                                .condition_count = entries->condition_count};
    for (size_t i = 1; i < count; i++) {
        out->hits = number_add(out->hits, entries[i].hits);
        if (!line_sums_add(out, entries[i].conditions, entries[i].condition_count, work->arena,
                           work->err))
            return false;
    }
    line_sums_count(out);
    struct why_finder *whys = &work->whys[entries->module];
    return out->hits != 0 ||
           why_of(&out->why, whys, (uint32_t)(entries->first - whys->module->statements),
                  work->err);
}

static uint32_t winning_type(const struct line_entry *entries, size_t count,
                             const uint32_t *type_of_owner)
{
    const struct line_entry *winner = entries;
    for (size_t i = 1; i < count; i++)
        if (statement_place_order(entries[i].first, winner->first) < 0)
            winner = &entries[i];
    return type_of_owner[winner->owner];
}

/* The pieces of the line, if there are any; `*next` goes on behind them. */
static bool add_missed_text(struct report_line *line, uint32_t file, size_t *next,
                            const struct lines_work *work)
{
    const struct text_piece *pieces = work->pieces->items;
    size_t count = work->pieces->count, first, end;
    while (*next < count &&
           line_order(pieces[*next].file, pieces[*next].line, 0, file, line->number, 0) < 0)
        ++*next;
    for (first = end = *next;
         end < count && pieces[end].file == file && pieces[end].line == line->number;)
        end++;
    *next = end;
    return missed_text_make(line, pieces + first, end - first, work->arena, work->err);
}

/* What several modules tell of a line that ran. */
static bool unite_tests(struct report_line *line, const struct told_line *told, size_t count,
                        const struct lines_work *work)
{
    uint32_t first, end;
    struct list sets = {.items = NULL};
    for (size_t i = 0; i < count; i++) {
        struct index_runs runs = index_set_runs(told[i].tests->sets);
        while (index_set_next(&runs, &first, &end))
            for (uint32_t set = first; set < end; set++) {
                if (!list_push(&sets, &set, sizeof set, work->scratch, work->err))
                    return false;
            }
    }
    return line_tests_make(&line->tests, work->tests, sets.items, sets.count);
}

/* As add_missed_text. */
static bool add_tests(struct report_line *line, uint32_t file, size_t *next,
                      const struct lines_work *work)
{
    const struct told_line *told = work->told->items;
    size_t count = work->told->count, first, end;
    while (*next < count &&
           line_order(told[*next].file, told[*next].line, 0, file, line->number, 0) < 0)
        ++*next;
    for (first = end = *next;
         end < count && told[end].file == file && told[end].line == line->number;)
        end++;
    *next = end;
    if (first == end || line->hits == 0)
        return true;
    line->tests = told[first].tests;
    return end - first == 1 || unite_tests(line, told + first, end - first, work);
}

/* Of the pieces and of what is told: what comes next. */
struct places {
    size_t piece, told;
};

/* All entries of one file and line. `best` has one element per module, all 0. */
static bool make_line(struct package_lines *out, const struct line_entry *entries, size_t count,
                      uint64_t *best, struct places *next, const struct lines_work *work)
{
    uint32_t type = winning_type(entries, count, work->type_of_owner);
    struct class_line class = {.line = {.number = entries->line}};
    for (size_t i = 0, end = 0; i < count; i = end) {
        while (end < count && entries[end].owner == entries[i].owner) {
            const struct line_entry *entry = &entries[end++];
            if (entry->class_hits > best[entry->module])
                best[entry->module] = entry->class_hits;
        }
        struct owned_line owned = {.type = type, .file = entries->file, .owner = entries[i].owner};
        if (!make_method_line(&owned.line, &entries[i], end - i, work) ||
            !class_line_add(&class, &owned.line, entries[i].first, work))
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
    line_sums_count(&class.line);
    if (!add_missed_text(&class.line, entries->file, &next->piece, work) ||
        !add_tests(&class.line, entries->file, &next->told, work))
        return false;
    out->of_classes[out->of_classes_count++] = (struct owned_line){
        .type = type, .file = entries->file, .owner = NO_INDEX, .line = class.line};
    return true;
}

static int order_told(const void *left, const void *right)
{
    const struct told_line *a = left, *b = right;
    int order = line_order(a->file, a->line, 0, b->file, b->line, 0);
    return order != 0 ? order : number_order((uintptr_t)a->tests, (uintptr_t)b->tests);
}

static bool make_lines(struct package_lines *out, const struct line_entry *entries, size_t count,
                       const struct lines_work *work)
{
    uint64_t *best = ARENA_NEW(work->scratch, uint64_t, work->module_count, work->err);
    if (best == NULL)
        return false;
    if (work->pieces->count != 0)
        qsort(work->pieces->items, work->pieces->count, sizeof(struct text_piece),
              text_piece_order);
    sort_unless_sorted(work->told->items, work->told->count, sizeof(struct told_line), order_told);
    struct places next = {0, 0};
    for (size_t i = 0, end = 0; i < count; i = end) {
        while (end < count && entries[end].file == entries[i].file &&
               entries[end].line == entries[i].line)
            end++;
        if (!make_line(out, &entries[i], end - i, best, &next, work))
            return false;
    }
    return true;
}

static int order_owned(const void *left, const void *right)
{
    const struct owned_line *a = left, *b = right;
    int order = line_order(a->type, a->file, a->owner, b->type, b->file, b->owner);
    return order != 0 ? order : number_order(a->line.number, b->line.number);
}

/* Lines that follow each other and are of one owner. */
struct owned_run {
    const struct owned_line *first;
    uint32_t count;
};

static int order_runs(const void *left, const void *right)
{
    const struct owned_run *a = left, *b = right;
    return order_owned(a->first, b->first);
}

static bool same_owner(const struct owned_line *a, const struct owned_line *b)
{
    return a->type == b->type && a->file == b->file && a->owner == b->owner;
}

/* They come in the order of files and their lines, mostly many of one owner: there are far fewer
 * runs to sort than lines, which are large. */
static bool sort_lines(struct owned_line **lines, uint32_t count, const struct lines_work *work)
{
    uint32_t run_count = 0, put = 0;
    const struct owned_line *from = *lines;
    struct owned_run *runs = arena_raw(work->scratch, count, sizeof *runs, work->err);
    struct owned_line *sorted = arena_raw(work->scratch, count, sizeof *sorted, work->err);
    if (runs == NULL || sorted == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || !same_owner(&from[i - 1], &from[i]))
            runs[run_count++] = (struct owned_run){.first = &from[i]};
        runs[run_count - 1].count++;
    }
    if (run_count != 0)
        qsort(runs, run_count, sizeof *runs, order_runs);
    for (uint32_t i = 0; i < run_count; i++) {
        memcpy(sorted + put, runs[i].first, runs[i].count * sizeof *sorted);
        put += runs[i].count;
    }
    *lines = sorted;
    return true;
}

bool lines_build(struct package_lines *out, const struct lines_module *modules,
                 uint32_t module_count, const uint32_t *type_of_owner, struct arena *arena,
                 struct arena *scratch, struct err *err)
{
    struct list pieces = {.items = NULL}, told = {.items = NULL};
    struct line_tests_maker tests;
    struct lines_work work = {.modules = modules,
                              .module_count = module_count,
                              .type_of_owner = type_of_owner,
                              .pieces = &pieces,
                              .told = &told,
                              .tests = &tests,
                              .arena = arena,
                              .scratch = scratch,
                              .err = err};
    size_t touch_count = 0, entry_count = 0;
    *out = (struct package_lines){0};
    if (!touches_count(&touch_count, &work) ||
        (module_count != 0 && modules->tests != NULL &&
         !line_tests_open(&tests, modules->tests, arena, scratch, err)))
        return false;
    struct touch *touches = arena_raw(scratch, touch_count, sizeof *touches, err);
    struct line_entry *entries = arena_raw(scratch, touch_count, sizeof *entries, err);
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
    return sort_lines(&out->of_methods, out->of_methods_count, &work) &&
           sort_lines(&out->of_classes, out->of_classes_count, &work);
}
