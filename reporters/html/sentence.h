/* sentence.h - what did not happen, in words. The one place that knows how to say it: which outcome
 * of a condition is true and why a line did not run belong here once the facts tell. */
#ifndef ILCOV_REPORTERS_HTML_SENTENCE_H
#define ILCOV_REPORTERS_HTML_SENTENCE_H

#include "coverage/report/report.h"

/* "1 of 2 outcomes never happened", as text. */
void sentence_of_condition(struct text *out, const struct report_condition *condition);

/* "12 lines did not run". */
void sentence_of_missed_lines(struct text *out, uint64_t count, bool not_loaded);

#endif
