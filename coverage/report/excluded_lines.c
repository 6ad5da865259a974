#include "coverage/report/excluded_lines.h"

#include <stdlib.h>

#include "base/number.h"
#include "coverage/source/paths.h"

/* One line that is reported, or adjacent lines of a statement that is not. */
struct place {
    struct str module, file;
    uint32_t first_line, last_line;
    const struct reason *reason;
};

static int order_files(const struct place *a, const struct place *b)
{
    int order = str_cmp(a->module, b->module);
    return order != 0 ? order : str_cmp(a->file, b->file);
}

static int order_places(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    int order = order_files(a, b);
    if (order == 0)
        order = number_order(a->first_line, b->first_line);
    if (order == 0)
        order = number_order(a->last_line, b->last_line);
    return order != 0 ? order : reason_order(a->reason, b->reason);
}

/* --- what is left out, and why ---------------------------------------------------------------- */

/* NULL if the method is not excluded, or if nobody asked for the exclusion. */
static const struct reason *method_reason(const struct excluded_lines *lines,
                                          const struct fact_module *module,
                                          const struct fact_method *method)
{
    const struct fact_method *user = &module->methods[method->user_method];
    if (method->state == METHOD_EXCLUDED)
        return reason_is(method->reason, REASON_NOT_INCLUDED) ? NULL : method->reason;
    for (uint32_t i = 0; i < lines->options->exclude_count; i++)
        if (pattern_matches_type(&lines->options->exclude[i], module->name, user->type))
            return reason_of(REASON_EXCLUDED);
    return NULL;
}

static const struct reason *statement_reason(const struct excluded_lines *lines,
                                             const struct fact_module *module,
                                             const struct fact_statement *statement)
{
    const struct fact_document *document = &module->documents[statement->document];
    if (document->relative.len == 0)
        return NULL;
    if (paths_match_any(lines->options->exclude_files, lines->options->exclude_file_count,
                        document->relative))
        return reason_of(REASON_EXCLUDED_FILE);
    if (document->reason != NULL)
        return document->reason;
    if (statement->reason != NULL)
        return statement->reason;
    return method_reason(lines, module, &module->methods[statement->method]);
}

/* The lines of the statement that have text of it. */
static bool add_places(struct list *list, const struct fact_module *module,
                       const struct fact_statement *statement, const struct reason *reason,
                       struct arena *arena, struct err *err)
{
    uint32_t first = statement->start_line;
    while (first <= statement->end_line) {
        uint32_t last = first;
        while (last < statement->end_line && facts_has_text(statement, last + 1))
            last++;
        const struct place added = {module->name, module->documents[statement->document].relative,
                                    first, last, reason};
        if (!list_push(list, &added, sizeof added, arena, err))
            return false;
        for (first = last + 1; first <= statement->end_line && !facts_has_text(statement, first);)
            first++;
    }
    return true;
}

static bool list_excluded(struct excluded_lines *lines, const struct fact_module *module,
                          struct err *err)
{
    for (uint32_t i = 0; i < module->statement_count; i++) {
        const struct fact_statement *statement = &module->statements[i];
        const struct reason *reason = statement_reason(lines, module, statement);
        struct list *list = &lines->excluded;
        if (reason == NULL && !lines->options->include_generated &&
            module->documents[statement->document].relative.len != 0) {
            reason = facts_generated(module, statement);
            list = &lines->generated;
        }
        if (reason != NULL && !add_places(list, module, statement, reason, &lines->arena, err))
            return false;
    }
    return true;
}

static void sort_places(struct list *places)
{
    if (places->count != 0)
        qsort(places->items, places->count, sizeof(struct place), order_places);
}

bool excluded_lines_list(struct excluded_lines *lines, const struct facts *facts, struct err *err)
{
    for (uint32_t i = 0; i < facts->module_count; i++)
        if (facts->modules[i].state != MODULE_SKIPPED &&
            !list_excluded(lines, &facts->modules[i], err))
            return false;
    sort_places(&lines->excluded);
    sort_places(&lines->generated);
    return true;
}

/* --- what is reported ------------------------------------------------------------------------- */

/* Is one of the places in the file? */
static bool has_any(const struct list *list, struct str module, struct str file)
{
    const struct place wanted = {.module = module, .file = file};
    const struct place *places = list->items;
    uint32_t low = 0, high = list->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = order_files(&places[middle], &wanted);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static bool note_class(struct excluded_lines *lines, struct str module,
                       const struct report_class *class, struct err *err)
{
    for (uint32_t i = 0; i < class->lines.count; i++) {
        uint32_t line = class->lines.lines[i].number;
        const struct place added = {module, class->file, line, line, NULL};
        if (!list_push(&lines->shown, &added, sizeof added, &lines->arena, err))
            return false;
    }
    return true;
}

bool excluded_lines_note(struct excluded_lines *lines, const struct report_package *package,
                         struct err *err)
{
    for (uint32_t i = 0; i < package->class_count; i++) {
        const struct report_class *class = &package->classes[i];
        if ((has_any(&lines->excluded, package->name, class->file) ||
             has_any(&lines->generated, package->name, class->file)) &&
            !note_class(lines, package->name, class, err))
            return false;
    }
    return true;
}

/* --- left out and not reported ---------------------------------------------------------------- */

/* Goes through both lists, which are in the same order. */
struct sweep {
    struct list found;         /* struct report_exclusion */
    const struct place *shown; /* what is reported */
    uint32_t shown_count;
    const struct place *file; /* the first place of the file */
    uint32_t line;            /* the first of the file that is not looked at yet */
    bool is_first;            /* nothing was found in the file */
    uint32_t next_shown;      /* the first that is not before the line */
    struct arena *arena;
    struct err *err;
};

/* Is a line reported between the last exclusion that was found and what comes now? */
static bool is_interrupted(const struct sweep *s, uint32_t last_line)
{
    const struct place *shown = s->next_shown != 0 ? &s->shown[s->next_shown - 1] : NULL;
    return shown != NULL && order_files(shown, s->file) == 0 && shown->first_line > last_line;
}

static bool add_lines(struct sweep *s, const struct place *place, uint32_t first, uint32_t last)
{
    if (!s->is_first) {
        struct report_exclusion *before =
            (struct report_exclusion *)s->found.items + s->found.count - 1;
        if (reason_eq(before->reason, place->reason) && !is_interrupted(s, before->last_line)) {
            before->last_line = last;
            before->line_count += last - first + 1;
            return true;
        }
    }
    const struct report_exclusion added = {place->module, place->file,      first,
                                           last,          last - first + 1, place->reason};
    if (!list_push(&s->found, &added, sizeof added, s->arena, s->err))
        return false;
    s->is_first = false;
    return true;
}

/* The lines of the place that are neither in an earlier place nor in the report. */
static bool sweep_place(struct sweep *s, const struct place *place)
{
    if (s->file == NULL || order_files(s->file, place) != 0) {
        s->file = place;
        s->line = 1;
        s->is_first = true;
    }
    if (s->line < place->first_line)
        s->line = place->first_line;
    while (s->line <= place->last_line) {
        struct place here = {place->module, place->file, s->line, s->line, NULL};
        while (s->next_shown < s->shown_count && order_places(&s->shown[s->next_shown], &here) < 0)
            s->next_shown++;
        uint32_t end = place->last_line + 1;
        if (s->next_shown < s->shown_count && order_files(&s->shown[s->next_shown], place) == 0 &&
            s->shown[s->next_shown].first_line < end)
            end = s->shown[s->next_shown].first_line;
        if (end > s->line && !add_lines(s, place, s->line, end - 1))
            return false;
        s->line = end > s->line ? end : end + 1;
    }
    return true;
}

/* In *out, which the arena holds. */
static bool sweep_list(struct report_exclusion **out, uint32_t *count, const struct list *list,
                       const struct list *shown, struct arena *arena, struct err *err)
{
    struct sweep sweep = {
        .shown = shown->items, .shown_count = shown->count, .arena = arena, .err = err};
    const struct place *places = list->items;
    for (uint32_t i = 0; i < list->count; i++)
        if (!sweep_place(&sweep, &places[i]))
            return false;
    *out = sweep.found.items;
    *count = sweep.found.count;
    return true;
}

bool excluded_lines_find(struct excluded_lines *lines, struct report *report, struct arena *arena,
                         struct err *err)
{
    sort_places(&lines->shown);
    return sweep_list(&report->exclusions, &report->exclusion_count, &lines->excluded,
                      &lines->shown, arena, err) &&
           sweep_list(&report->generated, &report->generated_count, &lines->generated,
                      &lines->shown, arena, err);
}

struct report_left_out excluded_lines_count(const struct report_exclusion *exclusions,
                                            uint32_t count)
{
    struct report_left_out sum = {0};
    for (uint32_t i = 0; i < count; i++) {
        sum.line_count += exclusions[i].line_count;
        sum.file_count += i == 0 || !str_eq(exclusions[i].file, exclusions[i - 1].file);
    }
    return sum;
}

void excluded_lines_open(struct excluded_lines *out, const struct report_options *options)
{
    *out = (struct excluded_lines){.options = options};
    arena_init(&out->arena, NULL, 0, ARENA_NO_LIMIT);
}

void excluded_lines_close(struct excluded_lines *lines)
{
    arena_free(&lines->arena);
}
