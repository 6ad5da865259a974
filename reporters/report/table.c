/* The table printed after a run:
 *
 *   Assembly               Lines       Branches        Methods
 *   ──────────────────────────────────────────────────────────
 *   Shop.Core       83.33% 10/12    75.00%  6/8   100.00%  4/4
 *   Shop.Data *      0.00%   0/7         -  0/0     0.00%  0/2
 *   ──────────────────────────────────────────────────────────
 *   Total           52.63% 10/19    75.00%  6/8    66.66%  4/6
 *   * never loaded
 *   attached at 2026-05-01T12:00:00Z: what ran before is not counted, ...
 *
 *   Most missed lines
 *     7 of  7   src/Shop.Data/Table.cs
 *     2 of 12   src/Shop.Core/Order.cs
 *   and 5 more files: -f files lists all
 *   'ilcov show FILE' shows which
 *
 * It is as wide as the terminal, at most SCREEN_WIDTH, and has no more lines than a person reads:
 * the assemblies and files that miss most. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "coverage/report/report_files.h"
#include "reporters/command_name.h"
#include "reporters/report/report_formats.h"
#include "reporters/report/totals_table.h"

enum {
    ASSEMBLIES_MOST = 20,
    FILES_MOST = 5,
    NUMBER_ROOM = 64
};

static const char mark[] = " *", never_loaded[] = "* never loaded";

struct summary {
    struct screen screen;
    size_t width;
    const struct report *report;
    struct arena *arena;
};

static uint64_t missed(const struct report_totals *totals)
{
    return totals->lines_valid - totals->lines_covered;
}

static void put_footnote(const struct screen *screen, struct str text)
{
    screen_style(screen, STYLE_YELLOW);
    screen_put(screen, text);
    screen_style(screen, STYLE_PLAIN);
    screen_put_c(screen, "\n");
}

/* --- assemblies ------------------------------------------------------------------------------- */

static int order_packages(const void *left, const void *right)
{
    const struct report_package *const *a = left, *const *b = right;
    int order = number_order(missed(&(*b)->totals), missed(&(*a)->totals));
    return order != 0 ? order : (*a > *b) - (*a < *b);
}

static int order_names(const void *left, const void *right)
{
    const struct report_package *const *a = left, *const *b = right;
    return (*a > *b) - (*a < *b);
}

/* By name; of many those that miss most. */
static const struct report_package **choose_packages(uint32_t *count, const struct summary *s,
                                                     struct err *err)
{
    const struct report *report = s->report;
    const struct report_package **chosen =
        ARENA_NEW(s->arena, const struct report_package *, report->package_count, err);
    if (chosen == NULL)
        return NULL;
    for (uint32_t i = 0; i < report->package_count; i++)
        chosen[i] = &report->packages[i];
    *count = report->package_count;
    if (*count > ASSEMBLIES_MOST) {
        qsort(chosen, *count, sizeof(struct report_package *), order_packages);
        *count = ASSEMBLIES_MOST;
        qsort(chosen, *count, sizeof(struct report_package *), order_names);
    }
    return chosen;
}

static size_t put_package_name(const struct totals_table *table,
                               const struct report_package *package)
{
    const struct screen *screen = table->screen;
    size_t reserved = package->not_loaded ? strlen(mark) : 0;
    size_t room = table->name_width > reserved ? table->name_width - reserved : 0;
    size_t width = screen_put_name(screen, package->name, room);
    if (package->not_loaded && room != 0) {
        screen_style(screen, STYLE_YELLOW);
        screen_put_c(screen, mark);
        screen_style(screen, STYLE_PLAIN);
        width += reserved;
    }
    return width;
}

static bool put_assemblies(const struct summary *s, struct err *err)
{
    static const enum totals_column columns[] = {COLUMN_LINES, COLUMN_BRANCHES, COLUMN_METHODS};
    const struct report *report = s->report;
    struct totals_table table;
    uint32_t count = 0;
    size_t longest = 0;
    bool is_marked = false;
    const struct report_package **packages = choose_packages(&count, s, err);
    if (packages == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        size_t width =
            screen_text_width(packages[i]->name) + (packages[i]->not_loaded ? strlen(mark) : 0);
        is_marked = is_marked || packages[i]->not_loaded;
        longest = width > longest ? width : longest;
    }
    totals_table_fit(&table, &s->screen, s->width, columns, ARRAY_LEN(columns), &report->totals,
                     longest);
    totals_table_head(&table, "Assembly");
    for (uint32_t i = 0; i < count; i++)
        totals_table_end_row(&table, put_package_name(&table, packages[i]), &packages[i]->totals);
    if (count < report->package_count)
        (void)fprintf(s->screen.file, "and %" PRIu32 " more that miss fewer lines\n",
                      report->package_count - count);
    totals_table_rule(&table);
    screen_style(&s->screen, STYLE_BOLD);
    totals_table_end_row(&table, screen_put_text(&s->screen, STR("Total"), table.name_width),
                         &report->totals);
    if (is_marked)
        put_footnote(&s->screen, STR(never_loaded));
    return true;
}

/* --- files ------------------------------------------------------------------------------------ */

static int order_files(const void *left, const void *right)
{
    const struct report_file *a = left, *b = right;
    int order = number_order(missed(&b->totals), missed(&a->totals));
    if (order == 0)
        order = str_cmp(a->path, b->path);
    return order != 0 ? order : str_cmp(a->package->name, b->package->name);
}

/* "2 of 12", aligned. */
static void put_missed(const struct screen *screen, const struct report_totals *totals,
                       const struct report_totals *largest)
{
    char number[NUMBER_ROOM];
    int missed_width = snprintf(number, sizeof number, "%" PRIu64, missed(largest));
    int valid_width = snprintf(number, sizeof number, "%" PRIu64, largest->lines_valid);
    (void)fprintf(screen->file, "  %*" PRIu64 " of %*" PRIu64 "   ", missed_width, missed(totals),
                  valid_width, totals->lines_valid);
}

static size_t width_before_path(const struct report_totals *largest)
{
    return (size_t)snprintf(NULL, 0, "  %" PRIu64 " of %" PRIu64 "   ", missed(largest),
                            largest->lines_valid);
}

/* A file of an assembly that never loaded has its mark. */
static void put_path(const struct summary *s, const struct report_file *file, size_t room)
{
    size_t reserved = file->package->not_loaded ? strlen(mark) : 0;
    (void)screen_put_path(&s->screen, file->path, room > reserved ? room - reserved : 1);
    if (reserved == 0)
        return;
    screen_style(&s->screen, STYLE_YELLOW);
    screen_put_c(&s->screen, mark);
    screen_style(&s->screen, STYLE_PLAIN);
}

static void put_worst(const struct summary *s, const struct report_file *files, uint32_t count)
{
    struct report_totals largest = {0};
    for (uint32_t i = 0; i < count; i++) {
        const struct report_totals *totals = &files[i].totals;
        if (totals->lines_valid > largest.lines_valid)
            largest.lines_valid = totals->lines_valid;
    }
    largest.lines_covered = largest.lines_valid - missed(&files[0].totals);
    size_t before = width_before_path(&largest);
    for (uint32_t i = 0; i < count; i++) {
        put_missed(&s->screen, &files[i].totals, &largest);
        put_path(s, &files[i], s->width > before ? s->width - before : 1);
        screen_put_c(&s->screen, "\n");
    }
}

static bool put_files(const struct summary *s, struct err *err)
{
    struct report_files files;
    uint32_t count = 0;
    if (!report_files_list(&files, s->report, s->arena, err))
        return false;
    if (files.count != 0)
        qsort(files.files, files.count, sizeof *files.files, order_files);
    while (count < files.count && missed(&files.files[count].totals) != 0)
        count++;
    if (count == 0)
        return true;
    screen_put_c(&s->screen, "\n");
    screen_style(&s->screen, STYLE_BOLD);
    screen_put_c(&s->screen, "Most missed lines");
    screen_style(&s->screen, STYLE_PLAIN);
    screen_put_c(&s->screen, "\n");
    put_worst(s, files.files, count < FILES_MOST ? count : FILES_MOST);
    if (count > FILES_MOST)
        (void)fprintf(s->screen.file, "and %" PRIu32 " more %s: -f files lists all\n",
                      count - FILES_MOST, count - FILES_MOST == 1 ? "file" : "files");
    (void)fprintf(s->screen.file, "'%s show FILE' shows which\n", command_name());
    return true;
}

bool table_write(const struct format_job *job, struct err *err)
{
    struct summary s = {.screen = format_screen(job), .report = job->report, .arena = job->arena};
    s.width = screen_width(&s.screen, SCREEN_WIDTH);
    bool ok = put_assemblies(&s, err);
    for (uint32_t i = 0; ok && i < s.report->note_count; i++)
        put_footnote(&s.screen, s.report->notes[i]);
    return ok && put_files(&s, err);
}
