/* source_options.h - where the sources are here, which may be elsewhere than when the code was
 * built. */
#ifndef ILCOV_CLI_BASE_SOURCE_OPTIONS_H
#define ILCOV_CLI_BASE_SOURCE_OPTIONS_H

#include "cli/base/verb.h"
#include "coverage/source/path_map.h"

struct source_options {
    const char *root; /* NULL: find it */
    struct path_maps maps;
};

extern const struct option_row source_rows[];    /* --root, --map */
extern const struct option_saying source_says[]; /* of verbs that read a data file */

#endif
