#include "reporters/report/report_formats.h"

#include "coverage/report/report.h"
#include "reporters/diff/diff_html.h"
#include "reporters/html/html.h"
#include "reporters/html/site_folder.h"

struct progress_count report_progress(const struct format_job *job, const char *what)
{
    struct progress_count count = {.progress = job->progress, .what = what};
    for (uint32_t i = 0; i < job->report->package_count; i++)
        count.total += job->report->packages[i].class_count;
    return count;
}

/* A report that is deterministic hides its root, and does not say when its run was. */
static bool html_report_write(const struct format_job *job, struct err *err)
{
    return html_write(job, err) &&
           (job->diff == NULL || diff_pages_write(job, true, !str_is(job->report->root, "."), err));
}

const struct format report_formats[] = {
    {
        .name = "cobertura",
        .default_path = "coverage.cobertura.xml",
        .summary = "Cobertura XML, which most CI systems and services read",
        .kind = FORMAT_OF_REPORT,
        .takes_outline = true,
        .write = cobertura_write,
        .write_parts = cobertura_write_parts,
    },
    {
        .name = "html",
        .default_path = "coverage-html",
        .summary = "a folder of pages for people, with the source",
        .kind = FORMAT_OF_REPORT,
        .output = DESTINATION_DIRECTORY,
        .check = site_folder_check,
        .wants_sources = true,
        .takes_outline = true,
        .shows_changes = true,
        .tells_tests = true,
        .write = html_report_write,
    },
    {
        .name = "json",
        .default_path = "coverage.json",
        .summary = "JSON, all that the report knows, for scripts and services",
        .kind = FORMAT_OF_REPORT,
        .takes_outline = true,
        .tells_tests = true,
        .write = json_write,
    },
    {
        .name = "jsonl",
        .default_path = "coverage.jsonl",
        .summary = "the same as JSON lines, a source file a line, for streams",
        .kind = FORMAT_OF_REPORT,
        .takes_outline = true,
        .tells_tests = true,
        .write = jsonl_write,
    },
    {
        .name = "lcov",
        .default_path = "coverage.info",
        .summary = "an LCOV tracefile, for genhtml, editors and services",
        .kind = FORMAT_OF_REPORT,
        .takes_outline = true,
        .write = lcov_write,
    },
    {
        .name = "markdown",
        .default_path = "coverage.md",
        .summary = "a summary for step summaries and pull requests, with the verdicts of gates",
        .kind = FORMAT_OF_REPORT,
        .write = markdown_write,
    },
    {
        .name = "opencover",
        .default_path = "coverage.opencover.xml",
        .summary = "OpenCover's XML, which SonarQube reads for C# and Visual Basic",
        .kind = FORMAT_OF_REPORT,
        .takes_outline = true,
        .write = opencover_write,
    },
    {
        .name = "sonar",
        .default_path = "coverage.sonar.xml",
        .summary = "SonarQube's generic coverage, for sonar.coverageReportPaths",
        .kind = FORMAT_OF_REPORT,
        .takes_outline = true,
        .write = sonar_write,
    },
    {
        .name = "teamcity",
        .default_path = DESTINATION_STDOUT,
        .summary = "service messages for TeamCity, to standard output",
        .kind = FORMAT_OF_REPORT,
        .takes_outline = true,
        .write = teamcity_write,
    },
    {
        .name = "badge",
        .default_path = "coverage.svg",
        .summary = "an SVG badge with the share of lines",
        .kind = FORMAT_OF_REPORT,
        .takes_outline = true,
        .write = badge_write,
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
