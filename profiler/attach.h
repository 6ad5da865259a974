/* attach.h - the library is attached to a running program: the client data of the attach, and the
 * modules that were loaded before. */
#pragma once

#include "profiler/instance.h"

/* The session's path from the client data (contract/protocol.h), NUL-terminated. ERR_FORMAT. */
NODISCARD bool attach_read_client_data(char *path, size_t room, const void *data, size_t len,
                                       struct err *err);

/* Finds the runtime's directory before its first module is seen; empty if the program is a
 * single file. */
void attach_find_framework(struct profiler *p);

/* Handles the modules that have loaded so far. On the library's own thread: it takes a while. */
void attach_catch_up(struct profiler *p);
