/* tested_value.h - which relation the code of a decision tests, and for which of its outcomes: the
 * jump of `ble`, or the value of `cgt; ldc.i4.0; ceq`, through the variable that Debug code keeps
 * it in. A value that another statement made is one without a relation: the text names it alone.
 * Pure:   used by outcome_words.c.
 * Errors: none; what is not certain is RELATION_UNKNOWN. */
#pragma once

#include "coverage/branches/decisions.h"
#include "coverage/source/condition_meaning.h"

/* Does the condition of a text hold where the relation in its code does, or where that does not? */
enum polarity {
    POLARITY_OPPOSITE = -1,
    POLARITY_UNKNOWN,
    POLARITY_SAME
};

static inline enum polarity polarity_opposite(enum polarity polarity)
{
    return (enum polarity) - polarity;
}

/* Operands stay where they are, so only the relation and its complement occur. */
static inline enum polarity polarity_of_orders(enum relation code, enum relation text)
{
    return !relation_is_order(code)            ? POLARITY_UNKNOWN
           : text == code                      ? POLARITY_SAME
           : text == relation_complement(code) ? POLARITY_OPPOSITE
                                               : POLARITY_UNKNOWN;
}

struct tested_value {
    enum relation relation; /* TRUTH: anything but zero, null or false; EQUAL, or an order */
    bool negated;
    uint32_t outcome; /* index of the one that happens if the relation holds, or with `negated` if
                         it does not */
    uint32_t root;    /* RELATION_TRUTH: index of the instruction that makes the value; NO_INDEX: it
                         is in another statement */
};

/* Of an instruction that compares two values; `*negated` changes if it asks for the opposite.
 * RELATION_UNKNOWN of any other. */
enum relation tested_relation(uint16_t op, bool *negated);

/* What the instruction pushes, by the type that metadata gives that. */
enum value_kind {
    VALUE_UNKNOWN,
    VALUE_BOOL,
    VALUE_NUMBER, /* or a character, an enum */
    VALUE_OBJECT,
};
enum value_kind value_kind_of(const struct flow *flow, uint32_t instr);

/* Is what is counted the value of the condition, and not a way? */
bool counts_value(const struct decisions *decisions, const struct decision *decision);

/* The visible point that comes next in the text after `from`, or NO_INDEX; the outcome with a way
 * to a point, if only one has, else 2. */
uint32_t next_point_in_text(const struct decisions *decisions, const struct seq_point *from);
uint32_t outcome_to_point(const struct decisions *decisions, const struct decision *decision,
                          uint32_t point);

struct tested_value tested_value_of(const struct decisions *decisions,
                                    const struct decision *decision);
