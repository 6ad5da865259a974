/* terminal.h - the width of the terminal. */
#ifndef ILCOV_SYSTEM_TERMINAL_H
#define ILCOV_SYSTEM_TERMINAL_H

#include "base/base.h"

/* 0 if the open file is not a terminal, or its width is not known. */
size_t terminal_columns(int file);

#endif
