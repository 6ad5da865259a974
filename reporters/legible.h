/* legible.h - names and sources that others wrote, where people read them: what may be shown as it
 * is, and how wide it is. */
#ifndef ILCOV_REPORTERS_LEGIBLE_H
#define ILCOV_REPORTERS_LEGIBLE_H

#include <stdio.h>

#include "base/text.h"

#define LEGIBLE_REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

/* False for what could make a terminal do something, turns the direction of what follows, or is no
 * UTF-8 (utf8_next then says U+FFFD). Neither are tabs and ends of lines legible. */
bool legible_char(uint32_t c);

/* In columns of a terminal, whatever the locale. */
size_t legible_char_width(uint32_t c);
size_t legible_width(struct str s);

/* What is not legible becomes LEGIBLE_REPLACEMENT. */
void legible_put(FILE *file, struct str s);

#endif
