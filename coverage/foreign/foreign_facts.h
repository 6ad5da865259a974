/* foreign_facts.h - another tool's report as facts, so that it can be merged and compared with: a
 * module of state MODULE_FOREIGN for each assembly in it, with a statement for each line, all of
 * one run of kind RUN_FOREIGN. In a report (foreign_apply) hits on a file that ilcov measured
 * itself count only for lines that ilcov has, too; the other tool's own lines and branches there
 * are dropped, because its definitions differ. A file that only the other tool knows is reported as
 * that tool does.
 * Owner:  everything lives in the arena. */
#ifndef ILCOV_COVERAGE_FOREIGN_FOREIGN_FACTS_H
#define ILCOV_COVERAGE_FOREIGN_FOREIGN_FACTS_H

#include "coverage/facts/facts.h"
#include "coverage/foreign/foreign.h"

/* `root`: absolute; paths below it become relative to it. Equal reports give equal facts. */
NODISCARD bool foreign_facts(struct facts *out, const struct foreign *foreign, struct str root,
                             struct arena *arena, struct err *err);

/* Do they contain only other tools' lines, without code? */
bool foreign_only(const struct facts *facts);

/* Facts for a report: the same facts if nothing in them is foreign. */
NODISCARD bool foreign_apply(struct facts *out, const struct facts *facts, struct arena *arena,
                             struct err *err);

#endif
