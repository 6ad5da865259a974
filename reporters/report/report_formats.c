#include "reporters/report/report_formats.h"

#include "coverage/report/report.h"
#include "reporters/diff/diff_html.h"
#include "reporters/html/html.h"

/* A report that is deterministic hides its root, and does not say when its run was. */
static bool html_report_write(const struct format_job *job, struct err *err)
{
    return html_write(job, err) &&
           (job->diff == NULL || diff_pages_write(job, true, !str_is(job->report->root, "."), err));
}

const struct format report_formats[] = {
    {
        .name = "cobertura",
        .default_path = "cobertura.xml",
        .summary = "Cobertura XML, which most CI systems and services read",
        .kind = FORMAT_OF_REPORT,
        .write = cobertura_write,
    },
    {
        .name = "html",
        .default_path = "coverage-html",
        .summary = "a folder of pages for people, with the source",
        .kind = FORMAT_OF_REPORT,
        .output = DESTINATION_DIRECTORY,
        .wants_sources = true,
        .takes_outline = true,
        .shows_changes = true,
        .write = html_report_write,
    },
    {
        .name = "json",
        .default_path = "ilcov.json",
        .summary = "JSON, all that the report knows, for scripts and services",
        .kind = FORMAT_OF_REPORT,
        .write = json_write,
    },
    {
        .name = "text",
        .summary = "assemblies and the worst files for people, to standard error",
        .kind = FORMAT_OF_REPORT,
        .has_colour = true,
        .takes_outline = true,
        .write = table_write,
    },
    {
        .name = "files",
        .summary = "a table of all source files for people, to standard error",
        .kind = FORMAT_OF_REPORT,
        .has_colour = true,
        .takes_outline = true,
        .write = files_write,
    },
    {
        .name = "missed",
        .summary = "missed lines and outcomes of each file for people, to standard error",
        .kind = FORMAT_OF_REPORT,
        .has_colour = true,
        .wants_sources = true,
        .write = missed_write,
    },
    {0},
};
