/* condition_meaning.h - what the text of one condition says: which relation it asks for, and
 * whether it asks for the opposite of it. Used to tell which outcome of a decision is the true one.
 *
 *   a >= b                 MEANS_GREATER_EQUAL
 *   !(a == b), a != b      MEANS_EQUAL, negated
 *   x is not null          MEANS_NULL, negated
 *   !list.Contains(3)      MEANS_TRUTH, negated
 *   (a < b) == false       MEANS_LESS, negated
 *
 * Pure:   text in, meaning out. What cannot be read with certainty is MEANS_UNKNOWN.
 * Owner:  nothing is kept.
 * Errors: only ERR_MEMORY. */
#ifndef ILCOV_COVERAGE_SOURCE_CONDITION_MEANING_H
#define ILCOV_COVERAGE_SOURCE_CONDITION_MEANING_H

#include "base/text.h"

enum condition_relation {
    MEANS_UNKNOWN,
    MEANS_TRUTH, /* of a value without an operator: a call, a variable */
    MEANS_EQUAL, /* of objects, too: ReferenceEquals(a, b) */
    MEANS_LESS,
    MEANS_LESS_EQUAL,
    MEANS_GREATER,
    MEANS_GREATER_EQUAL,
    MEANS_BITS,    /* & | ^ of two values */
    MEANS_NULL,    /* is null */
    MEANS_OBJECT,  /* is { } */
    MEANS_TYPE,    /* is T t, is string: a type */
    MEANS_NAME,    /* is N: a type or a constant */
    MEANS_CONSTANT /* is 3, is "a" */
};

/* What a constant operand is, whichever side it stands on. */
enum condition_literal {
    LITERAL_NONE, /* not a literal, or another one */
    LITERAL_ZERO, /* 0, null, false, '\0', default */
    LITERAL_TRUE
};

struct condition_meaning {
    enum condition_relation relation;
    bool negated;
    enum condition_literal left, right; /* MEANS_CONSTANT: right */
    char bits;                          /* MEANS_BITS: '&', '|', '^' */
    bool asks_has_value;                /* MEANS_TRUTH: its last word is HasValue */
    bool has_and;                       /* there is an & in it */
};

/* `is_pattern`: the text is a pattern without what it is compared with: `> 3` of `x is > 3 and
 * < 9`. */
NODISCARD bool condition_meaning_of(struct condition_meaning *out, struct str text, bool is_pattern,
                                    struct arena *arena, struct err *err);

#endif
