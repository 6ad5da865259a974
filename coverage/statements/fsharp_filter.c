#include "coverage/statements/fsharp_filter.h"

/* The clause whose filter or handler the point is in, as from body_handler_around. */
static uint32_t clause_of(uint32_t around)
{
    return (around - 1) / 2;
}

static bool starts_before(const struct seq_point *a, const struct seq_point *b)
{
    return a->start_line != b->start_line ? a->start_line < b->start_line
                                          : a->start_column < b->start_column;
}

/* The first statement of the handler within the text of the rule; NULL: it has none. */
static const struct seq_point *find_body(const struct seq_points *points,
                                         const struct il_body *body, const struct seq_point *rule)
{
    const struct seq_point *first = NULL;
    uint32_t clause = clause_of(body_handler_around(body, rule->il_offset));
    for (uint32_t p = 0; p < points->count; p++) {
        const struct seq_point *point = &points->points[p];
        if (!point->hidden && body_is_in_handler_of_filter(body, point->il_offset) &&
            clause_of(body_handler_around(body, point->il_offset)) == clause &&
            seq_point_is_within(point, rule) && starts_before(rule, point) &&
            (first == NULL || starts_before(point, first)))
            first = point;
    }
    return first;
}

void fsharp_filter_cut_rules(struct seq_points *points, const struct il_body *body)
{
    for (uint32_t p = 0; p < points->count; p++) {
        struct seq_point *rule = &points->points[p];
        if (rule->hidden || !body_is_in_filter(body, rule->il_offset))
            continue;
        const struct seq_point *first = find_body(points, body, rule);
        if (first == NULL)
            continue;
        rule->end_line = first->start_line;
        rule->end_column = first->start_column;
    }
}
