/* csharp_pattern.h - `value is PATTERN` as conditions: `or`, `and`, `not` and the tests that they
 * join. Property and list patterns cannot be read with certainty. */
#ifndef ILCOV_COVERAGE_SOURCE_CSHARP_PATTERN_H
#define ILCOV_COVERAGE_SOURCE_CSHARP_PATTERN_H

#include "coverage/source/csharp_parser.h"

/* Called after `is`, for the value that began at token `first`. Returns one condition including the
 * value, or one for each test of the pattern. */
struct node *csharp_pattern_parse(struct parser *p, struct node *value, uint32_t first);

#endif
