/* case_text.h - the loop of a `For` and the tests of a `Case` of Visual Basic: which of them each
 * decision is, and which of its outcomes is the true one.
 *
 *   Case Is < 0                one test: all of it
 *   Case 7, 9 To 11, Is < 0    four: `7`, `9 To`, `To 11`, `Is < 0`
 *
 *   For i = 1 To n             the loop: its body, and its end
 *
 * They are asked in the order of the text. A decision keeps its statement and no words unless
 * their number, and what each of them compares, agree.
 * Used by decision_text.c. */
#pragma once

#include "coverage/branches/decisions.h"
#include "coverage/facts/facts.h"
#include "coverage/source/line_index.h"

/* Of the decisions of a statement, the first of which is `first`, and whose text is from `start` to
 * `end` in the document. */
NODISCARD bool case_text_find(enum outcome_words *words, struct decisions *decisions,
                              uint32_t first, const struct line_index *index, uint32_t start,
                              uint32_t end, struct arena *arena, struct err *err);
