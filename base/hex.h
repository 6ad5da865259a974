/* hex.h - bytes as hexadecimal digits, two each in lower case, and the values of digits. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define HEX_ROOM(len) (2 * (len) + 1)

/* `out` has room for HEX_ROOM(len) characters, the last of which is a NUL. Returns `out`. */
static inline const char *hex_of(char *out, const uint8_t *bytes, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < len; i++) {
        out[2 * i] = digits[bytes[i] >> 4];
        out[2 * i + 1] = digits[bytes[i] & 15];
    }
    out[2 * len] = '\0';
    return out;
}

/* The value of a digit in either case; -1 for anything else. */
static inline int hex_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}
