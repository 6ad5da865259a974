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

#endif
