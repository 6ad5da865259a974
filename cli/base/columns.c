#include "cli/base/columns.h"

#include <stdio.h>

#include "reporters/legible.h"

enum {
    GAP = 2 /* spaces between two columns */
};

static void widen(size_t widths[COLUMNS_CELLS], const struct columns_row *row)
{
    for (size_t i = 0; i < COLUMNS_CELLS; i++) {
        size_t width = legible_width(row->cells[i]);
        if (width > widths[i])
            widths[i] = width;
    }
}

static void print_row(const struct columns_row *row, const size_t widths[COLUMNS_CELLS])
{
    for (size_t i = 0; i < COLUMNS_CELLS && widths[i] != 0; i++) {
        bool is_last = i + 1 == COLUMNS_CELLS || widths[i + 1] == 0;
        size_t blanks = is_last ? 0 : widths[i] - legible_width(row->cells[i]) + GAP;
        legible_put(stdout, row->cells[i]);
        printf("%*s", (int)blanks, "");
    }
    printf("\n");
}

void columns_print(const struct columns_row *rows, uint32_t count)
{
    size_t widths[COLUMNS_CELLS] = {0};
    for (uint32_t i = 0; i < count; i++)
        widen(widths, &rows[i]);
    for (uint32_t i = 0; i < count; i++)
        print_row(&rows[i], widths);
}
