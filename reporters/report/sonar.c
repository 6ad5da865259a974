/* SonarQube's generic coverage, which sonar.coverageReportPaths names.
 *
 *   coverage                 version: 1
 *     file                   path: relative to the root; each once (file_lines.h)
 *       lineToCover          lineNumber covered; with branches: branchesToCover coveredBranches
 *
 * Sonar takes a line for covered if it ran, and asks for conditions only where it has branches. */
#include "coverage/report/file_lines.h"
#include "reporters/report/report_formats.h"
#include "reporters/xml_writer.h"

static void write_line(struct xml_writer *xml, const struct report_line *line)
{
    xw_begin(xml, "lineToCover");
    xw_number(xml, "lineNumber", line->number);
    xw_bool(xml, "covered", line->hits != 0);
    if (line->outcome_count != 0) {
        xw_number(xml, "branchesToCover", line->outcome_count);
        xw_number(xml, "coveredBranches", line->covered_count);
    }
    xw_end(xml);
}

static bool write_file(struct xml_writer *xml, const struct report_file *group,
                       uint32_t group_count, struct arena *arena, struct err *err)
{
    struct file_lines lines;
    arena_reset(arena);
    if (!file_lines_make(&lines, group, group_count, arena, err))
        return false;
    xw_begin(xml, "file");
    xw_text(xml, "path", group->path);
    for (uint32_t i = 0; i < lines.count; i++)
        write_line(xml, &lines.lines[i]);
    xw_end(xml);
    return true;
}

static bool write_files(struct xml_writer *xml, const struct report_files *files,
                        const struct progress_hook *progress, struct err *err)
{
    struct arena arena; /* of one file */
    bool ok = true;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    xw_begin(xml, "coverage");
    xw_text_c(xml, "version", "1");
    for (uint32_t i = 0, group; ok && i < files->count; i += group) {
        progress_at(progress, "writing files for SonarQube", i, files->count);
        group = file_lines_group(&files->files[i], files->count - i);
        ok = write_file(xml, &files->files[i], group, &arena, err);
    }
    xw_end(xml);
    arena_free(&arena);
    return ok;
}

bool sonar_write(const struct format_job *job, struct err *err)
{
    struct report_files files;
    struct xml_writer xml;
    struct arena arena;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    xw_open(&xml, job->destination->file);
    bool ok = report_files_list(&files, job->report, &arena, err) &&
              write_files(&xml, &files, job->progress, err);
    if (ok)
        xw_close(&xml);
    arena_free(&arena);
    return ok;
}
