/* site.h - an HTML report as a whole: its input, and the source files that get a page each. */
#pragma once

#include "coverage/report/report_files.h"
#include "reporters/html/page.h"
#include "reporters/html/tree_node.h"

struct site_file {
    struct report_file source;
    struct str page;        /* page_name.h */
    struct tree_node *node; /* in the tree of folders */
};

struct site {
    struct page_set pages;
    const struct report *report;
    const struct sources *sources;
    struct site_file *files; /* by path, then assembly */
    uint32_t file_count;
    struct tree_node folders, types; /* the two indexes */
    struct arena *arena;             /* as long as the report is written */
    struct arena *scratch;           /* of one page */
};

NODISCARD bool site_list_files(struct site *site, struct err *err);

/* The page of a file of an assembly; NULL if it has none. */
const struct site_file *site_find(const struct site *site, struct str assembly, struct str path);

static inline struct source_place site_place(const struct site *site, const struct site_file *file)
{
    return (struct source_place){site->sources, file->source.package->name, file->source.path};
}
