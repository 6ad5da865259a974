#include "cli/publish/output_names.h"

#include <string.h>

#include "base/path.h"
#include "cli/options/say.h"
#include "reporters/destination.h"
#include "system/clock.h"
#include "system/file_status.h"
#include "system/folder.h"

enum {
    TURN_MS = 60 * 1000,
    NAMES_MAX = 10000
};

/* A folder of files is written again as a whole: its first page stands for it, as does the first
 * part for a report that was split. None of what is not replaced. */
static bool version_of(struct file_version *out, const struct option_format *wanted,
                       struct arena *arena, struct err *err)
{
    struct str page;
    *out = (struct file_version){.file = 0};
    if (wanted->path == NULL || strcmp(wanted->path, DESTINATION_STDOUT) == 0 ||
        destination_appends(wanted->path))
        return true;
    *out = file_version_read(wanted->path);
    if (wanted->format->output == DESTINATION_FILE &&
        (!file_version_is_none(out) || wanted->format->write_parts == NULL))
        return true;
    if (wanted->format->output == DESTINATION_FILE
            ? !format_part_path(&page, wanted->path, 1, arena, err)
            : !path_join(&page, str_of(wanted->path), STR("index.html"), arena, err))
        return false;
    *out = file_version_read(page.text);
    return true;
}

bool output_names_open(struct output_names *out, const struct publish_options *options,
                       struct arena *arena, struct err *err)
{
    const struct format_options *formats = &options->formats;
    out->data = file_version_read(options->data);
    out->reports = ARENA_NEW(arena, struct file_version, formats->count + 1, err);
    if (out->reports == NULL)
        return false;
    for (uint32_t i = 0; i < formats->count; i++)
        if (!version_of(&out->reports[i], &formats->items[i], arena, err))
            return false;
    return true;
}

static bool was_written(const struct file_version *before, const struct file_version *now)
{
    return !file_version_is_none(now) && !file_version_is(before, now);
}

/* "TestResults/run-2.ilcov", the first such name that is free. */
static bool name_beside(const char **out, const char *path, struct arena *arena, struct err *err)
{
    struct str stem = path_stem(str_of(path)), beside, part;
    for (unsigned number = 2; number < NAMES_MAX; number++) {
        if (!text_format(&beside, arena, err, "%.*s-%u%s", STR_ARGS(stem), number, path + stem.len))
            return false;
        if (!format_part_path(&part, beside.text, 1, arena, err))
            return false;
        if (file_exists(beside.text) || file_exists(part.text))
            continue;
        *out = beside.text;
        return true;
    }
    return err_set(err, ERR_IO, "%s: another run wrote it, and all names like it are taken", path);
}

static bool choose_data(struct publish_options *out, const struct output_names *before,
                        struct arena *arena, struct err *err)
{
    const char *theirs = out->data;
    struct file_version now = file_version_read(theirs);
    if (!was_written(&before->data, &now))
        return true;
    if (!name_beside(&out->data, theirs, arena, err))
        return false;
    say("another run wrote %s since this one began; the data of this one is in %s ('ilcov merge' "
        "and 'ilcov report' take both)",
        theirs, out->data);
    return true;
}

bool output_names_choose(struct publish_options *out, const struct output_names *before,
                         const struct publish_options *options, struct arena *arena,
                         struct err *err)
{
    *out = *options;
    struct option_format *items =
        ARENA_NEW(arena, struct option_format, options->formats.count + 1, err);
    if (items == NULL || !choose_data(out, before, arena, err))
        return false;
    out->formats.items = items;
    for (uint32_t i = 0; i < options->formats.count; i++) {
        const char *theirs = options->formats.items[i].path;
        struct file_version now;
        items[i] = options->formats.items[i];
        if (!version_of(&now, &items[i], arena, err))
            return false;
        if (!was_written(&before->reports[i], &now))
            continue;
        if (!name_beside(&items[i].path, theirs, arena, err))
            return false;
        say("another run wrote %s since this one began; the report of this one is %s", theirs,
            items[i].path);
    }
    return true;
}

int output_names_take_turn(void)
{
    return turn_take_folder(".", clock_ms() + TURN_MS);
}
