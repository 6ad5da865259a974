/* legible.h - names and source text from outside, shown to people: which characters can be shown,
 * and how wide they are; shares of 100. */
#pragma once

#include <stdio.h>

#include "base/text.h"

#define LEGIBLE_REPLACEMENT "\xEF\xBF\xBD" /* U+FFFD */

/* False for characters that could control a terminal or change the direction of text, for invalid
 * UTF-8 (utf8_next then returns U+FFFD), tabs and line ends. */
bool legible_char(uint32_t c);

/* In columns of a terminal, whatever the locale. */
size_t legible_char_width(uint32_t c);
size_t legible_width(struct str s);

/* Characters that are not legible become LEGIBLE_REPLACEMENT. */
void legible_put(FILE *file, struct str s);
void legible_put_line(FILE *file, struct str s);

/* How many digits a number has. */
int legible_digits(uint64_t number);

enum {
    LEGIBLE_PERCENT_ROOM = 16
};

/* "83.33%", rounded down; "-" if nothing is valid. */
const char *legible_percent(char out[LEGIBLE_PERCENT_ROOM], uint64_t covered, uint64_t valid);

/* legible_put in place, each one a question mark. Returns the new length, which is not larger. */
size_t legible_defuse(char *text, size_t len);
