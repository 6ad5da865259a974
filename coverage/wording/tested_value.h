/* tested_value.h - which relation the code of a decision tests, and for which of its outcomes: the
 * jump of `ble`, or the value of `cgt; ldc.i4.0; ceq`, through the variable that Debug code keeps
 * it in.
 * Pure:   used by outcome_words.c.
 * Errors: none; what is not certain is TESTS_UNKNOWN. */
#ifndef ILCOV_COVERAGE_WORDING_TESTED_VALUE_H
#define ILCOV_COVERAGE_WORDING_TESTED_VALUE_H

#include "coverage/branches/decisions.h"

enum tested_relation {
    TESTS_UNKNOWN,
    TESTS_VALUE, /* anything but zero, null or false */
    TESTS_EQUAL,
    TESTS_LESS,
    TESTS_LESS_EQUAL,
    TESTS_GREATER,
    TESTS_GREATER_EQUAL
};

struct tested_value {
    enum tested_relation relation;
    bool negated;
    uint32_t outcome; /* index of the one that happens if the relation holds, or with `negated` if
                         it does not */
    uint32_t root;    /* TESTS_VALUE: index of the instruction that makes the value */
};

struct tested_value tested_value_of(const struct flow *flow, const struct decision *decision,
                                    const struct outcome_part *parts);

#endif
