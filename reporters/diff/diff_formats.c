#include "reporters/diff/diff_formats.h"

#include "reporters/html/site_folder.h"

const struct format diff_formats[] = {
    {
        .name = "text",
        .default_path = DESTINATION_STDOUT,
        .summary = "totals, methods and lines for people, to standard output",
        .wants_sources = true,
        .has_colour = true,
        .write = diff_text_write,
    },
    {
        .name = "markdown",
        .default_path = "coverage-diff.md",
        .summary = "a comment for a pull request",
        .write = diff_markdown_write,
    },
    {
        .name = "json",
        .default_path = "coverage-diff.json",
        .summary = "everything, for programs",
        .write = diff_json_write,
    },
    {
        .name = "github",
        .default_path = DESTINATION_STDOUT,
        .summary = "warnings on lines of a pull request: GitHub's workflow commands",
        .write = diff_github_write,
    },
    {
        .name = "gitlab",
        .default_path = "gl-code-quality-report.json",
        .summary = "GitLab's Code Quality report",
        .wants_sources = true,
        .write = diff_gitlab_write,
    },
    {
        .name = "sarif",
        .default_path = "coverage-diff.sarif",
        .summary = "SARIF, which code scanning and editors read",
        .wants_sources = true,
        .write = diff_sarif_write,
    },
    {
        .name = "html",
        .default_path = "coverage-diff-html",
        .summary = "a folder of pages for people: methods before and after, side by side",
        .output = DESTINATION_DIRECTORY,
        .check = site_folder_check,
        .wants_sources = true,
        .shows_changes = true,
        .write = diff_html_write,
    },
    {0},
};
