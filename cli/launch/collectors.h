/* collectors.h - other coverage tools that a command asks for itself: what they measure, ilcov
 * cannot. Only what the command line, a variable or a .runsettings file that it names shows;
 * projects may ask for them, too, which only the run shows. */
#ifndef ILCOV_CLI_LAUNCH_COLLECTORS_H
#define ILCOV_CLI_LAUNCH_COLLECTORS_H

enum other_collector {
    COLLECTOR_MICROSOFT, /* takes ilcov's place as the profiler of test hosts */
    COLLECTOR_COVERLET,  /* rewrites assemblies before they run */
    COLLECTOR_COUNT
};

/* What of the command (NULL: none) asks for it, such as "Code Coverage" or "--coverage"; or NULL.
 */
const char *collectors_asked(char *const *command, enum other_collector collector);

/* Prints a line for each that the command asks for, before it starts. */
void collectors_say(char *const *command);

#endif
