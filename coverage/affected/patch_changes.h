/* patch_changes.h - what a patch changes in an older run, by lines, where no new build says it.
 *
 *   lines of a method    of C# and Visual Basic, that changed or went, or between which others
 *                        came: who ran the method
 *   a source that went   who ran its methods; all, if it declared more than whole types
 *   nothing              blank lines and comments between methods; documentation; settings of git
 *                        and editors; a source that was renamed in its folder
 *   all                  any other line: it may declare something; new sources, which may have
 *                        tests and overrides; any line of F#, which copies code into others; what
 *                        was not measured; and any other file, by its name
 *
 * A method reaches from its first statement to its last. Of a constructor only what is between its
 * own braces counts, where BASE tells them (Debug): initialisers of fields are its statements, too.
 * The patch must begin at the sources of BASE: a diff has no text that could tell.
 * Owner:  everything lives in the arena; texts are views into patch and facts.
 * Errors: ERR_MEMORY. */
#ifndef ILCOV_COVERAGE_AFFECTED_PATCH_CHANGES_H
#define ILCOV_COVERAGE_AFFECTED_PATCH_CHANGES_H

#include "coverage/affected/build_changes.h"
#include "coverage/affected/new_tests.h"
#include "coverage/diff/patch.h"

struct patch_rules {
    const struct patch *patch; /* paths below the root, as those of documents */
    const struct str *ignore;  /* globs of paths (paths_match) that do not count */
    uint32_t ignore_count;
};

NODISCARD bool patch_changes_find(struct build_changes *out, const struct facts *base,
                                  const struct patch_rules *rules, struct arena *arena,
                                  struct err *err);

/* Beside a build, which says what became of code: adds only files that are not. */
NODISCARD bool patch_changes_add_files(struct build_changes *changes,
                                       const struct patch_rules *rules, struct err *err);

/* The tests that there are after the patch, as far as it shows: those of the older run, without
 * those of sources that went. Which class derives from which is not known. */
NODISCARD bool patch_changes_tests(struct new_tests *out, const struct build_changes *changes,
                                   const struct patch_rules *rules, struct err *err);

#endif
