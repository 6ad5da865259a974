/* diff.h - what changed between two data files, in the code and in its coverage.
 * Methods: paired by name and by their code (pairing.h), wherever they are now.
 * Lines:   those of HEAD's report. A line was covered before if its statements were. Statements of
 *          unchanged code are paired one to one; in edited code, a statement is paired if its
 *          instructions are still there, in the longest common subsequence of statements. So moving
 *          a line is not a change. All outcomes of a new line are new. Without BASE all lines are
 *          new.
 * Patch:   a changed line owes coverage if a statement of HEAD spans it, even from lines above and
 *          below. Deleted and renamed code owes nothing; code that did not run owes coverage and is
 *          missed.
 * Carried: a state of its own, without hits: an older build's counts cover nothing.
 * diff_build.h computes it.
 * Owner:   everything lives in the arena of diff_build; texts are views into facts and patch,
 *          which outlive it. */
#pragma once

#include "base/text.h"
#include "coverage/facts/facts.h"
#include "coverage/report/report.h"

struct report_why;
struct column_range;

/* The state of a line, or of one outcome of a branch. */
enum diff_state {
    DIFF_KEPT,         /* covered, as before */
    DIFF_GAINED,       /* covered; was not covered before */
    DIFF_NEW_COVERED,  /* covered; did not exist before */
    DIFF_LOST,         /* no longer covered */
    DIFF_STILL_MISSED, /* not covered, as before */
    DIFF_NEW_MISSED,   /* not covered; did not exist before */
    DIFF_NOT_RUN,      /* HEAD did not load the module, or ran only some of the tests */
    DIFF_CARRIED,      /* as DIFF_NOT_RUN, but with counts carried from an older build */
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
    bool was_covered; /* in BASE, if the line existed there */
    uint64_t hits, base_hits;
    const uint32_t *outcomes; /* how many of each state, DIFF_STATE_COUNT numbers; NULL: none */
};

static inline uint32_t diff_line_outcomes(const struct diff_line *line, enum diff_state state)
{
    return line->outcomes != NULL ? line->outcomes[state] : 0;
}

/* Was it covered in BASE, and is no longer? Carried counts cover nothing. */
static inline bool diff_line_is_lost(const struct diff_line *line)
{
    return line->state == DIFF_LOST || (line->state == DIFF_CARRIED && line->was_covered);
}

struct diff_file {
    struct str package, path; /* assembly; relative to HEAD's root */
    struct diff_line *lines;  /* ascending; all lines of HEAD's report */
    uint32_t line_count;
};

struct diff_method {
    struct str package, type, name, signature, file; /* in HEAD; in BASE if removed */
    struct fact_display display;                     /* as above, as people write it */
    uint32_t first_line;                             /* as above */
    enum diff_kind kind;
    struct str from; /* "N.Old.Name(System.Int32)" or "src/Old.cs" if it differs; else empty */
    struct str display_from; /* "N.Old.Name(int)" or "src/Old.cs" */
    /* Per state; of a removed method, covered lines count as kept, the others as still missed. */
    uint32_t lines[DIFF_STATE_COUNT];
};

/* Did it change, or are lines of it lost or gained? */
static inline bool diff_method_is_shown(const struct diff_method *method)
{
    return method->kind != DIFF_UNCHANGED || method->lines[DIFF_LOST] != 0 ||
           method->lines[DIFF_GAINED] != 0;
}

/* The lines of an added or edited method that did not run (--gate new-uncovered). */
static inline uint32_t diff_method_new_missed(const struct diff_method *method)
{
    return method->kind == DIFF_ADDED || method->kind == DIFF_EDITED
               ? method->lines[DIFF_NEW_MISSED] + method->lines[DIFF_STILL_MISSED] +
                     method->lines[DIFF_LOST]
               : 0;
}

/* A line of a method of BASE. */
struct diff_old_line {
    uint32_t number;
    bool is_left;    /* HEAD still has it */
    bool is_partial; /* it ran, but not every outcome on it happened */
    uint64_t hits;
};

/* A method as it was in BASE. */
struct diff_was {
    struct str package, file;
    struct diff_old_line *lines; /* ascending */
    uint32_t line_count;
};

/* What a report says of a line of HEAD that did not run, or of which not all did. */
struct diff_note {
    uint32_t line;
    const struct report_why *why;      /* why it did not run; NULL: it did, or that is not known */
    const struct column_range *missed; /* on a line that ran, text that did not (missed_text.h) */
    uint32_t missed_count;
};

/* A method beside what it was: of HEAD's, each that is in `methods` or has a line to tell of
 * (diff_line_is_shown); and the removed ones. */
struct diff_section {
    struct diff_method method;
    const uint32_t *lines; /* their numbers in HEAD, ascending; none if it was removed */
    uint32_t line_count;
    const struct diff_note *notes; /* of its lines, ascending */
    uint32_t note_count;
    const struct diff_was *was; /* NULL: it was not there, or BASE is compared by line */
};

struct diff_totals {
    uint64_t lines[DIFF_STATE_COUNT], outcomes[DIFF_STATE_COUNT];
    uint64_t methods[DIFF_KIND_COUNT];
    uint64_t methods_valid, methods_covered;  /* of HEAD */
    struct report_totals base;                /* in BASE's own report */
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

struct gate_result;

struct diff {
    struct str base_name,
        head_name; /* as the user named the files; BASE may be empty: patch alone */
    struct str base_about, head_about; /* "2 runs, the last of 2026-11-21", or empty */
    struct str patch_name; /* "main...HEAD, from merge base 1a2b3c4d"; empty if there is no patch */
    struct str root;       /* HEAD's source root */
    bool by_line;          /* BASE is a report of another tool: lines are compared by number */
    bool is_alone;         /* it is a report's totals: nothing was compared (diff_of_report) */
    struct str note;       /* a sentence that the reader must know, or empty */
    /* It says which lines of the patch are not known. */
    bool patch_is_unknown;
    const struct str *unmeasured; /* sources of the patch that no assembly has */
    uint32_t unmeasured_count;
    /* assemblies of BASE whose sources are still there, without HEAD's */
    const struct str *missing;
    uint32_t missing_count;
    struct diff_file *files; /* by package, path */
    uint32_t file_count;
    /* By package, type, name, signature; all but unchanged ones without lost or gained lines. */
    struct diff_method *methods;
    uint32_t method_count;
    /* Only if they were asked for; by package, file, then those of HEAD first, then by line. */
    struct diff_section *sections;
    uint32_t section_count;
    struct diff_package *packages; /* by name */
    uint32_t package_count;
    const struct gate_result *gates; /* what was tested (gate.h) */
    uint32_t gate_count;
    struct diff_totals totals;
    struct report_left_out generated; /* of HEAD, neither compared nor held against gates */
};

/* Is there more to say of it than that it is what it was? Kept and still missed lines, with all
 * their branches, are told of only if they are in the patch. */
bool diff_line_is_shown(const struct diff_line *line);

/* Is it kept, gained or new and covered? */
bool diff_state_is_covered(enum diff_state state);

/* The line with this number, or NULL. */
const struct diff_line *diff_file_line(const struct diff_file *file, uint32_t number);

/* "kept", "gained", "new and covered", "lost", "still missed", "new and missed", "not run" or
 * "carried" */
const char *diff_state_text(enum diff_state state);
/* "unchanged", "moved", "edited", "added", "removed" */
const char *diff_kind_text(enum diff_kind kind);
