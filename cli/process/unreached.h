/* unreached.h - programs of .NET that a command starts with an environment of their own, without
 * the variables that load the library, or with others' in their place: nothing would tell that they
 * ran. So while the command runs, its descendants are looked at each second.
 *
 * Missed are those that end sooner, and those whose parent had ended before they were seen. Nothing
 * is said of what the library would not measure either (scope/host.h), of .NET's own programs, and
 * of test hosts, which their driver counts (cli/publish/test_hosts.h). */
#pragma once

#include "base/list.h"
#include "system/command.h"

struct unreached {
    struct command_watch watch; /* for command_wait; its context is this */
    struct arena arena;
    struct list lines; /* struct str: what is to be said, each once */
    struct list seen;  /* processes at the last look, in seen_arena */
    struct arena seen_arena;
};

/* Before the command starts: what runs then is none of its descendants. */
void unreached_open(struct unreached *out);
void unreached_close(struct unreached *unreached);

/* Prints a line for each program; `stops_gates`: and that no gate passes over it. */
void unreached_say(const struct unreached *unreached, bool stops_gates);
