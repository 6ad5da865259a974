/* program.h - programs that this one starts beside its command: the file that a name means, what
 * one writes, a browser.
 * Owner:  the texts of its output live in the arena, each with a NUL after it.
 * Errors: ERR_IO; ERR_LIMIT too much output or time; ERR_MEMORY. */
#pragma once

#include "base/path.h"

/* A command that is a path, not a name to be looked up along PATH. */
bool program_file_is_path(const char *command);

/* Its path; false if there is none that this process may start. */
bool program_file_find(char path[PATH_ROOM], const char *command);

/* The same for a file that may be not executable. */
bool program_file_find_any(char path[PATH_ROOM], const char *command);

/* Runs another program to its end, without input, and takes what it writes. Its output goes to
 * files in memory instead of pipes: processes that it leaves running may hold them open, and no
 * pipe can fill up while the other is read. */

struct program_output {
    bool is_missing; /* there is no such program along PATH; the rest is empty */
    int status;      /* as a shell has it (command.h) */
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

/* Shows a file to the user in a browser: $BROWSER (of several, separated by colons, the first),
 * else xdg-open. Does not wait for a browser that stays open; it outlives this program. */
NODISCARD bool browser_open(const char *path, struct err *err);
