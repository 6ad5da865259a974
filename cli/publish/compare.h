/* compare.h - what `diff` does, and `run` and `report` with --base, --patch or --gate: compares the
 * facts of HEAD with those of BASE and with the lines of a patch.
 * Owner:  everything lives in the arena. */
#pragma once

#include "cli/options/progress_line.h"
#include "cli/options/publish_options.h"
#include "cli/publish/patch_sources.h"
#include "coverage/diff/diff.h"
#include "coverage/diff/patch.h"
#include "coverage/facts/facts.h"

struct comparison {
    struct diff diff;
    struct facts base;   /* no module if there is no BASE; no code */
    struct str was_root; /* where its sources are */
    struct str patch_name;
    struct patch_sources sources; /* of the patch, if there is one */
};

/* What is compared. */
struct comparison_request {
    const struct facts *head;
    const struct publish_options *options; /* what with, and what is left out */
    struct str root; /* of the sources: absolute; empty for that of HEAD's run */
    bool wants_sections;
    struct report *report; /* of HEAD, which is built on the way, by these options; or NULL */
    const struct report_options *report_options;
    struct progress_line *line; /* how far it has come; may be NULL */
};

/* *err says what is wrong; ERR_USAGE if the options are. */
NODISCARD bool compare(struct comparison *out, const struct comparison_request *what,
                       struct arena *arena, struct err *err);

/* To be called before anything is measured. A patch that git makes needs its revisions, in the
 * repository of the source root: ERR_USAGE without them. */
NODISCARD bool compare_can_read_base(const char *path, struct err *err);
NODISCARD bool compare_can_read_patch(const char *spec, struct str root, struct arena *arena,
                                      struct err *err);

/* The patch that SPEC means, and what it is called: "main...HEAD: from merge base 1a2b3c4d to HEAD
 * 5e6f7a8b". A line says so if git's revisions are not those of the checkout around the current
 * directory. ERR_USAGE as above. */
NODISCARD bool compare_read_patch(struct patch *out, struct str *name, const char *spec,
                                  struct str root, struct arena *arena, struct err *err);
