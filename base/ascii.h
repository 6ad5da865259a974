/* ascii.h - classes of ASCII characters, independent of the locale. Bytes from 0x80 on belong to
 * none. */
#ifndef ILCOV_BASE_ASCII_H
#define ILCOV_BASE_ASCII_H

#include "base/base.h"

static inline bool ascii_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool ascii_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline char ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

#endif
