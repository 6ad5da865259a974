/* test_freed_memory.c - freed memory is used again without asking the kernel for it. */
#include "system/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "tests/support/check.h"

enum {
    ITEM_LEN = 1 << 20,
    ITEMS = 8,
    ROUNDS = 16,
    PAGE_LEN = 4096
};

static long faults(void)
{
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_minflt;
}

static void fill_and_free(void)
{
    char *items[ITEMS];
    for (size_t i = 0; i < ITEMS; i++) {
        items[i] = malloc(ITEM_LEN);
        assert_non_null(items[i]);
        memset(items[i], 'x', ITEM_LEN);
    }
    for (size_t i = 0; i < ITEMS; i++)
        free(items[i]);
}

static void freed_memory_is_used_again(void **state)
{
    (void)state;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    skip(); /* they have a malloc of their own */
#endif
    freed_memory_keep();
    fill_and_free();
    long before = faults();
    for (size_t i = 0; i < ROUNDS; i++)
        fill_and_free();
    assert_in_range(faults() - before, 0, ITEMS * ITEM_LEN / PAGE_LEN);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(freed_memory_is_used_again),
};
UNIT_TESTS(tests);
