#include "tests/support/data_maker.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static struct arena arena;

void data_maker_open(void)
{
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
}

void data_maker_close(void)
{
    arena_free(&arena);
}

void *data_maker_alloc(size_t count, size_t size)
{
    void *made = arena_alloc(&arena, count, size, NULL);
    if (made == NULL)
        abort();
    return made;
}

struct arena *data_maker_arena(void)
{
    return &arena;
}

struct str named(const char *format, ...)
{
    char text[256];
    va_list values;
    va_start(values, format);
    int len = vsnprintf(text, sizeof text, format, values);
    va_end(values);
    const char *copy = arena_copy_text(&arena, text, (size_t)len, NULL);
    if (copy == NULL)
        abort();
    return (struct str){copy, (size_t)len};
}
