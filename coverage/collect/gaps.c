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

static uint64_t place(uint32_t line, uint16_t column)
{
    return (uint64_t)line << 16 | column;
}

static bool is_brace(const struct seq_point *point)
{
    return point->start_line == point->end_line && point->end_column == point->start_column + 1;
}

/* The number of visible points; 0 if they are in several documents. */
static uint32_t find_ends(const struct seq_point **first, const struct seq_point **last,
                          const struct seq_points *points)
{
    uint32_t visible = 0;
    *first = *last = NULL;
    for (uint32_t i = 0; i < points->count; i++) {
        const struct seq_point *point = &points->points[i];
        if (point->hidden)
            continue;
        if (visible++ == 0)
            *first = *last = point;
        if (point->document != (*first)->document)
            return 0;
        if (place(point->start_line, point->start_column) <
            place((*first)->start_line, (*first)->start_column))
            *first = point;
        if (place(point->end_line, point->end_column) >
            place((*last)->end_line, (*last)->end_column))
            *last = point;
    }
    return visible;
}

/* A single point may be that of a lambda without braces, whose text is text of the statement around
 * it. */
bool gaps_note_method(struct method_extents *extents, uint32_t method,
                      const struct seq_points *points, struct arena *arena, struct err *err)
{
    const struct seq_point *first, *last;
    if (find_ends(&first, &last, points) < 2)
        return true;
    bool are_braces =
        is_brace(first) && is_brace(last) && first->start_column == last->start_column;
    uint32_t first_line = first->start_line + !are_braces, last_line = last->end_line - 1;
    if (first_line > last_line)
        return true;
    const struct extent added = {method,
                                 first->document,
                                 first_line,
                                 last_line,
                                 place(first->start_line, first->start_column),
                                 place(last->end_line, last->end_column)};
    return list_put(&extents->list, &added, sizeof added, arena, err);
}

/* The outer one first. */
ORDER(order_extents, struct extent,
      BY(document) BY(start) BY_ORDER(number_order(b->end, a->end)) BY(method))

/* Leaves those of documents that are asked about, with the document's index, in order. */
static void prepare(struct list *list, const bool *lacking, const uint32_t *index_of)
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
    uint64_t end = place(s->end_line, s->end_column);
    uint32_t i =
        first_from(extents, list->count, s->document, place(s->start_line, s->start_column) + 1);
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
    prepare(&extents->list, lacking, index_of);
    for (uint32_t i = 0; i < count && extents->list.count != 0; i++) {
        struct fact_statement *s = &statements[i];
        if (lacking[s->document] && s->end_line - s->start_line >= 2 &&
            !add_nested(s, &extents->list, arena, err))
            return false;
    }
    return true;
}
