#include "coverage/report/excluded_lines.h"

#include "base/sort.h"
#include "coverage/source/paths.h"

/* One line that is reported, or adjacent lines of a statement that is not. */
struct excluded_place {
    struct str module, file;
    uint32_t first_line, last_line;
    const struct reason *reason;
};

ORDER(order_excluded_files, struct excluded_place, BY(module) BY(file))
ORDER(order_excluded_lines, struct excluded_place,
      BY_ORDER(order_excluded_files(a, b)) BY(first_line))
ORDER(order_excluded_places, struct excluded_place,
      BY_ORDER(order_excluded_lines(a, b)) BY(last_line)
          BY_ORDER(reason_order(a->reason, b->reason)))

/* --- what is left out, and why ---------------------------------------------------------------- */

const struct pattern *excluding_pattern(const struct report_options *options, struct str assembly,
                                        struct str type)
{
    for (uint32_t i = 0; i < options->exclude_count; i++)
        if (pattern_matches_type(&options->exclude[i], assembly, type))
            return &options->exclude[i];
    return NULL;
}

/* NULL if the method is not excluded, or if nobody asked for the exclusion. */
static const struct reason *method_reason(const struct excluded_lines *lines,
                                          const struct fact_module *module,
                                          const struct fact_method *method)
{
    const struct fact_method *user = &module->methods[method->user_method];
    if (method->state == METHOD_EXCLUDED)
        return reason_is(method->reason, REASON_NOT_INCLUDED) ? NULL : method->reason;
    return excluding_pattern(lines->options, module->name, user->type) != NULL
               ? reason_of(REASON_EXCLUDED)
               : NULL;
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
        if (!list_put(list,
                      &(struct excluded_place){module->name,
                                               module->documents[statement->document].relative,
                                               first, last, reason},
                      sizeof(struct excluded_place), arena, err))
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
    sort_unless_sorted(places->items, places->count, sizeof(struct excluded_place),
                       order_excluded_places);
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

bool excluded_lines_add(struct excluded_lines *lines, const struct fact_module *module,
                        const bool *methods, const struct reason *reason, struct err *err)
{
    for (uint32_t i = 0; i < module->statement_count; i++) {
        const struct fact_statement *statement = &module->statements[i];
        if (methods[module->methods[statement->method].user_method] &&
            module->documents[statement->document].relative.len != 0 &&
            statement_reason(lines, module, statement) == NULL &&
            (lines->options->include_generated || facts_generated(module, statement) == NULL) &&
            !add_places(&lines->excluded, module, statement, reason, &lines->arena, err))
            return false;
    }
    sort_places(&lines->excluded);
    return true;
}

/* --- what is reported ------------------------------------------------------------------------- */

/* Is one of the places in the file? */
static bool has_any_place(const struct list *list, struct str module, struct str file)
{
    const struct excluded_place key = {.module = module, .file = file};
    return sorted_find(&key, list->items, list->count, sizeof key, order_excluded_files) != NULL;
}

static bool note_class(struct excluded_lines *lines, struct str module,
                       const struct report_class *class, struct err *err)
{
    for (uint32_t i = 0; i < class->lines.count; i++) {
        uint32_t line = class->lines.lines[i].number;
        if (!list_put(&lines->shown,
                      &(struct excluded_place){module, class->file, line, line, NULL},
                      sizeof(struct excluded_place), &lines->arena, err))
            return false;
    }
    return true;
}

bool excluded_lines_note(struct excluded_lines *lines, const struct report_package *package,
                         struct err *err)
{
    for (uint32_t i = 0; i < package->class_count; i++) {
        const struct report_class *class = &package->classes[i];
        if ((has_any_place(&lines->excluded, package->name, class->file) ||
             has_any_place(&lines->generated, package->name, class->file)) &&
            !note_class(lines, package->name, class, err))
            return false;
    }
    return true;
}

/* --- left out and not reported ---------------------------------------------------------------- */

/* Goes through both lists, which are in the same order. */
struct exclusion_sweep {
    struct list found;                  /* struct report_exclusion */
    struct report_exclusion *last;      /* which the next line may belong to, or NULL */
    const struct excluded_place *shown; /* what is reported */
    uint32_t shown_count, next;         /* the first that is not before the line */
    struct arena *arena;
    struct err *err;
};

/* A line that is reported between two that are not keeps these apart. */
static bool sweep_line(struct exclusion_sweep *s, const struct excluded_place *place, uint32_t line)
{
    const struct excluded_place here = {place->module, place->file, line, line, NULL};
    for (; s->next < s->shown_count && order_excluded_lines(&s->shown[s->next], &here) < 0;
         s->next++)
        s->last = NULL;
    if (s->next < s->shown_count && order_excluded_lines(&s->shown[s->next], &here) == 0)
        return true;
    if (s->last == NULL || !reason_eq(s->last->reason, place->reason)) {
        s->last = list_add(&s->found, sizeof *s->last, s->arena, s->err);
        if (s->last == NULL)
            return false;
        *s->last =
            (struct report_exclusion){place->module, place->file, line, line, 0, place->reason};
    }
    s->last->last_line = line;
    s->last->line_count++;
    return true;
}

/* In *out, which the arena holds: the lines of places that are neither in an earlier place nor in
 * the report. */
static bool sweep_list(struct report_exclusion **out, uint32_t *count, const struct list *list,
                       const struct list *shown, struct arena *arena, struct err *err)
{
    struct exclusion_sweep sweep = {
        .shown = shown->items, .shown_count = shown->count, .arena = arena, .err = err};
    const struct excluded_place *places = list->items;
    uint32_t line = 1; /* the first of the file that is not looked at yet */
    for (uint32_t i = 0; i < list->count; i++) {
        if (i != 0 && order_excluded_files(&places[i - 1], &places[i]) != 0) {
            line = 1;
            sweep.last = NULL;
        }
        for (line = line > places[i].first_line ? line : places[i].first_line;
             line <= places[i].last_line; line++)
            if (!sweep_line(&sweep, &places[i], line))
                return false;
    }
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
    *out = (struct excluded_lines){.options = options, .arena = ARENA_EMPTY};
}

void excluded_lines_close(struct excluded_lines *lines)
{
    arena_free(&lines->arena);
}
