/* source_root.h - where the sources of a data file are: below the root of its run, or below that of
 * -r DIR. */
#ifndef ILCOV_CLI_OUTCOME_SOURCE_ROOT_H
#define ILCOV_CLI_OUTCOME_SOURCE_ROOT_H

#include "coverage/facts/facts.h"

/* The absolute path of -r DIR; empty for NULL. The sources may be elsewhere by now: a root that
 * does not exist here is used as given. */
NODISCARD bool source_root_given(struct str *out, const char *given, struct arena *arena,
                                 struct err *err);

/* The root to look for sources in: `given` if it is not empty, else that of the last run that has
 * one, else around the current directory. */
NODISCARD bool source_root_find(struct str *out, const struct facts *facts, struct str given,
                                struct arena *arena, struct err *err);

#endif
