#include "reporters/report/totals_table.h"

#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "reporters/legible.h"

enum {
    GAP = 3,
    PERCENT_WIDTH = 7,
    NAME_LEAST = 12, /* narrower than this, no name needs to be */
    NAME_FAIR = 24,  /* a name that has so much room is legible: keep all columns */
    NUMBER_ROOM = 48
};

static const char *const titles[] = {[COLUMN_MISSED] = "Missed",
                                     [COLUMN_LINES] = "Lines",
                                     [COLUMN_BRANCHES] = "Branches",
                                     [COLUMN_METHODS] = "Methods"};

struct column_share {
    uint64_t covered, valid;
};

static struct column_share share_of_column(const struct report_totals *totals,
                                           enum totals_column column)
{
    switch (column) {
    case COLUMN_BRANCHES:
        return (struct column_share){totals->branches_covered, totals->branches_valid};
    case COLUMN_METHODS:
        return (struct column_share){totals->methods_covered, totals->methods_valid};
    case COLUMN_MISSED:
    case COLUMN_LINES:
        break;
    }
    return (struct column_share){totals->lines_covered, totals->lines_valid};
}

static size_t column_width(enum totals_column column, const struct report_totals *largest)
{
    struct column_share share = share_of_column(largest, column);
    int numbers = column == COLUMN_MISSED
                      ? legible_digits(share.valid - share.covered)
                      : PERCENT_WIDTH + legible_digits(share.covered) +
                            legible_digits(share.valid) + 2; /* a blank, a slash */
    size_t width = (size_t)numbers;
    size_t title = strlen(titles[column]);
    return width > title ? width : title;
}

static size_t width_of_columns(const struct totals_table *table)
{
    size_t width = 0;
    for (int i = 0; i < table->column_count; i++)
        width += GAP + table->widths[i];
    return width;
}

void totals_table_fit(struct totals_table *out, const struct screen *screen, size_t width,
                      const enum totals_column *columns, int column_count,
                      const struct report_totals *largest, size_t longest)
{
    size_t name = longest > NAME_LEAST ? longest : NAME_LEAST;
    size_t fair = name < NAME_FAIR ? name : NAME_FAIR;
    *out = (struct totals_table){
        .screen = screen, .columns = columns, .column_count = column_count, .name_width = name};
    for (int i = 0; i < column_count; i++)
        out->widths[i] = column_width(columns[i], largest);
    while (out->column_count > 1 && width_of_columns(out) + fair > width)
        out->column_count--;
    size_t others = width_of_columns(out);
    size_t room = width > others ? width - others : 1;
    if (out->name_width > room)
        out->name_width = room;
}

void totals_table_head(const struct totals_table *table, const char *title)
{
    const struct screen *screen = table->screen;
    screen_style(screen, STYLE_BOLD);
    size_t width = screen_put_text(screen, str_of(title), table->name_width);
    screen_spaces(screen, table->name_width - width);
    for (int i = 0; i < table->column_count; i++)
        (void)fprintf(screen->file, "%*s", (int)(GAP + table->widths[i]),
                      titles[table->columns[i]]);
    screen_style(screen, STYLE_PLAIN);
    screen_put_c(screen, "\n");
    totals_table_rule(table);
}

void totals_table_rule(const struct totals_table *table)
{
    screen_rule(table->screen, table->name_width + width_of_columns(table));
}

static enum screen_style style_of(uint32_t percent_x100)
{
    return percent_x100 >= 8000 ? STYLE_GREEN : percent_x100 >= 5000 ? STYLE_YELLOW : STYLE_RED;
}

static void put_share_columns(const struct totals_table *table, int column,
                              const struct report_totals *totals)
{
    const struct screen *screen = table->screen;
    struct column_share share = share_of_column(totals, table->columns[column]);
    char percent[LEGIBLE_PERCENT_ROOM], fraction[NUMBER_ROOM];
    uint32_t x100 = number_percent_x100(share.covered, share.valid);
    screen_style(screen, share.valid != 0 ? style_of(x100) : STYLE_DIM);
    (void)fprintf(screen->file, "%*s", PERCENT_WIDTH,
                  legible_percent(percent, share.covered, share.valid));
    screen_style(screen, STYLE_PLAIN);
    (void)snprintf(fraction, sizeof fraction, "%" PRIu64 "/%" PRIu64, share.covered, share.valid);
    (void)fprintf(screen->file, " %*s", (int)table->widths[column] - PERCENT_WIDTH - 1, fraction);
}

static void put_missed_number(const struct totals_table *table, int column,
                              const struct report_totals *totals)
{
    const struct screen *screen = table->screen;
    uint64_t missed = totals->lines_valid - totals->lines_covered;
    screen_style(screen, missed != 0 ? STYLE_PLAIN : STYLE_DIM);
    (void)fprintf(screen->file, "%*" PRIu64, (int)table->widths[column], missed);
    screen_style(screen, STYLE_PLAIN);
}

void totals_table_end_row(const struct totals_table *table, size_t name_width,
                          const struct report_totals *totals)
{
    screen_spaces(table->screen, table->name_width - name_width);
    for (int i = 0; i < table->column_count; i++) {
        screen_spaces(table->screen, GAP);
        if (table->columns[i] == COLUMN_MISSED)
            put_missed_number(table, i, totals);
        else
            put_share_columns(table, i, totals);
    }
    screen_put_c(table->screen, "\n");
}
