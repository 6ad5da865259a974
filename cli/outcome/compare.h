/* compare.h - what `diff` does, and `run` and `report` with --base, --patch or --gate: compares the
 * facts of HEAD with those of BASE and with the lines of a patch, and tests gates.
 * Owner:  everything lives in the arena. */
#ifndef ILCOV_CLI_OUTCOME_COMPARE_H
#define ILCOV_CLI_OUTCOME_COMPARE_H

#include "cli/base/filter_options.h"
#include "cli/base/gate_options.h"
#include "cli/base/progress_line.h"
#include "cli/outcome/patch_sources.h"
#include "coverage/diff/diff.h"
#include "coverage/diff/patch.h"
#include "coverage/facts/facts.h"
#include "coverage/source/path_map.h"

struct comparison {
    struct diff diff;
    struct facts base;   /* no module if there is no BASE; no code */
    struct str was_root; /* where its sources are */
    struct str patch_name;
    struct patch_sources sources; /* of the patch, if there is one */
};

/* What is compared. */
struct comparing {
    const struct facts *head;
    const char *head_name, *base; /* paths; `base` and `patch` may be NULL */
    const char *patch;
    const char *base_root; /* of BASE's sources; NULL: that of its run */
    const struct filter_options *filter;
    const struct path_maps *maps;
    struct str root; /* of the sources: absolute; empty for that of HEAD's run */
    bool wants_sections;
    struct progress_line *line; /* how far it has come; may be NULL */
};

/* *err says what is wrong; ERR_USAGE if the options are. */
NODISCARD bool compare(struct comparison *out, const struct comparing *what, struct arena *arena,
                       struct err *err);

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

/* Does every gate have what it compares with? ERR_USAGE says what is missing. `missing_base`: how
 * the user would name a base, such as "--base BASE", or NULL when there is one. */
NODISCARD bool compare_gates_fit(const struct gate_options *gates, const char *missing_base,
                                 struct err *err);

/* Does the comparison have what every gate asks for? A comparison with another tool's report has no
 * methods. */
NODISCARD bool compare_gates_apply(const struct gate_options *gates, const struct diff *diff,
                                   struct err *err);

/* What gates that failed are about. */
struct gate_failures {
    bool of_lines, of_branches, of_patch, of_base;
};

/* Tests every gate for those who show it: `gates` of the diff. Says nothing. */
void compare_note_gates(struct diff *diff, const struct gate_options *gates, struct arena *arena);

/* Tests every gate, and says a line for each that fails, can't be tested, or had nothing to test,
 * and below it where a gate failed that is about some lines. The result is an exit status: EXIT_BAD
 * for one that can't be tested, or about lines that are not known. `failures` are added to. */
int compare_test_gates(const struct diff *diff, const struct gate_options *gates,
                       struct gate_failures *failures, struct arena *arena);

/* Says which commands show what the failures are about. */
void compare_say_where(const struct gate_failures *failures, const struct gate_options *gates,
                       const char *data, struct arena *arena);

#endif
