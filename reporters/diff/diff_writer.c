#include "reporters/diff/diff_writer.h"

const struct diff_writer diff_writers[] = {
    {"text", NULL, "totals, methods and lines for people, to standard output", diff_text_write},
    {"markdown", "coverage-diff.md", "a comment for a pull request", diff_markdown_write},
    {"json", "coverage-diff.json", "everything, for programs", diff_json_write},
    {"github", NULL, "warnings on lines of a pull request: GitHub's workflow commands",
     diff_github_write},
    {"gitlab", "gl-code-quality-report.json", "GitLab's Code Quality report", diff_gitlab_write},
    {"sarif", "coverage-diff.sarif", "SARIF, which code scanning and editors read",
     diff_sarif_write},
    {0},
};

const struct diff_writer *diff_writer_find(struct str name)
{
    for (const struct diff_writer *writer = diff_writers; writer->name != NULL; writer++)
        if (str_is(name, writer->name))
            return writer;
    return NULL;
}

struct job {
    const struct diff_writer *writer;
    const struct diff *diff;
    const struct diff_sources *sources;
};

static bool write_diff(FILE *file, const void *context, bool colour, struct err *err)
{
    const struct job *job = context;
    return job->writer->write(file, job->diff, job->sources, colour, err);
}

bool diff_writer_write(const struct diff_writer *writer, const char *path, const struct diff *diff,
                       const struct diff_sources *sources, struct err *err)
{
    const struct job job = {writer, diff, sources};
    const struct destination_content content = {write_diff, &job};
    return destination_write(path != NULL ? path : DESTINATION_STDOUT, &content, err);
}
