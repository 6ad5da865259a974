/* source_root.h - where the sources of a data file are: below the root of its run, or below that of
 * -r DIR. */
#pragma once

#include "coverage/facts/facts.h"

/* The absolute path of -r DIR; empty for NULL. The sources may be elsewhere by now: a root that
 * does not exist here is used as given. */
NODISCARD bool source_root_given(struct str *out, const char *given, struct arena *arena,
                                 struct err *err);

/* The root to look for sources in: `given` if it is not empty, else that of the last run that has
 * one, else around the current directory. */
NODISCARD bool source_root_find(struct str *out, const struct facts *facts, struct str given,
                                struct arena *arena, struct err *err);

/* --- the sources of a data file, seen from another folder than the root of its run ---
 *
 * A folder above that root or below it is another root of the same place: paths begin in it, and
 * what is not in it is left out. So does any folder that contains a source outside the run's root.
 * Every other folder, and one that has the sources at the paths that they have below the run's
 * root, is where a copy of the tree is: paths stay as they are. Merged data files have several
 * roots: each source goes by the one that contains it. */

/* `root`: absolute; empty: changes nothing. `keeps_external`: reports of other tools were read with
 * this root. `*left_out` is a source that was below the run's root and now is left out, or empty;
 * it may be NULL. ERR_MEMORY. */
NODISCARD bool new_root_apply(struct facts *facts, struct str root, bool keeps_external,
                              struct str *left_out, struct arena *arena, struct err *err);

/* A line if not a single source is below it. */
void new_root_check(const struct facts *facts, struct str root);
