/* html_text.h - names, source text and numbers as HTML. Characters that could control the reader or
 * change the direction of text become U+FFFD (legible.h); a tab stays.
 * Errors: those of struct text, reported by text_take. */
#ifndef ILCOV_REPORTERS_HTML_HTML_TEXT_H
#define ILCOV_REPORTERS_HTML_HTML_TEXT_H

#include "base/text.h"

/* The content of an element. */
void html_text(struct text *out, struct str s);
/* An attribute between double quotes. */
void html_attribute(struct text *out, struct str s);

void html_number(struct text *out, uint64_t number);
/* "1 line", "2 lines". */
void html_count(struct text *out, uint64_t count, const char *noun);
/* "83.3 %", rounded down; a dash if there is nothing to cover. */
void html_percent(struct text *out, uint64_t covered, uint64_t valid);

#endif
