#include "tests/support/written.h"

#include <stdlib.h>

#include "coverage/report/report_read.h"

struct taking {
    const struct format *format;
    void *writer;
    struct err *err;
};

static bool take(void *context, const struct report_file *files, uint32_t count)
{
    const struct taking *t = context;
    return t->format->take(t->writer, files, count, t->err);
}

/* A report that was made by hand has its lines. */
static bool take_own(const struct report_files *files, struct taking *t)
{
    bool ok = true;
    for (uint32_t i = 0, next; ok && i < files->count; i = next) {
        for (next = i + 1;
             next < files->count && str_eq(files->files[next].path, files->files[i].path);)
            next++;
        ok = take(t, &files->files[i], next - i);
    }
    return ok;
}

static bool take_lines(void *writer, const struct format *format, const struct format_job *job,
                       struct err *err)
{
    struct report_files files;
    struct taking t = {format, writer, err};
    if (!report_files_ordered(&files, job->report, format->order, job->arena, err))
        return false;
    bool ok = job->report->facts == NULL
                  ? take_own(&files, &t)
                  : report_read(job->report, files.files, files.count, take, &t, err);
    return ok && (format->close == NULL || format->close(writer, err));
}

bool written_into(struct destination *destination, const struct format *format,
                  const struct format_job *job, struct err *err)
{
    struct arena arena, scratch;
    struct format_job own = *job;
    own.destination = destination;
    own.screen.file = destination->file;
    own.screen.colour = job->screen.colour && format->has_colour;
    own.sources = format->wants_sources ? job->sources : NULL;
    own.arena = &arena;
    own.scratch = &scratch;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    arena_init(&scratch, NULL, 0, ARENA_NO_LIMIT);
    void *writer = format->open != NULL ? format->open(&own, err) : NULL;
    bool ok = format->open == NULL ? format->write(&own, err)
                                   : writer != NULL && take_lines(writer, format, &own, err);
    arena_free(&scratch);
    arena_free(&arena);
    return ok;
}

bool written_to(FILE *file, const struct format *format, const struct format_job *job,
                struct err *err)
{
    struct destination destination = {.file = file};
    return written_into(&destination, format, job, err);
}
struct str written_by(const struct format *format, const struct format_job *job,
                      struct arena *arena)
{
    char *text = NULL;
    size_t len = 0;
    struct err err = {0};
    struct str copy;
    FILE *file = open_memstream(&text, &len);
    if (file == NULL || !written_to(file, format, job, &err) || fclose(file) != 0 ||
        !str_copy(&copy, (struct str){text, len}, arena, &err)) {
        (void)fprintf(stderr, "%s: %s\n", format->name, err.text);
        abort();
    }
    free(text);
    return copy;
}
