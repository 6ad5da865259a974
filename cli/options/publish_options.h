/* publish_options.h - what happens to coverage once it is known, whichever verb found it out:
 * reports, and the gates that they must pass. */
#pragma once

#include "cli/options/format_options.h"
#include "cli/options/gate_options.h"
#include "coverage/source/path_map.h"

/* Below TestResults, because `dotnet new gitignore` ignores that, and no uploader of reports takes
 * it for one. */
#define DATA_FILE "TestResults/run.ilcov"

/* What a verb reads if no data file is named: the nearest DATA_FILE, here or above (find_above.h).
 * Valid until the next call. */
const char *data_file_to_read(void);

/* Where the sources are here, which may be elsewhere than when the code was built. */
struct source_options {
    const char *root; /* NULL: find it */
    struct path_maps maps;
};

/* Which code a report or a difference leaves out. */
struct filter_options {
    struct option_list exclude;             /* patterns */
    struct option_list exclude_files;       /* globs, of paths below the root */
    struct option_choice include_generated; /* not given: as the runs did (facts.h) */
    bool inlined_missed;                    /* count what F# inlined as not covered */
};

struct talk_options {
    bool quiet;   /* only warnings, failed gates and errors: no summary, no progress */
    bool verbose; /* also what was left out, and why */
};

struct publish_options {
    const char *data; /* the data file: written, or read by `report` and `diff` */
    struct source_options sources;
    struct filter_options filter;
    struct format_options formats;
    struct gate_options gates;
    struct talk_options talk;
    bool deterministic;
    bool no_source;    /* reports without source text */
    bool no_hotspots;  /* pages without the list of hotspots */
    int64_t timestamp; /* of reports, Unix seconds: now, or what --deterministic makes of it */
};

extern const struct option_row read_data_rows[];      /* --data of a verb that reads; of a text */
extern const struct option_row source_rows[];         /* --root, --map */
extern const struct help_override source_overrides[]; /* of verbs that read a data file */
extern const struct option_row exclude_rows[];        /* --exclude, from what was measured */
extern const struct option_row filter_rows[];         /* --exclude-files, --include-generated,
                                                 --inlined */
extern const struct option_row talk_rows[]; /* --verbose, --quiet; of struct talk_options */
#define quiet_rows (talk_rows + 1)
extern const struct option_row page_rows[]; /* --deterministic, --no-source, --no-hotspots */

/* The default data file and the time; no file may be written twice. */
NODISCARD bool publish_options_finish(struct publish_options *options,
                                      const struct option_context *context, struct err *err);
