/* spans.h - the text that the visible sequence points of a method stand for, and how it lies.
 * Several points may have one span: a closing brace to which ways lead from two places.
 * Owner:  arrays live in the arena and point to the points. */
#pragma once

#include "metadata/pdb.h"

/* Where a span is relative to all others of the method. */
enum span_place {
    SPAN_AMONG, /* or there is no other */
    SPAN_BEFORE,
    SPAN_AFTER
};

struct span {
    const struct seq_point *text; /* its first point */
    uint32_t first, count;        /* places in spans.points: ascending points of this span */
    enum span_place place;
    uint32_t outermost; /* the span around it that is within no other; itself if none is */
};

struct spans {
    struct span *items; /* by where they start, the outer before the inner */
    uint32_t count;
    uint32_t *points; /* the visible ones, by span */
    uint32_t point_count;
    uint32_t *of; /* of each point: its span; NO_INDEX if it is hidden */
};

/* The first span that starts there or behind it; the count if there is none. */
uint32_t spans_from(const struct spans *spans, uint32_t document, uint32_t line, uint32_t column);

NODISCARD bool spans_find(struct spans *out, const struct seq_points *points, struct arena *arena,
                          struct err *err);
