#include "coverage/collect/gaps.h"

#include "base/number.h"
#include "base/sort.h"

/* Lines of a method that hold no text of a statement around it, and where its code stands. */
struct extent {
    uint32_t method, document; /* the document's row */
    uint32_t first_line, last_line;
    uint64_t start, end; /* line << 16 | column */
};

bool gaps_add(struct gaps *gaps, uint32_t start_line, uint32_t end_line, uint32_t line,
              struct arena *arena, struct err *err)
{
    uint32_t bit = line - start_line - 1;
    if (gaps->bits == NULL)
        gaps->bits = ARENA_NEW(arena, uint8_t, (end_line - start_line + 7) / 8, err);
    if (gaps->bits == NULL)
        return false;
    gaps->bits[bit / 8] |= (uint8_t)(1 << bit % 8);
    gaps->last = bit > gaps->last ? bit : gaps->last;
    return true;
}

struct view gaps_view(const struct gaps *gaps)
{
    return gaps->bits == NULL ? (struct view){NULL, 0}
                              : (struct view){gaps->bits, gaps->last / 8 + 1};
}

/* --- by columns ------------------------------------------------------------------------------- */

static bool is_lone_column(const struct seq_point *point)
{
    return point->start_line == point->end_line && point->end_column == point->start_column + 1;
}

struct points_extent points_extent(const struct seq_points *points)
{
    struct points_extent out = {.count = 0};
    for (uint32_t i = 0; i < points->count; i++) {
        const struct seq_point *point = &points->points[i];
        if (point->hidden)
            continue;
        if (out.count++ == 0)
            out.first = out.last = point;
        if (point->document != out.first->document) {
            out.is_split = true;
            continue;
        }
        if (point_start(point) < point_start(out.first))
            out.first = point;
        if (point_end(point) > point_end(out.last))
            out.last = point;
    }
    return out;
}

/* A single point may be that of a lambda without braces, whose text is text of the statement around
 * it. */
bool gaps_note_method(struct method_extents *extents, uint32_t method, struct points_extent points,
                      struct arena *arena, struct err *err)
{
    const struct seq_point *first = points.first, *last = points.last;
    if (points.count < 2 || points.is_split)
        return true;
    bool are_braces =
        is_lone_column(first) && is_lone_column(last) && first->start_column == last->start_column;
    uint32_t first_line = first->start_line + !are_braces, last_line = last->end_line - 1;
    if (first_line > last_line)
        return true;
    const struct extent extent = {method,    first->document,    first_line,
                                  last_line, point_start(first), point_end(last)};
    return list_put(&extents->list, &extent, sizeof extent, arena, err);
}

/* The outer one first. */
ORDER(order_extents, struct extent,
      BY(document) BY(start) BY_ORDER(number_order(b->end, a->end)) BY(method))

/* Leaves those of documents that are asked about, with the document's index, in order. */
static void keep_lacking(struct list *list, const bool *lacking, const uint32_t *index_of)
{
    struct extent *extents = list->items;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        uint32_t index = index_of[extents[i].document - 1];
        if (index == NO_INDEX || !lacking[index])
            continue;
        extents[kept] = extents[i];
        extents[kept++].document = index;
    }
    list->count = kept;
    sort_unless_sorted(extents, kept, sizeof *extents, order_extents);
}

/* The first extent that starts at this place of the document, or after it. */
static uint32_t first_from(const struct extent *extents, uint32_t count, uint32_t document,
                           uint64_t start)
{
    const struct extent key = {.document = document, .start = start, .end = UINT64_MAX};
    return (uint32_t)sorted_place(&key, extents, count, sizeof key, order_extents);
}

/* An extent that starts inside and ends outside is not nested (#line may do that): the columns say
 * nothing then. The copy of a field initialiser starts where another constructor starts. */
static bool add_nested(struct fact_statement *s, const struct list *list, struct arena *arena,
                       struct err *err)
{
    const struct extent *extents = list->items;
    struct gaps gaps = {NULL, 0};
    uint64_t start = (uint64_t)s->start_line << 16 | s->start_column;
    uint64_t end = (uint64_t)s->end_line << 16 | s->end_column;
    uint32_t i = first_from(extents, list->count, s->document, start + 1);
    while (i < list->count && extents[i].document == s->document && extents[i].start < end) {
        const struct extent *e = &extents[i];
        if (e->end > end)
            return true;
        for (uint32_t line = e->first_line; line <= e->last_line; line++)
            if (line != s->start_line &&
                !gaps_add(&gaps, s->start_line, s->end_line, line, arena, err))
                return false;
        i = first_from(extents, list->count, s->document, e->end);
    }
    s->gaps = gaps_view(&gaps);
    return true;
}

bool gaps_by_columns(struct fact_statement *statements, uint32_t count,
                     struct method_extents *extents, const bool *lacking, const uint32_t *index_of,
                     struct arena *arena, struct err *err)
{
    keep_lacking(&extents->list, lacking, index_of);
    for (uint32_t i = 0; i < count && extents->list.count != 0; i++) {
        struct fact_statement *s = &statements[i];
        if (lacking[s->document] && s->end_line - s->start_line >= 2 &&
            !add_nested(s, &extents->list, arena, err))
            return false;
    }
    return true;
}
