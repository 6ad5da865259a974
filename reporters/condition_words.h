/* condition_words.h - what a line that ran lacks, and why lines did not run, for people: the text
 * of a condition or statement, if the symbols tell where it is, and the words of
 * coverage/report/sentence.h and why.h.
 * Owner:  words live in the arena. */
#pragma once

#include "coverage/report/report_files.h"
#include "reporters/source_text.h"

/* How a format writes the text of a source among words. */
struct code_style {
    void (*quote)(struct text *out, struct str code);
    const char *dots; /* for what follows */
    size_t most;      /* bytes of text that is shown */
};

/* "`a > b`" */
extern const struct code_style code_in_backquotes;

/* Is its own text known to be on this line, and nowhere else? */
bool condition_is_on(const struct report_condition *condition, uint32_t line);

/* "`a > b` was never false", "`a > b`: 1 of 2 outcomes never happened", "`switch (n)` never took
 * `case 2`"; without its text if that is not known or long. */
struct lacking_words {
    struct str whole;
    struct str brief; /* its end, for where the text is in view: "was never false" */
};
NODISCARD bool condition_words(struct lacking_words *out, const struct report_condition *condition,
                               const struct source_place *place, const struct code_style *style,
                               struct arena *arena, struct err *err);

/* "`return 1;` did not run", of text on the line; "a statement did not run" if that is not known or
 * long. */
NODISCARD bool missed_text_words(struct lacking_words *out, const struct column_range *range,
                                 uint32_t line, const struct source_place *place,
                                 const struct code_style *style, struct arena *arena,
                                 struct err *err);

/* Why lines did not run, shown at `line`: "`b > 0` on line 12 was never true". `place`: NULL for
 * words alone. */
void condition_put_why(struct text *out, const struct report_why *why, uint32_t line,
                       const struct source_place *place, const struct code_style *style);
NODISCARD bool condition_why(struct str *out, const struct report_why *why, uint32_t line,
                             const struct source_place *place, const struct code_style *style,
                             struct arena *arena, struct err *err);
