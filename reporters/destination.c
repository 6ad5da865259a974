#include "reporters/destination.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "system/file_status.h"
#include "system/output_folder.h"
#include "system/output_path.h"
#include "system/terminal.h"

/* NULL: it is a path. */
static FILE *standard_stream(const char *path)
{
    return path == NULL ? stderr : strcmp(path, DESTINATION_STDOUT) == 0 ? stdout : NULL;
}

const char *destination_name(const char *path)
{
    const FILE *stream = standard_stream(path);
    return stream == NULL ? path : stream == stderr ? "standard error" : "standard output";
}

bool destination_appends(const char *path)
{
    const char *summary = getenv("GITHUB_STEP_SUMMARY");
    return path != NULL && summary != NULL && summary[0] != '\0' && same_file(path, summary);
}

/* A stream cannot hold a report of many files. */
static bool refuse_stream(struct err *err)
{
    return err_set(err, ERR_IO, "a report of many files needs a directory");
}

bool destination_check(const char *path, enum destination_kind kind, struct err *err)
{
    FILE *stream = standard_stream(path);
    if (kind == DESTINATION_DIRECTORY)
        return stream != NULL ? refuse_stream(err) : output_folder_check(path, err);
    return stream != NULL ? output_stream_check(stream, err) : output_check(path, err);
}

/* --- one file --------------------------------------------------------------------------------- */

/* After `output` was opened. */
static bool open_stream(struct destination *d, struct err *err)
{
    d->file = output_file(&d->output, err);
    if (d->file == NULL)
        output_abandon(&d->output);
    return d->file != NULL;
}

/* Buffered output may fail as late as here; for an earlier failure, errno is still set. */
static bool flush_stream(FILE *file, struct err *err)
{
    if (!ferror(file)) {
        errno = 0;
        if (fflush(file) == 0)
            return true;
    }
    if (errno == 0)
        errno = EIO;
    return err_set_errno(err, "cannot be written");
}

static void abandon_stream(struct destination *d)
{
    if (d->file == NULL)
        return;
    (void)fclose(d->file);
    d->file = NULL;
    output_abandon(&d->output);
}

static bool commit_stream(struct destination *d, struct err *err)
{
    if (!flush_stream(d->file, err)) {
        abandon_stream(d);
        return false;
    }
    bool closed = fclose(d->file) == 0;
    d->file = NULL;
    if (closed)
        return output_commit(&d->output, err);
    (void)err_set_errno(err, "cannot be written");
    output_abandon(&d->output);
    return false;
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool open_output(struct output *out, const char *path, struct err *err)
{
    FILE *stream = standard_stream(path);
    if (stream != NULL)
        return output_open_stream(out, stream, err);
    return output_open(out, path, err) && (!destination_appends(path) || output_append(out, err));
}

bool destination_open(struct destination *out, const char *path, enum destination_kind kind,
                      struct err *err)
{
    *out = (struct destination){.folder = kind == DESTINATION_DIRECTORY ? path : NULL};
    if (kind == DESTINATION_DIRECTORY)
        return standard_stream(path) != NULL ? refuse_stream(err) : output_folder_make(path, err);
    if (!open_output(&out->output, path, err) || !open_stream(out, err))
        return false;
    const char *no_color = getenv("NO_COLOR");
    bool is_terminal = output_is_terminal(&out->output);
    out->screen = (struct screen){
        .file = out->file,
        .columns = is_terminal ? terminal_columns(out->output.fd) : 0,
        .ascii = (is_terminal || standard_stream(path) != NULL) && !screen_is_utf8(),
        .colour = is_terminal && (no_color == NULL || no_color[0] == '\0'),
    };
    return true;
}

bool destination_commit(struct destination *d, struct err *err)
{
    return d->folder != NULL || commit_stream(d, err);
}

void destination_abandon(struct destination *d)
{
    abandon_stream(d);
}

/* --- a file of a directory -------------------------------------------------------------------- */

bool destination_put_file(struct destination *d, const char *name, struct str bytes,
                          struct err *err)
{
    assert(d->folder != NULL && d->file == NULL);
    if (output_folder_has(d->folder, name, bytes))
        return true;
    if (output_folder_open_file(&d->output, d->folder, name, &d->last_folder, err) &&
        open_stream(d, err)) {
        output_skip_sync(&d->output);
        (void)fwrite(bytes.text, 1, bytes.len, d->file);
        if (commit_stream(d, err))
            return true;
    }
    err_prefix(err, "%s", name);
    return false;
}

void destination_remove_beside(const char *path, struct str mark,
                               bool (*is_stale)(void *context, struct str file), void *context)
{
    char folder[PATH_ROOM] = ".";
    struct str above = path_dir(str_of(path));
    if (above.len >= sizeof folder)
        return;
    if (above.len != 0) {
        memcpy(folder, above.text, above.len);
        folder[above.len] = '\0';
    }
    output_folder_remove(folder, "", mark, is_stale, context);
}

bool destination_is_plain(const char *path)
{
    struct file_status status;
    return !file_status_itself(&status, path) || status.kind == FILE_IS_REGULAR ||
           status.kind == FILE_IS_FOLDER;
}

bool destination_exists(const char *path)
{
    return file_exists(path);
}
