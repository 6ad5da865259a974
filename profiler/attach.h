/* attach.h - the library comes to a program that runs already: what the program that attached it
 * hands over, and the modules that loaded before. */
#ifndef ILCOV_PROFILER_ATTACH_H
#define ILCOV_PROFILER_ATTACH_H

#include "profiler/instance.h"

/* The session's path from the client data (contract/protocol.h), with a NUL behind it.
 * ERR_FORMAT. */
NODISCARD bool attach_read_client_data(char *path, size_t room, const void *data, size_t len,
                                       struct err *err);

/* Where the runtime lies, before its first module is seen: stays empty in a single file. */
void attach_find_framework(struct profiler *p);

/* Goes through what has loaded so far. On a thread of ours: it takes its time. */
void attach_catch_up(struct profiler *p);

#endif
