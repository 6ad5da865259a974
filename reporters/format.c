#include "reporters/format.h"

#include <assert.h>
#include <string.h>

const struct format *format_find(const struct format *formats, struct str name)
{
    for (const struct format *format = formats; format->name != NULL; format++)
        if (str_is(name, format->name))
            return format;
    return NULL;
}

const char *format_default_file(const struct format *format)
{
    const char *path = format->default_path;
    return path == NULL || strcmp(path, DESTINATION_STDOUT) == 0 ? NULL : path;
}

struct screen format_screen(const struct format_job *job)
{
    return (struct screen){.file = job->destination->file,
                           .columns = job->columns,
                           .ascii = job->ascii,
                           .colour = job->colour};
}

static bool fits(const struct format *format, const struct format_job *job)
{
    return (format->kind == FORMAT_OF_REPORT ? job->report != NULL : job->diff != NULL) &&
           (!format->wants_sources || job->sources != NULL);
}

static bool write_to(struct destination *destination, const struct format *format,
                     const struct format_job *input, struct err *err)
{
    struct format_job job = *input;
    job.sources = format->wants_sources ? input->sources : NULL;
    job.destination = destination;
    job.colour = format->has_colour && destination->screen.colour;
    job.columns = format->has_colour ? destination->screen.columns : 0;
    job.ascii = format->has_colour && destination->screen.ascii;
    if (format->write(&job, err))
        return destination_commit(destination, err);
    destination_abandon(destination);
    return false;
}

bool format_write(const struct format *format, const char *path, const struct format_job *job,
                  struct err *err)
{
    struct destination destination;
    assert(fits(format, job));
    if (destination_open(&destination, path, format->output, err) &&
        write_to(&destination, format, job, err))
        return true;
    err_prefix(err, "%s", destination_name(path));
    return false;
}
