/* findings.h - what a diff reports to a reviewer: the runs of lines that lost their coverage or
 * never had it. Without BASE nothing is lost or new: only the patch's lines count.
 * Owner:  everything lives in the arena and points into the diff, which outlives it.
 * Errors: ERR_MEMORY, or the arena's limit. */
#pragma once

#include "coverage/diff/diff.h"
#include "reporters/sources.h"

/* The most important first. A line has at most one: its branches matter only if it is covered
 * itself. */
enum finding_rule {
    FINDING_LOST,
    FINDING_NEW_MISSED,
    FINDING_PATCH_MISSED,  /* in the patch and not covered, but neither lost nor new */
    FINDING_LOST_BRANCH,   /* an outcome was taken, and no longer is */
    FINDING_MISSED_BRANCH, /* an outcome that is new, or on a line of the patch, is not taken */
    FINDING_NONE
};

#define FINDING_RULES FINDING_NONE

/* Lines of one rule with no other line of the report, and little other text, between them. */
struct finding {
    const struct diff_file *file;
    enum finding_rule rule;
    uint32_t first, count; /* in file->lines */
    uint64_t fingerprint;  /* of rule, file and source text, not of line numbers; unique */
};

struct findings {
    struct finding *items; /* by package, path, line */
    uint32_t count;
    uint32_t lines[FINDING_RULES]; /* number of lines per rule */
};

enum finding_rule finding_rule_of(const struct diff *diff, const struct diff_line *line);
/* "ilcov/lost", "ilcov/new-missed", ...; "Coverage lost", ... */
const char *finding_name(enum finding_rule rule);
const char *finding_title(enum finding_rule rule);

/* `sources` may be NULL if fingerprints, which need each run's source, are not wanted. */
NODISCARD bool findings_build(struct findings *out, const struct diff *diff,
                              const struct sources *sources, struct arena *arena, struct err *err);
/* The most important rule first, then the longest. */
void findings_order(struct findings *findings);

uint32_t finding_first_line(const struct finding *finding);
uint32_t finding_last_line(const struct finding *finding);
/* "3 lines were covered and are not any more": no line number, which would change when lines
 * move. */
#define FINDING_MESSAGE_ROOM 160
void finding_message(char message[FINDING_MESSAGE_ROOM], const struct finding *finding);
