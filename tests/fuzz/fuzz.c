#include "tests/fuzz/fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MEMORY_LEN = 4 << 20,
    MEMORY_LIMIT = 256 << 20
};

static volatile uint8_t sink;

struct arena *fuzz_arena(void)
{
    static uint8_t memory[MEMORY_LEN];
    static struct arena arena;
    if (arena.limit == 0)
        arena_init(&arena, memory, sizeof memory, MEMORY_LIMIT);
    arena_reset(&arena);
    return &arena;
}

void fuzz_read(struct view bytes)
{
    uint8_t all = 0;
    for (size_t i = 0; i < bytes.len; i++)
        all = (uint8_t)(all ^ bytes.data[i]);
    sink = all;
}

void fuzz_fail(const char *file, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    abort();
}

void fuzz_check_err(const struct err *err)
{
    FUZZ_ASSERT(err->code != ERR_NONE && err->text[0] != '\0', "a failure without a reason");
    FUZZ_ASSERT(strchr(err->text, '\n') == NULL, "more than a line: %s", err->text);
}
