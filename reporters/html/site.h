/* site.h - an HTML report as a whole: its input, and the source files that get a page each. */
#ifndef ILCOV_REPORTERS_HTML_SITE_H
#define ILCOV_REPORTERS_HTML_SITE_H

#include "coverage/report/report.h"
#include "reporters/format.h"
#include "reporters/html/tree_node.h"

/* A file as one assembly has it. */
struct site_file {
    struct str path;
    const struct report_package *package;
    const struct report_class **classes; /* with lines in it */
    uint32_t class_count;
    struct report_totals totals;
    uint32_t first_miss;    /* line, or 0 */
    struct str page;        /* page_name.h */
    struct tree_node *node; /* in the tree of folders */
};

struct site {
    const struct report *report;
    const struct sources *sources;
    struct destination *destination;
    struct site_file *files; /* by path, then assembly */
    uint32_t file_count;
    struct tree_node folders, types; /* the two indexes */
    struct arena *arena;             /* as long as the report is written */
    struct arena *scratch;           /* of one page */
};

NODISCARD bool site_list_files(struct site *site, struct err *err);

/* The page of a file of an assembly; NULL if it has none. */
const struct site_file *site_find(const struct site *site, struct str assembly, struct str path);

/* Has the line something that did not happen? */
bool site_line_misses(const struct report_line *line);

/* The first line that has; 0 if there is none. */
uint32_t site_first_miss(const struct report_lines *lines);

#endif
