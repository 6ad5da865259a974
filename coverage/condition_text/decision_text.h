/* decision_text.h - where in the source a decision was written: the text of its operand if that is
 * certain, else the smallest text that it is certainly part of, or its whole statement. The
 * conditions in the text of a statement (conditions.h) are compared with the decisions in its code.
 * Each gets its own text if there are as many of the same kinds and each leads to the same next one
 * (expressions.c), or if it can be no other one (text_alignment.h). Then the text also says which
 * of its outcomes is which (outcome_words.h).
 * Pure:   decisions and text in, spans out. Used by module_facts.c. */
#pragma once

#include "coverage/branches/decisions.h"
#include "coverage/facts/facts.h"
#include "coverage/source/line_index.h"
#include "coverage/source/tokens.h"

/* Gets the source of a document as it was compiled, or NULL. False: out of memory. */
typedef bool decision_source(const struct line_index **out, void *context, uint32_t document,
                             struct err *err);
/* Gets its tokens, until the next call; NULL: they are not known. */
typedef bool decision_tokens(const struct tokens **out, void *context, uint32_t document,
                             struct err *err);

/* Fills `span` and `is_exact` of all decisions; `words` has an item for each. */
NODISCARD bool decision_text_find(enum outcome_words **words, struct decisions *decisions,
                                  const struct statements_source *statements,
                                  decision_source *source, decision_tokens *tokens, void *context,
                                  struct arena *arena, struct err *err);
