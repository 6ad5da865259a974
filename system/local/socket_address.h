/* socket_address.h - the address of a Unix socket in an open directory. bind and connect have no
 * variant that takes a directory, and 108 bytes for the whole path: so the path goes through the
 * open descriptor, and is valid as long as that stays open.
 * Source: unix(7); proc(5), /proc/<pid>/fd. */
#ifndef ILCOV_SYSTEM_LOCAL_SOCKET_ADDRESS_H
#define ILCOV_SYSTEM_LOCAL_SOCKET_ADDRESS_H

#include <sys/socket.h>
#include <sys/un.h>

#include "base/base.h"

/* With AT_FDCWD, `name` is the path itself. False if it is too long. */
NODISCARD bool socket_address_at(struct sockaddr_un *out, int folder, const char *name);

#endif
