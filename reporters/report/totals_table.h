/* totals_table.h - tables of names and their totals, for a terminal:
 *
 *   Assembly               Lines       Branches
 *   ───────────────────────────────────────────
 *   Shop.Core       83.33% 10/12    75.00%  6/8
 *
 * Names take what the numbers leave of the width. Where that is too little, columns on the right
 * are left out. */
#pragma once

#include "coverage/report/report.h"
#include "reporters/screen.h"

enum totals_column {
    COLUMN_MISSED, /* lines */
    COLUMN_LINES,
    COLUMN_BRANCHES,
    COLUMN_METHODS
};

enum {
    COLUMNS_MOST = 3
};

struct totals_table {
    const struct screen *screen;
    const enum totals_column *columns;
    int column_count;
    size_t name_width, widths[COLUMNS_MOST];
};

/* `largest` has the widest numbers; `longest` is the width of the widest name. */
void totals_table_fit(struct totals_table *out, const struct screen *screen, size_t width,
                      const enum totals_column *columns, int column_count,
                      const struct report_totals *largest, size_t longest);

void totals_table_head(const struct totals_table *table, const char *title);
void totals_table_rule(const struct totals_table *table);
/* The rest of a row whose name took `name_width` columns. */
void totals_table_end_row(const struct totals_table *table, size_t name_width,
                          const struct report_totals *totals);
