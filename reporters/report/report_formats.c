#include "reporters/report/report_formats.h"

#include "reporters/diff/change_frame.h"
#include "reporters/html/html.h"
#include "reporters/html/site.h"
#include "reporters/html/site_folder.h"

static bool html_report_close(void *writer, struct err *err)
{
    struct page_set *pages = &((struct site *)writer)->pages;
    if (!html_close(writer, err) || (pages->job->diff != NULL && !diff_pages_write(pages, err)))
        return false;
    site_folder_sweep(pages);
    return true;
}

const struct format report_formats[] = {
    {
        .name = "cobertura",
        .default_path = "coverage.cobertura.xml",
        .summary = "Cobertura XML, which most CI systems and services read",
        .order = REPORT_BY_CLASS,
        .open = cobertura_open,
        .take = cobertura_take,
        .close = cobertura_close,
        .write_parts = cobertura_write_parts,
        .tidy = cobertura_tidy,
    },
    {
        .name = "html",
        .default_path = "coverage-html",
        .summary = "a folder of pages for people, with the source",
        .output = DESTINATION_DIRECTORY,
        .check = site_folder_check,
        .wants_sources = true,
        .shows_changes = true,
        .tells_tests = true,
        .order = REPORT_BY_PACKAGE,
        .open = html_open,
        .take = html_take,
        .close = html_report_close,
    },
    {
        .name = "json",
        .default_path = "coverage.json",
        .summary = "JSON with all that the report knows, for scripts and services",
        .tells_tests = true,
        .order = REPORT_BY_PACKAGE,
        .open = json_open,
        .take = json_take,
        .close = json_close,
    },
    {
        .name = "jsonl",
        .default_path = "coverage.jsonl",
        .summary = "the same as JSON lines, one source file per line, for streams",
        .tells_tests = true,
        .order = REPORT_BY_PACKAGE,
        .open = jsonl_open,
        .take = jsonl_take,
        .close = jsonl_close,
    },
    {
        .name = "lcov",
        .default_path = "coverage.info",
        .summary = "an LCOV tracefile, for genhtml, editors and services",
        .order = REPORT_BY_FILE,
        .open = lcov_open,
        .take = lcov_take,
    },
    {
        .name = "markdown",
        .default_path = "coverage.md",
        .summary = "a summary for step summaries and pull requests, with the results of gates",
        .order = REPORT_BY_MISSES,
        .open = markdown_open,
        .take = markdown_take,
        .close = markdown_close,
    },
    {
        .name = "opencover",
        .default_path = "coverage.opencover.xml",
        .summary = "OpenCover's XML, which SonarQube reads for C# and Visual Basic",
        .order = REPORT_BY_CLASS,
        .open = opencover_open,
        .take = opencover_take,
        .close = opencover_close,
    },
    {
        .name = "sonar",
        .default_path = "coverage.sonar.xml",
        .summary = "SonarQube's generic coverage, for sonar.coverageReportPaths",
        .order = REPORT_BY_FILE,
        .open = sonar_open,
        .take = sonar_take,
        .close = sonar_close,
    },
    {
        .name = "teamcity",
        .default_path = DESTINATION_STDOUT,
        .summary = "service messages for TeamCity, to standard output",
        .write = teamcity_write,
    },
    {
        .name = "badge",
        .default_path = "coverage.svg",
        .summary = "an SVG badge with the share of lines",
        .write = badge_write,
    },
    {
        .name = "text",
        .summary = "assemblies and the worst files for people, to standard error",
        .has_colour = true,
        .write = table_write,
    },
    {
        .name = "files",
        .summary = "a table of all source files for people, to standard error",
        .has_colour = true,
        .write = files_write,
    },
    {
        .name = "missed",
        .summary = "missed lines and outcomes of each file for people, to standard error",
        .has_colour = true,
        .wants_sources = true,
        .order = REPORT_BY_FILE,
        .open = missed_open,
        .take = missed_take,
        .close = missed_close,
    },
    {0},
};
