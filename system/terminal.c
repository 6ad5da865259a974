#include "system/terminal.h"

#include <sys/ioctl.h>

size_t terminal_columns(int file)
{
    struct winsize size = {.ws_col = 0};
    return ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
