/* tested_value.h - which relation the code of a decision tests, and for which of its outcomes: the
 * jump of `ble`, or the value of `cgt; ldc.i4.0; ceq`, through the variable that Debug code keeps
 * it in.
 * Pure:   used by outcome_words.c.
 * Errors: none; what is not certain is RELATION_UNKNOWN. */
#ifndef ILCOV_COVERAGE_CONDITION_TEXT_TESTED_VALUE_H
#define ILCOV_COVERAGE_CONDITION_TEXT_TESTED_VALUE_H

#include "coverage/branches/decisions.h"
#include "coverage/source/condition_meaning.h"

/* Does the condition of a text hold where the relation in its code does, or where that does not? */
enum accord {
    ACCORD_OPPOSITE = -1,
    ACCORD_UNKNOWN,
    ACCORD_SAME
};

static inline enum accord accord_opposite(enum accord accord)
{
    return (enum accord) - accord;
}

/* Operands stay where they are, so only the relation and its complement occur. */
static inline enum accord accord_of_orders(enum relation code, enum relation text)
{
    return !relation_is_order(code)            ? ACCORD_UNKNOWN
           : text == code                      ? ACCORD_SAME
           : text == relation_complement(code) ? ACCORD_OPPOSITE
                                               : ACCORD_UNKNOWN;
}

struct tested_value {
    enum relation relation; /* TRUTH: anything but zero, null or false; EQUAL, or an order */
    bool negated;
    uint32_t outcome; /* index of the one that happens if the relation holds, or with `negated` if
                         it does not */
    uint32_t root;    /* RELATION_TRUTH: index of the instruction that makes the value */
};

/* Of an instruction that compares two values; `*negated` changes if it asks for the opposite.
 * RELATION_UNKNOWN of any other. */
enum relation tested_relation(uint16_t op, bool *negated);

struct tested_value tested_value_of(const struct flow *flow, const struct decision *decision,
                                    const struct outcome_part *parts);

#endif
