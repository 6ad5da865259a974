/* source_columns.h - the three columns of a source page: numbers, hits, text. */
#ifndef ILCOV_REPORTERS_HTML_SOURCE_COLUMNS_H
#define ILCOV_REPORTERS_HTML_SOURCE_COLUMNS_H

#include "reporters/html/source_lines.h"

struct source_columns {
    struct text numbers, hits, code;
    size_t source_len; /* bytes of the text; 0: it is not available */
};

/* The content of the columns as HTML. Without the text, only lines with code are in them. */
NODISCARD bool source_columns_make(struct source_columns *out, const struct source_lines *lines,
                                   const struct site *site, const struct site_file *file,
                                   struct arena *arena, struct err *err);

/* The part of a line that a mark is about; without a line it is empty. */
struct str source_columns_cut(struct str line, uint16_t start_column, uint16_t end_column);

/* A line as it is shown: without a byte order mark. */
struct str source_columns_line(const struct site *site, const struct site_file *file,
                               uint32_t number);

#endif
