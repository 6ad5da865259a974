/* fsharp_text.h - where in the source a condition of F# was written, and which of its outcomes is
 * the true one. The compiler gives each operand of && and || a point of its own, as it does `if x
 * then` and the guard of a rule; what stands behind one tells where control goes on in the text:
 *
 *   if not (a || b) && c then     a: at `b` where it is false; b: at `c` where it is false
 *   | Some x when x > 3 -> F x    x > 3: at `F x` where it is true
 *
 * Pure:   decisions and tokens in. Used by decision_text.c. */
#pragma once

#include "coverage/branches/decisions.h"
#include "coverage/facts/facts.h"
#include "coverage/source/line_index.h"
#include "coverage/source/tokens.h"

/* Fills span and is_exact of a condition that is alone on its point, where they are certain; the
 * tokens are those of the document. */
enum outcome_words fsharp_text_find(struct decision *decision, const struct decisions *decisions,
                                    const struct line_index *index, const struct tokens *tokens);
