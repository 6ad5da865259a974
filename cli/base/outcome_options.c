#include "cli/base/outcome_options.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "system/same_file.h"

const struct option_row data_rows[] = {
    {.letter = 'd',
     .name = "data",
     .argument = "FILE",
     .take = option_take_text,
     .field = offsetof(struct outcome_options, data),
     .help = "data file to write (default " DATA_FILE ")",
     .more = "It is replaced as a whole and never appended to.",
     .completes = COMPLETE_FILE},
    {.name = NULL},
};

const struct option_row root_rows[] = {
    {.letter = 'r',
     .name = "root",
     .argument = "DIR",
     .take = option_take_text,
     .field = offsetof(struct outcome_options, root),
     .help = "source root (default: top of the git work tree)",
     .more = "Outside of git it is the current directory. Paths in reports are relative to it. "
             "Sources outside it are not reported: one line "
             "names them, and no gate passes unless this option is given.",
     .completes = COMPLETE_FOLDER},
    {.name = NULL},
};

const struct option_row deterministic_rows[] = {
    {.name = "deterministic",
     .take = option_take_flag,
     .field = offsetof(struct outcome_options, deterministic),
     .help = "write equal bytes for equal counts: no time or path",
     .more = "This holds on any machine and at any time: the time in reports is SOURCE_DATE_EPOCH "
             "or 0, their source root is '.', and a run is identified by what it measured. Codecov "
             "rejects reports older than 12 hours, so it rejects these."},
    {.name = NULL},
};

const struct option_row page_rows[] = {
    {.name = "no-source",
     .take = option_take_flag,
     .field = offsetof(struct outcome_options, no_source),
     .help = "write no source text into the HTML report",
     .more = "Its pages then have line numbers and hits only."},
    {.name = "no-hotspots",
     .take = option_take_flag,
     .field = offsetof(struct outcome_options, no_hotspots),
     .help = "leave the list of hotspots out of the HTML report"},
    {.name = NULL},
};

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
    if (options->data == NULL)
        options->data = DATA_FILE;
    for (uint32_t i = 0; i < options->formats.count; i++) {
        const char *path = options->formats.items[i].path;
        if (path != NULL && same_file(path, options->data))
            return err_set(err, ERR_USAGE, "a report would replace the data file %s", path);
    }
    return format_options_check(&options->formats, err) && set_timestamp(options, err);
}
