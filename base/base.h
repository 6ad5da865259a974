/* base.h - the attributes and small helpers that every file of ilcov may use. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NODISCARD          __attribute__((warn_unused_result))
#define PRINTF_LIKE(f, va) __attribute__((format(printf, f, va)))
#define ARRAY_LEN(array)   (sizeof(array) / sizeof((array)[0]))

/* Where there is none: of an index, an offset, an ordinal. */
#define NO_INDEX UINT32_MAX

/* A run of bytes that is owned elsewhere. */
struct view {
    const uint8_t *data;
    size_t len;
};
