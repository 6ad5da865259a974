#include "system/local/socket_address.h"

#include <fcntl.h>
#include <stdio.h>

#include "system/process/process_file.h"

bool socket_address_at(struct sockaddr_un *out, int folder, const char *name)
{
    char descriptors[PROCESS_PATH_ROOM];
    *out = (struct sockaddr_un){.sun_family = AF_UNIX};
    process_file_path(descriptors, PROCESS_SELF, "fd");
    int len = folder == AT_FDCWD ? snprintf(out->sun_path, sizeof out->sun_path, "%s", name)
                                 : snprintf(out->sun_path, sizeof out->sun_path, "%s/%d/%s",
                                            descriptors, folder, name);
    return len > 0 && (size_t)len < sizeof out->sun_path;
}
