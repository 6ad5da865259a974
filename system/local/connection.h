/* connection.h - what a listener accepted: a stream to another process of this machine. It is an
 * open file, which file_close closes. The other end may be broken, slow, silent or gone.
 * Source: unix(7), socket(7).
 * Target: safe to call there on any thread: no locks, no allocations, libc only. */
#ifndef ILCOV_SYSTEM_LOCAL_CONNECTION_H
#define ILCOV_SYSTEM_LOCAL_CONNECTION_H

#include "base/base.h"

/* Did a process of this process's user connect? */
bool connection_is_own(int connection);

/* The longest that it waits for bytes to come, and for room to send some. False: it may wait for
 * ever. */
NODISCARD bool connection_limit(int connection, uint32_t receive_ms, uint32_t send_ms);

/* The next bytes, at most `room`; 0 at the end, -1 with errno: failed, late or interrupted. */
NODISCARD int64_t connection_receive(int connection, void *out, size_t room);

/* All of it, or false with errno. */
NODISCARD bool connection_send(int connection, const void *data, size_t len);

#endif
