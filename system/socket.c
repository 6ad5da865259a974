#include "system/socket.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "system/clock.h"
#include "system/file.h"
#include "system/process.h"

/* The address of a socket in an open directory. bind and connect have no variant that takes a
 * directory, and 108 bytes for the whole path: so the path goes through the open descriptor, and is
 * valid as long as that stays open. With AT_FDCWD, `name` is the path itself. False if it is too
 * long. */
static bool find_address(struct sockaddr_un *out, int folder, const char *name)
{
    char descriptors[PROCESS_PATH_ROOM];
    *out = (struct sockaddr_un){.sun_family = AF_UNIX};
    process_file_path(descriptors, PROCESS_SELF, "fd");
    int len = folder == AT_FDCWD ? snprintf(out->sun_path, sizeof out->sun_path, "%s", name)
                                 : snprintf(out->sun_path, sizeof out->sun_path, "%s/%d/%s",
                                            descriptors, folder, name);
    return len > 0 && (size_t)len < sizeof out->sun_path;
}

/* --- listener --------------------------------------------------------------------------------- */

static bool bind_to(int listener, int folder, const char *name)
{
    struct sockaddr_un address;
    return find_address(&address, folder, name) &&
           bind(listener, (struct sockaddr *)&address, sizeof address) == 0 &&
           fchmodat(folder, name, 0600, 0) == 0;
}

int listener_open(int folder, const char *name, unsigned queue)
{
    (void)unlinkat(folder, name, 0);
    int listener = file_above_streams(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (listener >= 0 && bind_to(listener, folder, name) && listen(listener, (int)queue) == 0)
        return listener;
    int why = errno;
    (void)file_close(listener);
    errno = why;
    return -1;
}

enum listener_accepted listener_accept(int *out, int listener)
{
    *out = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (*out >= 0)
        return LISTENER_ACCEPTED;
    if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)
        return LISTENER_FULL;
    return errno == EINTR || errno == ECONNABORTED ? LISTENER_INTERRUPTED : LISTENER_FAILED;
}

/* --- connection ------------------------------------------------------------------------------- */

/* The process at the other end. */
static bool read_other(struct ucred *out, int connection)
{
    socklen_t len = sizeof *out;
    return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, out, &len) == 0;
}

bool connection_is_own(int connection)
{
    struct ucred other;
    return read_other(&other, connection) && other.uid == geteuid();
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

/* --- peer ------------------------------------------------------------------------------------- */

enum {
    AGAIN_MS = 10 /* between two attempts to connect to a busy peer */
};

static bool is_late(const struct peer *peer)
{
    if (clock_ms() < peer->deadline)
        return false;
    (void)err_set(peer->err, ERR_IO, "it does not answer in time");
    return true;
}

/* False when the time is up. */
static bool await_peer(const struct peer *peer, short events)
{
    struct pollfd item = {.fd = peer->fd, .events = events};
    while (!is_late(peer)) {
        int64_t left = peer->deadline - clock_ms();
        int ready = poll(&item, 1, left > 0 ? (int)left : 0);
        if (ready > 0)
            return true;
        if (ready < 0 && errno != EINTR)
            return err_set_errno(peer->err, "its %s cannot be waited for", peer->what);
    }
    return false;
}

static bool address_of(struct sockaddr_un *out, const struct peer *peer, int folder,
                       const char *name)
{
    struct stat status;
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? err_set(peer->err, ERR_UNSUPPORTED, "it has no %s", peer->what)
                               : err_set_errno(peer->err, "its %s cannot be used", peer->what);
    if (!S_ISSOCK(status.st_mode))
        return err_set(peer->err, ERR_FORMAT, "its %s is not a socket: %s", peer->what, name);
    if (status.st_uid != geteuid())
        return err_set(peer->err, ERR_MISMATCH, "its %s belongs to another user (%u)", peer->what,
                       (unsigned)status.st_uid);
    return find_address(out, folder, name) ||
           err_set(peer->err, ERR_LIMIT, "the name of its %s is too long: %s", peer->what, name);
}

static bool is_own(struct peer *peer)
{
    struct ucred other;
    if (!read_other(&other, peer->fd))
        return err_set_errno(peer->err, "cannot find out which process listens on its %s",
                             peer->what);
    peer->pid = other.pid;
    return other.uid == geteuid() ||
           err_set(peer->err, ERR_MISMATCH, "another user (%u) listens on its %s",
                   (unsigned)other.uid, peer->what);
}

/* A full queue of connections says EAGAIN at once; there is nothing to poll for. */
static bool reach_peer(struct peer *peer, const struct sockaddr_un *address)
{
    while (connect(peer->fd, (const struct sockaddr *)address, sizeof *address) != 0) {
        if (errno == ECONNREFUSED)
            return err_set(peer->err, ERR_UNSUPPORTED, "no process listens on its %s any more",
                           peer->what);
        if (errno != EAGAIN && errno != EINTR)
            return err_set_errno(peer->err, "its %s cannot be reached", peer->what);
        if (is_late(peer))
            return false;
        (void)poll(NULL, 0, AGAIN_MS);
    }
    return is_own(peer);
}

bool peer_open(struct peer *out, int folder, const char *name, const char *what, uint32_t limit_ms,
               struct err *err)
{
    struct sockaddr_un address;
    *out = (struct peer){.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
                         .deadline = clock_ms() + limit_ms,
                         .what = what,
                         .err = err};
    if (out->fd < 0)
        return err_set_errno(err, "its %s cannot be used", what);
    return address_of(&address, out, folder, name) && reach_peer(out, &address);
}

bool peer_send(const struct peer *peer, struct view data)
{
    while (data.len != 0) {
        if (!await_peer(peer, POLLOUT))
            return false;
        ssize_t n = send(peer->fd, data.data, data.len, MSG_NOSIGNAL);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n < 0)
            return err_set_errno(peer->err, "it does not accept the request");
        data.data += n;
        data.len -= (size_t)n;
    }
    return true;
}

/* A peer that went away while there was something to read has closed, too. */
bool peer_receive(size_t *len, const struct peer *peer, void *data, size_t room)
{
    *len = 0;
    while (await_peer(peer, POLLIN)) {
        ssize_t n = recv(peer->fd, data, room, 0);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n < 0 && errno != ECONNRESET)
            return err_set_errno(peer->err, "its answer cannot be read");
        *len = n > 0 ? (size_t)n : 0;
        return true;
    }
    return false;
}

void peer_close(struct peer *peer)
{
    (void)file_close(peer->fd);
    peer->fd = -1;
}
