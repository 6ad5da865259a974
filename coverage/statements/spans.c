#include "coverage/statements/spans.h"

#include <stdlib.h>

#include "base/sort.h"

/* A place in a text, as a number. */
static uint64_t start_of(const struct seq_point *point)
{
    return (uint64_t)point->start_line << 32 | point->start_column;
}

static uint64_t end_of(const struct seq_point *point)
{
    return (uint64_t)point->end_line << 32 | point->end_column;
}

/* By where they start, the outer before the inner; 0 if they are equal. Ordered as for qsort. */
static int span_order(const struct seq_point *a, const struct seq_point *b)
{
    int order = number_order(a->document, b->document);
    if (order == 0)
        order = number_order(start_of(a), start_of(b));
    return order != 0 ? order : number_order(end_of(b), end_of(a));
}

static int order_points(const void *a, const void *b, void *points)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    const struct seq_point *items = points;
    int order = span_order(&items[x], &items[y]);
    return order != 0 ? order : number_order(x, y);
}

static void group_points(struct spans *spans, const struct seq_points *points)
{
    for (uint32_t i = 0; i < spans->point_count; i++) {
        uint32_t p = spans->points[i];
        if (i == 0 || span_order(&points->points[spans->points[i - 1]], &points->points[p]) != 0)
            spans->items[spans->count++] = (struct span){.first = i};
        spans->items[spans->count - 1].count++;
        spans->of[p] = spans->count - 1;
    }
}

static const struct seq_point *point_of(const struct spans *spans, const struct seq_points *points,
                                        uint32_t span)
{
    return &points->points[spans->points[spans->items[span].first]];
}

/* What lies around a span comes before it in their order. */
static void find_outermost(struct spans *spans, const struct seq_points *points)
{
    for (uint32_t i = 0, outermost = 0; i < spans->count; i++) {
        if (!seq_point_is_within(point_of(spans, points, i), point_of(spans, points, outermost)))
            outermost = i;
        spans->items[i].outermost = outermost;
    }
}

/* The two that start first and the two that end last: one of them is another than the span that is
 * looked at. */
static void find_places(struct spans *spans, const struct seq_points *points)
{
    uint64_t starts[2] = {UINT64_MAX, UINT64_MAX}, ends[2] = {0, 0};
    uint32_t starts_first = NO_INDEX, ends_last = NO_INDEX;
    for (uint32_t i = 0; i < spans->count; i++) {
        const struct seq_point *point = point_of(spans, points, i);
        if (starts_first == NO_INDEX || start_of(point) < starts[0]) {
            starts[1] = starts[0];
            starts[0] = start_of(point);
            starts_first = i;
        } else if (start_of(point) < starts[1]) {
            starts[1] = start_of(point);
        }
        if (ends_last == NO_INDEX || end_of(point) > ends[0]) {
            ends[1] = ends[0];
            ends[0] = end_of(point);
            ends_last = i;
        } else if (end_of(point) > ends[1]) {
            ends[1] = end_of(point);
        }
    }
    for (uint32_t i = 0; i < spans->count && spans->count > 1; i++) {
        const struct seq_point *point = point_of(spans, points, i);
        if (end_of(point) <= starts[i == starts_first])
            spans->items[i].place = SPAN_BEFORE;
        else if (ends[i == ends_last] <= start_of(point))
            spans->items[i].place = SPAN_AFTER;
    }
}

struct looked_up_span {
    const struct spans *spans;
    const struct seq_points *points;
    struct seq_point from;
};

static bool is_span_before(const void *context, size_t place)
{
    const struct looked_up_span *wanted = context;
    const struct seq_point *point = point_of(wanted->spans, wanted->points, (uint32_t)place);
    return span_order(point, &wanted->from) < 0;
}

uint32_t spans_from(const struct spans *spans, const struct seq_points *points, uint32_t document,
                    uint32_t line, uint32_t column)
{
    struct looked_up_span wanted = {spans,
                                    points,
                                    {.document = document,
                                     .start_line = line,
                                     .start_column = (uint16_t)column,
                                     .end_line = UINT32_MAX}};
    return (uint32_t)sorted_first(spans->count, is_span_before, &wanted);
}

bool spans_find(struct spans *out, const struct seq_points *points, struct arena *arena,
                struct err *err)
{
    bool sorted = true; /* most are */
    *out = (struct spans){.items = ARENA_NEW(arena, struct span, points->count, err),
                          .points = arena_raw(arena, points->count, sizeof *out->points, err),
                          .of = arena_no_indexes(arena, points->count, err)};
    if (out->items == NULL || out->points == NULL || out->of == NULL)
        return false;
    for (uint32_t p = 0; p < points->count; p++) {
        if (points->points[p].hidden)
            continue;
        uint32_t count = out->point_count++;
        sorted &= count == 0 ||
                  span_order(&points->points[out->points[count - 1]], &points->points[p]) <= 0;
        out->points[count] = p;
    }
    if (!sorted)
        qsort_r(out->points, out->point_count, sizeof *out->points, order_points, points->points);
    group_points(out, points);
    find_outermost(out, points);
    find_places(out, points);
    return true;
}
