/* report_files.h - a report by source files, in place of classes.
 * Owner:  the list lives in the arena and points into the report. */
#pragma once

#include "coverage/report/report.h"

/* A file as one assembly has it. */
struct report_file {
    struct str path;
    const struct report_package *package;
    const struct report_class **classes; /* with lines in it */
    uint32_t class_count;
    struct report_totals totals;
    uint32_t first_miss; /* line, or 0 */
};

struct report_files {
    struct report_file *files; /* by path, then assembly */
    uint32_t count;
};

NODISCARD bool report_files_list(struct report_files *out, const struct report *report,
                                 struct arena *arena, struct err *err);

enum report_order {
    REPORT_BY_FILE,    /* as in report_files_list */
    REPORT_BY_PACKAGE, /* by assembly, then path */
    REPORT_BY_CLASS,   /* each class on its own, in the order of the report */
    REPORT_BY_MISSES,  /* those that miss most lines first, then most branches */
};

NODISCARD bool report_files_ordered(struct report_files *out, const struct report *report,
                                    enum report_order order, struct arena *arena, struct err *err);

/* Leaves those of the path, or of a folder, which ends with '/'; all if it is empty. */
void report_files_keep(struct report_files *files, struct str path);
/* Those of one package. */
NODISCARD bool report_files_of_package(struct report_files *out,
                                       const struct report_package *package, struct arena *arena,
                                       struct err *err);

struct report_file_method {
    const struct report_class *class;
    const struct report_method *method;
};

/* The methods of a file by their first line; NULL with `err` set if memory ran out. */
NODISCARD struct report_file_method *report_file_methods(uint32_t *count,
                                                         const struct report_file *file,
                                                         struct arena *arena, struct err *err);

struct line_range {
    uint32_t first, last;
};
