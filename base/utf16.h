/* utf16.h - UTF-16 (as in the CLR's interfaces and #US) to UTF-8 and back. Without iconv, because a
 * target may lack it. Unpaired surrogates and malformed UTF-8 sequences become U+FFFD. */
#pragma once

#include "base/base.h"

/* Writes at most `room` bytes with a NUL at the end (room > 0) and never half a character.
 * Returns the length of the whole text without the NUL; a result >= room means that it was cut off.
 */
size_t utf16_to_utf8(char *out, size_t room, const uint16_t *text, size_t unit_count);

/* The reverse; `room` and the result are in 16-bit units. */
size_t utf8_to_utf16(uint16_t *out, size_t room, const char *text, size_t len);

/* The code point of `text` at *pos (< len); moves *pos past it. */
uint32_t utf8_next(const char *text, size_t len, size_t *pos);
