#include "coverage/statements/fsharp_filter.h"

/* The first statement of the handler within the text of the rule; NULL: it has none. */
static const struct seq_point *find_body(const struct seq_points *points,
                                         const struct il_body *body, const struct seq_point *rule)
{
    const struct seq_point *first = NULL;
    uint32_t handler = body_handler_of_filter(body_handler_around(body, rule->il_offset));
    for (uint32_t p = 0; p < points->count; p++) {
        const struct seq_point *point = &points->points[p];
        if (!point->hidden && body_handler_around(body, point->il_offset) == handler &&
            seq_point_is_within(point, rule) && seq_point_order(rule, point) < 0 &&
            (first == NULL || seq_point_order(point, first) < 0))
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
