/* sentence.h - what did not happen, in words, for every report that people read. The one place that
 * knows how to say it: which outcome of a condition is true and why a line did not run belong here
 * once the facts tell.
 * The words are plain text without any of the source: a writer puts the text of the condition, as
 * its format quotes code, before them.
 * Errors: those of struct text, reported by text_take. */
#ifndef ILCOV_COVERAGE_REPORT_SENTENCE_H
#define ILCOV_COVERAGE_REPORT_SENTENCE_H

#include "base/text.h"
#include "coverage/report/report.h"

/* "1 of 2 outcomes never happened". */
void sentence_of_condition(struct text *out, const struct report_condition *condition);

/* "12 lines did not run". */
void sentence_of_missed_lines(struct text *out, uint64_t count, bool not_loaded);

#endif
