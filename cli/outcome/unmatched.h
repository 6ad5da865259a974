/* unmatched.h - patterns of the user that match nothing: probably a slip, and the code that was
 * meant is then measured, or not measured, against the user's will. */
#ifndef ILCOV_CLI_OUTCOME_UNMATCHED_H
#define ILCOV_CLI_OUTCOME_UNMATCHED_H

#include "cli/base/outcome_options.h"
#include "coverage/facts/facts.h"
#include "coverage/source/path_map.h"

/* Says a line for each pattern of -i that no assembly or type in the facts matches. */
void unmatched_includes_say(const struct str *patterns, uint32_t count, const struct facts *facts);

/* The same for -x and --exclude-files. `base`: facts in which one may match, too; or NULL. */
void unmatched_filter_say(const struct filter_options *filter, const struct facts *facts,
                          const struct facts *base);

/* The same for --exclude-attribute and the reasons in the facts. */
void unmatched_attributes_say(const struct option_list *names, const struct facts *facts);

/* The same for --map, once it was applied. */
void unmatched_maps_say(const struct path_maps *maps);

#endif
