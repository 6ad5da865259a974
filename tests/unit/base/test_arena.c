/* test_arena.c - memory comes zeroed, aligned and within the limit, and is forgotten all at once.
 */
#include <stdalign.h>

#include "base/arena.h"
#include "tests/support/check.h"

static bool is_aligned(const void *p)
{
    return (uintptr_t)p % alignof(max_align_t) == 0;
}

static void items_are_zeroed_and_aligned(void **state)
{
    (void)state;
    struct arena arena;
    struct err err;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t size = 1; size < 300; size++) {
        uint8_t *dirty = arena_raw(&arena, size, 1, &err);
        assert_non_null(dirty);
        memset(dirty, 0xAA, size);
        uint8_t *clean = arena_alloc(&arena, size, 3, &err);
        assert_non_null(clean);
        assert_true(is_aligned(dirty) && is_aligned(clean));
        for (size_t i = 0; i < size * 3; i++)
            assert_int_equal(clean[i], 0);
    }
    arena_free(&arena);
}

static void items_do_not_overlap(void **state)
{
    (void)state;
    struct arena arena;
    struct err err;
    uint32_t *items[2000];
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (uint32_t i = 0; i < ARRAY_LEN(items); i++) {
        size_t count = 1 + i * 7 % 90;
        items[i] = arena_raw(&arena, count, sizeof *items[i], &err);
        assert_non_null(items[i]);
        for (size_t k = 0; k < count; k++)
            items[i][k] = i;
    }
    for (uint32_t i = 0; i < ARRAY_LEN(items); i++)
        for (size_t k = 0; k < 1 + i * 7 % 90; k++)
            assert_int_equal(items[i][k], i);
    arena_free(&arena);
}

static void nothing_still_has_an_address_of_its_own(void **state)
{
    (void)state;
    struct arena arena;
    struct err err;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    void *a = arena_alloc(&arena, 0, 8, &err), *b = arena_alloc(&arena, 8, 0, &err);
    assert_non_null(a);
    assert_non_null(b);
    assert_ptr_not_equal(a, b);
    arena_free(&arena);
}

static void limit_is_kept(void **state)
{
    (void)state;
    struct arena arena;
    struct err err;
    arena_init(&arena, NULL, 0, 100);
    assert_non_null(arena_alloc(&arena, 1, 100, &err));
    assert_failed(arena_alloc(&arena, 1, 1, &err) != NULL, err, ERR_LIMIT);
    arena_reset(&arena);
    assert_non_null(arena_alloc(&arena, 10, 10, &err));
    assert_null(arena_alloc(&arena, 1, 1, NULL)); /* err may be NULL */
    arena_free(&arena);
}

static void multiplication_that_overflows_is_over_the_limit(void **state)
{
    (void)state;
    struct arena arena;
    struct err err;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_failed(arena_alloc(&arena, SIZE_MAX / 2, 3, &err) != NULL, err, ERR_LIMIT);
    assert_failed(arena_raw(&arena, SIZE_MAX, SIZE_MAX, &err) != NULL, err, ERR_LIMIT);
    assert_int_equal(arena.used, 0);
    arena_free(&arena);
}

static void absurd_sizes_are_out_of_memory(void **state)
{
    (void)state;
#if !defined(__SANITIZE_ADDRESS__) /* which stops at such a malloc */
    struct arena arena;
    struct err err;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_failed(arena_raw(&arena, SIZE_MAX / 4, 1, &err) != NULL, err, ERR_MEMORY);
    arena_free(&arena);
#endif
}

static void first_buffer_is_used_before_malloc(void **state)
{
    (void)state;
    alignas(max_align_t) uint8_t first[256];
    struct arena arena;
    struct err err;
    arena_init(&arena, first, sizeof first, ARENA_NO_LIMIT);
    uint8_t *item = arena_alloc(&arena, 1, 100, &err);
    assert_non_null(item);
#ifndef ILCOV_DEBUG_ARENA
    assert_true(item >= first && item + 100 <= first + sizeof first);
    assert_null(arena.blocks);
#endif
    assert_non_null(arena_alloc(&arena, 1, 1000, &err)); /* does not fit: a block */
    arena_free(&arena);
    assert_non_null(arena_alloc(&arena, 1, 100, &err));
    arena_free(&arena);
}

static void reset_forgets_and_reuses(void **state)
{
    (void)state;
    struct arena arena;
    struct err err;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (unsigned round = 0; round < 3; round++) {
        for (unsigned i = 0; i < 100; i++)
            assert_non_null(arena_alloc(&arena, 1, 5000, &err));
        assert_int_equal(arena.used, 500000);
        arena_reset(&arena);
        assert_int_equal(arena.used, 0);
    }
    arena_free(&arena);
    arena_free(&arena); /* twice does no harm */
}

static void copied_text_ends_with_a_nul(void **state)
{
    (void)state;
    struct arena arena;
    struct err err;
    arena_init(&arena, NULL, 0, 20);
    assert_string_equal(arena_copy_text(&arena, "abcdef", 3, &err), "abc");
    assert_string_equal(arena_copy_text(&arena, NULL, 0, &err), "");
    assert_failed(arena_copy_text(&arena, "a text of many bytes", 20, &err) != NULL, err,
                  ERR_LIMIT);
    arena_free(&arena);
}

/* Of any size, with others before and after it, in a block of its own or not. */
static void a_copy_has_the_same_items_elsewhere(void **state)
{
    static const uint32_t items[] = {3, 1, 2};
    struct arena arena;
    struct err err = {.code = ERR_NONE};
    (void)state;
    arena_init(&arena, NULL, 0, sizeof items + 64);
    uint32_t *copy = arena_copy(&arena, items, ARRAY_LEN(items), sizeof *items, &err);
    assert_ptr_not_equal(copy, items);
    assert_memory_equal(copy, items, sizeof items);
    assert_non_null(arena_copy(&arena, NULL, 0, sizeof *items, &err));
    assert_failed(arena_copy(&arena, items, SIZE_MAX, sizeof *items, &err) != NULL, err, ERR_LIMIT);
    arena_free(&arena);
}

static void grown_item_keeps_what_it_held(void **state)
{
    static const size_t sizes[] = {1, 15, 16, 400, 5000, 20000, 100000, 1000000};
    (void)state;
    for (size_t first = 0; first < ARRAY_LEN(sizes); first++)
        for (unsigned between = 0; between < 2; between++) {
            struct arena arena;
            struct err err;
            arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
            uint8_t *before = arena_alloc(&arena, 1, 10, &err), *after = before;
            uint8_t *item = arena_raw(&arena, 1, sizes[first], &err);
            assert_non_null(item);
            memset(item, 0xAA, sizes[first]);
            for (size_t i = first + 1; i < ARRAY_LEN(sizes); i++) {
                if (between)
                    after = arena_alloc(&arena, 1, 10, &err);
                item = arena_grow(&arena, item, sizes[i - 1], sizes[i], &err);
                assert_non_null(item);
                for (size_t k = 0; k < sizes[i - 1]; k++)
                    assert_int_equal(item[k], 0xAA);
                memset(item, 0xAA, sizes[i]);
            }
            assert_memory_equal(before, ((uint8_t[10]){0}), 10);
            assert_memory_equal(after, ((uint8_t[10]){0}), 10);
            memset(arena_raw(&arena, 1, 100, &err), 1, 100);
            arena_reset(&arena);
            assert_non_null(arena_alloc(&arena, 1, 100, &err));
            arena_free(&arena);
        }
}

static void growing_from_nothing_allocates(void **state)
{
    (void)state;
    struct arena arena;
    struct err err;
    arena_init(&arena, NULL, 0, 100);
    void *item = arena_grow(&arena, NULL, 0, 60, &err);
    assert_true(item != NULL && is_aligned(item));
    assert_failed(arena_grow(&arena, item, 60, 101, &err) != NULL, err, ERR_LIMIT);
    arena_free(&arena);
}

/* A large item leaves the room of the block that others share. */
static void large_item_takes_no_room_from_others(void **state)
{
    (void)state;
#ifndef ILCOV_DEBUG_ARENA
    struct arena arena;
    struct err err;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    uint8_t *small = arena_alloc(&arena, 1, 16, &err);
    assert_non_null(arena_alloc(&arena, 1, 1000000, &err));
    assert_ptr_equal(arena_alloc(&arena, 1, 16, &err), small + 16);
    arena_free(&arena);
#endif
}

static void last_item_gives_back_its_end(void **state)
{
    (void)state;
#ifndef ILCOV_DEBUG_ARENA
    struct arena arena;
    struct err err;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    uint8_t *a = arena_alloc(&arena, 1, 160, &err);
    arena_shrink(&arena, a, 160, 32);
    uint8_t *b = arena_alloc(&arena, 1, 16, &err);
    assert_ptr_equal(b, a + 32);
    arena_shrink(&arena, a, 32, 16); /* no longer the last */
    assert_ptr_equal(arena_alloc(&arena, 1, 16, &err), b + 16);
    assert_int_equal(arena.used, 64);
    arena_free(&arena);
#endif
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(items_are_zeroed_and_aligned),
    cmocka_unit_test(items_do_not_overlap),
    cmocka_unit_test(nothing_still_has_an_address_of_its_own),
    cmocka_unit_test(limit_is_kept),
    cmocka_unit_test(multiplication_that_overflows_is_over_the_limit),
    cmocka_unit_test(absurd_sizes_are_out_of_memory),
    cmocka_unit_test(first_buffer_is_used_before_malloc),
    cmocka_unit_test(reset_forgets_and_reuses),
    cmocka_unit_test(copied_text_ends_with_a_nul),
    cmocka_unit_test(a_copy_has_the_same_items_elsewhere),
    cmocka_unit_test(grown_item_keeps_what_it_held),
    cmocka_unit_test(growing_from_nothing_allocates),
    cmocka_unit_test(large_item_takes_no_room_from_others),
    cmocka_unit_test(last_item_gives_back_its_end),
};
UNIT_TESTS(tests);
