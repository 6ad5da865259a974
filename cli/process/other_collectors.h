/* other_collectors.h - other coverage tools that a command asks for itself: what they measure,
 * ilcov cannot. Only what the command line, a variable or a .runsettings file that it names shows;
 * projects may ask for them, too, which only the run shows. */
#pragma once

#include <stdbool.h>

enum other_collector {
    COLLECTOR_MICROSOFT, /* takes ilcov's place as the profiler of test hosts */
    COLLECTOR_COVERLET,  /* rewrites assemblies before they run */
    COLLECTOR_COUNT
};

/* What of the command (NULL: none) asks for it, such as "Code Coverage" or "--coverage"; or NULL.
 */
const char *other_collectors_asked(char *const *command, enum other_collector collector);

/* Prints a line for each that the command asks for, before it starts. */
void other_collectors_say(char *const *command);

/* --- what a command sets for its test runs in a .runsettings file ---
 * Source: learn.microsoft.com, "Configure unit tests by using a .runsettings file". A file that
 * cannot be read sets nothing: the test run itself reports it. */

/* The file that the command (NULL: none) names, or NULL. */
const char *run_settings_file(char *const *command);

/* Calls `take` with each variable of RunConfiguration/EnvironmentVariables until it returns false,
 * which is the result. `path` may be NULL. */
bool run_settings_visit_variables(const char *path,
                                  bool (*take)(void *context, const char *name, const char *value),
                                  void *context);
