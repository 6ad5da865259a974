#include "cli/control.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/list.h"
#include "profiler/protocol.h"

enum {
    CHUNK_LEN = 16 << 10,
    AGAIN_MS = 10 /* between two tries to connect to a library that is busy */
};

/* --- the answer ------------------------------------------------------------------------------- */

#define ANSWER_END "end"

bool control_parse_hr(uint32_t *hr, struct str field)
{
    uint64_t value = 0;
    if (field.len != 10 || !str_starts(field, "0x") ||
        !session_parse_number(&value, (struct str){field.text + 2, 8}, 16))
        return false;
    *hr = (uint32_t)value;
    return true;
}

static bool take_end(struct control_answer *out, const struct session_line *line, struct err *err)
{
    return (line->field_count == 2 && control_parse_hr(&out->hr, line->fields[1])) ||
           err_set(err, ERR_FORMAT, "its answer ends with something else than an HRESULT");
}

bool control_parse(struct control_answer *out, struct str answer, struct arena *arena,
                   struct err *err)
{
    struct list lines = {NULL, 0, 0};
    *out = (struct control_answer){0};
    for (;;) {
        struct session_line line;
        const char *end = answer.len != 0 ? memchr(answer.text, '\n', answer.len) : NULL;
        if (end == NULL)
            return err_set(err, ERR_FORMAT, "its answer stops after %u lines, before its end",
                           lines.count);
        size_t len = (size_t)(end - answer.text);
        if (!session_parse_line(&line, (struct str){answer.text, len}, arena, err)) {
            err_prefix(err, "line %u of its answer", lines.count + 1);
            return false;
        }
        answer = (struct str){end + 1, answer.len - len - 1};
        if (str_is(line.fields[0], ANSWER_END)) {
            out->lines = lines.items;
            out->line_count = lines.count;
            return take_end(out, &line, err);
        }
        struct session_line *added = list_add(&lines, sizeof line, arena, err);
        if (added == NULL)
            return false;
        *added = line;
    }
}

/* --- the connection --------------------------------------------------------------------------- */

struct connection {
    int fd;
    int64_t deadline; /* in ms, of CLOCK_MONOTONIC */
    struct err *err;
};

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool is_late(const struct connection *connection)
{
    if (now_ms() < connection->deadline)
        return false;
    (void)err_set(connection->err, ERR_IO, "it does not answer in time");
    return true;
}

/* False when the time is up. */
static bool await(const struct connection *connection, short events)
{
    struct pollfd item = {.fd = connection->fd, .events = events};
    while (!is_late(connection)) {
        int64_t left = connection->deadline - now_ms();
        int ready = poll(&item, 1, left > 0 ? (int)left : 0);
        if (ready > 0)
            return true;
        if (ready < 0 && errno != EINTR)
            return err_set_errno(connection->err, "its control socket cannot be waited for");
    }
    return false;
}

/* The socket by way of its open directory: a path of any length fits in the 108 bytes of an address,
 * and nobody can put another directory in its place between the test and the use. */
static bool address_of(struct sockaddr_un *out, int dir_fd, pid_t pid, struct err *err)
{
    char name[sizeof SESSION_CONTROL + 12];
    struct stat status;
    (void)snprintf(name, sizeof name, SESSION_CONTROL "%ld", (long)pid);
    if (fstatat(dir_fd, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT
                   ? err_set(err, ERR_UNSUPPORTED, "its library listens on no control socket")
                   : err_set_errno(err, "its control socket cannot be used");
    if (!S_ISSOCK(status.st_mode))
        return err_set(err, ERR_FORMAT, "%s in its session is no socket", name);
    if (status.st_uid != geteuid())
        return err_set(err, ERR_MISMATCH, "its control socket belongs to another user (%lu)",
                       (unsigned long)status.st_uid);
    *out = (struct sockaddr_un){.sun_family = AF_UNIX};
    (void)snprintf(out->sun_path, sizeof out->sun_path, "/proc/self/fd/%d/%s", dir_fd, name);
    return true;
}

static bool is_own_peer(const struct connection *connection)
{
    struct ucred peer;
    socklen_t len = sizeof peer;
    if (getsockopt(connection->fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) != 0)
        return err_set_errno(connection->err, "who listens on its control socket is unknown");
    return peer.uid == geteuid() ||
           err_set(connection->err, ERR_MISMATCH, "another user (%lu) listens on its socket",
                   (unsigned long)peer.uid);
}

/* A full queue of connections says EAGAIN at once; there is nothing to poll for. */
static bool reach(const struct connection *connection, const struct sockaddr_un *address)
{
    while (connect(connection->fd, (const struct sockaddr *)address, sizeof *address) != 0) {
        if (errno == ECONNREFUSED)
            return err_set(connection->err, ERR_UNSUPPORTED,
                           "its library does not listen any more");
        if (errno != EAGAIN && errno != EINTR)
            return err_set_errno(connection->err, "its control socket cannot be reached");
        if (is_late(connection))
            return false;
        (void)poll(NULL, 0, AGAIN_MS);
    }
    return is_own_peer(connection);
}

static bool send_all(const struct connection *connection, struct str data)
{
    while (data.len != 0) {
        if (!await(connection, POLLOUT))
            return false;
        ssize_t n = send(connection->fd, data.text, data.len, MSG_NOSIGNAL);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n < 0)
            return err_set_errno(connection->err, "it does not take the question");
        data.text += n;
        data.len -= (size_t)n;
    }
    return true;
}

/* Until the other end closes; what is missing then, control_parse says. */
static bool receive_all(struct text *answer, const struct connection *connection)
{
    char chunk[CHUNK_LEN];
    for (;;) {
        if (!await(connection, POLLIN))
            return false;
        ssize_t n = recv(connection->fd, chunk, sizeof chunk, 0);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n < 0 && errno != ECONNRESET)
            return err_set_errno(connection->err, "its answer cannot be read");
        if (n <= 0)
            return answer->len != 0 ||
                   err_set(connection->err, ERR_IO, "it went away without an answer");
        if ((size_t)n > CONTROL_ANSWER_LIMIT - answer->len)
            return err_set(connection->err, ERR_LIMIT, "its answer has more than %d bytes",
                           CONTROL_ANSWER_LIMIT);
        text_add(answer, (struct str){chunk, (size_t)n});
    }
}

static bool converse(struct str *answer, const struct connection *connection, int dir_fd, pid_t pid,
                     const char *request, struct arena *arena)
{
    struct sockaddr_un address;
    struct str question;
    struct text text;
    text_open(&text, arena);
    return address_of(&address, dir_fd, pid, connection->err) && reach(connection, &address) &&
           text_format(&question, arena, connection->err, "ilcov %d %s\n", PROTOCOL_VERSION,
                       request) &&
           send_all(connection, question) && receive_all(&text, connection) &&
           text_take(answer, &text, connection->err);
}

bool control_ask(struct control_answer *out, const char *session, pid_t pid, const char *request,
                 uint32_t limit_ms, struct arena *arena, struct err *err)
{
    struct str answer = {NULL, 0};
    struct connection connection = {
        .fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0),
        .deadline = now_ms() + limit_ms,
        .err = err};
    int dir_fd = open(session, O_PATH | O_DIRECTORY | O_CLOEXEC);
    bool ok = (dir_fd >= 0 && connection.fd >= 0) ||
              err_set_errno(err, "its session %s cannot be used", session);
    ok = ok && converse(&answer, &connection, dir_fd, pid, request, arena) &&
         control_parse(out, answer, arena, err);
    if (dir_fd >= 0)
        (void)close(dir_fd);
    if (connection.fd >= 0)
        (void)close(connection.fd);
    return ok;
}
