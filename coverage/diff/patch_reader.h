/* patch_reader.h - reads a unified diff: the output of `git diff` with any options for context,
 * prefixes, quotes and renames, and of `diff -u`.
 * Source: git, Documentation/diff-generate-patch.txt; POSIX diff, "Diff -u Output Format".
 *
 * A submodule's files are files of their own below its path if the diff has them, as that of
 * `git diff --submodule=diff` has.
 *
 * Text around and between diffs (mails of `git format-patch`, `git log -p`) is skipped; the counts
 * in a hunk's header say where it ends. An empty diff changes nothing. Refused are combined diffs
 * (of merges), colours, UTF-16, and several diffs of one file, because their line numbers refer to
 * different states of it. What a diff leaves out cannot be known, for example new files in
 * `diff -r` without -N.
 * Errors: ERR_FORMAT not a unified diff, or one that is cut off or contradicts itself; ERR_LIMIT a
 *         line or name is too long; ERR_UNSUPPORTED the diff is of a refused kind; ERR_MEMORY. Each
 *         names the line of the diff. */
#pragma once

#include "coverage/diff/patch.h"

NODISCARD bool patch_read(struct patch *out, struct view diff, struct arena *arena,
                          struct err *err);
