/* patch_name.h - the names of files in a unified diff: how they are quoted, and their prefixes.
 * Source: git, Documentation/diff-generate-patch.txt and diff-options.txt (--src-prefix,
 *         --no-prefix, diff.mnemonicPrefix); core.quotePath in config.txt. GNU diff quotes the same
 *         way.
 * Owner:  names are views into the diff, or, where they were quoted, live in the arena.
 * Errors: ERR_FORMAT a quoted name that has no end or an unknown escape; ERR_LIMIT one longer than
 *         PATH_ROOM. */
#ifndef ILCOV_COVERAGE_DIFF_PATCH_NAME_H
#define ILCOV_COVERAGE_DIFF_PATCH_NAME_H

#include "base/path.h"
#include "base/text.h"

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

#endif
