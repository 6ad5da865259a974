#include "system/local/listener.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "system/file/open_file.h"
#include "system/local/socket_address.h"

static bool bind_to(int listener, int folder, const char *name)
{
    struct sockaddr_un address;
    return socket_address_at(&address, folder, name) &&
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
