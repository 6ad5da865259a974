/* A table of source files:
 *
 *   File                     Missed          Lines       Branches
 *   ─────────────────────────────────────────────────────────────
 *   src/Shop.Core/Order.cs        2   83.33% 10/12    75.00%  6/8
 *   src/Shared/Text.cs (Shop.Data)  …
 *   ─────────────────────────────────────────────────────────────
 *   Total                         9   52.63% 10/19    75.00%  6/8
 *
 * It is as wide as the terminal; elsewhere no path is cut. A file that several assemblies have
 * compiled has a row for each. */
#include "coverage/report/report_files.h"
#include "reporters/legible.h"
#include "reporters/report/report_formats.h"
#include "reporters/report/totals_table.h"

static bool is_of_several(const struct report_files *files, uint32_t index)
{
    const struct report_file *file = &files->files[index];
    return (index > 0 && str_eq(file[-1].path, file->path)) ||
           (index + 1 < files->count && str_eq(file[1].path, file->path));
}

/* " (Shop.Data)" */
static size_t assembly_width(const struct report_files *files, uint32_t index)
{
    return is_of_several(files, index) ? legible_width(files->files[index].package->name) + 3 : 0;
}

static size_t put_name_cell(const struct totals_table *table, const struct report_files *files,
                            uint32_t index)
{
    const struct report_file *file = &files->files[index];
    size_t assembly = assembly_width(files, index), room = table->name_width;
    if (assembly >= room)
        return screen_put_path(table->screen, file->path, room);
    size_t width = screen_put_path(table->screen, file->path, room - assembly);
    if (assembly != 0) {
        screen_put_c(table->screen, " (");
        screen_put(table->screen, file->package->name);
        screen_put_c(table->screen, ")");
    }
    return width + assembly;
}

static void put_files_table(const struct screen *screen, const struct report *report,
                            const struct report_files *files)
{
    static const enum totals_column columns[] = {COLUMN_MISSED, COLUMN_LINES, COLUMN_BRANCHES};
    struct totals_table table;
    size_t longest = 0;
    for (uint32_t i = 0; i < files->count; i++) {
        size_t width = legible_width(files->files[i].path) + assembly_width(files, i);
        longest = width > longest ? width : longest;
    }
    totals_table_fit(&table, screen, screen_width(screen, SIZE_MAX), columns, ARRAY_LEN(columns),
                     &report->totals, longest);
    totals_table_head(&table, "File");
    for (uint32_t i = 0; i < files->count; i++)
        totals_table_end_row(&table, put_name_cell(&table, files, i), &files->files[i].totals);
    totals_table_rule(&table);
    screen_style(screen, STYLE_BOLD);
    totals_table_end_row(&table, screen_put_text(screen, STR("Total"), table.name_width),
                         &report->totals);
}

bool files_write(const struct format_job *job, struct err *err)
{
    struct report_files files;
    bool ok = report_files_list(&files, job->report, job->arena, err);
    if (ok)
        put_files_table(&job->screen, job->report, &files);
    return ok;
}
