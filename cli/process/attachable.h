/* attachable.h - which programs of this machine run .NET, and whether each can be attached to.
 * Owner: everything lives in the arena. */
#ifndef ILCOV_CLI_PROCESS_ATTACHABLE_H
#define ILCOV_CLI_PROCESS_ATTACHABLE_H

#include "cli/process/diagnostics.h"

struct attachable {
    int pid;
    uint32_t user;
    struct str name;                        /* for people, as in struct process */
    char version[DIAGNOSTICS_VERSION_ROOM]; /* of .NET; empty: not known */
    bool is_measured, is_fit;               /* `attach` continues what is measured */
    struct str state;                       /* a clause for people: if not, why not */
};

/* Ascending by process ID. `library`: its path as ilcov sees it. ERR_IO when processes cannot be
 * listed. */
NODISCARD bool attachable_list(struct attachable **out, uint32_t *count, const char *library,
                               struct arena *arena, struct err *err);

/* The only one of that name that can be attached to or is measured; if there is none, the only one
 * of that name. ERR_UNSUPPORTED when there is none at all, or several. */
NODISCARD bool attachable_find(int *pid, const char *name, const char *library, struct arena *arena,
                               struct err *err);

#endif
