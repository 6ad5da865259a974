/* switch_arms.h - the arms of a C# switch, statement or expression: what is written before each of
 * them, and where the code begins that each of them runs.
 *
 *   switch (n) { case 1: case 2 when F(n): G(); break; default: break; }
 *                ^^^^^^^^^^^^^^^^^^^^^^^^   ^           ^^^^^^^  ^
 *   n switch { 1 or 2 => G(), _ => 0 }
 *              ^^^^^^    ^    ^    ^
 *
 * Pure:   text in, places out. Used by coverage/condition_text/arm_names.c.
 * Units:  offsets are bytes of the text.
 * Owner:  the array lives in the arena.
 * Errors: only ERR_MEMORY. */
#pragma once

#include "coverage/source/tokens.h"

enum {
    SWITCH_STARTS_MAX = 8 /* places where the code of an arm may begin */
};

struct switch_arm {
    uint32_t label_start, label_end; /* without the last colon */
    bool has_guard, has_several;     /* labels: of those with a guard, each is a way of its own */
    /* Where its code may begin: at its guard, which is asked first, else at its block, if it has
     * one, or in that. */
    uint32_t starts[SWITCH_STARTS_MAX];
    uint32_t start_count;
    uint32_t first_body; /* of the starts: those before it are of guards */
    bool breaks;         /* it is `break;` or `return;` and no more */
    bool throws;         /* the code of an expression's arm is `throw` */
};

struct switch_arms {
    uint32_t subject_start, subject_end; /* of `switch (n)`, `n switch`; both 0: not known */
    struct switch_arm *items;            /* in order of the text */
    uint32_t count;
    bool is_known; /* else nothing else is */
    bool is_expression;
    bool has_default; /* of a statement */
};

/* The switch whose value stands from `value_start` to `value_end`. Anything that cannot be read
 * with certainty, such as `#if`, leaves it unknown. */
NODISCARD bool switch_arms_find(struct switch_arms *out, const struct tokens *tokens,
                                uint32_t value_start, uint32_t value_end, struct arena *arena,
                                struct err *err);

/* The brace that begins the arms of the innermost switch around a token, or NO_INDEX. */
uint32_t switch_arms_brace(const struct tokens *tokens, uint32_t token);

/* The same of the innermost switch whose arm, or a block of it, the offset is in. */
NODISCARD bool switch_arms_around(struct switch_arms *out, const struct tokens *tokens,
                                  uint32_t offset, struct arena *arena, struct err *err);
