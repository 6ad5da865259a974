/* condition_meaning.h - what the text of one condition says: which relation it asks for, and
 * whether it asks for the opposite of it. Used to tell which outcome of a decision is the true one.
 *
 *   a >= b                 RELATION_GREATER_EQUAL
 *   !(a == b), a != b      RELATION_EQUAL, negated
 *   x is not null          RELATION_NULL, negated
 *   !list.Contains(3)      RELATION_TRUTH, negated
 *   (a < b) == false       RELATION_LESS, negated
 *
 * Pure:   text in, meaning out. What cannot be read with certainty is RELATION_UNKNOWN. */
#pragma once

#include "coverage/source/tokens.h"

/* Code has only the first ones (coverage/condition_text/tested_value.h). */
enum relation {
    RELATION_UNKNOWN,
    RELATION_TRUTH, /* of a value without an operator: a call, a variable; not zero, not null */
    RELATION_EQUAL, /* of objects, too: ReferenceEquals(a, b) */
    RELATION_LESS,
    RELATION_GREATER_EQUAL,
    RELATION_GREATER,
    RELATION_LESS_EQUAL,
    RELATION_BITS,    /* & | ^ && || of two values */
    RELATION_NULL,    /* is null */
    RELATION_OBJECT,  /* is { } */
    RELATION_TYPE,    /* is T t, is string: a type */
    RELATION_NAME,    /* is N: a type or a constant */
    RELATION_CONSTANT /* is 3, is "a" */
};

/* Is it < <= > or >= ? */
static inline bool relation_is_order(enum relation relation)
{
    return relation >= RELATION_LESS && relation <= RELATION_LESS_EQUAL;
}

/* The order that holds where another one does not: >= of <. */
static inline enum relation relation_complement(enum relation order)
{
    return RELATION_LESS + ((order - RELATION_LESS) ^ 1);
}

/* What a constant operand is, whichever side it stands on. */
enum condition_literal {
    LITERAL_NONE, /* not a literal, or another one */
    LITERAL_ZERO, /* 0, null, false, '\0', default */
    LITERAL_TRUE
};

struct condition_meaning {
    enum relation relation;
    bool negated;
    enum condition_literal left, right; /* RELATION_CONSTANT: right */
    char bits;                          /* RELATION_BITS: '&', '|', '^'; also of && and || */
    bool asks_has_value;                /* RELATION_TRUTH: its last word is HasValue */
    bool has_and;                       /* there is an & in it */
};

/* Of the tokens from `first` up to `end`. `is_pattern`: they are a pattern without what it is
 * compared with: `> 3` of `x is > 3 and < 9`. */
struct condition_meaning condition_meaning_of(const struct tokens *tokens, uint32_t first,
                                              uint32_t end, bool is_pattern);
/* Of what a `Case` of Visual Basic has, in tokens as above: `<> 3`, `> 3`, `3`. */
struct condition_meaning condition_meaning_compared(const struct tokens *tokens, uint32_t first,
                                                    uint32_t end);
