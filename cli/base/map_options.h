/* map_options.h - where sources are here that were elsewhere when the code was built. */
#ifndef ILCOV_CLI_BASE_MAP_OPTIONS_H
#define ILCOV_CLI_BASE_MAP_OPTIONS_H

#include "cli/base/verb.h"
#include "coverage/source/path_map.h"

extern const struct option_row map_rows[]; /* --map; of struct path_maps */

#endif
