/* Tests that a partial run left out keep what they hit in BASE, as far as it is the same code. */
#include "coverage/merge/carry_tests.h"

#include <stdlib.h>

#include "coverage/facts/index_set.h"
#include "coverage/merge/carry.h"
#include "tests/support/check.h"
#include "tests/support/test_hands.h"

enum {
    LIB,
    SUITE,
    ROOM = 16
};

static struct facts carried;
static struct fact_test tests_of_base[ROOM], tests_of_head[ROOM];
static struct fact_hits hits_of_base[ROOM], hits_of_head[ROOM];

static void add_lib(struct hand *hand, uint8_t build, const char *edited)
{
    hand_module(hand, "Lib", build);
    (void)hand_method(hand, "N.C", "Same", "()", "ab Cd");
    (void)hand_method(hand, "N.C", "Edited", "()", edited);
    uint32_t user = hand_method(hand, "N.C", "Outer", "()", "gh");
    (void)hand_made(hand, user, "N.C/<>c", "<Outer>b__0", "i j");
}

/* Tests of the class T.A; T.A/D is nested in it. */
static void begin_suite(struct hand *hand, uint8_t build)
{
    hand_module(hand, "Suite", build);
    hand->facts.modules[hand->facts.module_count - 1].state = MODULE_SKIPPED;
    (void)hand_method(hand, "T.A", ".ctor", "()", "k");
    (void)hand_method(hand, "T.A", "One", "()", "lm");
    (void)hand_method(hand, "T.A/D", "Inner", "()", "op");
}

static void make_base(void)
{
    add_lib(&base, 1, "ef");
    begin_suite(&base, 3);
    (void)hand_method(&base, "T.A", "Two", "()", "qr");
    hand_lay_out(&base);
    (void)hand_run(&base, 0xBA, RUN_MEASURED);
    base.facts.tests = tests_of_base;
    base.facts.hits = hits_of_base;
}

static void begin_head(enum run_kind kind)
{
    (void)hand_run(&head, 1, kind);
    head.facts.tests = tests_of_head;
    head.facts.hits = hits_of_head;
}

/* `two`: the code of the test Two; NULL: it is gone. */
static void make_head(enum run_kind kind, const char *two)
{
    add_lib(&head, 2, "ex");
    begin_suite(&head, 4);
    if (two != NULL)
        (void)hand_method(&head, "T.A", "Two", "()", two);
    hand_lay_out(&head);
    begin_head(kind);
}

static uint32_t context(struct hand *hand, enum test_kind kind, const char *name)
{
    uint32_t index = hand->facts.test_count++;
    assert_true(index < ROOM);
    hand->facts.tests[index] = (struct fact_test){
        .name = str_of(name), .kind = kind, .end = TEST_RETURNED, .ns = 5, .rows = 1};
    return index;
}

/* The test hits the first statement of the method. */
static void hit(struct hand *hand, uint32_t test, uint32_t module, const char *method)
{
    struct writer counts, tests;
    uint32_t place = hand_place(hand, module, method, 0);
    counts = wr_in(&arena);
    tests = wr_in(&arena);
    index_set_write_list(&counts, &place, 1);
    index_set_write_list(&tests, &test, 1);
    assert_true(hand->facts.hits_count < ROOM);
    hand->facts.hits[hand->facts.hits_count++] =
        (struct fact_hits){module, {counts.data, counts.len}, {tests.data, tests.len}};
}

static void carry_over(void)
{
    struct err err = {0};
    uint64_t methods;
    assert_true(facts_check(&head.facts, &err) && facts_check(&base.facts, &err));
    if (!carry(&carried, &methods, &head.facts, &base.facts, &arena, &err))
        fail_msg("%s", err.text);
    assert_true(facts_check(&carried, &err));
}

static const struct fact_test *find(const char *name)
{
    for (uint32_t i = 0; i < carried.test_count; i++)
        if (str_is(carried.tests[i].name, name))
            return &carried.tests[i];
    return NULL;
}

static bool has(struct view set, uint32_t number)
{
    bool marks[512] = {false};
    index_set_mark(marks, set);
    return marks[number];
}

/* Does a carried test hit the first statement of HEAD's method? */
static bool hits(const char *name, uint32_t module, const char *method)
{
    const struct fact_test *test = find(name);
    uint32_t place = hand_place(&head, module, method, 0);
    bool found = false;
    assert_non_null(test);
    for (uint32_t i = 0; i < carried.hits_count; i++)
        found |= carried.hits[i].module == module && has(carried.hits[i].counts, place) &&
                 has(carried.hits[i].tests, (uint32_t)(test - carried.tests));
    return found;
}

static bool is_stale(const char *name)
{
    const struct fact_test *test = find(name);
    assert_non_null(test);
    return test->rows == 0 && test->ns == 0 && test->end == TEST_END_UNKNOWN;
}

/* --- tests ------------------------------------------------------------------------------------ */

static void test_that_did_not_run_keeps_what_it_hit(void **state)
{
    (void)state;
    make_base();
    make_head(RUN_PARTIAL, "qr");
    uint32_t one = context(&base, TEST_METHOD, "T.A.One");
    hit(&base, one, LIB, "Same");
    hit(&base, one, LIB, "<Outer>b__0");
    hit(&base, one, SUITE, "One");
    hit(&head, context(&head, TEST_METHOD, "T.A.Two"), LIB, "Same");
    carry_over();
    assert_int_equal(carried.test_count, 1);
    assert_true(hits("T.A.One", LIB, "Same") && hits("T.A.One", LIB, "<Outer>b__0"));
    assert_true(hits("T.A.One", SUITE, "One"));
    assert_false(hits("T.A.One", LIB, "Outer") || hits("T.A.One", SUITE, "Two"));
    assert_false(is_stale("T.A.One"));
    assert_int_equal(find("T.A.One")->rows, 1);
}

static void test_that_ran_again_has_none_of_its_older_hits(void **state)
{
    (void)state;
    make_base();
    make_head(RUN_PARTIAL, "qr");
    uint32_t one = context(&base, TEST_METHOD, "T.A.One"),
             two = context(&base, TEST_METHOD, "T.A.Two");
    hit(&base, one, LIB, "Same");
    hit(&base, two, LIB, "Outer");
    hit(&head, context(&head, TEST_METHOD, "T.A.Two"), LIB, "Edited");
    carry_over();
    assert_null(find("T.A.Two"));
    assert_int_equal(carried.hits_count, 1);
    assert_true(hits("T.A.One", LIB, "Same"));
}

static void test_of_edited_code_that_did_not_run_again_is_stale(void **state)
{
    (void)state;
    make_base();
    make_head(RUN_PARTIAL, "qr");
    uint32_t one = context(&base, TEST_METHOD, "T.A.One");
    hit(&base, one, LIB, "Same");
    hit(&base, one, LIB, "Edited");
    hit(&base, context(&base, TEST_METHOD, "T.A.Two"), LIB, "Same");
    (void)context(&head, TEST_METHOD, "T.A.Other");
    carry_over();
    assert_true(hits("T.A.One", LIB, "Same"));
    assert_false(hits("T.A.One", LIB, "Edited"));
    assert_true(is_stale("T.A.One"));
    assert_false(is_stale("T.A.Two"));
}

static void test_of_an_assembly_that_head_does_not_have_is_stale(void **state)
{
    (void)state;
    make_base();
    begin_suite(&head, 4);
    hand_lay_out(&head);
    begin_head(RUN_PARTIAL);
    (void)context(&head, TEST_METHOD, "T.A.Other");
    hit(&base, context(&base, TEST_METHOD, "T.A.One"), LIB, "Same");
    carry_over();
    assert_true(is_stale("T.A.One"));
    assert_int_equal(carried.hits_count, 0);
}

static void test_that_changed_or_is_gone_is_not_carried(void **state)
{
    static const char *const now[] = {"qx", NULL};
    for (size_t i = 0; i < ARRAY_LEN(now); i++) {
        (void)close_hands(state);
        (void)open_hands(state);
        make_base();
        make_head(RUN_PARTIAL, now[i]);
        (void)context(&base, TEST_METHOD, "T.A.One");
        hit(&base, context(&base, TEST_METHOD, "T.A.Two"), LIB, "Same");
        (void)context(&head, TEST_METHOD, "T.A.Other");
        carry_over();
        assert_null(find("T.A.Two"));
        assert_non_null(find("T.A.One"));
    }
}

static void test_with_another_attribute_is_not_carried(void **state)
{
    (void)state;
    make_base();
    make_head(RUN_PARTIAL, "qr");
    base.facts.modules[SUITE].methods[hand_find(&base, SUITE, "Two")].declaration = 1;
    head.facts.modules[SUITE].methods[hand_find(&head, SUITE, "Two")].declaration = 2;
    (void)context(&base, TEST_METHOD, "T.A.One");
    (void)context(&base, TEST_METHOD, "T.A.Two");
    (void)context(&head, TEST_METHOD, "T.A.Other");
    carry_over();
    assert_int_equal(carried.test_count, 1);
    assert_non_null(find("T.A.One"));
}

static void test_that_its_class_inherits_stays_as_long_as_the_class(void **state)
{
    (void)state;
    make_base();
    (void)hand_method(&base, "T.Gone", ".ctor", "()", "st");
    hand_lay_out(&base);
    make_head(RUN_PARTIAL, "qr");
    (void)context(&base, TEST_METHOD, "T.A+D.Inherited");
    (void)context(&base, TEST_METHOD, "T.Gone.Inherited");
    (void)context(&base, TEST_METHOD, "T.Unknown.Inherited");
    (void)context(&head, TEST_METHOD, "T.A.Other");
    carry_over();
    assert_non_null(find("T.A+D.Inherited"));
    assert_non_null(find("T.Unknown.Inherited"));
    assert_null(find("T.Gone.Inherited"));
}

static void test_of_several_runs_is_one(void **state)
{
    (void)state;
    make_base();
    (void)hand_run(&base, 0xBB, RUN_MEASURED);
    make_head(RUN_PARTIAL, "qr");
    uint32_t first = context(&base, TEST_METHOD, "T.A.One");
    uint32_t again = context(&base, TEST_METHOD, "T.A.One");
    base.facts.tests[again].run = 1;
    hit(&base, first, LIB, "Same");
    hit(&base, again, LIB, "Outer");
    (void)context(&head, TEST_METHOD, "T.A.Other");
    carry_over();
    assert_int_equal(carried.test_count, 1);
    assert_int_equal(carried.tests[0].run, 0);
    assert_true(hits("T.A.One", LIB, "Same") && hits("T.A.One", LIB, "Outer"));
}

static void each_build_of_head_gets_the_hits(void **state)
{
    (void)state;
    make_base();
    add_lib(&head, 2, "ex");
    add_lib(&head, 5, "ey");
    hand_lay_out(&head);
    begin_head(RUN_PARTIAL);
    (void)context(&head, TEST_METHOD, "T.A.Other");
    hit(&base, context(&base, TEST_METHOD, "T.Unknown.One"), LIB, "Same");
    carry_over();
    assert_true(hits("T.Unknown.One", 0, "Same") && hits("T.Unknown.One", 1, "Same"));
}

/* --- what runs around tests ------------------------------------------------------------------- */

static void what_runs_around_tests_is_carried_beside_what_ran_now(void **state)
{
    (void)state;
    make_base();
    make_head(RUN_PARTIAL, "qr");
    hit(&base, context(&base, TEST_CLASS, "T.A"), LIB, "Same");
    hit(&base, context(&base, TEST_STATIC, "N.C"), LIB, "Outer");
    hit(&base, context(&base, TEST_OUTSIDE, ""), LIB, "Same");
    hit(&head, context(&head, TEST_CLASS, "T.A"), LIB, "Edited");
    (void)context(&head, TEST_OUTSIDE, "");
    carry_over();
    assert_true(hits("T.A", LIB, "Same") && hits("N.C", LIB, "Outer") && hits("", LIB, "Same"));
    assert_int_equal(carried.test_count, 3);
}

static void what_hit_edited_code_and_ran_again_is_not_carried(void **state)
{
    (void)state;
    make_base();
    make_head(RUN_PARTIAL, "qr");
    uint32_t class = context(&base, TEST_CLASS, "T.A");
    hit(&base, class, LIB, "Same");
    hit(&base, class, LIB, "Edited");
    hit(&head, context(&head, TEST_CLASS, "T.A"), LIB, "Edited");
    carry_over();
    assert_int_equal(carried.test_count, 0);
    assert_int_equal(carried.hits_count, 0);
}

static void what_hit_nothing_that_is_there_is_not_carried(void **state)
{
    (void)state;
    make_base();
    make_head(RUN_PARTIAL, "qr");
    hit(&base, context(&base, TEST_STATIC, "N.C"), LIB, "Edited");
    (void)context(&base, TEST_CLASS, "T.A");
    (void)context(&head, TEST_METHOD, "T.A.Other");
    carry_over();
    assert_int_equal(carried.test_count, 0);
}

static void all_tests_are_stale_if_a_static_constructor_that_changed_did_not_run(void **state)
{
    (void)state;
    make_base();
    make_head(RUN_PARTIAL, "qr");
    uint32_t one = context(&base, TEST_METHOD, "T.A.One"),
             type = context(&base, TEST_STATIC, "N.C");
    hit(&base, one, LIB, "Outer");
    hit(&base, type, LIB, "Same");
    hit(&base, type, LIB, "Edited");
    (void)context(&head, TEST_METHOD, "T.A.Other");
    carry_over();
    assert_true(is_stale("T.A.One"));
    assert_true(hits("N.C", LIB, "Same"));
}

/* --- none ------------------------------------------------------------------------------------- */

static void whole_run_of_head_leaves_no_test_to_carry(void **state)
{
    (void)state;
    make_base();
    make_head(RUN_MEASURED, "qr");
    hit(&base, context(&base, TEST_METHOD, "T.A.One"), LIB, "Same");
    (void)context(&head, TEST_METHOD, "T.A.Two");
    carry_over();
    assert_int_equal(carried.test_count, 0);
    assert_int_equal(carried.hits_count, 0);
}

static void head_that_does_not_tell_tests_apart_gets_none(void **state)
{
    (void)state;
    make_base();
    make_head(RUN_PARTIAL, "qr");
    hit(&base, context(&base, TEST_METHOD, "T.A.One"), LIB, "Same");
    carry_over();
    assert_int_equal(carried.test_count, 0);
    assert_int_equal(carried.hits_count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_hands, close_hands)

static const struct CMUnitTest tests[] = {
    TEST(test_that_did_not_run_keeps_what_it_hit),
    TEST(test_that_ran_again_has_none_of_its_older_hits),
    TEST(test_of_edited_code_that_did_not_run_again_is_stale),
    TEST(test_of_an_assembly_that_head_does_not_have_is_stale),
    TEST(test_that_changed_or_is_gone_is_not_carried),
    TEST(test_with_another_attribute_is_not_carried),
    TEST(test_that_its_class_inherits_stays_as_long_as_the_class),
    TEST(test_of_several_runs_is_one),
    TEST(each_build_of_head_gets_the_hits),
    TEST(what_runs_around_tests_is_carried_beside_what_ran_now),
    TEST(what_hit_edited_code_and_ran_again_is_not_carried),
    TEST(what_hit_nothing_that_is_there_is_not_carried),
    TEST(all_tests_are_stale_if_a_static_constructor_that_changed_did_not_run),
    TEST(whole_run_of_head_leaves_no_test_to_carry),
    TEST(head_that_does_not_tell_tests_apart_gets_none),
};
UNIT_TESTS(tests);
