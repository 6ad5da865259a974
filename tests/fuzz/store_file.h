/* store_file.h - bytes of an input as a data file, for the targets that read one. */
#pragma once

#include "base/base.h"

enum {
    STORE_FILES = 2
};

/* The path of a file in memory with these bytes, the n-th of STORE_FILES. `repair`: its digest is
 * made to fit first, or no changed row would ever be read. */
const char *store_file(unsigned n, struct view bytes, bool repair);

/* In pages of 512 bytes: of a short file more is changed. */
void store_file_shrink(const char *path);
