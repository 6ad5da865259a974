#include "system/terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

size_t terminal_columns(int file)
{
    struct winsize size = {.ws_col = 0};
    return ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

void standard_streams_fill(void)
{
    for (int stream = STREAM_INPUT; stream <= STREAM_ERROR; stream++) {
        int flags = stream == STREAM_INPUT ? O_WRONLY : O_RDONLY;
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", flags | O_CLOEXEC) != stream)
            return;
    }
}
