/* excluded_lines.h - how many lines are missing from a report because the user excluded them, and
 * why: by attribute, comment or option. A line that another statement brings into the report is not
 * counted, nor are files outside the source root and assemblies that were not selected (-i).
 * What a generator wrote and nobody excluded is in a list of its own.
 * Owner: reasons are views into the facts; the list lives in the arena. */
#pragma once

#include "base/list.h"
#include "coverage/report/report.h"

struct excluded_lines {
    struct list excluded;  /* one for each statement */
    struct list generated; /* likewise, of what a generator wrote, if it is left out */
    struct list shown;     /* lines of their files that are reported */
    const struct report_options *options;
    struct arena arena;
};

/* excluded_lines_close must follow. */
void excluded_lines_open(struct excluded_lines *out, const struct report_options *options);
void excluded_lines_close(struct excluded_lines *lines);

/* In this order: what is excluded; each package, or some of its files at a time, with the lines
 * that are reported; then the exclusions of the report. */
NODISCARD bool excluded_lines_list(struct excluded_lines *lines, const struct facts *facts,
                                   struct err *err);
/* Lines of some user methods of a module that are not reported for the reason, before its files
 * are. */
NODISCARD bool excluded_lines_add(struct excluded_lines *lines, const struct fact_module *module,
                                  const bool *methods, const struct reason *reason,
                                  struct err *err);
NODISCARD bool excluded_lines_note(struct excluded_lines *lines,
                                   const struct report_package *package, struct err *err);
NODISCARD bool excluded_lines_find(struct excluded_lines *lines, struct report *report,
                                   struct arena *arena, struct err *err);

/* The option that excludes the type; NULL: none. */
const struct pattern *excluding_pattern(const struct report_options *options, struct str assembly,
                                        struct str type);

/* How much of it there is. */
struct report_left_out excluded_lines_count(const struct report_exclusion *exclusions,
                                            uint32_t count);
