/* columns.h - a table on standard output: columns as wide as what they hold, on a line each row. */
#ifndef ILCOV_CLI_BASE_COLUMNS_H
#define ILCOV_CLI_BASE_COLUMNS_H

#include "base/text.h"

enum {
    COLUMNS_CELLS = 6
};

struct columns_row {
    struct str cells[COLUMNS_CELLS]; /* the last with text may be long; those behind it are empty */
};

/* The first row is the header. */
void columns_print(const struct columns_row *rows, uint32_t count);

#endif
