/* source_text.h - lines of sources as reports show them, and places in them.
 * Units:  lines from 1; columns in UTF-16 code units from 1, as in struct fact_span. */
#pragma once

#include "reporters/sources.h"

/* sources_line without a byte order mark. */
struct str source_text_line(const struct source_place *place, uint32_t number);

/* Lines `first` to `last`, or to the end of the file, as one text; its `text` is NULL if the
 * first is not known. */
NODISCARD bool source_text_lines(struct str *out, const struct source_place *place, uint32_t first,
                                 uint32_t last, struct arena *arena, struct err *err);

/* Without the blanks and controls at its end. */
struct str source_text_without_end(struct str line);

/* The start of a line, of at most so many bytes; no character is cut. */
struct str source_text_start(struct str line, size_t most);

/* The part between two columns, of which 0 is the end; empty if there is no line. */
struct str source_text_cut(struct str line, uint16_t start_column, uint16_t end_column);

/* The part of a line between two columns that is marked: without the blanks that a later line of a
 * statement begins with. Empty if there is none, or it begins before `from`, in bytes. */
struct str source_text_mark(struct str line, uint16_t start_column, uint16_t end_column,
                            size_t from);

/* source_text_cut without the blanks around it: a statement that goes on from line to line begins
 * and ends with some. */
struct str source_text_shown(struct str line, uint16_t start_column, uint16_t end_column);
