/* patch_sources.h - what is known of the sources that a patch changes: which of them no assembly
 * has that was measured or found, which have changed since they were compiled, and which are left
 * out on purpose. The lines of the first two are not known, and neither are those of files that are
 * binary to git and of submodules whose changes the patch does not have: no gate on the patch
 * passes with them.
 * Owner:  the arena. */
#pragma once

#include "cli/options/publish_options.h"
#include "coverage/diff/patch.h"
#include "coverage/facts/facts.h"

struct patch_omission {
    struct str path;
    const struct reason *reason; /* NULL: it has no code */
};

struct patch_sources {
    struct str note; /* for the reader of the figures; or empty */
    bool is_unknown; /* it says which changed lines are not known */
    struct str *unmeasured;
    uint32_t unmeasured_count;
    struct patch_omission *omissions;
    uint32_t omission_count;
};

/* `root`: where the sources of HEAD are. */
NODISCARD bool patch_sources_find(struct patch_sources *out, const struct patch *patch,
                                  const struct facts *head, struct str root,
                                  const struct filter_options *filter, struct arena *arena,
                                  struct err *err);

/* The changed sources that are left out, and why (--verbose). */
void patch_sources_explain(const struct patch_sources *sources, struct arena *arena);
