/* program_output.h - runs another program to its end, without input, and takes what it writes. Its
 * output goes to files in memory instead of pipes: processes that it leaves running may hold them
 * open, and no pipe can fill up while the other is read.
 * Owner:  the texts live in the arena, each with a NUL after it.
 * Errors: ERR_IO; ERR_LIMIT too much output or time; ERR_MEMORY: without the name of the program,
 *         which the caller knows. */
#ifndef ILCOV_SYSTEM_PROGRAM_OUTPUT_H
#define ILCOV_SYSTEM_PROGRAM_OUTPUT_H

#include "base/text.h"

struct program_output {
    bool is_missing; /* there is no such program along PATH; the rest is empty */
    int status;      /* as a shell has it (system/exit_status.h) */
    struct str output, errors;
};

struct program_limits {
    size_t bytes;     /* of each stream */
    uint32_t time_ms; /* then it is killed */
};

/* `arguments` and `environment` end with NULL. */
NODISCARD bool program_output_take(struct program_output *out, char *const *arguments,
                                   char *const *environment, const struct program_limits *limits,
                                   struct arena *arena, struct err *err);

#endif
