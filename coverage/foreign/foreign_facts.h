/* foreign_facts.h - another tool's report as facts, so that it can be merged and compared with: a
 * module of state MODULE_FOREIGN for each assembly in it, with a statement for each line, all of
 * one run of kind RUN_FOREIGN. In a report (foreign_apply) a line of a file that ilcov knows itself
 * is hit when it is a line to ilcov, too; what the other tool calls lines and branches there is
 * dropped, for its definitions differ. A file that only the other tool knows is as it says.
 * Owner:  everything lives in the arena. */
#ifndef ILCOV_COVERAGE_FOREIGN_FOREIGN_FACTS_H
#define ILCOV_COVERAGE_FOREIGN_FOREIGN_FACTS_H

#include "coverage/facts/facts.h"
#include "coverage/foreign/foreign.h"

/* `root`: absolute; paths below it become relative to it. Equal reports give equal facts. */
NODISCARD bool foreign_facts(struct facts *out, const struct foreign *foreign, struct str root,
                             struct arena *arena, struct err *err);

/* Is there nothing in them but another tool's lines, which know no code? */
bool foreign_only(const struct facts *facts);

/* Facts for a report: the same ones when nothing in them is foreign. */
NODISCARD bool foreign_apply(struct facts *out, const struct facts *facts, struct arena *arena,
                             struct err *err);

#endif
