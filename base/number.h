/* number.h - arithmetic that is needed in several places. */
#pragma once

#include "base/base.h"

/* Ordered as for qsort. */
static inline int number_order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static inline int number_order_signed(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static inline uint64_t number_min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Saturating: a sum that is too large becomes the largest value and never wraps. */
static inline uint64_t number_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

enum {
    NUMBER_DIGITS_MAX = 20 /* of 2^64 - 1 */
};

/* Writes the decimal digits of a number before `end`; returns the first one. A division gives two
 * of them: reports and data files consist of numbers. */
static inline char *number_digits(char *end, uint64_t value)
{
    static const char pairs[] =
        "00010203040506070809101112131415161718192021222324252627282930313233"
        "34353637383940414243444546474849505152535455565758596061626364656667"
        "6869707172737475767778798081828384858687888990919293949596979899";
    for (; value >= 100; value /= 100) {
        const char *pair = pairs + value % 100 * 2;
        *--end = pair[1];
        *--end = pair[0];
    }
    if (value >= 10) {
        *--end = pairs[value * 2 + 1];
        *--end = pairs[value * 2];
    } else {
        *--end = (char)('0' + value);
    }
    return end;
}

/* covered / valid in percent with two decimals, rounded down, as 100 * percent: 9999 is 99.99 %.
 * 10000 if `valid` is 0; otherwise 10000 only if everything is covered. */
static inline uint32_t number_percent_x100(uint64_t covered, uint64_t valid)
{
    if (covered >= valid)
        return 10000;
    if (covered > UINT64_MAX / 10000)
        return (uint32_t)(covered / (valid / 10000 + 1));
    return (uint32_t)(covered * 10000 / valid);
}
