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

#include "base/sort.h"
#include "coverage/report/report_files.h"
#include "reporters/command_name.h"
#include "reporters/legible.h"
#include "reporters/report/report_formats.h"
#include "reporters/report/totals_table.h"

enum {
    ASSEMBLIES_MOST = 20,
    FILES_MOST = 5
};

static const char mark[] = " *";

struct run_summary {
    struct screen screen;
    size_t width;
    const struct report *report;
    struct arena *arena;
};

static uint64_t missed_lines_of(const struct report_totals *totals)
{
    return totals->lines_valid - totals->lines_covered;
}

static void put_footnote(const struct screen *screen, struct str text)
{
    screen_put_styled(screen, STYLE_YELLOW, text);
    screen_put_c(screen, "\n");
}

/* --- assemblies ------------------------------------------------------------------------------- */

ORDER(order_by_missed, struct report_package *const,
      BY_ORDER(number_order(missed_lines_of(&(*b)->totals), missed_lines_of(&(*a)->totals)))
          BY_ORDER((*a > *b) - (*a < *b)))

ORDER(order_totals_by_name, struct report_package *const, BY_ORDER((*a > *b) - (*a < *b)))

/* By name; of many those that miss most. */
static const struct report_package **choose_packages(uint32_t *count, const struct run_summary *s,
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
        qsort(chosen, *count, sizeof(struct report_package *), order_by_missed);
        *count = ASSEMBLIES_MOST;
        qsort(chosen, *count, sizeof(struct report_package *), order_totals_by_name);
    }
    return chosen;
}

static size_t mark_width(const struct report_package *package)
{
    return package->not_loaded ? strlen(mark) : 0;
}

static void put_mark(const struct screen *screen, const struct report_package *package)
{
    if (package->not_loaded)
        screen_put_styled(screen, STYLE_YELLOW, STR(mark));
}

static size_t put_package_name(const struct totals_table *table,
                               const struct report_package *package)
{
    size_t reserved = mark_width(package);
    if (table->name_width <= reserved)
        return screen_put_name(table->screen, package->name, 0);
    size_t width = screen_put_name(table->screen, package->name, table->name_width - reserved);
    put_mark(table->screen, package);
    return width + reserved;
}

static bool put_assembly_table(const struct run_summary *s, struct err *err)
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
        size_t width = legible_width(packages[i]->name) + mark_width(packages[i]);
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
        put_footnote(&s->screen, STR("* never loaded"));
    return true;
}

/* --- files ------------------------------------------------------------------------------------ */

ORDER(order_most_missed, struct report_file,
      BY_ORDER(number_order(missed_lines_of(&b->totals), missed_lines_of(&a->totals))) BY(path)
          BY(package->name))

/* "2 of 12", aligned, and the path; a file of an assembly that never loaded has its mark. */
static void put_missed_paths(const struct run_summary *s, const struct report_file *files,
                             uint32_t count)
{
    uint64_t largest = 0;
    for (uint32_t i = 0; i < count; i++)
        largest = files[i].totals.lines_valid > largest ? files[i].totals.lines_valid : largest;
    int missed_width = legible_digits(missed_lines_of(&files[0].totals));
    int valid_width = legible_digits(largest);
    size_t before = strlen("   of    ") + (size_t)(missed_width + valid_width);
    for (uint32_t i = 0; i < count; i++) {
        const struct report_totals *totals = &files[i].totals;
        size_t taken = before + mark_width(files[i].package);
        (void)fprintf(s->screen.file, "  %*" PRIu64 " of %*" PRIu64 "   ", missed_width,
                      missed_lines_of(totals), valid_width, totals->lines_valid);
        (void)screen_put_path(&s->screen, files[i].path, s->width > taken ? s->width - taken : 1);
        put_mark(&s->screen, files[i].package);
        screen_put_c(&s->screen, "\n");
    }
}

static bool put_worst_files(const struct run_summary *s, struct err *err)
{
    struct report_files files;
    uint32_t count = 0;
    if (!report_files_list(&files, s->report, s->arena, err))
        return false;
    if (files.count != 0)
        qsort(files.files, files.count, sizeof *files.files, order_most_missed);
    while (count < files.count && missed_lines_of(&files.files[count].totals) != 0)
        count++;
    if (count == 0)
        return true;
    screen_put_c(&s->screen, "\n");
    screen_put_styled(&s->screen, STYLE_BOLD, STR("Most missed lines"));
    screen_put_c(&s->screen, "\n");
    put_missed_paths(s, files.files, count < FILES_MOST ? count : FILES_MOST);
    if (count > FILES_MOST)
        (void)fprintf(s->screen.file, "and %" PRIu32 " more %s: -f files lists all\n",
                      count - FILES_MOST, count - FILES_MOST == 1 ? "file" : "files");
    (void)fprintf(s->screen.file, "'%s show FILE' shows which\n", command_name());
    return true;
}

bool table_write(const struct format_job *job, struct err *err)
{
    struct run_summary s = {.screen = job->screen, .report = job->report, .arena = job->arena};
    s.width = screen_width(&s.screen, SCREEN_WIDTH);
    bool ok = put_assembly_table(&s, err);
    for (uint32_t i = 0; ok && i < s.report->note_count; i++)
        put_footnote(&s.screen, s.report->notes[i]);
    return ok && put_worst_files(&s, err);
}
