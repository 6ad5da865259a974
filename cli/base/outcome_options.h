/* outcome_options.h - what happens to coverage once it is known, whichever verb found it out:
 * reports, and the gates that they must pass. */
#ifndef ILCOV_CLI_BASE_OUTCOME_OPTIONS_H
#define ILCOV_CLI_BASE_OUTCOME_OPTIONS_H

#include "cli/base/filter_options.h"
#include "cli/base/format_options.h"
#include "cli/base/gate_options.h"

#define DATA_FILE "coverage.ilcov"

struct outcome_options {
    const char *data; /* the data file: written, or by `report` read */
    const char *root; /* of the sources; NULL: find it */
    struct filter_options filter;
    struct format_options formats;
    struct gate_options gates;
    bool deterministic;
    bool no_source;    /* reports without source text */
    bool no_hotspots;  /* pages without the list of hotspots */
    int64_t timestamp; /* of reports, Unix seconds: now, or what --deterministic makes of it */
};

extern const struct option_row data_rows[];          /* --data */
extern const struct option_row root_rows[];          /* --root */
extern const struct option_row deterministic_rows[]; /* --deterministic */
extern const struct option_row page_rows[];          /* --no-source, --no-hotspots */

/* The default data file and the time; no file may be written twice. */
NODISCARD bool outcome_options_finish(struct outcome_options *options, struct err *err);

#endif
