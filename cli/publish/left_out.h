/* left_out.h - what a report leaves out by the options, the line about generated code, and patterns
 * of the user that match nothing: probably a slip, and the code that was meant is then measured, or
 * not measured, against the user's will. */
#pragma once

#include "cli/options/publish_options.h"
#include "coverage/report/report.h"

/* As the option says; if it was not given, as the runs did. */
bool generated_counts(const struct filter_options *filter, const struct facts *facts);

/* Sets what the options leave out. Patterns live in the arena. */
NODISCARD bool report_filter(struct report_options *out, const struct filter_options *filter,
                             const struct facts *facts, struct arena *arena, struct err *err);

/* "143 lines in 4 files are generated code, and not counted; --include-generated counts them";
 * nothing if there is none. */
void generated_line_say(struct report_left_out left_out);

/* Says a line for each pattern of -i that no assembly or type in the facts matches. */
void unmatched_includes_say(const struct str *patterns, uint32_t count, const struct facts *facts);

/* The same for -x and --exclude-files. `base`: facts in which one may match, too; or NULL. */
void unmatched_filter_say(const struct filter_options *filter, const struct facts *facts,
                          const struct facts *base);

/* The same for --exclude-attribute and the reasons in the facts. */
void unmatched_attributes_say(const struct option_list *names, const struct facts *facts);

/* The same for --map, once it was applied. */
void unmatched_maps_say(const struct path_maps *maps);
