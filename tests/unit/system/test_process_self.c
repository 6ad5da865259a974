/* test_process_self.c - this process knows itself, its parent, its program and its room. */
#include "system/process.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <unistd.h>

#include "system/library.h"
#include "system/memory.h"
#include "tests/support/check.h"

static void process_knows_itself_and_its_parent(void **state)
{
    (void)state;
    assert_int_equal(process_self(), getpid());
    assert_int_equal(process_self_parent(), getppid());
    assert_string_equal(process_self_name(), "unit");
}

/* The number in a file of the container; UINT64_MAX if it says "max" or there is no file. */
static uint64_t limit_in(const char *path)
{
    uint64_t limit = UINT64_MAX;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return UINT64_MAX;
    if (fscanf(file, "%" SCNu64, &limit) != 1)
        limit = UINT64_MAX;
    (void)fclose(file);
    return limit;
}

static void memory_that_may_be_used_is_within_the_limit(void **state)
{
    uint64_t limit = limit_in("/sys/fs/cgroup/memory.max");
    (void)state;
    if (limit == UINT64_MAX)
        limit = limit_in("/sys/fs/cgroup/memory/memory.limit_in_bytes");
    if (limit == UINT64_MAX)
        assert_true(memory_room() == UINT64_MAX);
    else
        assert_in_range(memory_room(), 0, limit);
}

/* A library of glibc that nobody uses. */
#define UNUSED_LIBRARY "libBrokenLocale.so.1"

static bool is_loaded(void)
{
    void *library = dlopen(UNUSED_LIBRARY, RTLD_LAZY | RTLD_NOLOAD);
    return library != NULL && dlclose(library) == 0;
}

static void library_that_is_pinned_stays(void **state)
{
    (void)state;
    for (int pinned = 0; pinned < 2; pinned++) {
        struct link_map *map = NULL;
        void *library = dlopen(UNUSED_LIBRARY, RTLD_LAZY);
        if (library == NULL)
            skip();
        assert_int_equal(dlinfo(library, RTLD_DI_LINKMAP, &map), 0);
        if (pinned != 0)
            library_pin(map->l_ld);
        assert_int_equal(dlclose(library), 0);
        assert_int_equal(is_loaded(), pinned);
    }
}

static void what_is_no_library_cannot_be_pinned(void **state)
{
    (void)state;
    library_pin(NULL);
    assert_false(is_loaded());
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(process_knows_itself_and_its_parent),
    cmocka_unit_test(memory_that_may_be_used_is_within_the_limit),
    cmocka_unit_test(what_is_no_library_cannot_be_pinned),
    cmocka_unit_test(library_that_is_pinned_stays),
};
UNIT_TESTS(tests);
