/* diff_build.h - computes what changed between two data files.
 * Owner:   everything lives in the arena; texts are views into facts and patch, which outlive it.
 *          Of BASE, what is in `base_code` is freed as soon as it was compared: sections need it
 *          last.
 * Errors:  ERR_LIMIT more lines than any program has; ERR_MEMORY. */
#pragma once

#include "coverage/diff/diff.h"
#include "coverage/report/report.h"

struct patch;

struct diff_options {
    struct report_options report; /* what is left out, in both */
    const struct patch *patch;    /* or NULL */
    bool wants_sections;
    /* HEAD's report, which is built on the way, by options of its own; or NULL. */
    struct report *head;
    const struct report_options *head_options;
    struct arena *base_code; /* BASE's methods, statements, decisions and counts; or NULL */
};

/* Fills everything except names, abouts and note. `base` may be NULL: only a patch is compared.
 * With `by_line`, `base` is another tool's report as facts, and the patch says where its lines are
 * now. */
NODISCARD bool diff_build(struct diff *out, const struct facts *head, const struct facts *base,
                          bool by_line, const struct diff_options *options, struct arena *arena,
                          struct err *err);

/* What gates need of a report that is compared with nothing: its totals, which nothing carried may
 * be part of (real_only), and those of its assemblies. */
NODISCARD bool diff_of_report(struct diff *out, const struct report *report, struct arena *arena,
                              struct err *err);
