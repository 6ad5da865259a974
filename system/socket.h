/* socket.h - local stream sockets in folders, on which one process listens for others of its user.
 * The other end may be broken, slow, silent or gone.
 * Source: unix(7), socket(7), accept(2).
 * Target: listeners and connections are safe to use there on any thread: no locks, no allocations,
 *         libc only. */
#pragma once

#include "base/err.h"

/* A socket on which this process listens. It is an open file, which file_close closes. */

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

/* Waits for the next who connects. *out: a connection, or -1. */
NODISCARD enum listener_accepted listener_accept(int *out, int listener);

/* What a listener accepted: an open file, which file_close closes. */

/* Did a process of this process's user connect? */
bool connection_is_own(int connection);

/* The longest that it waits for bytes to come, and for room to send some. False: it may wait for
 * ever. */
NODISCARD bool connection_limit(int connection, uint32_t receive_ms, uint32_t send_ms);

/* The next bytes, at most `room`; 0 at the end, -1 with errno: failed, late or interrupted. */
NODISCARD int64_t connection_receive(int connection, void *out, size_t room);

/* All of it, or false with errno. */
NODISCARD bool connection_send(int connection, const void *data, size_t len);

/* A socket on which another process listens: reached, written to and read within one time limit.
 * Errors: ERR_UNSUPPORTED nobody listens there, ERR_MISMATCH the socket is another user's,
 *         ERR_FORMAT it is not a socket, ERR_IO the time is up, or a system call failed. */

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
