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

static void write_sonar_line(struct xml_writer *xml, const struct report_line *line)
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

struct sonar_writing {
    struct xml_writer xml;
    struct arena *arena; /* of one file */
};

void *sonar_open(const struct format_job *job, struct err *err)
{
    struct sonar_writing *w = ARENA_NEW(job->arena, struct sonar_writing, 1, err);
    if (w == NULL)
        return NULL;
    w->arena = job->scratch;
    xw_open(&w->xml, job->destination->file);
    xw_begin(&w->xml, "coverage");
    xw_text_c(&w->xml, "version", "1");
    return w;
}

bool sonar_take(void *writer, const struct report_file *files, uint32_t count, struct err *err)
{
    struct sonar_writing *w = writer;
    struct file_lines lines;
    arena_reset(w->arena);
    if (!file_lines_make(&lines, files, count, w->arena, err))
        return false;
    xw_begin(&w->xml, "file");
    xw_text(&w->xml, "path", files->path);
    for (uint32_t i = 0; i < lines.count; i++)
        write_sonar_line(&w->xml, &lines.lines[i]);
    xw_end(&w->xml);
    return true;
}

bool sonar_close(void *writer, struct err *err)
{
    struct sonar_writing *w = writer;
    (void)err;
    xw_close(&w->xml);
    return true;
}
