/* why_item.h - why lines did not run, as the text of an item of a list in HTML: the words of
 * why.h, with the text of the conditions that they name.
 * Errors: those of struct text, reported by text_take. */
#ifndef ILCOV_REPORTERS_HTML_WHY_ITEM_H
#define ILCOV_REPORTERS_HTML_WHY_ITEM_H

#include "coverage/report/report.h"
#include "reporters/sources.h"

/* The file that the text comes from. */
struct why_source {
    const struct sources *sources;
    struct str package, path;
};

/* "`a > b` on line 3 was never true; line 5 never completed: ..."; `line` is the first one that did
 * not run. */
void why_item_put(struct text *out, const struct report_why *why, uint32_t line,
                  const struct why_source *source);

/* The text of a condition as code, if it is known, on one line and not long; else false. */
bool why_item_put_code(struct text *out, const struct fact_span *span,
                       const struct why_source *source);

#endif
