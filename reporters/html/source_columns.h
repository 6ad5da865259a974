/* source_columns.h - the columns of a source page: numbers, hits, how many tests ran the line
 * (where the report knows), text. */
#pragma once

#include "coverage/report/source_lines.h"
#include "reporters/html/site.h"

/* In place of a number: the line ran, but in no test. */
#define TESTS_NONE "\xE2\x97\x8B"

struct source_columns {
    struct page_column numbers, hits, code;
    struct page_column tests; /* empty without report.tests */
    bool has_unknown_tests;   /* it has "?": a line that ran, it is not known in which tests */
    size_t source_len;        /* bytes of the text; 0: it is not available */
};

/* The content of the columns as HTML. Without the text, only lines with code are in them. */
NODISCARD bool source_columns_make(struct source_columns *out, const struct source_lines *lines,
                                   const struct site *site, const struct site_file *file,
                                   struct arena *arena, struct err *err);
