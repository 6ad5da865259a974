/* other_profilers.h - other profilers and coverage tools: .NET loads one profiler per process, and
 * nothing warns when another takes ilcov's place or has rewritten the code that ilcov counts. What
 * can be seen beforehand is refused; what shows only afterwards is recognised by its signs. */
#pragma once

#include "coverage/session/session.h"

/* The vendor whose profiler has this class id, else this library (NULL: not known), else "another
 * profiler". */
const char *other_profilers_name(const char *clsid, const char *library);

/* The vendor whose profiler has a library of this file name; NULL: unknown. */
const char *other_profilers_name_of_file(struct str file);

/* Does the command set, for what it starts, variables that keep ilcov's profiler out: by `env`, by
 * `dotnet test -e`, as a run setting, in a .runsettings file that it names? False with a sentence
 * that says where. `command` ends with NULL. */
NODISCARD bool other_profilers_allow(char *const *command, struct err *err);

/* Prints a line for each assembly that another tool had rewritten. False if there is none. */
bool other_profilers_report_rewritten(const struct session *session, char *const *command);
