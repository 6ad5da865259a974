/* why.h - why code did not run: the places at which control stopped on all ways to it. A statement
 * that did not run is traced back (facts/causes.h) past others that did not, to those that did but
 * never came to their end, outcomes that never happened, methods that were never called. Where any
 * way is not known, nothing is said.
 * Units:  indexes of statements and decisions in the facts of the module.
 * Errors: those of struct text are reported by text_take. */
#pragma once

#include "coverage/report/report.h"

/* Finds the whys of one module; equal ones of neighbours are one object. */
struct why_finder {
    const struct fact_module *module;
    const uint64_t *counts;
    const struct report_why **known; /* per statement; NULL: not looked for yet */
    struct arena *arena;
};

/* `known` is in `scratch`, what it finds in `arena`. */
NODISCARD bool why_open(struct why_finder *out, const struct fact_module *module,
                        const uint64_t *counts, struct arena *arena, struct arena *scratch,
                        struct err *err);

/* Why the statement, which did not run, did not; *out NULL if that is not known, or its
 * module was never loaded. */
NODISCARD bool why_of(const struct report_why **out, struct why_finder *finder, uint32_t statement,
                      struct err *err);

/* Is it certain that control never came to the decision? */
bool why_never_asked(const struct why_finder *finder, const struct fact_decision *decision);

/* A copy that needs neither the facts nor the arena of the report; NULL if out of memory. */
NODISCARD const struct report_why *why_copy(const struct report_why *why, struct arena *arena,
                                            struct err *err);

/* Do both say the same? Methods that were never called are alike. Copies are not compared. */
bool why_equal(const struct report_why *a, const struct report_why *b);

/* --- in words: plain text, without any of the source --- */

/* Where the text of the condition is that a root names; NULL if it names none, or that is not
 * known. */
const struct fact_span *why_condition(const struct why_root *root);

/* The line that a root names, or 0. */
uint32_t why_line(const struct why_root *root);

/* What comes after a subject (sentence_noun), or stands alone if the root needs none: " on line 12
 * was never true", "line 19 never completed: it threw or did not return". `line` is where it is
 * shown. */
bool why_needs_subject(const struct why_root *root);
void why_words(struct text *out, const struct report_why *why, const struct why_root *root,
               uint32_t line);

/* The roots of a line, one after the other: without the text of their conditions, two may read
 * alike, and are said once. Zeroed at first; why_begin before what is said of a root, why_end after
 * it. */
struct why_said {
    struct {
        size_t from, len;
    } items[WHY_ROOTS_MAX];
    uint32_t count;
    size_t before; /* where the text ended */
};
void why_begin(struct why_said *said, struct text *out);
void why_end(struct why_said *said, struct text *out);
