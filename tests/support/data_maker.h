/* data_maker.h - memory for programs that make data files, from data_maker_open to _close.
 * A program without memory ends. */
#pragma once

#include "base/text.h"

void data_maker_open(void);
void data_maker_close(void);

/* Zeroed. */
void *data_maker_alloc(size_t count, size_t size);
#define MAKE(type, count) ((type *)data_maker_alloc((count), sizeof(type)))

/* The memory itself. */
struct arena *data_maker_arena(void);

/* At most 255 bytes. */
struct str named(const char *format, ...) PRINTF_LIKE(1, 2);
