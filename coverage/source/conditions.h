/* conditions.h - the conditions in the text of one statement, in the order in which the compiler
 * emits them: the operands of && and ||, the first operand of ?: and ??, what stands before ?. and
 * before `switch`, the tests of `is p and q`, and the whole of what `if`, `while` and `when` ask.
 * Pure: text in, spans out. Used by decision_spans.c, which compares them with what the code does.
 *
 *   if (a && (b || F(c ? 1 : 2)))      a   c   b   F(c ? 1 : 2)
 *                                      in order: a, b, c, F(c ? 1 : 2)
 *
 * C# alone is understood. Anything that cannot be read with certainty (property and list patterns,
 * queries, directives, conditions in interpolated strings, await in both ways of ?:) makes the
 * whole text unknown: no span is better than a wrong one.
 * Units:  offsets are bytes from the start of the text.
 * Owner:  the array lives in the arena.
 * Errors: only want of memory. */
#ifndef ILCOV_COVERAGE_SOURCE_CONDITIONS_H
#define ILCOV_COVERAGE_SOURCE_CONDITIONS_H

#include "coverage/source/expression_tree.h"

enum {
    CONDITIONS_MAX = 64, /* more make a text unknown */
    CONDITION_END = -1   /* what `next` says when no other condition of the expression follows */
};

struct text_condition {
    uint32_t start, end;
    enum condition_kind kind;
    /* The condition of the same expression that comes next where this one is false (of
     * CONDITION_NULL: null), and where it is true; or CONDITION_END. */
    int32_t next[2];
};

struct text_conditions {
    struct text_condition *items;
    uint32_t count;
    bool is_known; /* else `items` is empty */
};

/* `asks`: the text may be the condition of a `for` loop, which nothing in it says; so it is read as
 * one where it could be. */
NODISCARD bool conditions_find(struct text_conditions *out, struct str text, bool asks,
                               struct arena *arena, struct err *err);

#endif
