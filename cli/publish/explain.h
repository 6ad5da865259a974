/* explain.h - why a run measured nothing, as far as that can be determined. Each line goes to
 * standard error. */
#pragma once

#include "coverage/facts/facts.h"
#include "coverage/report/report.h"
#include "coverage/session/session.h"

/* No process loaded the library. `command` ends with NULL; it is NULL if ilcov started none. */
void explain_never_loaded(const char *library, char *const *command);

/* Processes loaded it, and no method was instrumented: declined processes and skipped modules by
 * their reasons. At most EXPLAIN_LINES, if not verbose. `hints`: also name the most likely cause,
 * which nothing has named yet. */
enum {
    EXPLAIN_LINES = 20
};
void explain_nothing_instrumented(const struct session *session, char *const *command, bool verbose,
                                  bool hints, struct arena *arena);

/* All that was seen and left out, and each process (--verbose). */
void explain_omissions(const struct facts *facts, const struct report *report, struct arena *arena);
