/* patch.h - the files and lines that a unified diff changes; patch_reader.h reads it.
 * Units:  lines from 1, below FACT_LINE_LIMIT, as git counts them: a line ends with LF. (For C#
 *         compilers a lone CR, U+0085, U+2028 and U+2029 end lines as well; git ignores those.)
 * Owner:  everything lives in the arena it was read into; paths and texts may point into the
 *         diff. */
#pragma once

#include "base/text.h"

enum patch_kind {
    PATCH_CHANGED, /* lines, or nothing but the mode */
    PATCH_ADDED, /* in a plain diff only if the other side is /dev/null; otherwise PATCH_CHANGED */
    PATCH_DELETED, /* as PATCH_ADDED */
    PATCH_RENAMED, /* with or without changes; without, it has no hunks and owes nothing */
    PATCH_COPIED,  /* all of its lines are new, whatever hunks it has */
};

/* `old_count` lines from `old_start` became `new_count` lines from `new_start`. Whatever context
 * the diff has, hunks here are those of a diff without context (-U0), except that if a count is 0,
 * start is the line after that place, not before it. */
struct patch_hunk {
    uint32_t old_start, old_count;
    uint32_t new_start, new_count;
    struct str text; /* the part of the diff that has its lines (patch_next_text) */
};

struct patch_lines {
    uint32_t first, last;
};

struct patch_file {
    struct str path; /* on the new side, '/' separators, no prefix; a deleted file's former path */
    struct str old_path; /* empty for an added one */
    enum patch_kind kind;
    bool is_binary;    /* to git, which includes UTF-16: the changed lines are not known */
    bool is_submodule; /* has no lines; those of its files, if the diff has them, do */
    bool has_contents; /* a submodule: what changed in it is in the diff, as files below it */
    bool is_link;      /* symbolic: has no lines because its text is not source code */
    struct patch_hunk *hunks; /* ascending, not touching each other */
    uint32_t hunk_count;
    struct patch_lines *lines; /* added or changed, on the new side: ascending, not touching */
    uint32_t line_count;
    size_t place; /* line of the diff that it begins on */
};

struct patch {
    struct patch_file *files; /* ascending path, as bytes; for equal paths, a deleted file last */
    uint32_t file_count;
};

/* The new number of an unchanged old line; 0 if the line was changed or deleted, or if that is
 * unknown: in binary files, and between hunks of a diff that leaves changes out
 * (--ignore-blank-lines). */
uint32_t patch_new_line(const struct patch_file *file, uint32_t old_line);

/* Does the patch change or add this line of the new side? `file` may be NULL: then it does not.
 * Of a copy, it adds all. */
bool patch_has_line(const struct patch_file *file, uint32_t line);

/* Takes the next line of one side, '-' for the old and '+' for the new, from a hunk's text; without
 * sign and line end. False at the end. */
bool patch_next_text(struct str *line, struct str *text, char side);

/* The file that has this path on the new side, or NULL: a deleted file has none there. */
const struct patch_file *patch_find(const struct patch *patch, struct str path);
