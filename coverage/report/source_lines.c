#include "coverage/report/source_lines.h"

#include "base/list.h"
#include "base/number.h"
#include "base/sort.h"
#include "coverage/report/why.h"

struct source_making {
    struct source_lines *out;
    struct list runs, whys, marks;
    struct arena *arena;
    struct err *err;
};

static int order_line_pointers(const void *left, const void *right)
{
    const struct report_line *const *a = left, *const *b = right;
    return number_order((*a)->number, (*b)->number);
}

/* In one assembly, a line is in one class only. */
static bool list_lines(const struct report_file *file, const struct source_making *m)
{
    struct list lines = {.items = NULL};
    for (uint32_t i = 0; i < file->class_count; i++)
        for (uint32_t n = 0; n < file->classes[i]->lines.count; n++) {
            const struct report_line *line = &file->classes[i]->lines.lines[n];
            if (!list_put(&lines, &line, sizeof line, m->arena, m->err))
                return false;
        }
    sort_unless_sorted(lines.items, lines.count, sizeof(struct report_line *), order_line_pointers);
    m->out->lines = lines.items;
    m->out->count = lines.count;
    return true;
}

/* --- runs ------------------------------------------------------------------------------------- */

static bool put_line_run(struct source_making *m, struct line_run run)
{
    return list_put(&m->runs, &run, sizeof run, m->arena, m->err);
}

static struct line_run *last_run(const struct source_making *m)
{
    return m->runs.count != 0 ? (struct line_run *)m->runs.items + m->runs.count - 1 : NULL;
}

/* `may_join`: the line before with code was missed as well. */
static bool add_line_run(struct source_making *m, const struct report_line *line, bool may_join)
{
    struct line_run *last = last_run(m);
    if (line->hits == 0 && may_join && last != NULL && last->state == LINES_MISSED) {
        last->last = line->number;
        last->line_count++;
        return true;
    }
    return !report_line_misses(line) ||
           put_line_run(m,
                        (struct line_run){.state = line->hits == 0 ? LINES_MISSED : LINES_PARTIAL,
                                          .first = line->number,
                                          .last = line->number,
                                          .line_count = 1});
}

/* The part of an exclusion after the lines that are `shown` and before `end`: a line that another
 * statement brought into the report is not excluded. */
static bool add_exclusion(struct source_making *m, uint32_t *shown, bool *may_join,
                          const struct report_exclusion *exclusion, uint32_t end)
{
    uint32_t first = *shown + 1;
    if (first < exclusion->first_line)
        first = exclusion->first_line;
    if (end > exclusion->last_line + 1)
        end = exclusion->last_line + 1;
    if (first >= end)
        return true;
    *shown = end - 1;
    *may_join = false;
    return put_line_run(m, (struct line_run){.state = LINES_EXCLUDED,
                                             .first = first,
                                             .last = end - 1,
                                             .line_count = end - first,
                                             .reason = exclusion->reason});
}

ORDER(order_exclusion_places, struct report_exclusion, BY(module) BY(file))

/* Of a list in that order, those of the file are [*first, *end). */
static void find_exclusions(uint32_t *first, uint32_t *end, const struct report_exclusion *all,
                            uint32_t count, const struct report_file *file)
{
    const struct report_exclusion key = {.module = file->package->name, .file = file->path};
    *first = *end = (uint32_t)sorted_place(&key, all, count, sizeof key, order_exclusion_places);
    while (*end < count && order_exclusion_places(&all[*end], &key) == 0)
        (*end)++;
}

ORDER(order_exclusions, struct report_exclusion,
      BY(first_line) BY_ORDER(reason_order(a->reason, b->reason)))

/* What the user excluded in the file, and what a generator wrote there. */
static bool list_exclusions(struct report_exclusion **out, uint32_t *count,
                            const struct source_making *m, const struct report *report,
                            const struct report_file *file)
{
    const struct report_exclusion *lists[] = {report->exclusions, report->generated};
    uint32_t counts[] = {report->exclusion_count, report->generated_count};
    uint32_t first[ARRAY_LEN(lists)], end[ARRAY_LEN(lists)], room = 0;
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        find_exclusions(&first[i], &end[i], lists[i], counts[i], file);
        room += end[i] - first[i];
    }
    *count = 0;
    *out = ARENA_NEW(m->arena, struct report_exclusion, room, m->err);
    if (*out == NULL)
        return false;
    for (size_t i = 0; i < ARRAY_LEN(lists); i++)
        for (uint32_t e = first[i]; e < end[i]; e++)
            (*out)[(*count)++] = lists[i][e];
    sort_unless_sorted(*out, room, sizeof **out, order_exclusions);
    return true;
}

/* Exclusions may overlap; what is shown of each begins after the one before. */
static bool list_line_runs(struct source_making *m, const struct report *report,
                           const struct report_file *file)
{
    uint32_t next = 0, end = 0, shown = 0;
    struct report_exclusion *excluded = NULL;
    bool may_join = false;
    if (!list_exclusions(&excluded, &end, m, report, file))
        return false;
    for (uint32_t i = 0; i <= m->out->count; i++) {
        uint32_t number = i < m->out->count ? m->out->lines[i]->number : UINT32_MAX;
        for (uint32_t e = next; e < end && excluded[e].first_line < number; e++)
            if (!add_exclusion(m, &shown, &may_join, &excluded[e], number))
                return false;
        while (next < end && excluded[next].last_line < number)
            next++;
        if (i == m->out->count)
            break;
        if (!add_line_run(m, m->out->lines[i], may_join))
            return false;
        may_join = m->out->lines[i]->hits == 0;
        shown = number;
    }
    m->out->runs = m->runs.items;
    m->out->run_count = m->runs.count;
    return true;
}

/* --- whys ------------------------------------------------------------------------------------- */

static bool list_whys(struct source_making *m)
{
    struct why_run *last = NULL;
    for (uint32_t i = 0; i < m->out->count; i++) {
        const struct report_line *line = m->out->lines[i];
        if (line->why == NULL) {
            last = NULL;
            continue;
        }
        if (last == NULL || !why_equal(last->why, line->why)) {
            last = list_add(&m->whys, sizeof *last, m->arena, m->err);
            if (last == NULL)
                return false;
            *last = (struct why_run){.first = line->number, .why = line->why};
        }
        last->last = line->number;
    }
    m->out->whys = m->whys.items;
    m->out->why_count = m->whys.count;
    return true;
}

/* --- marks ------------------------------------------------------------------------------------ */

static bool add_mark(struct list *marks, struct line_mark mark, const struct source_making *m)
{
    return list_put(marks, &mark, sizeof mark, m->arena, m->err);
}

/* A span over several lines is marked on each of them. */
static bool mark_condition(struct source_making *m, const struct report_condition *condition)
{
    const struct fact_span *span = &condition->span;
    for (uint32_t line = span->start_line; line <= span->end_line; line++)
        if (!add_mark(
                &m->marks,
                (struct line_mark){
                    .line = line,
                    .start_column = line == span->start_line ? span->start_column : (uint16_t)1,
                    .end_column = line == span->end_line ? span->end_column : (uint16_t)0,
                    .condition = condition},
                m))
            return false;
    return true;
}

static bool mark_missed(struct source_making *m, const struct report_line *line)
{
    for (uint32_t i = 0; i < line->missed_count; i++)
        if (!add_mark(&m->marks,
                      (struct line_mark){.line = line->number,
                                         .start_column = line->missed[i].start,
                                         .end_column = line->missed[i].end},
                      m))
            return false;
    return true;
}

/* The longer of two that begin together comes first. */
ORDER(order_marks, struct line_mark,
      BY(line) BY(start_column)
          BY_ORDER(number_order(b->end_column == 0 ? UINT16_MAX : b->end_column,
                                a->end_column == 0 ? UINT16_MAX : a->end_column)))

static uint32_t end_of_mark(const struct line_mark *mark)
{
    return mark->end_column == 0 ? UINT16_MAX + 1 : mark->end_column;
}

/* Adds the part of a mark from `*from` to `end`, if there is any. */
static bool add_mark_part(struct list *parts, const struct line_mark *mark, uint32_t *from,
                          uint32_t end, const struct source_making *m)
{
    struct line_mark part = *mark;
    if (*from < mark->start_column)
        *from = mark->start_column;
    if (end <= *from)
        return true;
    part.start_column = (uint16_t)*from;
    part.end_column = end > UINT16_MAX ? 0 : (uint16_t)end;
    *from = end;
    return add_mark(parts, part, m);
}

/* The inner one of two that lie in each other says more: the outer one is what is left around it.
 * `open` has those around a place, the innermost last. */
static bool part_line(struct list *parts, const struct line_mark *marks, uint32_t count,
                      const struct line_mark **open, const struct source_making *m)
{
    uint32_t depth = 0, from = 1;
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t start = i < count ? marks[i].start_column : UINT32_MAX;
        for (; depth != 0 && end_of_mark(open[depth - 1]) <= start; depth--)
            if (!add_mark_part(parts, open[depth - 1], &from, end_of_mark(open[depth - 1]), m))
                return false;
        if (depth != 0 && !add_mark_part(parts, open[depth - 1], &from, start, m))
            return false;
        if (i < count)
            open[depth++] = &marks[i];
    }
    return true;
}

static bool part_marks(struct source_making *m)
{
    struct list parts = {.items = NULL};
    const struct line_mark *marks = m->marks.items, **open;
    open = ARENA_NEW(m->arena, const struct line_mark *, m->marks.count, m->err);
    if (open == NULL)
        return false;
    for (uint32_t i = 0, end; i < m->marks.count; i = end) {
        for (end = i + 1; end < m->marks.count && marks[end].line == marks[i].line;)
            end++;
        if (!part_line(&parts, &marks[i], end - i, open, m))
            return false;
    }
    m->out->marks = parts.items;
    m->out->mark_count = parts.count;
    return true;
}

static bool list_marks(struct source_making *m)
{
    for (uint32_t i = 0; i < m->out->count; i++) {
        const struct report_line *line = m->out->lines[i];
        for (uint32_t c = 0; c < line->condition_count; c++) {
            const struct report_condition *condition = &line->conditions[c];
            if (condition->is_exact && condition->span.start_column != 0 &&
                report_condition_lacks(line, condition) && !mark_condition(m, condition))
                return false;
        }
        if (!mark_missed(m, line))
            return false;
    }
    sort_unless_sorted(m->marks.items, m->marks.count, sizeof(struct line_mark), order_marks);
    return part_marks(m);
}

bool source_lines_make(struct source_lines *out, const struct report *report,
                       const struct report_file *file, struct arena *arena, struct err *err)
{
    struct source_making m = {.out = out, .arena = arena, .err = err};
    *out = (struct source_lines){0};
    return list_lines(file, &m) && list_line_runs(&m, report, file) && list_whys(&m) &&
           list_marks(&m);
}
