#include "cli/base/outcome_options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/path.h"
#include "cli/base/find_above.h"
#include "system/file_status.h"
#include "system/output_path.h"

const struct option_row read_data_rows[] = {
    {.letter = 'd',
     .name = "data",
     .argument = "DATA",
     .take = option_take_text,
     .field = 0,
     .help = "the data file to read (default " DATA_FILE ", here or above)",
     .more = "It is looked for in the current directory, and then in those above it, up to the top "
             "of the git work tree.",
     .completes = COMPLETE_FILE,
     .usual = DATA_FILE},
    {.name = NULL},
};

const struct option_row page_rows[] = {
    {.name = "deterministic",
     .take = option_take_flag,
     .field = offsetof(struct outcome_options, deterministic),
     .help = "write equal bytes for equal counts: no time or path",
     .more = "This holds on any machine and at any time: the time in reports is SOURCE_DATE_EPOCH "
             "or 0, their source root is '.', and a run is identified by what it measured. Codecov "
             "rejects reports older than 12 hours, so it rejects these."},
    {.name = "no-source",
     .take = option_take_flag,
     .field = offsetof(struct outcome_options, no_source),
     .help = "write no source text into the HTML report",
     .more = "Its pages then have line numbers and hits only."},
    {.name = "no-hotspots",
     .take = option_take_flag,
     .field = offsetof(struct outcome_options, no_hotspots),
     .help = "leave the list of hotspots out of the HTML report",
     .rare = true},
    {.name = NULL},
};

const struct option_row talk_rows[] = {
    {.letter = 'v',
     .name = "verbose",
     .take = option_take_flag,
     .field = offsetof(struct talk_options, verbose),
     .help = "list everything that was left out, with the reason",
     .more = "Also lists each process, and exclusion comments that have no effect."},
    {.letter = 'q',
     .name = "quiet",
     .take = option_take_flag,
     .field = offsetof(struct talk_options, quiet),
     .help = "print only warnings, failed gates and errors",
     .more = "No summary and no progress. Files are written as usual, and the exit status is the "
             "same."},
    {.name = NULL},
};

const char *data_file_to_read(void)
{
    static char above[PATH_ROOM];
    return find_above(above, DATA_FILE) ? above : DATA_FILE;
}

static bool is_part_of(const char *path, const char *whole)
{
    char part[PATH_ROOM];
    uint32_t number;
    struct str stem = path_stem(str_of(whole));
    if (format_is_stream(path) ||
        !format_is_part(&number, path_file(str_of(path)), path_file(str_of(whole))))
        return false;
    int len = snprintf(part, sizeof part, "%.*s.%u%s", STR_ARGS(stem), number, whole + stem.len);
    return len > 0 && (size_t)len < sizeof part && same_file(part, path);
}

/* No other file may have the name of a part. */
static bool check_parts(const struct outcome_options *options, const char *whole, struct err *err)
{
    const char *taken = is_part_of(options->data, whole) ? options->data : NULL;
    for (uint32_t i = 0; i < options->formats.count && taken == NULL; i++)
        if (is_part_of(options->formats.items[i].path, whole))
            taken = options->formats.items[i].path;
    return taken == NULL || err_set(err, ERR_USAGE,
                                    "%s is the name of a part of %s, which --split may write; "
                                    "choose another",
                                    taken, whole);
}

/* A setting is for the runs that have something to split. */
static bool check_split(struct outcome_options *options, struct err *err)
{
    bool any = false, is_stream = false;
    for (uint32_t i = 0; i < options->formats.count && options->formats.split != 0; i++) {
        const struct option_format *format = &options->formats.items[i];
        if (format->format->write_parts == NULL)
            continue;
        any = true;
        is_stream = is_stream || format_is_stream(format->path);
        if (!is_stream && !check_parts(options, format->path, err))
            return false;
    }
    if (options->formats.split == 0 || (any && !is_stream))
        return true;
    if (!options->formats.splits) {
        options->formats.split = 0;
        return true;
    }
    return err_set(err, ERR_USAGE,
                   is_stream ? "--split requires a file: standard output is only one"
                             : "--split requires -f cobertura, the only format that it splits");
}

/* So is a setting of what is compared with. */
static void drop_comparison(struct outcome_options *options)
{
    struct gate_options *gates = &options->gates;
    if (gates->compares || gate_options_compare(gates) ||
        format_options_show_changes(&options->formats))
        return;
    gates->base = NULL;
    gates->patch = NULL;
}

/* reproducible-builds.org, SOURCE_DATE_EPOCH: decimal seconds. Ignored without --deterministic. */
static bool set_timestamp(struct outcome_options *options, struct err *err)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    options->timestamp = options->deterministic ? 0 : (int64_t)time(NULL);
    if (!options->deterministic || epoch == NULL || *epoch == '\0')
        return true;
    char *end = NULL;
    errno = 0;
    options->timestamp = strtoll(epoch, &end, 10);
    return (errno == 0 && *end == '\0' && options->timestamp >= 0) ||
           err_set(err, ERR_USAGE, "invalid SOURCE_DATE_EPOCH '%s': expected a number of seconds",
                   epoch);
}

bool outcome_options_finish(struct outcome_options *options, struct err *err)
{
    if (options->data == NULL && !format_options_check_usual(DATA_FILE, "--data", err))
        return false;
    if (options->data == NULL)
        options->data = DATA_FILE;
    for (uint32_t i = 0; i < options->formats.count; i++) {
        const char *path = options->formats.items[i].path;
        if (path != NULL && same_file(path, options->data))
            return err_set(err, ERR_USAGE, "a report would replace the data file %s", path);
    }
    drop_comparison(options);
    return format_options_check(&options->formats, err) && check_split(options, err) &&
           set_timestamp(options, err);
}
