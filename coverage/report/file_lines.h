/* file_lines.h - the lines of a source file, whichever assemblies have compiled it: what formats
 * with one record a file need.
 * Hits:   add up over the assemblies. Conditions that are alike add up outcome by outcome; of
 *         others, those with more outcomes stay (lines.h, "Builds").
 * Owner:  everything lives in the arena, or in the report. */
#pragma once

#include "coverage/report/report_files.h"

struct file_lines {
    struct report_line *lines; /* ascending, each number once; without `why` and `missed` */
    uint32_t count;
    struct report_totals totals; /* its lines and branches */
};

/* Of a group of files of one path, one for each assembly. */
NODISCARD bool file_lines_make(struct file_lines *out, const struct report_file *group,
                               uint32_t group_count, struct arena *arena, struct err *err);

/* A method of a group, united over the assemblies that have it in the same place. */
struct file_function {
    struct str name; /* as people write it: "Shop.Order.Total(int, bool)" */
    uint32_t first_line;
    uint64_t hits; /* of its first line; if that did not run and others did, the most of any */
};

struct file_functions {
    struct file_function *items; /* by first line, then name; each pair once */
    uint32_t count, hit_count;
};

NODISCARD bool file_functions_make(struct file_functions *out, const struct report_file *group,
                                   uint32_t group_count, struct arena *arena, struct err *err);
