/* outcome_words.h - which outcome of a condition is its true one, or its null, or the body of its
 * loop. The compiler inverts tests as it likes, so the relation in the text (condition_meaning.h)
 * is compared with that in the code (tested_value.h). The same is said by the way to another
 * condition of the expression and by that to what comes next in the text, where only one of the
 * outcomes has it, and by the value of the whole expression. WORDS_UNKNOWN unless one of them is
 * certain and none contradicts: a wrong word is worse than none.
 * Used by decision_text.c. */
#pragma once

#include "coverage/condition_text/tested_value.h"
#include "coverage/facts/facts.h"
#include "coverage/source/conditions.h"

/* The decision is a condition of the text of a statement, whose `tokens` are these; `leads`: which
 * condition each outcome leads to, as the text counts them; `body`: the point that is next where
 * the statement's condition holds, or NO_INDEX. */
enum outcome_words outcome_words_of(const struct decisions *decisions,
                                    const struct decision *decision,
                                    const struct text_condition *condition,
                                    const struct tokens *tokens, const int32_t leads[2],
                                    uint32_t body);

/* The decision of a `foreach`. */
enum outcome_words outcome_words_of_loop(const struct decisions *decisions,
                                         const struct decision *decision);

/* Does the meaning hold where the second outcome is, by the relation in the code alone? */
enum polarity outcome_polarity(const struct decisions *decisions, const struct decision *decision,
                               const struct condition_meaning *text);
