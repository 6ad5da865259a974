#include "coverage/statements/spans.h"

#include <stdlib.h>

#include "base/sort.h"

/* A place in a text, as a number. */
static uint64_t start_of_points(const struct seq_point *point)
{
    return (uint64_t)point->start_line << 32 | point->start_column;
}

static uint64_t end_of_points(const struct seq_point *point)
{
    return (uint64_t)point->end_line << 32 | point->end_column;
}

/* By where they start, the outer before the inner; 0 if they are equal. Ordered as for qsort. */
static int span_order(const struct seq_point *a, const struct seq_point *b)
{
    int order = number_order(a->document, b->document);
    if (order == 0)
        order = number_order(start_of_points(a), start_of_points(b));
    return order != 0 ? order : number_order(end_of_points(b), end_of_points(a));
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
        const struct seq_point *point = &points->points[spans->points[i]];
        if (i == 0 || span_order(spans->items[spans->count - 1].text, point) != 0)
            spans->items[spans->count++] = (struct span){.text = point, .first = i};
        spans->items[spans->count - 1].count++;
        spans->of[spans->points[i]] = spans->count - 1;
    }
}

/* What lies around a span comes before it in their order. */
static void find_outermost(struct spans *spans)
{
    for (uint32_t i = 0, outermost = 0; i < spans->count; i++) {
        if (!seq_point_is_within(spans->items[i].text, spans->items[outermost].text))
            outermost = i;
        spans->items[i].outermost = outermost;
    }
}

/* The two lowest values: one of them is another span's than the one that is looked at. */
struct lowest {
    uint64_t values[2];
    uint32_t span; /* of the first */
};

static void note_value(struct lowest *lowest, uint64_t value, uint32_t span)
{
    if (span == 0 || value < lowest->values[0]) {
        lowest->values[1] = lowest->values[0];
        lowest->values[0] = value;
        lowest->span = span;
    } else if (value < lowest->values[1]) {
        lowest->values[1] = value;
    }
}

static void find_span_places(struct spans *spans)
{
    struct lowest starts = {{UINT64_MAX, UINT64_MAX}, 0}, ends = starts; /* the ends inverted */
    for (uint32_t i = 0; i < spans->count; i++) {
        note_value(&starts, start_of_points(spans->items[i].text), i);
        note_value(&ends, ~end_of_points(spans->items[i].text), i);
    }
    for (uint32_t i = 0; i < spans->count && spans->count > 1; i++) {
        const struct seq_point *text = spans->items[i].text;
        if (end_of_points(text) <= starts.values[i == starts.span])
            spans->items[i].place = SPAN_BEFORE;
        else if (~ends.values[i == ends.span] <= start_of_points(text))
            spans->items[i].place = SPAN_AFTER;
    }
}

ORDER(order_texts, struct span, BY_ORDER(span_order(a->text, b->text)))

uint32_t spans_from(const struct spans *spans, uint32_t document, uint32_t line, uint32_t column)
{
    const struct seq_point first = {.document = document,
                                    .start_line = line,
                                    .start_column = (uint16_t)column,
                                    .end_line = UINT32_MAX};
    const struct span wanted = {.text = &first};
    return (uint32_t)sorted_place(&wanted, spans->items, spans->count, sizeof wanted, order_texts);
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
    find_outermost(out);
    find_span_places(out);
    return true;
}
