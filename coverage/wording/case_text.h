/* case_text.h - the tests of a `Case` of Visual Basic: which of them each decision is, and which of
 * its outcomes is the true one.
 *
 *   Case Is < 0                one test: all of it
 *   Case 7, 9 To 11, Is < 0    four: `7`, `9 To`, `To 11`, `Is < 0`
 *
 * They are asked in the order of the text. A decision keeps its statement and no words unless
 * their number, and what each of them compares, agree.
 * Used by module_facts.c.
 * Errors: only ERR_MEMORY, and those of the source. */
#ifndef ILCOV_COVERAGE_WORDING_CASE_TEXT_H
#define ILCOV_COVERAGE_WORDING_CASE_TEXT_H

#include "coverage/wording/decision_text.h"

/* After decision_text_find, whose `words` it fills in. */
NODISCARD bool case_text_find(enum outcome_words *words, struct decisions *decisions,
                              const struct statements_source *statements, decision_source *source,
                              void *context, struct err *err);

#endif
