#include "system/local/connection.h"

#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

bool connection_is_own(int connection)
{
    struct ucred peer;
    socklen_t len = sizeof peer;
    return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0 &&
           peer.uid == geteuid();
}

static bool set_limit(int connection, int which, uint32_t ms)
{
    struct timeval limit = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};
    return setsockopt(connection, SOL_SOCKET, which, &limit, sizeof limit) == 0;
}

bool connection_limit(int connection, uint32_t receive_ms, uint32_t send_ms)
{
    return set_limit(connection, SO_RCVTIMEO, receive_ms) &&
           set_limit(connection, SO_SNDTIMEO, send_ms);
}

int64_t connection_receive(int connection, void *out, size_t room)
{
    return recv(connection, out, room, 0);
}

bool connection_send(int connection, const void *data, size_t len)
{
    for (size_t done = 0; done < len;) {
        ssize_t n = send(connection, (const char *)data + done, len - done, MSG_NOSIGNAL);
        if (n <= 0)
            return false;
        done += (size_t)n;
    }
    return true;
}
