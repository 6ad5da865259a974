/* test_hands.h - BASE and HEAD as facts made by hand, fresh for each test: for cmocka's setup and
 * teardown. */
#pragma once

#include "tests/support/hand_facts.h"
#include "tests/support/test_arena.h"

static struct hand head, base;

static inline int open_hands(void **state)
{
    (void)open_arena(state);
    hand_open(&head, &arena);
    hand_open(&base, &arena);
    return 0;
}

static inline int close_hands(void **state)
{
    return close_arena(state);
}
