/* store_version4.h - data files of version 4, in which reasons were sentences. They are read, and
 * never written. This is the one place where English is compared: the sentences are those that the
 * ilcov of then wrote, whatever reasons are called today. A sentence that is not known is an
 * error's text (REASON_ERROR), which is printed as it stands: so were all of them.
 * Owner:  what is made lives in the arena. */
#ifndef ILCOV_COVERAGE_STORE_STORE_VERSION4_H
#define ILCOV_COVERAGE_STORE_STORE_VERSION4_H

#include "coverage/facts/facts.h"

/* NULL for an empty text. */
NODISCARD bool version4_reason(const struct reason **out, struct str text, struct arena *arena,
                               struct err *err);

/* "3 modules, 120 methods instrumented", or why it was declined. */
NODISCARD bool version4_verdict(struct fact_process *out, struct str text, struct arena *arena,
                                struct err *err);

/* Of a run that began in the middle the label told it; of others it stays as it is. */
NODISCARD bool version4_label(struct fact_run *run, struct str text, struct arena *arena,
                              struct err *err);

#endif
