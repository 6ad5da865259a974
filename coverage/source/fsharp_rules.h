/* fsharp_rules.h - the rules of F#: which pattern and guard stand before the code of a rule.
 *
 *   match n with            function
 *   | 1 | 2 -> F ()         | Some x when x > 0 ->
 *     ^^^^^    |                ^^^^^^^^^^^^^^^^^
 *                               G x
 *                               |
 * Pure:   text in, places out. Used by coverage/condition_text/arm_names.c.
 * Units:  offsets are bytes of the text.
 */
#pragma once

#include "coverage/source/tokens.h"

struct fsharp_rule {
    uint32_t start, end; /* of its pattern, and of its guard if it has one */
    uint32_t column;     /* of the `|` that leads its line, from 1; 0: none does */
    uint32_t function_start, function_end; /* the word before the first rule; both 0: none */
};

/* The rule whose code begins at the offset. False: none certainly does. */
bool fsharp_rule_before(struct fsharp_rule *out, const struct tokens *tokens, uint32_t offset);
