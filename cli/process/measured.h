/* measured.h - which programs of this machine are being measured, whatever started them and
 * wherever their session is. Only what the caller may inspect is found: root sees the programs of
 * all users.
 * Owner:  everything lives in the arena. */
#ifndef ILCOV_CLI_PROCESS_MEASURED_H
#define ILCOV_CLI_PROCESS_MEASURED_H

#include "cli/process/process.h"
#include "contract/mode.h"

struct measured {
    int pid;
    uint32_t user;
    struct str name;    /* for people, as in struct process */
    struct str session; /* as ilcov can open it */
    int64_t since;      /* seconds since 1970: when it was attached to, or else its start */
    bool has_mode;      /* false: the config of its session may not be read */
    enum count_mode mode;
};

/* Ascending by process ID. ERR_IO when processes cannot be listed. */
NODISCARD bool measured_list(struct measured **out, uint32_t *count, struct arena *arena,
                             struct err *err);

#endif
