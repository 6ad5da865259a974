/* ascii.h - classes of characters, independent of the locale. Bytes from 0x80 on, which are parts
 * of other letters, belong to words alone. */
#pragma once

#include "base/base.h"

static inline bool ascii_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool ascii_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Blanks and ends of lines. */
static inline bool ascii_is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* What names in a source are made of. */
static inline bool ascii_is_word(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c) || c == '_' || (unsigned char)c >= 0x80;
}

static inline char ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}
