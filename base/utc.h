/* utc.h - a time as text that means the same everywhere. */
#ifndef ILCOV_BASE_UTC_H
#define ILCOV_BASE_UTC_H

#include "base/base.h"

enum {
    UTC_ROOM = 32
};

/* "2026-11-22T21:55:26Z" (ISO 8601) from seconds since 1970; empty if it has no such year. */
const char *utc_text(char out[UTC_ROOM], int64_t seconds);

#endif
