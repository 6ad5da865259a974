#include "system/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

void standard_streams_fill(void)
{
    for (int stream = STREAM_INPUT; stream <= STREAM_ERROR; stream++) {
        int flags = stream == STREAM_INPUT ? O_WRONLY : O_RDONLY;
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", flags | O_CLOEXEC) != stream)
            return;
    }
}
