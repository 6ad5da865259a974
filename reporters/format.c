#include "reporters/format.h"

#include <assert.h>
#include <string.h>

#include "base/path.h"

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

bool format_part_path(struct str *out, const char *path, uint32_t number, struct arena *arena,
                      struct err *err)
{
    struct str stem = path_stem(str_of(path));
    return text_format(out, arena, err, "%.*s.%u%s", STR_ARGS(stem), number, path + stem.len);
}

bool format_is_part(uint32_t *number, struct str file, struct str whole)
{
    struct str stem = path_stem(whole), end = str_from(whole, stem.len);
    uint64_t value = 0;
    if (file.len < stem.len + end.len + 2 || memcmp(file.text, stem.text, stem.len) != 0 ||
        file.text[stem.len] != '.' ||
        memcmp(file.text + file.len - end.len, end.text, end.len) != 0)
        return false;
    for (size_t i = stem.len + 1; i < file.len - end.len; i++) {
        char c = file.text[i];
        if (c < '0' || c > '9' || (c == '0' && value == 0))
            return false;
        value = value * 10 + (uint64_t)(c - '0');
        if (value > UINT32_MAX)
            return false;
    }
    *number = (uint32_t)value;
    return true;
}

static bool fits(const struct format *format, const struct format_job *job)
{
    return (format->kind == FORMAT_OF_REPORT ? job->report != NULL : job->diff != NULL) &&
           (!format->wants_sources || job->sources != NULL);
}

/* What goes to a standard stream may stand on the terminal that shows the progress. */
bool format_is_stream(const char *path)
{
    return path == NULL || strcmp(path, DESTINATION_STDOUT) == 0;
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

bool format_check(const struct format *format, const char *path, struct err *err)
{
    return destination_check(path, format->output, err) &&
           (format->check == NULL || format->check(path, err));
}

bool format_write(const struct format *format, const char *path, const struct format_job *job,
                  struct err *err)
{
    struct destination destination;
    struct format_job own = *job;
    assert(fits(format, job));
    if (format->write_parts != NULL && !format_is_stream(path)) {
        own.sources = format->wants_sources ? job->sources : NULL;
        return format->write_parts(&own, path, err);
    }
    if (format_is_stream(path))
        own.progress = NULL;
    if ((format->check == NULL || format->check(path, err)) &&
        destination_open(&destination, path, format->output, err) &&
        write_to(&destination, format, &own, err))
        return true;
    err_prefix(err, "%s", destination_name(path));
    return false;
}
