/* gaps.h - lines between the first and the last of a statement that have no text of it:
 * fact_statement.gaps. Where the source is at hand, documents_gaps finds them; where it is not, the
 * columns of the points show the bodies of lambdas, and nothing else. */
#pragma once

#include "base/list.h"
#include "coverage/facts/facts.h"
#include "metadata/pdb.h"

/* The gaps of one statement, in the making; zeroed, it has none. */
struct gaps {
    uint8_t *bits;
    uint32_t last; /* the highest bit that is set */
};

/* Call with lines between the first and the last of the statement only. */
NODISCARD bool gaps_add(struct gaps *gaps, uint32_t start_line, uint32_t end_line, uint32_t line,
                        struct arena *arena, struct err *err);

struct view gaps_view(const struct gaps *gaps);

/* Where the visible points of a method begin and end, in the document of the first of them. */
struct points_extent {
    const struct seq_point *first, *last; /* NULL: it has none */
    uint32_t count;                       /* of visible points, in all documents */
    bool is_split;                        /* they are in several documents */
};
struct points_extent points_extent(const struct seq_points *points);

/* A place in a text, as a number. */
static inline uint64_t point_start(const struct seq_point *point)
{
    return (uint64_t)point->start_line << 16 | point->start_column;
}
static inline uint64_t point_end(const struct seq_point *point)
{
    return (uint64_t)point->end_line << 16 | point->end_column;
}

/* Where the code of methods stands, for gaps_by_columns. */
struct method_extents {
    struct list list;
};

/* `method`: as in fact_statement. */
NODISCARD bool gaps_note_method(struct method_extents *extents, uint32_t method,
                                struct points_extent points, struct arena *arena, struct err *err);

/* Gives statements their gaps by the columns alone: where all points of another method stand
 * inside, the lines between the first and the last of these are that method's, and so is the line
 * of its opening brace if its closing one stands in the same column: nothing is before them then.
 * Text of the statement around may stand on all other lines.
 * lacking: by index, the documents whose text is not known; statements in others stay as they are.
 * index_of: the index of a document by its row, or NO_INDEX. Sorts the extents. */
NODISCARD bool gaps_by_columns(struct fact_statement *statements, uint32_t count,
                               struct method_extents *extents, const bool *lacking,
                               const uint32_t *index_of, struct arena *arena, struct err *err);
