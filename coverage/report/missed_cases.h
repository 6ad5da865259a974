/* missed_cases.h - the arms of a switch that were never taken, by their text. An arm is named if
 * none of the outcomes that lead to it happened, and it was not taken another way. Any is named
 * only if it is known where all outcomes lead that never happened, so that none is left out.
 * Pure:   a condition and text in. Used by writers that have the source.
 * Owner:  labels are views into the text, or live in the arena.
 * Errors: only ERR_MEMORY. */
#pragma once

#include "coverage/report/report.h"

enum {
    CASES_NAMED_MAX = 3,
    CASE_LABEL_MAX = 60, /* bytes; a longer one is cut */
    CASE_SUBJECT_MAX = 68
};

struct missed_cases {
    struct str labels[CASES_NAMED_MAX]; /* "case 1: case 2", "default", "> 3 when b" */
    uint32_t named;                     /* 0: it is not certain which arms they are */
    uint32_t count;                     /* of all that were never taken */
    bool always_matched; /* a switch without `default`: it never happened that no arm matched */
    struct str subject;  /* "switch (n)", "n switch"; empty if it is long, or not known */
};

/* Do sentences name what was missed? */
static inline bool missed_cases_are_known(const struct missed_cases *cases)
{
    return cases->named != 0 || cases->always_matched;
}

struct line_extent {
    uint32_t first, last;
};

/* The lines of the source that the text must have. False: none, because nothing can be named. */
bool missed_cases_lines(struct line_extent *out, const struct report_condition *condition);

/* `text` begins with line `first`. */
NODISCARD bool missed_cases_find(struct missed_cases *out, const struct report_condition *condition,
                                 struct str text, uint32_t first, struct arena *arena,
                                 struct err *err);
