/* The table printed after a run:
 *
 *   Assembly               Lines       Branches        Methods
 *   ──────────────────────────────────────────────────────────
 *   Shop.Core       83.33% 10/12    75.00%  6/8   100.00%  4/4
 *   Shop.Data *      0.00%   0/7         -  0/0     0.00%  0/2
 *   ──────────────────────────────────────────────────────────
 *   Total           52.63% 10/19    75.00%  6/8    66.66%  4/6
 *   * never loaded
 *   attached at 2026-05-01T12:00:00Z: what ran before is unknown, not missed
 *
 * Widths are columns of a terminal, whatever the locale. A name that would make a line wider than
 * 100 is cut. */
#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "base/utf16.h"
#include "coverage/report/report.h"
#include "reporters/legible.h"
#include "reporters/report/report_formats.h"

enum {
    LINE_WIDTH = 100,
    NAME_WIDTH_LEAST = 12,
    PERCENT_WIDTH = 7,
    GAP = 3,
    METRICS = 3,
    NUMBER_ROOM = 48
};

static const char mark[] = " *", never_loaded[] = "* never loaded";
static const char bold[] = "\033[1m", dim[] = "\033[2m", plain[] = "\033[0m";
static const char red[] = "\033[31m", yellow[] = "\033[33m", green[] = "\033[32m";

struct metric {
    const char *title;
    size_t width; /* of "10/12" */
};

struct table {
    FILE *file;
    bool colour;
    bool marked; /* is any assembly marked? */
    size_t name_width;
    struct metric metrics[METRICS];
};

/* --- widths ----------------------------------------------------------------------------------- */

static size_t number_width(uint64_t number)
{
    size_t width = 1;
    for (; number >= 10; number /= 10)
        width++;
    return width;
}

static void metric_of(uint64_t *covered, uint64_t *valid, const struct report_totals *totals,
                      int metric)
{
    const uint64_t values[METRICS][2] = {
        {totals->lines_covered, totals->lines_valid},
        {totals->branches_covered, totals->branches_valid},
        {totals->methods_covered, totals->methods_valid},
    };
    *covered = values[metric][0];
    *valid = values[metric][1];
}

static size_t metric_width(const struct metric *metric)
{
    return PERCENT_WIDTH + 1 + metric->width;
}

/* The totals have the widest numbers. */
static void fit(struct table *table, const struct report *report)
{
    static const char *const titles[METRICS] = {"Lines", "Branches", "Methods"};
    size_t others = 0;
    for (int i = 0; i < METRICS; i++) {
        uint64_t covered = 0, valid = 0;
        metric_of(&covered, &valid, &report->totals, i);
        table->metrics[i] =
            (struct metric){titles[i], number_width(covered) + 1 + number_width(valid)};
        others += GAP + metric_width(&table->metrics[i]);
    }
    table->name_width = NAME_WIDTH_LEAST;
    for (uint32_t i = 0; i < report->package_count; i++) {
        const struct report_package *package = &report->packages[i];
        size_t width = legible_width(package->name) + (package->not_loaded ? strlen(mark) : 0);
        table->marked = table->marked || package->not_loaded;
        table->name_width = width > table->name_width ? width : table->name_width;
    }
    size_t most = others + NAME_WIDTH_LEAST < LINE_WIDTH ? LINE_WIDTH - others : NAME_WIDTH_LEAST;
    table->name_width = table->name_width < most ? table->name_width : most;
}

/* --- cells ------------------------------------------------------------------------------------ */

static void put_spaces(struct table *table, size_t count)
{
    for (size_t i = 0; i < count; i++)
        (void)fputc(' ', table->file);
}

static void put_style(struct table *table, const char *style)
{
    if (table->colour)
        (void)fputs(style, table->file);
}

/* A name that is too long loses its beginning: the end distinguishes Company.Product.A from
 * Company.Product.B. */
static void put_name(struct table *table, struct str name, bool marked)
{
    size_t room = table->name_width - (marked ? strlen(mark) : 0);
    size_t width = legible_width(name), pos = 0;
    bool cut = width > room;
    while (pos < name.len && width + cut > room)
        width -= legible_char_width(utf8_next(name.text, name.len, &pos));
    if (cut)
        (void)fputs("\xE2\x80\xA6", table->file); /* … */
    legible_put(table->file, (struct str){name.text + pos, name.len - pos});
    put_style(table, marked ? yellow : plain);
    (void)fputs(marked ? mark : "", table->file);
    put_style(table, marked ? plain : "");
    put_spaces(table, room - width - cut);
}

static const char *style_of(uint32_t percent_x100)
{
    return percent_x100 >= 8000 ? green : percent_x100 >= 5000 ? yellow : red;
}

static void put_metric(struct table *table, int index, const struct report_totals *totals)
{
    const struct metric *metric = &table->metrics[index];
    uint64_t covered = 0, valid = 0;
    char percent[NUMBER_ROOM] = "-", fraction[NUMBER_ROOM];
    metric_of(&covered, &valid, totals, index);
    uint32_t x100 = number_percent_x100(covered, valid);
    if (valid != 0)
        (void)snprintf(percent, sizeof percent, "%" PRIu32 ".%02" PRIu32 "%%", x100 / 100,
                       x100 % 100);
    put_spaces(table, GAP);
    put_style(table, valid != 0 ? style_of(x100) : dim);
    (void)fprintf(table->file, "%*s", PERCENT_WIDTH, percent);
    put_style(table, plain);
    (void)snprintf(fraction, sizeof fraction, "%" PRIu64 "/%" PRIu64, covered, valid);
    (void)fprintf(table->file, " %*s", (int)metric->width, fraction);
}

static void put_row(struct table *table, struct str name, bool marked,
                    const struct report_totals *totals)
{
    put_name(table, name, marked);
    for (int i = 0; i < METRICS; i++)
        put_metric(table, i, totals);
    (void)fputc('\n', table->file);
}

static void put_titles(struct table *table)
{
    put_style(table, bold);
    put_name(table, STR("Assembly"), false);
    put_style(table, bold);
    for (int i = 0; i < METRICS; i++) {
        const struct metric *metric = &table->metrics[i];
        put_spaces(table, GAP);
        (void)fprintf(table->file, "%*s", (int)metric_width(metric), metric->title);
    }
    put_style(table, plain);
    (void)fputc('\n', table->file);
}

static void put_footnote(struct table *table, struct str text)
{
    put_style(table, yellow);
    legible_put(table->file, text);
    put_style(table, plain);
    (void)fputc('\n', table->file);
}

static void put_rule(struct table *table)
{
    size_t width = table->name_width;
    for (int i = 0; i < METRICS; i++)
        width += GAP + metric_width(&table->metrics[i]);
    put_style(table, dim);
    for (size_t i = 0; i < width; i++)
        (void)fputs("\xE2\x94\x80", table->file); /* ─ */
    put_style(table, plain);
    (void)fputc('\n', table->file);
}

bool table_write(const struct format_job *job, struct err *err)
{
    const struct report *report = job->report;
    struct table table = {.file = job->destination->file, .colour = job->colour};
    (void)err;
    fit(&table, report);
    put_titles(&table);
    put_rule(&table);
    for (uint32_t i = 0; i < report->package_count; i++) {
        const struct report_package *package = &report->packages[i];
        put_row(&table, package->name, package->not_loaded, &package->totals);
    }
    put_rule(&table);
    put_style(&table, bold);
    put_row(&table, STR("Total"), false, &report->totals);
    if (table.marked)
        put_footnote(&table, STR(never_loaded));
    for (uint32_t i = 0; i < report->note_count; i++)
        put_footnote(&table, report->notes[i]);
    return true;
}
