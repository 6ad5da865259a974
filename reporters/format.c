#include "reporters/format.h"

#include <assert.h>
#include <string.h>

#include "base/path.h"
#include "coverage/report/report_visit.h"

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

/* Is it written in parts, if it is large? */
static bool splits(const struct format_output *output, const struct format_job *job)
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

/* A format while it is written. */
struct writing {
    struct format_output *output;
    struct format_job job;
    struct destination destination;
    bool is_open; /* the destination */
    struct arena arena, scratch;
    void *writer; /* of lines */
};

/* Those that get the same lines. */
struct batch {
    struct writing *items;
    uint32_t count;
    const struct progress_hook *progress; /* or NULL */
    uint64_t done, total;                 /* files */
};

static void set_screen(struct writing *w)
{
    const struct screen *screen = &w->destination.screen;
    bool has_colour = w->output->format->has_colour;
    w->job.destination = &w->destination;
    w->job.colour = has_colour && screen->colour;
    w->job.columns = has_colour ? screen->columns : 0;
    w->job.ascii = has_colour && screen->ascii;
}

static bool open_destination(struct writing *w, struct err *err)
{
    const struct format *format = w->output->format;
    const char *path = w->output->path;
    w->is_open = (format->check == NULL || format->check(path, err)) &&
                 destination_open(&w->destination, path, format->output, err);
    if (w->is_open)
        set_screen(w);
    return w->is_open;
}

static bool begin(struct writing *w, struct format_output *output, const struct format_job *job)
{
    const struct format *format = output->format;
    struct err *err = &output->err;
    assert(fits(format, job));
    *w = (struct writing){.output = output, .job = *job};
    arena_init(&w->arena, NULL, 0, ARENA_NO_LIMIT);
    arena_init(&w->scratch, NULL, 0, ARENA_NO_LIMIT);
    w->job.sources = format->wants_sources ? job->sources : NULL;
    w->job.progress = format_is_stream(output->path) ? NULL : job->progress;
    w->job.arena = &w->arena;
    w->job.scratch = &w->scratch;
    if (splits(output, job))
        return format->write_parts(&w->job, output->path, err);
    if (!open_destination(w, err))
        return false;
    if (format->write != NULL)
        return format->write(&w->job, err);
    w->writer = format->open(&w->job, err);
    return w->writer != NULL;
}

static void end(struct writing *w)
{
    struct format_output *output = w->output;
    const struct format *format = output->format;
    if (w->is_open && output->failed)
        destination_abandon(&w->destination);
    else if (w->is_open)
        output->failed = !destination_commit(&w->destination, &output->err);
    if (!splits(output, &w->job)) {
        if (output->failed)
            err_prefix(&output->err, "%s", destination_name(output->path));
        else if (format->tidy != NULL && !format_is_stream(output->path))
            format->tidy(output->path);
    }
    output->is_done = true;
    arena_free(&w->scratch);
    arena_free(&w->arena);
}

static bool takes_lines(const struct format_output *output, const struct format_job *job)
{
    return output->format->open != NULL && !splits(output, job);
}

static bool take(void *context, const struct report_file *files, uint32_t count)
{
    struct batch *batch = context;
    bool any = false;
    progress_at(batch->progress, "writing files", batch->done, batch->total);
    batch->done += count;
    for (uint32_t i = 0; i < batch->count; i++) {
        const struct writing *w = &batch->items[i];
        struct format_output *output = w->output;
        output->failed =
            output->failed || !output->format->take(w->writer, files, count, &output->err);
        any = any || !output->failed;
    }
    return any;
}

/* What cannot be read fails for all. */
static void fail(struct batch *batch, const struct err *err)
{
    for (uint32_t i = 0; i < batch->count; i++) {
        struct format_output *output = batch->items[i].output;
        if (!output->failed)
            output->err = *err;
        output->failed = true;
    }
}

static void read_lines(struct batch *batch, enum report_order order, const struct format_job *job,
                       struct arena *arena)
{
    struct err err = {0};
    struct report_files files;
    bool ok = report_files_ordered(&files, job->report, order, arena, &err);
    batch->total = ok ? files.count : 0;
    if (!ok || !report_read(job->report, files.files, files.count, take, batch, &err))
        fail(batch, &err);
}

/* Those of the first's order. */
static void write_lines(struct format_output *outputs, uint32_t count, const struct format_job *job,
                        struct arena *arena)
{
    enum report_order order = outputs->format->order;
    struct batch batch = {.progress = job->progress};
    batch.items = ARENA_NEW(arena, struct writing, count, &outputs->err);
    if (batch.items == NULL) {
        outputs->is_done = outputs->failed = true;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct format_output *output = &outputs[i];
        if (output->is_done || !takes_lines(output, job) || output->format->order != order)
            continue;
        output->failed = !begin(&batch.items[batch.count++], output, job);
        batch.progress = format_is_stream(output->path) ? NULL : batch.progress;
    }
    read_lines(&batch, order, job, arena);
    for (uint32_t i = 0; i < batch.count; i++) {
        struct writing *w = &batch.items[i];
        struct format_output *output = w->output;
        output->failed = output->failed || (output->format->close != NULL &&
                                            !output->format->close(w->writer, &output->err));
        end(w);
    }
}

void format_write_batch(struct format_output *outputs, uint32_t count, const struct format_job *job)
{
    if (takes_lines(outputs, job)) {
        struct arena arena;
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        write_lines(outputs, count, job, &arena);
        arena_free(&arena);
    } else {
        struct writing alone;
        outputs->failed = !begin(&alone, outputs, job);
        end(&alone);
    }
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
