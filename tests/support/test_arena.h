/* test_arena.h - the arena of a test, fresh for each: for cmocka's setup and teardown. */
#pragma once

#include "base/arena.h"

static struct arena arena;

static inline int open_arena(void **state)
{
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    return 0;
}

static inline int close_arena(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}
