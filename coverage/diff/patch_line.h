/* patch_line.h - what one line of a unified diff says by itself, and the names of files in it: how
 * they are quoted, and their prefixes.
 * Source: git, Documentation/diff-generate-patch.txt and diff-options.txt (--src-prefix,
 *         --no-prefix, diff.mnemonicPrefix); core.quotePath in config.txt; POSIX diff, "Diff -u
 *         Output Format". GNU diff quotes names as git does.
 * Owner:  all are views into the diff, or, names that were quoted, live in the arena.
 * Errors: ERR_FORMAT a quoted name that has no end or an unknown escape; ERR_LIMIT one longer than
 *         PATH_ROOM. */
#pragma once

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

/* --- names --- */

/* The name in the rest of a line, up to a tab (git ends names with spaces by one, diff adds a time
 * after it) or to the end. Quoted: "tab\t, quote\", \303\244". */
NODISCARD bool patch_name_read(struct str *name, struct str text, struct arena *arena,
                               struct err *err);

/* Removes the prefixes: a/ and b/, or any first folders that are the only difference between the
 * two names. Equal names have no prefix; from names that differ in more, only a/, b/ and git's
 * other letters are removed. */
void patch_name_strip(struct str *old_name, struct str *new_name);

/* The same for a name whose other side is /dev/null: only a/ and b/ count as prefixes. */
struct str patch_name_strip_one(struct str name);

/* Is `name`, with a prefix or without, the name of `path`? */
bool patch_name_is_of(struct str name, struct str path);

/* The one name in "a/NAME b/NAME", the rest of a line `diff --git`. Empty if the names differ: a
 * renamed file has lines of its own for them. */
NODISCARD bool patch_name_read_pair(struct str *name, struct str text, struct arena *arena,
                                    struct err *err);

/* Is the first name of such a pair, after a possible prefix, below the folder? */
NODISCARD bool patch_name_pair_below(bool *below, struct str text, struct str folder,
                                     struct arena *arena, struct err *err);
