/* external_apply.h - facts of ilcov and of other tools, made ready for one report.
 *
 * A file that ilcov measured: hits of lines unite, and all else is ilcov's. The other tool's hits
 *           count on lines that ilcov has and never saw run. There they go to one statement, the
 *           first on the line, before one that only spans it: so the line has run, and no method is
 *           called covered for another one's hits. What ilcov measured stays as it was.
 * Assembly: hits go to the assembly of the same name, if it has the file; LCOV names none.
 * Else:     a file that only the other tool knows is reported as that tool does. */
#pragma once

#include "coverage/facts/facts.h"

/* The same facts if nothing in them is external. A external module of which nothing is left is
 * skipped, for REASON_MEASURED. Everything new lives in the arena. */
NODISCARD bool external_apply(struct facts *out, const struct facts *facts, struct arena *arena,
                              struct err *err);
