/* The user's methods with all that the compiler made of them, and whether their code is the
 * same. */
#include "coverage/merge/same_code.h"

#include "tests/support/check.h"
#include "tests/support/hand_facts.h"

static struct arena arena;
static struct hand hand;

static int open_hand(void **state)
{
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    hand_open(&hand, &arena);
    return 0;
}

static int close_hand(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static struct code code_of(uint32_t module)
{
    struct code code;
    struct err err = {0};
    hand_lay_out(&hand);
    assert_true(facts_check(&hand.facts, &err));
    if (!same_code_list(&code, &hand.facts.modules[module], &arena, &err))
        fail_msg("%s", err.text);
    return code;
}

/* M with a lambda and, when `lambda` is not NULL, another; above them a method that shifts their
 * numbers. */
static void build(uint8_t build_id, const char *code, const char *first, const char *lambda)
{
    hand_module(&hand, "Lib", build_id);
    if (build_id != 1)
        (void)hand_method(&hand, "N.C", "Above", "()", "xyz");
    uint32_t m = hand_method(&hand, "N.C", "M", "(System.Int32)", code);
    (void)hand_made(&hand, m, "N.C/<>c", build_id == 1 ? "<M>b__0_0" : "<M>b__1_0", first);
    if (lambda != NULL)
        (void)hand_made(&hand, m, "N.C/<>c", build_id == 1 ? "<M>b__0_1" : "<M>b__1_1", lambda);
}

static const struct code_method *find(const struct code *code, const char *name)
{
    for (uint32_t i = 0; i < code->count; i++)
        if (str_is(code->methods[i].name, name))
            return &code->methods[i];
    fail_msg("no %s", name);
    return NULL;
}

static bool same_m(void)
{
    struct code a = code_of(0), b = code_of(1);
    return same_code(&a, find(&a, "M"), &b, find(&b, "M"));
}

static void method_has_what_was_made_of_it(void **state)
{
    (void)state;
    build(1, "ab Cd", "e", "f g");
    struct code code = code_of(0);
    assert_int_equal(code.count, 1);
    const struct code_method *m = code.methods;
    assert_str(m->name, "M");
    assert_str(m->type, "N.C");
    assert_int_equal(m->member_count, 3);
    assert_int_equal(m->members[0].method, m->method);
    assert_int_equal(m->members[0].statement_count, 2);
    assert_int_equal(m->members[0].decision_count, 1);
    assert_str(m->members[1].type, "<>c");
    assert_str(m->members[1].name, "<>b__");
    assert_int_equal(m->members[2].statement_count, 2);
}

static void same_code_under_other_numbers_is_the_same(void **state)
{
    (void)state;
    build(1, "ab Cd", "e", "f g");
    build(2, "ab Cd", "e", "f g");
    assert_true(same_m());
}

static void other_code_is_not(void **state)
{
    (void)state;
    build(1, "ab Cd", "e", NULL);
    build(2, "ab Cx", "e", NULL);
    assert_false(same_m());
}

static void other_code_of_a_lambda_is_not(void **state)
{
    (void)state;
    build(1, "ab Cd", "e", NULL);
    build(2, "ab Cd", "x", NULL);
    assert_false(same_m());
}

static void one_more_lambda_is_not(void **state)
{
    (void)state;
    build(1, "ab Cd", "e", NULL);
    build(2, "ab Cd", "e", "e");
    assert_false(same_m());
}

/* The same instructions, but the compiler was told of other statements: Debug and Release. */
static void other_statements_are_not(void **state)
{
    (void)state;
    build(1, "ab Cd", "e", NULL);
    build(2, "a b Cd", "e", NULL);
    assert_false(same_m());
}

static void code_that_is_not_known_is_like_no_other(void **state)
{
    (void)state;
    build(1, "", "", NULL);
    build(2, "", "", NULL);
    assert_false(same_m());
}

static void methods_are_in_order_of_their_names(void **state)
{
    (void)state;
    hand_module(&hand, "Lib", 1);
    (void)hand_method(&hand, "N.D", "A", "()", "a");
    (void)hand_method(&hand, "N.C", "M", "(System.String)", "a");
    (void)hand_method(&hand, "N.C", "M", "(System.Int32)", "a");
    (void)hand_method(&hand, "N.C", "L", "()", "a");
    struct code code = code_of(0);
    for (uint32_t i = 1; i < code.count; i++)
        assert_true(same_code_order(&code.methods[i - 1], &code.methods[i]) < 0);
    assert_str(code.methods[0].name, "L");
    assert_str(code.methods[1].signature, "(System.Int32)");
    assert_str(code.methods[3].type, "N.D");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_hand, close_hand)

static const struct CMUnitTest tests[] = {
    TEST(method_has_what_was_made_of_it),
    TEST(same_code_under_other_numbers_is_the_same),
    TEST(other_code_is_not),
    TEST(other_code_of_a_lambda_is_not),
    TEST(one_more_lambda_is_not),
    TEST(other_statements_are_not),
    TEST(code_that_is_not_known_is_like_no_other),
    TEST(methods_are_in_order_of_their_names),
};
UNIT_TESTS(tests);
