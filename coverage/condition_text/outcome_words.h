/* outcome_words.h - which outcome of a condition is its true one, or its null, or the body of its
 * loop. The compiler inverts tests as it likes, so the relation in the text (condition_meaning.h)
 * is compared with that in the code (tested_value.h); where only one of the outcomes asks another
 * condition of the expression, the way to it says the same. WORDS_UNKNOWN unless one of them is
 * certain and none contradicts: a wrong word is worse than none.
 * Used by decision_text.c. */
#pragma once

#include "coverage/branches/decisions.h"
#include "coverage/facts/facts.h"
#include "coverage/source/conditions.h"

/* The decision is a condition of the text of a statement, whose `tokens` are these; `leads`: which
 * condition each outcome leads to, as the text counts them. */
enum outcome_words outcome_words_of(const struct decisions *decisions,
                                    const struct decision *decision,
                                    const struct text_condition *condition,
                                    const struct tokens *tokens, const int32_t leads[2]);

/* The decision of a `foreach`. */
enum outcome_words outcome_words_of_loop(const struct decisions *decisions,
                                         const struct decision *decision);
