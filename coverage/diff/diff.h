/* diff.h - what changed between two data files: in the code, and in what is covered of it.
 * Methods: found again by name and by their code (pairing.h), wherever they stand by now.
 * Lines:   those of HEAD's report. One was covered before when the statements on it were:
 *          statements of code that is the same are the same ones, of edited code those whose
 *          instructions are still there, in the longest common run of statements. So a line that
 *          only moved is no change. The outcomes of a line that is new are new.
 *          Without BASE all lines are new.
 * Patch:   a line owes coverage when a statement of HEAD spans it: also a line inside a statement
 *          of several. What is deleted or only renamed owes nothing; what did not run is owed and
 *          missed.
 * Carried: a state of its own, without hits: counts of an older build cover nothing.
 * diff_build.h makes it.
 * Owner:   everything lives in the arena that it was built in; texts are views into facts and
 *          patch, which outlive it. */
#ifndef ILCOV_COVERAGE_DIFF_DIFF_H
#define ILCOV_COVERAGE_DIFF_DIFF_H

#include "base/text.h"

/* Of a line, or of one outcome of a branch. */
enum diff_state {
    DIFF_KEPT,         /* covered, as before */
    DIFF_GAINED,       /* covered; before it was not */
    DIFF_NEW_COVERED,  /* covered; before it was not there */
    DIFF_LOST,         /* not covered any more */
    DIFF_STILL_MISSED, /* not covered, nor before */
    DIFF_NEW_MISSED,   /* not covered, and new */
    DIFF_NOT_RUN,      /* HEAD did not load the module, or ran only some of the tests */
    DIFF_CARRIED,      /* likewise, and an older build's counts stand in for it */
    DIFF_STATE_COUNT
};

enum diff_kind {
    DIFF_UNCHANGED,
    DIFF_MOVED, /* the same code under another name, in another type or file: `from` */
    DIFF_EDITED,
    DIFF_ADDED,
    DIFF_REMOVED,
    DIFF_KIND_COUNT
};

struct diff_line {
    uint32_t number; /* in HEAD */
    enum diff_state state;
    bool in_patch;
    bool was_covered; /* in BASE; of a line that was there */
    uint64_t hits, base_hits;
    uint32_t outcomes[DIFF_STATE_COUNT]; /* how many of each state */
};

struct diff_file {
    struct str package, path; /* assembly; relative to HEAD's root */
    struct diff_line *lines;  /* ascending; all that HEAD's report has */
    uint32_t line_count;
};

struct diff_method {
    struct str package, type, name, signature, file; /* in HEAD; of a removed one in BASE */
    uint32_t first_line;                             /* likewise */
    enum diff_kind kind;
    struct str from; /* "N.Old.Name(int)" or "src/Old.cs", where that is another; else empty */
    uint32_t
        lines[DIFF_STATE_COUNT]; /* how many of each state; of a removed one: kept are those that
                                         were covered, still missed the others */
};

struct diff_totals {
    uint64_t lines[DIFF_STATE_COUNT], outcomes[DIFF_STATE_COUNT];
    uint64_t methods[DIFF_KIND_COUNT];
    uint64_t methods_valid, methods_covered;       /* of HEAD */
    uint64_t base_lines_valid, base_lines_covered; /* by BASE's own report */
    uint64_t base_branches_valid, base_branches_covered;
    uint64_t base_methods_valid, base_methods_covered;
    uint64_t removed_covered, removed_missed; /* lines of BASE that are gone */
    uint64_t new_missed; /* missed lines of added and edited methods (--gate new-uncovered) */
    uint64_t patch_owed, patch_covered; /* lines */
    uint64_t patch_branches_owed, patch_branches_covered;
};

struct diff_package {
    struct str name;
    struct diff_totals totals;
    bool is_in_base;
};

struct diff {
    struct str base_name,
        head_name; /* as the user named the files; BASE may be empty: patch alone */
    struct str base_about, head_about; /* "2 runs, the last of 2026-11-21", or empty */
    struct str patch_name;   /* "main...HEAD, from merge base 1a2b3c4d"; empty: there is no patch */
    struct str root;         /* HEAD's source root */
    bool by_line;            /* BASE is a report of another tool: lines are compared by number */
    struct str note;         /* a sentence that the reader must know; or empty */
    struct diff_file *files; /* by package, path */
    uint32_t file_count;
    struct diff_method
        *methods; /* by package, type, name, signature; those that are not unchanged, and
                                    unchanged ones with lines lost or gained */
    uint32_t method_count;
    struct diff_package *packages; /* by name */
    uint32_t package_count;
    struct diff_totals totals;
};

/* "kept", "gained", "new and covered", "lost", "still missed", "new and missed", "not run",
 * "carried" */
const char *diff_state_text(enum diff_state state);
/* "unchanged", "moved", "edited", "added", "removed" */
const char *diff_kind_text(enum diff_kind kind);

#endif
