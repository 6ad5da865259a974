/* programs.h - the programs of this machine that run .NET: which of them are measured, whatever
 * started them and wherever their session is, and which can be attached to. Only what the caller
 * may inspect is known to be measured: root sees the programs of all users.
 * Owner: everything lives in the arena. */
#pragma once

#include "cli/process/diagnostics.h"
#include "contract/mode.h"

struct program {
    int pid;
    uint32_t user;
    struct str name; /* for people, as in struct process */

    struct str session; /* in which it is measured, as ilcov can open it; else empty */
    int64_t since;      /* seconds since 1970: when it was attached to, or else its start */
    bool has_mode;      /* false: the config of its session may not be read */
    enum count_mode mode;

    bool is_listed; /* it runs .NET, and what follows is known */
    bool is_fit;    /* it can be attached to; `attach` continues what is measured */
    char version[DIAGNOSTICS_VERSION_ROOM]; /* of .NET; empty: not known */
    struct str state;                       /* a clause for people: if it is not fit, why */
};

/* Ascending by process ID. `library`, as ilcov sees it, is what would be attached; without one
 * (NULL) those that are measured. ERR_IO when processes cannot be listed. */
NODISCARD bool programs_list(struct program **out, uint32_t *count, const char *library,
                             struct arena *arena, struct err *err);

/* The only one of that name that can be attached to or is measured; if there is none, the only one
 * of that name. ERR_UNSUPPORTED when there is none at all, or several. */
NODISCARD bool programs_find(int *pid, const char *name, const char *library, struct arena *arena,
                             struct err *err);
