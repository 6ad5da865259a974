/* source_text.h - lines of sources as reports show them, and places in them.
 * Units:  lines from 1; columns in UTF-16 code units from 1, as in struct fact_span. */
#ifndef ILCOV_REPORTERS_SOURCE_TEXT_H
#define ILCOV_REPORTERS_SOURCE_TEXT_H

#include "reporters/sources.h"

/* sources_line without a byte order mark. */
struct str source_text_line(const struct sources *sources, struct str package, struct str path,
                            uint32_t number);

/* Lines `first` to `last`, or to the end of the file, as one text; its `text` is NULL if the
 * first is not known. */
NODISCARD bool source_text_lines(struct str *out, const struct sources *sources, struct str package,
                                 struct str path, uint32_t first, uint32_t last,
                                 struct arena *arena, struct err *err);

/* Where a column begins, in bytes; column 0 is the end. */
size_t source_text_offset(struct str line, uint16_t column);

/* The part between two columns; empty if there is no line. */
struct str source_text_cut(struct str line, uint16_t start_column, uint16_t end_column);

/* The same without the blanks around it: a statement that goes on from line to line begins and ends
 * with some. */
struct str source_text_shown(struct str line, uint16_t start_column, uint16_t end_column);

#endif
