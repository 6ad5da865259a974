#include "coverage/report/excluded_lines.h"

#include <stdlib.h>

#include "base/list.h"
#include "base/number.h"
#include "coverage/source/paths.h"

/* One line that is reported, or the lines of one statement that is not. */
struct place {
    struct str module, file;
    uint32_t first_line, last_line;
    const struct reason *reason;
};

struct finder {
    struct list excluded; /* struct place */
    struct place *shown;
    uint32_t shown_count;
    const struct report_options *options;
    struct arena *arena, *scratch;
    struct err *err;
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

/* --- what is reported ------------------------------------------------------------------------- */

static bool list_shown(struct finder *f, const struct report *report)
{
    size_t room = 0;
    for (uint32_t p = 0; p < report->package_count; p++)
        for (uint32_t c = 0; c < report->packages[p].class_count; c++)
            room += report->packages[p].classes[c].lines.count;
    f->shown = ARENA_NEW(f->scratch, struct place, room, f->err);
    if (f->shown == NULL)
        return false;
    for (uint32_t p = 0; p < report->package_count; p++)
        for (uint32_t c = 0; c < report->packages[p].class_count; c++) {
            const struct report_class *class = &report->packages[p].classes[c];
            for (uint32_t i = 0; i < class->lines.count; i++) {
                uint32_t line = class->lines.lines[i].number;
                f->shown[f->shown_count++] =
                    (struct place){report->packages[p].name, class->file, line, line, NULL};
            }
        }
    if (f->shown_count != 0)
        qsort(f->shown, f->shown_count, sizeof *f->shown, order_places);
    return true;
}

/* --- what is left out, and why ---------------------------------------------------------------- */

/* NULL if the method is not excluded, or if nobody asked for the exclusion. */
static const struct reason *method_reason(const struct finder *f, const struct fact_module *module,
                                          const struct fact_method *method)
{
    const struct fact_method *user = &module->methods[method->user_method];
    if (method->state == METHOD_EXCLUDED)
        return reason_is(method->reason, REASON_NOT_INCLUDED) ? NULL : method->reason;
    for (uint32_t i = 0; i < f->options->exclude_count; i++)
        if (pattern_matches_type(&f->options->exclude[i], module->name, user->type))
            return reason_of(REASON_EXCLUDED);
    return NULL;
}

static const struct reason *statement_reason(const struct finder *f,
                                             const struct fact_module *module,
                                             const struct fact_statement *statement)
{
    const struct fact_document *document = &module->documents[statement->document];
    if (document->relative.len == 0)
        return NULL;
    if (paths_match_any(f->options->exclude_files, f->options->exclude_file_count,
                        document->relative))
        return reason_of(REASON_EXCLUDED_FILE);
    if (document->reason != NULL)
        return document->reason;
    if (statement->reason != NULL)
        return statement->reason;
    return method_reason(f, module, &module->methods[statement->method]);
}

static bool list_excluded(struct finder *f, const struct fact_module *module)
{
    for (uint32_t i = 0; i < module->statement_count; i++) {
        const struct fact_statement *statement = &module->statements[i];
        const struct reason *reason = statement_reason(f, module, statement);
        if (reason == NULL)
            continue;
        struct place *added = list_add(&f->excluded, sizeof *added, f->scratch, f->err);
        if (added == NULL)
            return false;
        *added = (struct place){module->name, module->documents[statement->document].relative,
                                statement->start_line, statement->end_line, reason};
    }
    return true;
}

/* --- left out and not reported ---------------------------------------------------------------- */

/* Goes through both lists, which are in the same order. */
struct sweep {
    struct list found;        /* struct report_exclusion */
    const struct place *file; /* the first place of the file */
    uint32_t line;            /* the first of the file that is not looked at yet */
    bool is_first;            /* nothing was found in the file */
    uint32_t next_shown;      /* the first that is not before the line */
};

/* Is a line reported between the last exclusion that was found and what comes now? */
static bool is_interrupted(const struct finder *f, const struct sweep *s, uint32_t last_line)
{
    const struct place *shown = s->next_shown != 0 ? &f->shown[s->next_shown - 1] : NULL;
    return shown != NULL && order_files(shown, s->file) == 0 && shown->first_line > last_line;
}

static bool add_lines(struct finder *f, struct sweep *s, const struct place *place, uint32_t first,
                      uint32_t last)
{
    if (!s->is_first) {
        struct report_exclusion *before =
            (struct report_exclusion *)s->found.items + s->found.count - 1;
        if (reason_eq(before->reason, place->reason) && !is_interrupted(f, s, before->last_line)) {
            before->last_line = last;
            before->line_count += last - first + 1;
            return true;
        }
    }
    struct report_exclusion *found = list_add(&s->found, sizeof *found, f->arena, f->err);
    if (found == NULL)
        return false;
    *found = (struct report_exclusion){place->module, place->file,      first,
                                       last,          last - first + 1, place->reason};
    s->is_first = false;
    return true;
}

/* The lines of the place that are neither in an earlier place nor in the report. */
static bool sweep_place(struct finder *f, struct sweep *s, const struct place *place)
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
        while (s->next_shown < f->shown_count && order_places(&f->shown[s->next_shown], &here) < 0)
            s->next_shown++;
        uint32_t end = place->last_line + 1;
        if (s->next_shown < f->shown_count && order_files(&f->shown[s->next_shown], place) == 0 &&
            f->shown[s->next_shown].first_line < end)
            end = f->shown[s->next_shown].first_line;
        if (end > s->line && !add_lines(f, s, place, s->line, end - 1))
            return false;
        s->line = end > s->line ? end : end + 1;
    }
    return true;
}

static bool find(struct finder *f, struct report *report, const struct facts *facts)
{
    for (uint32_t i = 0; i < facts->module_count; i++)
        if (facts->modules[i].state != MODULE_SKIPPED && !list_excluded(f, &facts->modules[i]))
            return false;
    if (f->excluded.count == 0)
        return true;
    if (!list_shown(f, report))
        return false;
    struct sweep sweep = {.next_shown = 0};
    const struct place *places = f->excluded.items;
    qsort(f->excluded.items, f->excluded.count, sizeof *places, order_places);
    for (uint32_t i = 0; i < f->excluded.count; i++)
        if (!sweep_place(f, &sweep, &places[i]))
            return false;
    report->exclusions = sweep.found.items;
    report->exclusion_count = sweep.found.count;
    return true;
}

bool excluded_lines_find(struct report *report, const struct facts *facts,
                         const struct report_options *options, struct arena *arena, struct err *err)
{
    struct arena scratch;
    arena_init(&scratch, NULL, 0, ARENA_NO_LIMIT);
    struct finder finder = {.options = options, .arena = arena, .scratch = &scratch, .err = err};
    bool ok = find(&finder, report, facts);
    arena_free(&scratch);
    return ok;
}
