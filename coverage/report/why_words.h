/* why_words.h - why code did not run (why.h), in words: plain text, without any of the source.
 * Errors: those of struct text, reported by text_take. */
#ifndef ILCOV_COVERAGE_REPORT_WHY_WORDS_H
#define ILCOV_COVERAGE_REPORT_WHY_WORDS_H

#include "base/text.h"
#include "coverage/report/report.h"

/* Where the text of the condition is that a root names; NULL if it names none, or that is not
 * known. */
const struct fact_span *why_condition(const struct why_root *root);

/* The line that a root names, or 0. */
uint32_t why_line(const struct why_root *root);

/* "a condition", "the loop", "a value": to stand for the text of the condition. */
const char *why_subject(const struct why_root *root);

/* What comes after a subject, or stands alone if the root needs none: " on line 12 was never true",
 * "line 19 never completed: it threw or did not return". `line` is where it is shown. */
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

#endif
