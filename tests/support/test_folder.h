/* test_folder.h - a folder for tests, empty at first: for cmocka's setup and teardown. Its arena
 * serves anything else that lives as long. */
#pragma once

#include "tests/support/temporary.h"

static struct temporary folder;

static inline int open_folder(void **state)
{
    (void)state;
    temporary_open(&folder);
    return 0;
}

static inline int close_folder(void **state)
{
    (void)state;
    temporary_close(&folder);
    return 0;
}
