/* patch_name.h - the names of files in a unified diff: how they are quoted, and what stands before
 * them.
 * Source: git, Documentation/diff-generate-patch.txt and diff-options.txt (--src-prefix,
 *         --no-prefix, diff.mnemonicPrefix); core.quotePath in config.txt. GNU diff quotes
 *         likewise.
 * Owner:  names are views into the diff, or, where they were quoted, live in the arena.
 * Errors: ERR_FORMAT a quoted name that has no end or an unknown escape; ERR_LIMIT one longer than
 *         PATH_MAX, which no file has. */
#ifndef ILCOV_COVERAGE_DIFF_PATCH_NAME_H
#define ILCOV_COVERAGE_DIFF_PATCH_NAME_H

#include "base/text.h"

/* The name that a line goes on with, from its beginning to a tab (git ends names with spaces by
 * one, diff puts a time behind it) or to the end. Quoted: "tab\t, quote\", \303\244". */
NODISCARD bool patch_name_read(struct str *name, struct str text, struct arena *arena,
                               struct err *err);

/* Takes the prefixes away: a/ and b/, or whatever else the folder in front is that the two names
 * differ in alone. Names that are the same have none; of names that differ in more, only a/ and b/
 * and git's other letters are taken. */
void patch_name_strip(struct str *old_name, struct str *new_name);

/* The same for a name whose other side is /dev/null: only a/ and b/ are taken for a prefix. */
struct str patch_name_strip_one(struct str name);

/* The one name in "a/NAME b/NAME", the rest of a line `diff --git`. Empty when there are two: those
 * of a file that was renamed stand in lines of their own. */
NODISCARD bool patch_name_read_pair(struct str *name, struct str text, struct arena *arena,
                                    struct err *err);

#endif
