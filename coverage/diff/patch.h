/* patch.h - the files and lines that a unified diff changes: what `git diff` writes, whatever its
 * options say about context, prefixes, quotes and renames, and what `diff -u` writes.
 * Source: git, Documentation/diff-generate-patch.txt; POSIX diff, "Diff -u Output Format".
 *
 * Text around and between diffs (mails of `git format-patch`, `git log -p`) is passed over; what is
 * in a hunk is told by the counts in its header. Nothing has changed in an empty diff. Refused are
 * combined diffs (of merges), colours, UTF-16, and several diffs of one file: their numbers are of
 * different states of it. What a diff leaves out can't be known: new files of `diff -r` without -N.
 * Units:  lines from 1, below FACT_LINE_LIMIT, as git counts them: a line ends with LF. (To
 *         compilers of C# a lone CR, U+0085, U+2028 and U+2029 end lines as well; git knows nothing
 *         of those.)
 * Owner:  everything lives in the arena, and paths may point into the diff.
 * Errors: ERR_FORMAT no unified diff, or one that is cut or contradicts itself; ERR_LIMIT a line or
 *         name too large; ERR_UNSUPPORTED what is refused; ERR_MEMORY. Each names the line of the
 *         diff. */
#ifndef ILCOV_COVERAGE_DIFF_PATCH_H
#define ILCOV_COVERAGE_DIFF_PATCH_H

#include "base/text.h"

enum patch_kind {
    PATCH_CHANGED, /* lines, or nothing but the mode */
    PATCH_ADDED,   /* in a plain diff only where the other side is /dev/null; else it has changed */
    PATCH_DELETED, /* likewise */
    PATCH_RENAMED, /* with changes, or without: then it has no hunks, and owes nothing */
    PATCH_COPIED,  /* likewise; its lines are those of the file that it was copied from */
};

/* `old_count` lines from `old_start` became `new_count` lines from `new_start`. Whatever context
 * the diff has, a hunk here is what one without any (-U0) would have; but where a count is 0, start
 * is the line behind that place, not before it. */
struct patch_hunk {
    uint32_t old_start, old_count;
    uint32_t new_start, new_count;
};

struct patch_lines {
    uint32_t first, last;
};

struct patch_file {
    struct str path;     /* of the new side, '/' separators, no prefix; a deleted file's was this */
    struct str old_path; /* empty for an added one */
    enum patch_kind kind;
    bool is_binary;           /* to git: UTF-16 is, too. Which lines changed is not known */
    bool is_submodule;        /* has no lines */
    bool is_link;             /* symbolic: likewise, since its text is no source */
    struct patch_hunk *hunks; /* ascending, not touching each other */
    uint32_t hunk_count;
    struct patch_lines *lines; /* added or changed, of the new side: ascending, not touching */
    uint32_t line_count;
    size_t place; /* line of the diff that it begins on */
};

struct patch {
    struct patch_file *files; /* ascending path, as bytes; of one path, a deleted file last */
    uint32_t file_count;
};

NODISCARD bool patch_read(struct patch *out, struct view diff, struct arena *arena,
                          struct err *err);

/* The new number of an old line that is as it was; 0 when it was changed or deleted, or when that
 * can't be told: in binary files, and between hunks where the diff leaves changes out
 * (--ignore-blank-lines). */
uint32_t patch_new_line(const struct patch_file *file, uint32_t old_line);

/* The file that has this path on the new side, or NULL: a deleted one has none there. */
const struct patch_file *patch_find(const struct patch *patch, struct str path);

#endif
