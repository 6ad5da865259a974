/* number.h - arithmetic that is needed in several places. */
#ifndef ILCOV_BASE_NUMBER_H
#define ILCOV_BASE_NUMBER_H

#include "base/base.h"

/* Ordered as for qsort. */
static inline int number_order(uint64_t a, uint64_t b)
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

#endif
