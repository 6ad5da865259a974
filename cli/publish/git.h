/* git.h - the diff of two states of the source, made by `git` and read by patch_reader.h.
 *
 *   main...HEAD   from the merge base of the two to HEAD: what the branch did
 *   main..HEAD    from main to HEAD as they are
 *   main          from the merge base of main and HEAD to the working tree, staged or not. Files
 *                 that git does not track are not in a diff, so they are not checked:
 *                 `git add -N` adds them
 *
 * What changed in submodules is in it as well, in the form of `git diff --submodule=diff`; of those
 * that are not checked out, or lack a commit, that they changed.
 *
 * A side that is left out (`main...`) is HEAD. The result depends neither on the user's
 * configuration of diffs, in files or in the environment, nor on the repository that a hook's
 * variables name: the one around the directory is used. Settings about the files themselves stay in
 * force: attributes, line ends; but a filter, as that of git-lfs, is a program, and not run.
 * Owner:  everything lives in the arena.
 * Errors: ERR_USAGE no such revision, or not the form of one; ERR_MISMATCH no merge base, or one
 *         that a shallow clone lacks; ERR_IO no git, no work tree, or git's own error, its first
 *         line; ERR_LIMIT a diff of more than CHECKOUT_ANSWER_LIMIT bytes; ERR_MEMORY. */
#pragma once

#include "base/text.h"

struct git_diff {
    struct view bytes; /* unified, without context; paths below the directory, relative to it */
    struct str top;    /* of the checkout whose revisions they are */
    struct str base;   /* the commit on the old side, abbreviated */
    struct str head;   /* that on the new side, or "the working tree" */
    struct str text;   /* "main...HEAD: from merge base 1a2b3c4d to HEAD 5e6f7a8b" */
};

/* Do both of its sides exist? Fails as git_diff would. */
NODISCARD bool git_can_diff(const char *directory, const char *spec, struct arena *arena,
                            struct err *err);

NODISCARD bool git_diff(struct git_diff *out, const char *directory, const char *spec,
                        struct arena *arena, struct err *err);
