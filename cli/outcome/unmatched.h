/* unmatched.h - patterns of the user that match nothing: probably a slip, and the code that was
 * meant is then measured, or not measured, against the user's will. */
#ifndef ILCOV_CLI_OUTCOME_UNMATCHED_H
#define ILCOV_CLI_OUTCOME_UNMATCHED_H

#include "cli/base/filter_options.h"
#include "coverage/facts/facts.h"
#include "coverage/source/path_map.h"

/* Says a line for each pattern that no assembly or type in the facts matches. `option`: "-i" or
 * "-x". */
void unmatched_patterns_say(const char *option, const struct str *patterns, uint32_t count,
                            const struct facts *facts);

/* The same for --exclude-files and the sources in the facts. */
void unmatched_files_say(const struct option_list *globs, const struct facts *facts);

/* The same for --map, once it was applied. */
void unmatched_maps_say(const struct path_maps *maps);

#endif
