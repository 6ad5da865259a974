/* store_version4.h - data files of version 4, in which reasons were sentences. They are read, and
 * never written. This is the only place where English text is compared: the sentences are those
 * that ilcov wrote at that time, whatever reasons are called today. An unknown sentence is the text
 * of an error (REASON_ERROR) and is printed as it is, as all sentences were.
 * Owner:  results live in the arena. */
#ifndef ILCOV_COVERAGE_STORE_STORE_VERSION4_H
#define ILCOV_COVERAGE_STORE_STORE_VERSION4_H

#include "coverage/facts/facts.h"

/* NULL for an empty text. */
NODISCARD bool version4_reason(const struct reason **out, struct str text, struct arena *arena,
                               struct err *err);

/* `text`: "3 modules, 120 methods instrumented", or why the process was declined. */
NODISCARD bool version4_verdict(struct fact_process *out, struct str text, struct arena *arena,
                                struct err *err);

/* For a run that began in the middle, the label said so; other labels stay as they are. */
NODISCARD bool version4_label(struct fact_run *run, struct str text, struct arena *arena,
                              struct err *err);

#endif
