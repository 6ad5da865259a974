/* What runs of each kind add up to. */
#include "coverage/facts/sums.h"
#include "tests/support/check.h"
#include "tests/support/facts_fixture.h"

static struct arena arena;
static struct facts facts;

static int open_fixture(void **state)
{
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    fixture_facts(&facts, &arena);
    return 0;
}

static int close_fixture(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static struct sums sum(uint32_t module, enum sums_of of)
{
    struct sums sums;
    assert_true(sums_make(&sums, &facts, module, of, &arena, NULL));
    return sums;
}

static void sum_adds_up_the_runs(void **state)
{
    struct sums core = sum(FIXTURE_CORE, SUMS_REAL), data = sum(FIXTURE_DATA, SUMS_REAL);
    (void)state;
    assert_int_equal(core.counts[10], 8);
    assert_int_equal(core.counts[12], 4);
    assert_int_equal(core.counts[38], 0);
    for (uint32_t i = 0; i < facts.modules[FIXTURE_DATA].count_len; i++)
        assert_int_equal(data.counts[i], 0);
}

static void sum_saturates(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < facts.counts_count; i++)
        if (facts.counts[i].module == FIXTURE_CORE)
            facts.counts[i].counts[10] = UINT64_MAX - 5;
    assert_true(sum(FIXTURE_CORE, SUMS_REAL).counts[10] == UINT64_MAX);
}

/* Method 8, Twice(), was not hit; 2, Total(), was in both runs; 11 is Send()'s state machine. */
enum {
    TOTAL = 2,
    SEND = 3,
    TWICE = 8,
    MOVE_NEXT = 11,
    TWICE_COUNT = 31,
    TOTAL_COUNT = 10
};

static void whole_run_tells_of_all_methods_of_a_module_that_it_loaded(void **state)
{
    struct sums core = sum(FIXTURE_CORE, SUMS_REAL), data = sum(FIXTURE_DATA, SUMS_REAL);
    (void)state;
    assert_true(core.ran[TWICE] && core.ran[TOTAL]);
    assert_false(data.ran[0] || data.ran[1]);
}

static void partial_run_tells_only_of_what_it_hit(void **state)
{
    (void)state;
    facts.runs[0].kind = RUN_PARTIAL;
    struct sums core = sum(FIXTURE_CORE, SUMS_REAL);
    assert_false(core.ran[TWICE]);
    assert_true(core.ran[TOTAL]);
    assert_true(core.ran[SEND] && core.ran[MOVE_NEXT]);
}

static void carry_twice_and_total(void)
{
    for (uint32_t i = 0; i < facts.counts_count; i++)
        if (facts.counts[i].run == 1)
            for (uint32_t k = 0; k < facts.modules[facts.counts[i].module].count_len; k++)
                facts.counts[i].counts[k] = k == TWICE_COUNT || k == TOTAL_COUNT ? 100 : 0;
    facts.runs[1].kind = RUN_CARRIED;
}

static void carried_counts_stand_in_for_what_did_not_run_alone(void **state)
{
    (void)state;
    carry_twice_and_total();
    facts.runs[0].kind = RUN_PARTIAL;
    struct sums core = sum(FIXTURE_CORE, SUMS_WITH_CARRIED);
    assert_int_equal(core.counts[TWICE_COUNT], 100);
    assert_int_equal(core.counts[TOTAL_COUNT], 7);
    assert_true(core.is_carried[TWICE]);
    assert_false(core.is_carried[TOTAL]);
    assert_int_equal(sum(FIXTURE_CORE, SUMS_REAL).counts[TWICE_COUNT], 0);
}

static void real_counts_beat_carried_ones_even_when_they_are_none(void **state)
{
    (void)state;
    carry_twice_and_total();
    struct sums core = sum(FIXTURE_CORE, SUMS_WITH_CARRIED);
    assert_int_equal(core.counts[TWICE_COUNT], 0);
    assert_int_equal(core.counts[TOTAL_COUNT], 7);
    assert_false(core.is_carried[TWICE]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)

static const struct CMUnitTest tests[] = {
    TEST(sum_adds_up_the_runs),
    TEST(sum_saturates),
    TEST(whole_run_tells_of_all_methods_of_a_module_that_it_loaded),
    TEST(partial_run_tells_only_of_what_it_hit),
    TEST(carried_counts_stand_in_for_what_did_not_run_alone),
    TEST(real_counts_beat_carried_ones_even_when_they_are_none),
};
UNIT_TESTS(tests);
