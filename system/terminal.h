/* terminal.h - the width of the terminal. */
#ifndef ILCOV_SYSTEM_TERMINAL_H
#define ILCOV_SYSTEM_TERMINAL_H

#include <stddef.h>
#include <sys/ioctl.h>

/* 0 if `fd` is not a terminal, or its width is not known. */
static inline size_t terminal_columns(int fd)
{
    struct winsize size = {.ws_col = 0};
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

#endif
