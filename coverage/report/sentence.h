/* sentence.h - what did not happen, in words, for every report that people read; with the text of
 * the condition they become a sentence in reporters/condition_words.h and why.h.
 * The words are plain text without any of the source: a writer puts the text of the condition, as
 * its format quotes code, before them.
 * Errors: those of struct text, reported by text_take. */
#pragma once

#include "base/text.h"
#include "coverage/report/missed_cases.h"

/* "was never false", of a condition with an outcome that never happened; "was never evaluated", or
 * "never gave a result" where it may have thrown, of one without any; "1 of 2 outcomes never
 * happened" where it is not certain which, and of a switch. */
void sentence_of_condition(struct text *out, const struct report_condition *condition);

/* Is its text what people call it? That of a loop over items is the word `in`. */
bool sentence_has_text(const struct report_condition *condition);

/* Does that need a subject: the text of the condition or, where it is not at hand, the words of
 * sentence_noun? */
bool sentence_needs_subject(const struct report_condition *condition);

/* "never took `case 1`, `default`", of a switch whose missed arms are known (missed_cases.h), and
 * "always matched a case". `quote` adds source text as the format quotes it. */
void sentence_of_cases(struct text *out, const struct missed_cases *cases,
                       void (*quote)(struct text *out, struct str code));
/* Who did, where its text is long or not known. */
#define SENTENCE_SWITCH "a switch"

/* Of a statement on a line that ran: what to say of its text, and what stands for that. */
#define SENTENCE_DID_NOT_RUN "did not run"
#define SENTENCE_STATEMENT   "a statement"

/* "was never true": of a condition whose outcome `outcome`, 0 or 1, never happened; its words are
 * known. And what stands for its text: "a condition", "the loop", "a value". */
const char *sentence_never(enum outcome_words words, uint32_t outcome);
const char *sentence_noun(enum outcome_words words);

/* "12 lines did not run". */
void sentence_of_missed_lines(struct text *out, uint64_t count, bool not_loaded);
