/* What HEAD did not run keeps BASE's counts where the code is the same. */
#include "coverage/merge/carry.h"

#include "coverage/facts/sums.h"
#include "tests/support/check.h"
#include "tests/support/test_hands.h"

static struct facts carried;
static uint64_t methods;

enum {
    BASE_HITS = 7
};

static void add_methods(struct hand *hand, uint8_t build, const char *edited)
{
    hand_module(hand, "Lib", build);
    (void)hand_method(hand, "N.C", "Same", "()", "ab Cd");
    (void)hand_method(hand, "N.C", "Edited", "()", edited);
    uint32_t user = hand_method(hand, "N.C", "Outer", "()", "gh");
    (void)hand_made(hand, user, "N.C/<>c", "<Outer>b__0", "i j");
    hand_lay_out(hand);
}

/* BASE ran all of it; what HEAD ran is for the test to say. */
static void make(enum run_kind base_kind)
{
    add_methods(&base, 1, "ef");
    add_methods(&head, 2, "ex");
    uint64_t *counts = hand_counts(&base, hand_run(&base, 0xBA, base_kind), 0);
    for (uint32_t i = 0; i < base.facts.modules[0].count_len; i++)
        counts[i] = BASE_HITS;
}

static void carry_over(void)
{
    struct err err = {0};
    assert_true(facts_check(&head.facts, &err) && facts_check(&base.facts, &err));
    if (!carry(&carried, &methods, &head.facts, &base.facts, &arena, &err))
        fail_msg("%s", err.text);
    assert_true(facts_check(&carried, &err));
}

/* Of the first statement. */
static uint64_t hits_of(const char *name)
{
    uint32_t place = hand_place(&head, 0, name, 0);
    return carried.counts_count != 0 ? carried.counts[0].counts[place] : 0;
}

static void module_that_head_never_loaded_keeps_the_counts_of_base(void **state)
{
    (void)state;
    make(RUN_MEASURED);
    carry_over();
    assert_int_equal(methods, 2);
    assert_int_equal(hits_of("Same"), BASE_HITS);
    assert_int_equal(hits_of("Outer"), BASE_HITS);
    assert_int_equal(hits_of("<Outer>b__0"), BASE_HITS);
    const struct fact_module *m = &head.facts.modules[0];
    for (uint32_t i = 0; i < m->decision_count; i++)
        assert_int_equal(carried.counts[0].counts[m->decisions[i].first_count + 1], BASE_HITS);
}

static void edited_method_keeps_nothing(void **state)
{
    (void)state;
    make(RUN_MEASURED);
    carry_over();
    assert_int_equal(hits_of("Edited"), 0);
    uint32_t edited = hand_find(&head, 0, "Edited");
    assert_int_equal(carried.counts[0].counts[head.facts.modules[0].methods[edited].entry_count],
                     0);
}

static void whole_run_of_head_leaves_nothing_to_carry(void **state)
{
    (void)state;
    make(RUN_MEASURED);
    (void)hand_counts(&head, hand_run(&head, 1, RUN_MEASURED), 0);
    carry_over();
    assert_int_equal(methods, 0);
    assert_int_equal(carried.counts_count, 0);
}

static void partial_run_of_head_keeps_what_it_hit_as_its_own(void **state)
{
    (void)state;
    make(RUN_MEASURED);
    uint64_t *counts = hand_counts(&head, hand_run(&head, 1, RUN_PARTIAL), 0);
    counts[hand_place(&head, 0, "<Outer>b__0", 1)] = 1; /* the lambda tells of the method, too */
    carry_over();
    assert_int_equal(methods, 1);
    assert_int_equal(hits_of("Same"), BASE_HITS);
    assert_int_equal(hits_of("Outer"), 0);
    assert_int_equal(hits_of("<Outer>b__0"), 0);
}

static void what_is_carried_says_from_which_run(void **state)
{
    (void)state;
    make(RUN_MEASURED);
    carry_over();
    assert_int_equal(carried.run_count, 1);
    assert_int_equal(carried.runs[0].kind, RUN_CARRIED);
    assert_str(carried.runs[0].label, "from run ba000000 of 2023-11-14");
    (void)hand_run(&base, 0xBB, RUN_MEASURED);
    uint8_t id[FACT_ID_LEN];
    memcpy(id, carried.runs[0].id, sizeof id);
    carry_over();
    assert_str(carried.runs[0].label, "from run bb000000 of 2023-11-14 and 1 before");
    assert_memory_not_equal(id, carried.runs[0].id, sizeof id);
}

static void same_base_is_the_same_run_squashed_or_not(void **state)
{
    static const uint8_t ids[2 * FACT_ID_LEN] = {0xBA, [FACT_ID_LEN] = 0xBB};
    uint8_t id[FACT_ID_LEN];
    (void)state;
    make(RUN_MEASURED);
    (void)hand_run(&base, 0xBB, RUN_MEASURED);
    carry_over();
    memcpy(id, carried.runs[0].id, sizeof id);
    base.facts.run_count = 1;
    base.facts.runs[0].id[0] = 0xCC;
    base.facts.runs[0].folded = VIEW(ids);
    carry_over();
    assert_memory_equal(id, carried.runs[0].id, sizeof id);
}

static void base_that_was_carried_itself_is_carried_on(void **state)
{
    (void)state;
    make(RUN_CARRIED);
    carry_over();
    assert_int_equal(hits_of("Same"), BASE_HITS);
}

static void assembly_that_head_does_not_know_is_not_carried(void **state)
{
    (void)state;
    make(RUN_MEASURED);
    head.facts.module_count = 0;
    carry_over();
    assert_int_equal(methods, 0);
    assert_int_equal(carried.module_count, 0);
    assert_int_equal(carried.counts_count, 0);
}

static void base_without_runs_gives_nothing(void **state)
{
    (void)state;
    make(RUN_MEASURED);
    base.facts.run_count = base.facts.counts_count = 0;
    carry_over();
    assert_int_equal(carried.run_count, 0);
    assert_int_equal(methods, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_hands, close_hands)

static const struct CMUnitTest tests[] = {
    TEST(module_that_head_never_loaded_keeps_the_counts_of_base),
    TEST(edited_method_keeps_nothing),
    TEST(whole_run_of_head_leaves_nothing_to_carry),
    TEST(partial_run_of_head_keeps_what_it_hit_as_its_own),
    TEST(what_is_carried_says_from_which_run),
    TEST(same_base_is_the_same_run_squashed_or_not),
    TEST(base_that_was_carried_itself_is_carried_on),
    TEST(assembly_that_head_does_not_know_is_not_carried),
    TEST(base_without_runs_gives_nothing),
};
UNIT_TESTS(tests);
