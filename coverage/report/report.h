/* report.h - what a report shows (packages, classes, methods, lines, branches, totals) and what the
 * caller wants left out. report_build.h builds a report from facts; reporters/ writes it.
 * Lines:  take more memory than all else, so classes and methods have none; report_read
 *         (report_read.h) passes files with their lines.
 * Order:  packages by name, classes by name then file, methods by first line then name, lines
 *         ascending; ordinal.
 * Owner:  everything lives in the arena of report_build; names are views into the facts. */
#pragma once

#include "base/progress.h"
#include "coverage/facts/facts.h"
#include "coverage/session/test_sets.h"
#include "scope/pattern.h"

struct report_condition {
    bool is_switch;
    uint32_t outcome_count, covered_count;
    const uint64_t *outcome_hits;
    struct fact_span span; /* its columns are 0 where they are not known */
    bool is_exact;         /* the span is that of the operand, not of what that is part of */
    uint32_t expression;   /* which condition of the line is the first of the same expression */
    enum outcome_words words;
    bool never_asked;    /* without an outcome, because nothing led to it */
    uint32_t arms_len;   /* bytes of `arms` */
    const uint8_t *arms; /* what its outcomes are called (arms.h) */
};

/* Text on one line, in columns as in struct fact_span; end 0: to the end of the line. */
struct column_range {
    uint16_t start, end;
};

/* Where code that did not run is written. */
enum why_callee {
    CALLEE_METHOD,
    CALLEE_FUNCTION, /* a lambda, local function, clause of a query, or what follows a `let!` */
    CALLEE_ITERATOR, /* which was called */
};

/* What is known of a method before the library was attached. */
enum why_earlier {
    EARLIER_NOTHING, /* it had not run, or nothing was attached */
    EARLIER_MAY_HAVE_RUN,
    EARLIER_WAS_RUNNING,
};

enum {
    WHY_ROOTS_MAX = 3
};

/* What did not happen, of all that had to happen before code could run (why.h). */
struct why_root {
    enum cause_kind kind;
    const struct fact_statement *statement; /* ran; NULL for CAUSE_ENTRY and CAUSE_OUTCOME */
    const struct fact_decision *decision;   /* CAUSE_OUTCOME: was asked, but `outcome` was not its
                                               outcome */
    uint32_t outcome;
};

/* Code did not run because none of these happened. */
struct report_why {
    struct why_root roots[WHY_ROOTS_MAX];
    uint32_t root_count;
    enum why_callee callee; /* of CAUSE_ENTRY */
    enum why_earlier earlier;
};

struct report_line {
    uint32_t number;
    uint64_t hits; /* 0: so are all outcomes but those of a switch (line_conditions.c) */
    /* Of a line of a class that ran, if report.tests has them: which tests did; NULL: not known. */
    const struct line_tests *tests;
    const struct report_why *why;        /* it did not run; NULL: it did, or that is not known */
    struct report_condition *conditions; /* in order of IL offset */
    uint32_t condition_count;
    uint32_t outcome_count, covered_count; /* summed over the conditions */
    /* Of a line of a class that ran: text of statements that did not (missed_text.h). Ascending,
     * apart. */
    uint32_t missed_count;
    const struct column_range *missed;
};

struct report_lines {
    struct report_line *lines;
    uint32_t count;
};

/* Has the line something that did not happen? */
bool report_line_misses(const struct report_line *line);
/* The first line that has; 0 if there is none. */
uint32_t report_first_miss(const struct report_lines *lines);
/* Is there something to say of a condition of the line? Not where the line, or the statement that
 * holds the condition, did not run. */
bool report_condition_lacks(const struct report_line *line,
                            const struct report_condition *condition);

/* Sums: a line counts once per (package, file, line). */
struct report_totals {
    uint64_t lines_valid, lines_covered;
    uint64_t branches_valid, branches_covered;
    uint64_t methods_valid, methods_covered;
    uint64_t complexity;
};

void report_add_totals(struct report_totals *into, const struct report_totals *from);

/* Adds lines, and their branches. */
void report_count_lines(struct report_totals *totals, const struct report_line *lines,
                        uint32_t count);
/* How much a method is in need of a test: its CRAP score (Savoia and Evans, 2007), from its
 * complexity and missed lines, as 100 * score, rounded down. */
uint64_t crap_x100(const struct report_totals *totals);

struct report_method {
    struct str name, signature;  /* in metadata; what programs read and sort by */
    struct fact_display display; /* what people read */
    struct report_lines lines;
    uint32_t first_line, first_miss; /* first_miss: where something did not happen, or 0 */
    struct report_totals totals;
};

struct report_class {
    struct str name;         /* user type */
    struct str display_name; /* as people write it */
    struct str file;         /* relative to the root */
    struct report_method *methods;
    uint32_t method_count;
    struct report_lines lines; /* the union of its methods' lines */
    uint32_t first_line, first_miss;
    struct report_totals totals;
};

/* A build of an assembly, as method_hash.h tells them apart. */
struct report_module {
    struct str name;
    uint8_t identity[32];
};

struct report_package {
    struct str name;               /* assembly */
    struct report_module *modules; /* those that were read, by identity, each once */
    uint32_t module_count;
    bool not_loaded; /* none of its modules was loaded */
    struct report_class *classes;
    uint32_t class_count;
    struct report_totals totals;
};

/* A module that was seen and left out or, with `method` set ("N.Type`1.Method(System.Int32)"), one
 * of its methods. In ordinal order, each once. */
struct report_omission {
    struct str module, method;
    struct str display_method; /* "N.Type<T>.Method(int)" */
    const struct reason *reason;
};

struct report_left_out {
    uint64_t line_count, file_count;
};

/* Lines that would be in the report if they were not excluded. Lines without code between them are
 * not counted. */
struct report_exclusion {
    struct str module, file; /* relative to the root */
    uint32_t first_line, last_line, line_count;
    const struct reason *reason;
};

struct report {
    struct str root;   /* absolute source root, or "." when deterministic */
    int64_t timestamp; /* Unix seconds */
    struct report_package *packages;
    uint32_t package_count;
    struct report_totals totals;
    struct report_omission *omissions;
    uint32_t omission_count;
    struct report_exclusion *exclusions; /* by module, file, line */
    uint32_t exclusion_count;
    /* Likewise, code that a generator wrote: empty if it is counted. */
    struct report_exclusion *generated;
    uint32_t generated_count;
    struct str *notes; /* about the report as a whole, each a sentence, each once */
    uint32_t note_count;
    /* The first measured assembly that has no line; `reason` is empty if there is none. */
    struct report_omission first_empty;
    const struct test_sets *tests; /* NULL: the facts have none, or nobody asked for them */
    const struct facts *facts;     /* that it was built from */
    const struct report_options *options;
};

struct report_options {
    const struct pattern *exclude; /* -x; beats everything */
    uint32_t exclude_count;
    const struct str *exclude_files; /* globs over `relative`; '*' crosses '/' as '**' does */
    uint32_t exclude_file_count;
    bool include_generated; /* count what generators wrote like the user's code */
    bool inlined_missed;    /* count what F# inlined as not covered */
    bool real_only;         /* as if nothing had been carried (sums.h) */
    struct str root;        /* empty: the run's own */
    int64_t timestamp;
    const struct test_sets *tests;        /* of the same facts; NULL: lines need none */
    const struct progress_hook *progress; /* or NULL */
};

/* One of several countings of the same code: the modules of all views are the same. */
struct report_view {
    const struct facts *facts;
    bool real_only; /* in place of that of the options */
};
