/* test_shard_table.c - each stack has entries of its own, wherever it lies and however small. */
#include "profiler/shard_memory/shard_table.h"

#include "rewriter/rewrite.h"
#include "system/memory.h"
#include "tests/support/check.h"

enum {
    CHUNK = 1 << REWRITE_CHUNK_BITS
};

/* What the entry sequence of a method does (rewriter/rewrite.c). */
static uint64_t as_code_reads(const struct shard_table *table, uintptr_t address)
{
    uint64_t chunk = (uint64_t)address >> 14;
    if (table->chunks != 0)
        chunk &= table->chunks;
    return *(const uint64_t *)(uintptr_t)((chunk << 3) + (uintptr_t)table->entries);
}

static struct shard_table opened(bool limited)
{
    struct shard_table table;
    assert_true(shard_table_open(&table, limited));
    return table;
}

static void address_that_nobody_has_counts_in_shard_0(void **state)
{
    static const uintptr_t addresses[] = {0, 0x10000000, 0x7F0012345678, 0x7FFFFFFFFFFF};
    (void)state;
    for (int limited = 0; limited < 2; limited++) {
        struct shard_table table = opened(limited != 0);
        for (size_t i = 0; i < ARRAY_LEN(addresses); i++)
            assert_true(as_code_reads(&table, addresses[i]) == 0);
        assert_true(table.entries[-1] == 0);
        shard_table_close(&table);
    }
}

/* Stacks of 128 KiB to 8 MiB, one right after the other and its guard, at odd pages. */
static void neighbouring_stacks_have_their_own_entries(void **state)
{
    static const size_t lens[] = {128 << 10, 256 << 10, 1536 << 10, 8 << 20, (1 << 20) + 4096};
    enum {
        STACKS = 200
    };
    (void)state;
    for (int limited = 0; limited < 2; limited++) {
        struct shard_table table = opened(limited != 0);
        for (size_t l = 0; l < ARRAY_LEN(lens); l++) {
            uintptr_t high = 0x7F3312345000, low[STACKS];
            for (unsigned i = 0; i < STACKS; i++) {
                low[i] = high - lens[l];
                assert_true(shard_table_set(&table, (struct thread_stack){low[i], high}, i + 1));
                high = low[i] - 4096;
            }
            for (unsigned i = 0; i < STACKS; i++)
                for (uintptr_t at = low[i] + CHUNK; at < low[i] + lens[l]; at += 4096)
                    assert_true(as_code_reads(&table, at) == i + 1);
        }
        shard_table_close(&table);
    }
}

static void small_stack_has_an_entry(void **state)
{
    struct shard_table table = opened(false);
    (void)state;
    uintptr_t high = 0x7F3312345000;
    assert_true(shard_table_set(&table, (struct thread_stack){high - 4096, high}, 9));
    assert_true(as_code_reads(&table, high - 1) == 9);
    shard_table_close(&table);
}

/* Whose distance is not a multiple of what the small table covers, so in either. */
static void stacks_far_apart_have_their_own_entries(void **state)
{
    static const uintptr_t highs[] = {0x7FFD12340000, 0x7F3312345000, 0x10000000, 0x550012341000};
    (void)state;
    for (int limited = 0; limited < 2; limited++) {
        struct shard_table table = opened(limited != 0);
        for (size_t i = 0; i < ARRAY_LEN(highs); i++)
            assert_true(
                shard_table_set(&table, (struct thread_stack){highs[i] - (1 << 20), highs[i]}, i));
        for (size_t i = 0; i < ARRAY_LEN(highs); i++) {
            assert_true(as_code_reads(&table, highs[i] - 1) == i);
            assert_true(shard_table_get(&table, highs[i] - 1) == i);
        }
        shard_table_close(&table);
    }
}

/* Only the whole table tells them apart: eight stacks, each 16 GiB above the last. */
static void only_a_table_of_part_of_the_addresses_confuses_stacks(void **state)
{
    const uintptr_t distance = (uintptr_t)16 << 30, first = 0x550012340000;
    (void)state;
    for (int limited = 0; limited < 2; limited++) {
        struct shard_table table = opened(limited != 0);
        for (unsigned i = 0; i < 8; i++) {
            uintptr_t high = first + i * distance;
            assert_true(shard_table_set(&table, (struct thread_stack){high - (1 << 20), high}, i));
        }
        for (unsigned i = 0; i < 8; i++)
            assert_true(as_code_reads(&table, first + i * distance - 1) == (limited ? 7 : i));
        shard_table_close(&table);
    }
}

static void stack_across_the_end_of_a_small_table_wraps(void **state)
{
    struct shard_table table = opened(true);
    uintptr_t high = ((uintptr_t)16 << 30) * 100 + 4 * CHUNK;
    (void)state;
    assert_true(shard_table_set(&table, (struct thread_stack){high - 8 * CHUNK, high}, 5));
    for (unsigned i = 0; i < 8; i++)
        assert_true(as_code_reads(&table, high - 1 - i * CHUNK) == 5);
    assert_true(as_code_reads(&table, high) == 0);
    assert_true(as_code_reads(&table, high - 8 * CHUNK - 1) == 0);
    shard_table_close(&table);
}

/* The table would end before it. */
static void stack_at_an_address_that_no_stack_has_is_refused(void **state)
{
    struct shard_table table = opened(false);
    uintptr_t high = (uintptr_t)1 << 56;
    (void)state;
    assert_false(shard_table_set(&table, (struct thread_stack){high - (1 << 20), high}, 5));
    assert_true(shard_table_get(&table, high - 1) == 0);
    shard_table_close(&table);
}

static void table_lies_where_its_address_fits_an_instruction(void **state)
{
    struct shard_table table = opened(false);
    (void)state;
#ifdef __SANITIZE_ADDRESS__ /* which has its own table there */
    shard_table_close(&table);
    skip();
#endif
    assert_true((uintptr_t)table.entries < (uintptr_t)1 << 31);
    shard_table_close(&table);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(address_that_nobody_has_counts_in_shard_0),
    cmocka_unit_test(neighbouring_stacks_have_their_own_entries),
    cmocka_unit_test(small_stack_has_an_entry),
    cmocka_unit_test(stacks_far_apart_have_their_own_entries),
    cmocka_unit_test(only_a_table_of_part_of_the_addresses_confuses_stacks),
    cmocka_unit_test(stack_across_the_end_of_a_small_table_wraps),
    cmocka_unit_test(stack_at_an_address_that_no_stack_has_is_refused),
    cmocka_unit_test(table_lies_where_its_address_fits_an_instruction),
};
UNIT_TESTS(tests);
