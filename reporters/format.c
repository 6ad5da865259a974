#include "reporters/format.h"

#include <string.h>

#include "base/path.h"
#include "coverage/report/report_read.h"
#include "system/clock.h"
#include "system/trace.h"

const struct format *format_find(const struct format *formats, struct str name)
{
    for (const struct format *format = formats; format->name != NULL; format++)
        if (str_is(name, format->name))
            return format;
    return NULL;
}

const char *format_default_file(const struct format *format)
{
    return format_is_stream(format->default_path) ? NULL : format->default_path;
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

/* Is it written in parts, if it is large? */
static bool splits_output(const struct format_output *output, const struct format_job *job)
{
    return output->format->write_parts != NULL && job->part_bytes != 0 &&
           !format_is_stream(output->path);
}

/* What goes to a standard stream may stand on the terminal that shows the progress. */
bool format_is_stream(const char *path)
{
    return path == NULL || strcmp(path, DESTINATION_STDOUT) == 0;
}

bool format_check(const struct format *format, const char *path, struct err *err)
{
    return destination_check(path, format->output, err) &&
           (format->check == NULL || format->check(path, err));
}

/* --- writing ---------------------------------------------------------------------------------- */

static bool open_destination(struct format_output *o, struct err *err)
{
    o->is_open = (o->format->check == NULL || o->format->check(o->path, err)) &&
                 destination_open(&o->destination, o->path, o->format->output, err);
    o->job.destination = &o->destination;
    o->job.screen = (struct screen){.file = o->destination.file};
    if (o->is_open && o->format->has_colour)
        o->job.screen = o->destination.screen;
    return o->is_open;
}

static bool begin_output(struct format_output *o, const struct format_job *job)
{
    o->arena = ARENA_EMPTY;
    o->scratch = ARENA_EMPTY;
    o->job = *job;
    o->job.sources = o->format->wants_sources ? job->sources : NULL;
    o->job.progress = format_is_stream(o->path) ? NULL : job->progress;
    o->job.arena = &o->arena;
    o->job.scratch = &o->scratch;
    if (splits_output(o, job))
        return o->format->write_parts(&o->job, o->path, &o->err);
    if (!open_destination(o, &o->err))
        return false;
    if (o->format->write != NULL)
        return o->format->write(&o->job, &o->err);
    o->writer = o->format->open(&o->job, &o->err);
    return o->writer != NULL;
}

static void end_output(struct format_output *o)
{
    if (o->writer != NULL && !o->failed && o->format->close != NULL)
        o->failed = !o->format->close(o->writer, &o->err);
    if (o->is_open && o->failed)
        destination_abandon(&o->destination);
    else if (o->is_open)
        o->failed = !destination_commit(&o->destination, &o->err);
    if (o->failed && !splits_output(o, &o->job))
        err_prefix(&o->err, "%s", destination_name(o->path));
    if (o->is_open && !o->failed && o->format->tidy != NULL && !format_is_stream(o->path))
        o->format->tidy(o->path);
    trace("%s %s as %s", o->failed ? "did not write" : "wrote", o->path, o->format->name);
    o->is_done = true;
    o->writer = NULL;
    arena_free(&o->scratch);
    arena_free(&o->arena);
}

/* --- lines ------------------------------------------------------------------------------------ */

/* Those that get the same lines have a writer. */
struct format_batch {
    struct format_output *outputs;
    uint32_t count;
    uint64_t done, total; /* files */
};

static bool take_files(void *context, const struct report_file *files, uint32_t count)
{
    struct format_batch *batch = context;
    bool any = false;
    progress_at(batch->outputs->job.progress, "writing files", batch->done, batch->total);
    batch->done += count;
    for (uint32_t i = 0; i < batch->count; i++) {
        struct format_output *o = &batch->outputs[i];
        if (o->writer == NULL || o->failed)
            continue;
        o->failed = !o->format->take(o->writer, files, count, &o->err);
        any = any || !o->failed;
    }
    return any;
}

/* What cannot be read fails for all. */
static void read_lines(struct format_batch *batch)
{
    struct format_output *outputs = batch->outputs;
    const struct report *report = outputs->job.report;
    struct err err = {0};
    struct report_files files;
    bool ok = report_files_ordered(&files, report, outputs->format->order, &outputs->arena, &err);
    batch->total = ok ? files.count : 0;
    ok = ok && report_read(report, files.files, files.count, take_files, batch, &err);
    for (uint32_t i = 0; !ok && i < batch->count; i++) {
        struct format_output *o = &outputs[i];
        if (o->writer == NULL || o->failed)
            continue;
        o->err = err;
        o->failed = true;
    }
}

static bool takes_lines(const struct format_output *output, const struct format_job *job)
{
    return !output->is_done && output->format->open != NULL && !splits_output(output, job);
}

void format_write_batch(struct format_output *outputs, uint32_t count, const struct format_job *job)
{
    int64_t start = clock_ns();
    struct format_batch batch = {.outputs = outputs, .count = count};
    outputs->failed = !begin_output(outputs, job);
    for (uint32_t i = 1; i < count && takes_lines(outputs, job); i++)
        if (takes_lines(&outputs[i], job) && outputs[i].format->order == outputs->format->order &&
            !destination_appends(outputs[i].path)) { /* that keeps the order of the options */
            outputs[i].failed = !begin_output(&outputs[i], job);
            if (format_is_stream(outputs[i].path))
                outputs->job.progress = NULL;
        }
    if (takes_lines(outputs, job))
        read_lines(&batch);
    for (uint32_t i = 0; i < count; i++)
        if (i == 0 || (!outputs[i].is_done && outputs[i].job.report != NULL))
            end_output(&outputs[i]);
    trace_since(start, "a pass for %s", outputs->format->name);
}

bool format_write(const struct format *format, const char *path, const struct format_job *job,
                  struct err *err)
{
    struct format_output output = {.format = format, .path = path};
    format_write_batch(&output, 1, job);
    if (output.failed)
        *err = output.err;
    return !output.failed;
}
