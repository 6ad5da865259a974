/* line_index.h - places in a source: lines and columns as compilers count them, and bytes.
 * Lines end as in C# (6.3.2): CR, LF, CR LF, U+0085, U+2028, U+2029. Columns count UTF-16 code
 * units; a tab is one.
 * Units:  lines and columns from 1; offsets are bytes of the text.
 * Owner:  the index lives in the arena, the text elsewhere. */
#pragma once

#include "base/text.h"
#include "coverage/facts/arms.h"
#include "metadata/pdb.h"

struct line_index {
    struct str text;
    uint32_t *starts; /* per line, and one for the end */
    uint32_t count;
    bool is_mapped; /* it contains a `#line` with a number: lines may be those of another file */
};

/* Length of the line end that the text begins with, or 0. */
uint32_t line_end_len(struct str text);

NODISCARD bool line_index_make(struct line_index *out, struct str text, struct arena *arena,
                               struct err *err);

/* A line of the index, without its end. */
struct str line_index_line(const struct line_index *index, uint32_t line);

/* False if the text has no such place, or is not UTF-8 before it. */
bool line_index_offset(uint32_t *offset, const struct line_index *index, uint32_t line,
                       uint32_t column);

/* From where to where a sequence point has text. False likewise, or if that is none. */
bool line_index_point(uint32_t *start, uint32_t *end, const struct line_index *index,
                      const struct seq_point *point);

/* Of the points of a method in whose first document the index is: the text of one. Empty: there is
 * no index, or the point is of another file. */
struct str line_index_text_of(const struct line_index *index, const struct seq_points *points,
                              uint32_t point);

/* For an offset returned by line_index_offset, or a later one. */
void line_index_place(uint32_t *line, uint32_t *column, const struct line_index *index,
                      uint32_t offset);

/* From one such offset to another; its columns are 0 if they are larger than any that compilers
 * write, or if the end comes first: a text that was misread must not make the data unsound. */
struct fact_span line_index_span(const struct line_index *index, uint32_t start, uint32_t end);
