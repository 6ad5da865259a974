/* number.h - arithmetic that several places need in the same way. */
#ifndef ILCOV_BASE_NUMBER_H
#define ILCOV_BASE_NUMBER_H

#include "base/base.h"

/* As qsort wants it. */
static inline int number_order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Saturating: a count that is too large is the largest, never a small one. */
static inline uint64_t number_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

/* covered / valid in percent with two decimals, rounded down, as 100 * percent: 9999 is 99.99 %.
 * 10000 when nothing is valid; 10000 otherwise only if all is covered. */
static inline uint32_t number_percent_x100(uint64_t covered, uint64_t valid)
{
    if (covered >= valid)
        return 10000;
    if (covered > UINT64_MAX / 10000)
        return (uint32_t)(covered / (valid / 10000 + 1));
    return (uint32_t)(covered * 10000 / valid);
}

#endif
