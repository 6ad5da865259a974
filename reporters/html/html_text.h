/* html_text.h - HTML, and names, source text and numbers in it. Characters that could control the
 * reader or change the direction of text become U+FFFD (legible.h); in an element, a tab stays.
 * Errors: those of struct text, reported by text_take. */
#pragma once

#include <stdarg.h>

#include "base/text.h"

/* A template: "<a title=\"%.*s\">%.*s</a> <small>%s %u</small>". What STR_ARGS gives is text: of an
 * attribute between double quotes, else of an element. A char * is HTML. Other conversions are of
 * unsigned numbers, and "%%". */
void html_put(struct text *out, const char *format, ...) PRINTF_LIKE(2, 3);
void html_put_args(struct text *out, const char *format, va_list args) PRINTF_LIKE(2, 0);

/* The content of an element. */
void html_text(struct text *out, struct str s);
/* An attribute between double quotes. */
void html_attribute(struct text *out, struct str s);

void html_number(struct text *out, uint64_t number);
/* "12", "12–15". */
void html_range(struct text *out, uint32_t first, uint32_t last);
/* "1 line", "2 lines". */
void html_count(struct text *out, uint64_t count, const char *noun);
/* "83.3 %", rounded down; a dash if there is nothing to cover. */
void html_percent(struct text *out, uint64_t covered, uint64_t valid);

/* <code> around the text. */
void html_code(struct text *out, struct str code);
