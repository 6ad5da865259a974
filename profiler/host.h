/* host.h - which processes are served: every child of a run inherits the variables that load the
 * library, but the `dotnet` command itself, build servers and test drivers are not what the user
 * wants measured, and a server that outlives the run must not keep our library. Known from /proc,
 * since in Initialize no assembly has a name yet. */
#ifndef ILCOV_PROFILER_HOST_H
#define ILCOV_PROFILER_HOST_H

#include "contract/reason.h"
#include "scope/pattern.h"

enum {
    HOST_PATH_MAX = 1024
};

struct host {
    /* the dll that `dotnet` runs, else the executable; of a verb of `dotnet`, its executable */
    char program[HOST_PATH_MAX];
    bool is_dotnet_verb; /* `dotnet test`, `dotnet --info` */
    bool is_server;      /* told on its command line to wait for work of others */
    bool gathers;        /* a test driver that puts results together, and starts no test */
};

/* From a command line as in /proc/<pid>/cmdline (NUL behind each argument) and the executable's
 * path. */
void host_describe(struct host *out, const char *command_line, size_t len, const char *executable);

/* The file name of the program without .dll or .exe. */
struct str host_name(const struct host *host);

/* Why the process is not served, or REASON_NONE. `wanted`: an -i pattern names it, which lets all
 * through but servers. `parent` is asked about compilers only. */
enum reason_code host_decline_reason(const struct host *host, const struct host *parent,
                                     bool wanted);

/* This process and its parent, from /proc. */
void host_read_self(struct host *out);
void host_read_parent(struct host *out);

#endif
