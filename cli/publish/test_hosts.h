/* test_hosts.h - test hosts that should have been measured and did not report. A test driver names
 * the assemblies whose tests it runs in other processes (contract/session_format.h). An application
 * of Microsoft.Testing.Platform that is asked for --coverage starts itself again with Microsoft's
 * profiler. */
#pragma once

#include "coverage/session/session.h"

/* Prints which are missing, and why as far as that can be known from the `command` (NULL: none) and
 * from files: one line for each cause. `missing` is their number. */
NODISCARD bool test_hosts_report(uint32_t *missing, const struct session *session,
                                 char *const *command, struct arena *arena, struct err *err);
