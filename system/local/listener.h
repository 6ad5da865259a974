/* listener.h - a local stream socket in a folder, on which this process listens for others. It is
 * an open file, which file_close closes.
 * Errors: -1, with the system's reason in errno.
 * Source: unix(7), accept(2).
 * Target: safe to call there on any thread: no locks, no allocations, libc only. */
#ifndef ILCOV_SYSTEM_LOCAL_LISTENER_H
#define ILCOV_SYSTEM_LOCAL_LISTENER_H

#include "base/base.h"

/* `name` in the open folder, or FILE_HERE; at most `queue` may wait to be accepted. Only this user
 * may connect. A file of that name is replaced. Its number is above those of the standard streams.
 * The file remains when the listener is closed. */
NODISCARD int listener_open(int folder, const char *name, unsigned queue);

enum listener_accepted {
    LISTENER_ACCEPTED,
    LISTENER_INTERRUPTED, /* try again: a signal came, or who called has gone */
    LISTENER_FULL,        /* try again later: this process or machine has no room for one more */
    LISTENER_FAILED
};

/* Waits for the next who connects. *out: a connection (connection.h), or -1. */
NODISCARD enum listener_accepted listener_accept(int *out, int listener);

#endif
