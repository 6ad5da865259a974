/* terminal.h - how wide the terminal is that a person reads on. */
#ifndef ILCOV_SYSTEM_TERMINAL_H
#define ILCOV_SYSTEM_TERMINAL_H

#include <stddef.h>

/* 0 when `fd` is not a terminal, or one that does not tell. */
size_t terminal_columns(int fd);

#endif
