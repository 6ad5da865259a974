/* changes.h - what the pages of a comparison show: the source files that have something to tell.
 * Errors: ERR_MEMORY. */
#pragma once

#include "coverage/diff/diff.h"
#include "reporters/html/page.h"

/* A source file. Where it has too much for a page, it has several: parts. */
struct change_file {
    struct str package, path;
    const struct diff_file *file;  /* NULL: HEAD does not have it */
    struct diff_section *sections; /* those of the diff, and one for lines in no method */
    uint32_t section_count;
    struct str *pages;                    /* per part, from 0; their names */
    uint32_t *section_parts, *line_parts; /* which part has it, from 1; 0: none */
    uint64_t lines[DIFF_STATE_COUNT], outcomes[DIFF_STATE_COUNT];
    uint64_t patch_owed, patch_covered;
};

struct changes {
    struct page_set *pages;
    const struct format_job *job;
    const struct diff *diff;
    struct change_file *files; /* by package, path */
    uint32_t file_count;
    bool is_beside;        /* a report has the index */
    struct arena *arena;   /* as long as pages are written */
    struct arena *scratch; /* of one file or page */
};

/* Which lines a list has. */
enum change_list {
    CHANGE_LOST,
    CHANGE_NEW,
    CHANGE_GAINED,
    CHANGE_LIST_COUNT
};

bool change_list_has(enum change_list list, const struct diff *diff, const struct diff_line *line);

/* The files that have something to tell, without the names of their pages. */
NODISCARD bool changes_list_files(struct changes *changes, struct err *err);
