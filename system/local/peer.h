/* peer.h - a stream socket on which another process of the same user listens: reached, written to
 * and read within one time limit. The other end may be broken: it may be slow, silent or gone.
 * Errors: ERR_UNSUPPORTED nobody listens there, ERR_MISMATCH the socket is another user's,
 *         ERR_FORMAT it is not a socket, ERR_IO the time is up, or a system call failed. */
#ifndef ILCOV_SYSTEM_LOCAL_PEER_H
#define ILCOV_SYSTEM_LOCAL_PEER_H

#include "base/err.h"

struct peer {
    int fd;
    int64_t deadline; /* in ms, of CLOCK_MONOTONIC */
    const char *what; /* "control socket" */
    int pid;          /* the listener, 0 if it is not known */
    struct err *err;
};

/* The socket `name` of the directory that is open as `folder`: a path of any length fits in the 108
 * bytes of an address, and nobody can put another directory in its place between test and use. The
 * caller closes it in any case. */
NODISCARD bool peer_open(struct peer *out, int folder, const char *name, const char *what,
                         uint32_t limit_ms, struct err *err);

NODISCARD bool peer_send(const struct peer *peer, struct view data);

/* Some bytes, at most `room`; 0 when the other end has closed. */
NODISCARD bool peer_receive(size_t *len, const struct peer *peer, void *data, size_t room);

void peer_close(struct peer *peer);

#endif
