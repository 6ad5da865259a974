/* test_shard_windows.c - counters lie in windows of 8 MiB, one a shard, each module at the same
 * place in each; low where the address space allows, and never over anything else. */
#include "profiler/shard_memory/shard_windows.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "contract/session_format.h"
#include "system/memory.h"
#include "tests/support/check.h"

enum {
    PAGE = 4096
};

#define TWO_GIB ((uintptr_t)1 << 31)

static bool is_mapped(const uint8_t *at)
{
    unsigned char resident = 0;
    return mincore((void *)(uintptr_t)at, PAGE, &resident) == 0;
}

static size_t region_len(const struct windows *windows)
{
    return (size_t)windows->shard_count << WINDOW_BITS;
}

static void give_back(const struct windows *windows)
{
    for (uint32_t i = 0; i < windows->region_count; i++)
        (void)munmap(windows->regions[i].start, region_len(windows));
}

/* With that much address space; false if a sanitizer has it all. */
static bool start_under_limit(struct windows *windows, rlim_t limit)
{
    struct rlimit before, small;
#ifdef __SANITIZE_THREAD__ /* which ends when it is refused memory */
    return false;
#endif
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    small = before;
    small.rlim_cur = limit;
    assert_int_equal(setrlimit(RLIMIT_AS, &small), 0);
    bool has_any = map_address_space_left() > limit / 2;
    windows_init(windows);
    assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
    return has_any;
}

static void limited_address_space_is_the_targets(void **state)
{
    struct windows windows;
    (void)state;
    if (!start_under_limit(&windows, (rlim_t)32 << 30))
        skip();
    assert_int_equal(windows.region_count, 1); /* now: the runtime would take the rest */
    assert_true(region_len(&windows) <= ((size_t)32 << 30) / 16);
    assert_true(windows.shard_count > 1);
    give_back(&windows);
}

/* Where there is little, it gets what a module needs, to the page. */
static void little_address_space_is_taken_by_counters_alone(void **state)
{
    struct windows windows;
    (void)state;
    if (!start_under_limit(&windows, (rlim_t)4 << 30))
        skip();
    assert_int_equal(windows.shard_count, 1);
    uint8_t *guessed = windows_peek(&windows, 5 * PAGE, false);
    assert_int_equal(windows.region_count, 0);
    uint8_t *first = windows_peek(&windows, 7 * PAGE, false); /* more was needed */
    assert_non_null(first);
    assert_true((guessed >= first && guessed < first + 7 * PAGE) || !is_mapped(guessed));
    windows_take(&windows, first, 2 * PAGE, 1);
    assert_true(is_mapped(first + PAGE));
    assert_false(is_mapped(first + 2 * PAGE));
    const uint8_t *second = windows_peek(&windows, PAGE, true);
    assert_true(is_mapped(first + PAGE) && is_mapped(second));
    windows_close(&windows); /* the second was never taken */
    assert_false(is_mapped(second));
    assert_int_equal(munmap(first, 2 * PAGE), 0);
}

static void many_modules_leave_the_target_its_mappings(void **state)
{
    struct windows windows;
    (void)state;
    windows_init(&windows);
    uint32_t total = 0;
    for (unsigned module = 0; module < 4000; module++) {
        uint32_t mappings = windows_allow(&windows, 20) ? 20 : 1;
        windows_take(&windows, NULL, PAGE, mappings);
        total += mappings;
    }
    assert_true(total > MAPPINGS_MAX - 20 && total <= MAPPINGS_MAX + 4000);
    assert_false(windows_allow(&windows, 1));
    assert_false(windows_allow(&windows, UINT32_MAX));
    assert_true(windows_leave_some());
}

static void first_region_is_low(void **state)
{
    struct windows windows;
    (void)state;
    windows_init(&windows);
    const uint8_t *place = windows_peek(&windows, PAGE, false);
    assert_non_null(place);
    assert_true((uintptr_t)place + region_len(&windows) <= TWO_GIB);
    assert_int_equal((uintptr_t)place % PAGE, 0);
    give_back(&windows);
}

/* All its windows are reserved at once, so that nobody else comes between two shards. */
static void whole_region_is_reserved(void **state)
{
    struct windows windows;
    (void)state;
    windows_init(&windows);
    const uint8_t *place = windows_peek(&windows, PAGE, false);
    for (uint32_t s = 0; s < windows.shard_count; s++)
        assert_true(is_mapped(place + ((size_t)s << WINDOW_BITS)));
    give_back(&windows);
}

static void offer_stands_until_it_is_taken(void **state)
{
    struct windows windows;
    (void)state;
    windows_init(&windows);
    const uint8_t *first = windows_peek(&windows, PAGE, false);
    assert_ptr_equal(windows_peek(&windows, 2 * PAGE, false), first);
    windows_take(&windows, first, 2 * PAGE, 1);
    assert_ptr_equal(windows_peek(&windows, PAGE, false), first + 2 * PAGE);
    windows_take(&windows, first, PAGE, 1); /* not what was offered last */
    assert_ptr_equal(windows_peek(&windows, PAGE, false), first + 2 * PAGE);
    give_back(&windows);
}

static void full_window_is_followed_by_another_region(void **state)
{
    struct windows windows;
    (void)state;
    windows_init(&windows);
    const uint8_t *first = windows_peek(&windows, WINDOW_LEN - PAGE, false);
    windows_take(&windows, first, WINDOW_LEN - PAGE, 1);
    const uint8_t *other = windows_peek(&windows, 2 * PAGE, false);
    assert_non_null(other);
    assert_int_equal(windows.region_count, 2);
    windows_take(&windows, other, 2 * PAGE, 1);
    /* what still fits into the first goes there */
    assert_ptr_equal(windows_peek(&windows, PAGE, false), first + WINDOW_LEN - PAGE);
    give_back(&windows);
}

/* One after the other, and beside no region: nothing lies between them. */
static void modules_with_one_shard_take_no_window(void **state)
{
    struct windows windows;
    (void)state;
    windows_init(&windows);
    const uint8_t *first = windows_peek(&windows, PAGE, true);
    assert_non_null(first);
    assert_ptr_equal(windows_peek(&windows, 2 * PAGE, true), first);
    windows_take(&windows, first, 2 * PAGE, 1);
    assert_ptr_equal(windows_peek(&windows, PAGE, true), first + 2 * PAGE);
    assert_int_equal(windows.region_count, 0);
    windows_take(&windows, first + 2 * PAGE, WINDOW_LEN - 2 * PAGE, 1);
    assert_true(is_mapped(windows_peek(&windows, PAGE, true)));
    assert_int_equal(windows.mapping_count, 2);
    give_back(&windows);
    assert_int_equal(munmap((void *)(uintptr_t)first, WINDOW_LEN), 0);
    assert_int_equal(munmap(windows.single.start, WINDOW_LEN), 0);
}

static void taken_low_places_are_left_alone(void **state)
{
    static const uintptr_t lows[] = {0x10000000, 0x30000000, 0x50000000};
    struct windows windows;
    void *taken[ARRAY_LEN(lows)];
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(lows); i++) {
        taken[i] = mmap((void *)(lows[i] + 5 * PAGE), PAGE, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        if (taken[i] != MAP_FAILED)
            *(uint8_t *)taken[i] = 77;
    }
    windows_init(&windows);
    const uint8_t *place = windows_peek(&windows, PAGE, false);
    assert_non_null(place);
    windows_take(&windows, place, PAGE, 1);
    for (size_t i = 0; i < ARRAY_LEN(lows); i++) {
        if (taken[i] == MAP_FAILED)
            continue;
        assert_int_equal(*(uint8_t *)taken[i], 77);
        assert_int_equal(munmap(taken[i], PAGE), 0);
    }
    give_back(&windows);
}

static void more_than_a_window_has_a_place_of_its_own(void **state)
{
    struct windows windows;
    size_t len = WINDOW_LEN + PAGE;
    (void)state;
    windows_init(&windows);
    uint8_t *large = windows_peek(&windows, len, false);
    assert_non_null(large);
    assert_int_equal(windows.region_count, 0);
    windows_take(&windows, large, len, 1);
    assert_true(is_mapped(large + WINDOW_LEN));
    const uint8_t *small = windows_peek(&windows, PAGE, false);
    assert_true(small + region_len(&windows) <= large || small >= large + len);
    assert_int_equal(munmap(large, len), 0);
    give_back(&windows);
}

static void regions_end_at_a_limit(void **state)
{
    struct windows windows;
    (void)state;
    windows_init(&windows);
    for (unsigned i = 0; i < REGIONS_MAX; i++) {
        const uint8_t *place = windows_peek(&windows, WINDOW_LEN, false);
        assert_non_null(place);
        windows_take(&windows, place, WINDOW_LEN, 1);
    }
    assert_null(windows_peek(&windows, PAGE, false));
    give_back(&windows);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(limited_address_space_is_the_targets),
    cmocka_unit_test(little_address_space_is_taken_by_counters_alone),
    cmocka_unit_test(many_modules_leave_the_target_its_mappings),
    cmocka_unit_test(first_region_is_low),
    cmocka_unit_test(whole_region_is_reserved),
    cmocka_unit_test(offer_stands_until_it_is_taken),
    cmocka_unit_test(full_window_is_followed_by_another_region),
    cmocka_unit_test(modules_with_one_shard_take_no_window),
    cmocka_unit_test(taken_low_places_are_left_alone),
    cmocka_unit_test(more_than_a_window_has_a_place_of_its_own),
    cmocka_unit_test(regions_end_at_a_limit),
};
UNIT_TESTS(tests);
