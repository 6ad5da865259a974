/* patch_line.h - what one line of a unified diff says by itself.
 * Source: git, Documentation/diff-generate-patch.txt; POSIX diff, "Diff -u Output Format".
 * Owner:  all are views into the diff. */
#ifndef ILCOV_COVERAGE_DIFF_PATCH_LINE_H
#define ILCOV_COVERAGE_DIFF_PATCH_LINE_H

#include "base/text.h"

/* Takes the first line of a text that is not empty; without its end, LF or CR LF. */
struct str patch_line_take(struct str *text);

/* Does it begin with an escape of a terminal? */
bool patch_line_is_coloured(struct str line);

/* "@@ -7,2 +7 @@ class A": the lines of a hunk on one side. Without any, `first` is the line after
 * the place that the header names. */
struct patch_side {
    uint32_t first, count; /* numbers past FACT_LINE_LIMIT are FACT_LINE_LIMIT + 1 */
};

bool patch_line_is_hunk(struct patch_side *old, struct patch_side *new, struct str line);

/* Within a hunk: a line that did not change. */
bool patch_line_is_context(struct str line);

/* After a hunk: a line that looks as if it continued. */
bool patch_line_is_surplus(struct str line);

/* "Binary files NAMES differ" */
bool patch_line_is_binary(struct str *names, struct str line);

/* What follows "index ", "new mode " and the like: does it name this mode? */
bool patch_line_has_mode(struct str rest, const char *mode);

/* "Submodule PATH 1a2b3c4..5d6e7f8 (rewind):" or "Submodule PATH contains modified content";
 * `*says` is what follows the path, or the commits. */
bool patch_line_is_submodule(struct str *path, struct str *says, struct str line);

/* "Submodule PATH contains untracked content": what git does not track is no change. */
bool patch_line_is_untracked(struct str line);

#endif
