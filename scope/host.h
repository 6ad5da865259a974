/* host.h - which processes are measured: every child of a run inherits the variables that load the
 * library, but the `dotnet` command itself, build servers and test drivers are not what the user
 * wants to measure, and a server that outlives the run must not keep the library. Decided from
 * /proc, because when a runtime starts, no assembly has a name yet. The name of a program only says
 * whether it may be a tool: a tool is one by the signature of its assembly (signer.h), and `dotnet`
 * by the runtimes beside it. */
#pragma once

#include "contract/reason.h"
#include "scope/pattern.h"

enum {
    HOST_PATH_MAX = 1024
};

struct host {
    /* the dll that `dotnet` runs, else the executable; for a verb of `dotnet`, `dotnet` itself */
    char program[HOST_PATH_MAX];
    enum reason_code tool; /* which tool it is; REASON_NONE: none */
    bool asks_coverage;    /* it has the argument --coverage */
};

/* From a command line as in /proc/<pid>/cmdline (a NUL after each argument) and the executable's
 * path; reads the assembly of what has the name of a tool. */
void host_describe(struct host *out, const char *command_line, size_t len, const char *executable);

/* The file name of the program without .dll or .exe. */
struct str host_name(const struct host *host);

/* Does it run tests in other processes? */
bool host_is_test_driver(const struct host *host);

/* Why the process is not measured, or REASON_NONE. `wanted`: an -i pattern names it, which admits
 * all but servers. `parent` matters only for compilers. */
enum reason_code host_decline_reason(const struct host *host, const struct host *parent,
                                     bool wanted);

/* Calls `take` for each assembly among the arguments of a test driver, whose tests it runs in
 * another process. `command_line` as for host_describe. */
void host_each_tests(const char *command_line, size_t len,
                     void (*take)(void *context, struct str assembly), void *context);

/* A process by its ID, PROCESS_SELF or PROCESS_PARENT (system/process.h), from /proc.
 */
void host_read(struct host *out, int pid);
