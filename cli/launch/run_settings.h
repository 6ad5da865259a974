/* run_settings.h - what a command sets for its test runs in a .runsettings file. Source:
 * learn.microsoft.com, "Configure unit tests by using a .runsettings file". A file that cannot be
 * read sets nothing: the test run itself reports it. */
#ifndef ILCOV_CLI_LAUNCH_RUN_SETTINGS_H
#define ILCOV_CLI_LAUNCH_RUN_SETTINGS_H

#include <stdbool.h>

/* The file that the command (NULL: none) names, or NULL. */
const char *run_settings_file(char *const *command);

/* Calls `take` with each variable of RunConfiguration/EnvironmentVariables until it returns false,
 * which is the result. `path` may be NULL. */
bool run_settings_visit_variables(const char *path,
                                  bool (*take)(void *context, const char *name, const char *value),
                                  void *context);

/* Does the file switch a data collector of this name on? Case does not matter. */
bool run_settings_have_collector(const char *path, const char *friendly_name);

#endif
