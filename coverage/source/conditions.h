/* conditions.h - the conditions in the text of one statement, in the order in which the compiler
 * emits them: the operands of && and ||, the first operand of ?: and ??, the expression before ?.
 * and before `switch`, the tests of `is p and q`, and the whole condition of `if`, `while` and
 * `when`.
 * Pure: text in, spans out. Used by decision_text.c, which compares them with what the code does.
 *
 *   if (a && (b || F(c ? 1 : 2)))      a   c   b   F(c ? 1 : 2)
 *                                      in order: a, b, c, F(c ? 1 : 2)
 *
 * C# and Visual Basic are understood. A pattern that the compiler asks in other steps (list
 * patterns, constants joined by `or`, which it sorts) is one condition, CONDITION_SEVERAL; so is
 * `(a, b) == (c, d)`.
 * Anything else that cannot be read with certainty (queries, directives, conditions in interpolated
 * strings, await in both ways of ?:) makes the whole text unknown: no span is better than a wrong
 * one.
 * Units:  offsets are bytes from the start of the text.
 * Owner:  arrays and nodes live in the arena.
 * Errors: only ERR_MEMORY. */
#pragma once

#include "coverage/source/expression_tree.h"

enum {
    CONDITIONS_MAX = 64, /* a text with more is unknown */
    NO_ANSWER = -1,
    CONDITION_END = -1 /* value of `next` if no other condition of the expression follows */
};

struct text_condition {
    uint32_t start, end;
    enum condition_kind kind;
    const struct node *node;
    /* The next condition of the same expression if this one is false (CONDITION_NULL: null), and if
     * it is true; or CONDITION_END. */
    int32_t next[2];
    /* Whether the expression holds where it ends so; NO_ANSWER: it does not, or is no condition. */
    int32_t answer[2];
    bool is_negated; /* by a ! around it, or by several */
    bool asks;       /* ... and then the statement asks whether it holds */
    bool is_stored;  /* a pattern of which only the value is used */
};

struct text_conditions {
    struct tokens tokens;
    struct text_condition *items;
    uint32_t count;
    bool is_known; /* else `items` is empty */
    bool is_all;   /* the only one is the whole condition of `if`, `while` or `when` */
};

struct conditions_options {
    bool joins;  /* `a && b` of a variable b is one, as where the compiler makes it `a & b` */
    bool stored; /* `x = o is 3;` has one, as where the compiler asks in several steps, and so has
                    `x = t == u;` of tuples */
};

NODISCARD bool conditions_find(struct text_conditions *out, struct str text,
                               enum text_reading reading, struct conditions_options options,
                               struct arena *arena, struct err *err);
