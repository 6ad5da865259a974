/* rivals.h - other profilers and coverage tools: .NET loads one profiler a process, and nothing
 * warns when another takes our place or has rewritten what we count. What can be seen beforehand is
 * refused; what shows only afterwards is told by its signs. */
#ifndef ILCOV_CLI_LAUNCH_RIVALS_H
#define ILCOV_CLI_LAUNCH_RIVALS_H

#include "coverage/session/session.h"

/* Whose profiler has this class id; else, by its library (NULL: not known), or "another
 * profiler". */
const char *rivals_name(const char *clsid, const char *library);

/* Whose profiler is the library of this file name; NULL: none that is known. */
const char *rivals_name_of_file(struct str file);

/* Does the command set, for what it starts, variables that keep our profiler out: by `env`, by
 * `dotnet test -e`, as a run setting, in a .runsettings file that it names? False with a sentence
 * that says where. `command` ends with NULL. */
NODISCARD bool rivals_allow(char *const *command, struct err *err);

/* Test hosts that did not report, and assemblies that another tool had rewritten: a line each, with
 * what the `command` (NULL: none) says about the reason. False when there is nothing to tell. */
bool rivals_tell(const struct session *session, char *const *command);

#endif
