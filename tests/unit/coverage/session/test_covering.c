/* test_covering.c - code is named by lines or by a method; which tests hit it, follows from their
 * sets. */
#include "coverage/session/covering.h"

#include "tests/support/check.h"
#include "tests/support/hand_facts.h"
#include "tests/support/test_arena.h"

/*
 *   A.cs of App:  1 2  N.Order.Add(int), and 3 its lambda; 4 N.Order.Add(); 5 6 N.Reorder.Add();
 *                 7 .ctor of N.Order
 *   B.cs of Lib:  1 2  N.Order.Remove()
 */
enum {
    APP,
    LIB,
    ORDER_ADD_INT = 0,
    LAMBDA,
    ORDER_ADD,
    REORDER_ADD,
    ORDER_CTOR
};

static struct hand hand;
static struct facts *const facts = &hand.facts;
static struct fact_test tests_room[3];
static struct fact_hits hits_room[8];
static struct wanted_code wanted;

static int open_facts(void **state)
{
    struct err err = {0};
    (void)open_arena(state);
    hand_open(&hand, &arena);
    hand_module(&hand, "App", 1);
    (void)hand_method(&hand, "N.Order", "Add", "(int)", "a b");
    (void)hand_made(&hand, ORDER_ADD_INT, "N.Order/<>c", "<Add>b__0", "c");
    (void)hand_method(&hand, "N.Order", "Add", "()", "d");
    (void)hand_method(&hand, "N.Reorder", "Add", "()", "e f");
    (void)hand_method(&hand, "N.Order", ".ctor", "()", "g");
    hand_module(&hand, "Lib", 2);
    (void)hand_method(&hand, "N.Order", "Remove", "()", "a b");
    hand_lay_out(&hand);
    facts->modules[LIB].documents->relative = STR("src/B.cs");
    facts->tests = tests_room;
    facts->test_count = ARRAY_LEN(tests_room);
    facts->hits = hits_room;
    return wanted_code_open(&wanted, facts, &arena, &err) ? 0 : -1;
}

/* The count of the n-th statement of a module: statements are in the order of their lines. */
static uint32_t count_at(uint32_t module, uint32_t line)
{
    return facts->modules[module].statements[line - 1].count;
}

static struct view set_of(uint32_t number)
{
    struct view set = {NULL, 0};
    assert_true(number < 0x80);
    assert_true(view_copy(&set, BYTES_VIEW((uint8_t)number, 1), &arena, NULL));
    return set;
}

static void add_hits(uint32_t module, uint32_t line, struct view tests)
{
    struct view copy = {NULL, 0};
    assert_true(view_copy(&copy, tests, &arena, NULL));
    facts->hits[facts->hits_count++] =
        (struct fact_hits){module, set_of(count_at(module, line)), copy};
}

static void add_lines(const char *file, uint32_t first, uint32_t last)
{
    struct err err = {0};
    assert_true(wanted_code_add_lines(&wanted, str_of(file), first, last, &err));
}

static void add_methods(const char *name)
{
    struct err err = {0};
    assert_true(wanted_code_add_methods(&wanted, str_of(name), &err));
}

/* Which lines of a module are wanted: a bit each, line 1 in the lowest. */
static uint32_t lines_wanted(uint32_t module)
{
    uint32_t lines = 0;
    for (uint32_t i = 0; i < facts->modules[module].statement_count; i++)
        if (wanted.counts[module] != NULL &&
            wanted.counts[module][facts->modules[module].statements[i].count])
            lines |= 1U << i;
    return lines;
}

static void want_nothing(void)
{
    struct err err = {0};
    assert_true(wanted_code_open(&wanted, facts, &arena, &err));
}

/* --- lines ------------------------------------------------------------------------------------ */

static void lines_are_those_of_one_file(void **state)
{
    (void)state;
    add_lines("A.cs", 2, 4);
    assert_int_equal(lines_wanted(APP), 0x0E);
    assert_int_equal(lines_wanted(LIB), 0);
    assert_int_equal(wanted.statements, 3);
    want_nothing();
    add_lines("src/B.cs", 1, 1);
    assert_int_equal(lines_wanted(APP), 0);
    assert_int_equal(lines_wanted(LIB), 0x01);
    assert_int_equal(wanted.statements, 1);
}

static void file_is_named_by_its_whole_path(void **state)
{
    (void)state;
    add_lines("B.cs", 1, 9);
    add_lines("/r/A.cs", 1, 9);
    add_lines("a.cs", 1, 9);
    add_lines("", 1, 9);
    assert_int_equal(wanted.statements, 0);
}

static void lines_without_statements_want_nothing(void **state)
{
    (void)state;
    add_lines("A.cs", 8, UINT32_MAX);
    add_lines("A.cs", 0, 0);
    add_lines("A.cs", 4, 3);
    assert_int_equal(wanted.statements, 0);
    add_lines("A.cs", 0, UINT32_MAX);
    assert_int_equal(wanted.statements, 7);
    assert_int_equal(lines_wanted(APP), 0x7F);
}

static void statement_is_found_once(void **state)
{
    (void)state;
    add_lines("A.cs", 2, 3);
    add_lines("A.cs", 3, 4);
    assert_int_equal(wanted.statements, 3);
    assert_int_equal(lines_wanted(APP), 0x0E);
}

/* Lines 10 to 14 of which 11 and 13 have no text of it. */
static void line_that_a_statement_only_spans_is_not_its_own(void **state)
{
    static const uint8_t gaps[] = {0x05};
    static const bool is_found[] = {false, true, false, true, false, true, false};
    struct fact_statement *statement = &facts->modules[LIB].statements[1];
    (void)state;
    statement->start_line = 10;
    statement->end_line = 14;
    statement->gaps = VIEW(gaps);
    for (uint32_t i = 0; i < ARRAY_LEN(is_found); i++) {
        want_nothing();
        add_lines("src/B.cs", 9 + i, 9 + i);
        assert_int_equal(wanted.statements, is_found[i]);
    }
    want_nothing();
    add_lines("src/B.cs", 11, 12);
    assert_int_equal(wanted.statements, 1);
}

/* A call over lines 10 to 14, with a lambda on 12. That the call ran does not say that the lambda
 * did. */
static void line_is_made_up_of_its_innermost_statement(void **state)
{
    static const uint8_t found[] = {0, 1, 1, 2, 1, 1, 0};
    struct fact_statement *call = &facts->modules[LIB].statements[0];
    struct fact_statement *lambda = &facts->modules[LIB].statements[1];
    (void)state;
    call->start_line = 10;
    call->end_line = 14;
    lambda->start_line = lambda->end_line = 12;
    for (uint32_t i = 0; i < ARRAY_LEN(found); i++) {
        want_nothing();
        add_lines("src/B.cs", 9 + i, 9 + i);
        assert_int_equal(lines_wanted(LIB), found[i]);
    }
    want_nothing();
    add_lines("src/B.cs", 11, 12);
    assert_int_equal(lines_wanted(LIB), 3);
    struct fact_decision asked = {
        .method = call->method, .il_offset = call->il_offset, .line = 10, .span.start_line = 12};
    facts->modules[LIB].decisions = &asked;
    facts->modules[LIB].decision_count = 1;
    want_nothing();
    add_lines("src/B.cs", 12, 12); /* a condition of the call begins there, too */
    assert_int_equal(lines_wanted(LIB), 3);
    facts->modules[LIB].decision_count = 0;
}

/* --- methods ---------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    uint32_t app, lib; /* lines */
} names[] = {
    {"N.Order.Add", 0x0F, 0},
    {"N.Order.Add(int)", 0x07, 0},
    {"N.Order.Add()", 0x08, 0},
    {"Order.Add", 0x0F, 0},
    {"Order.Add(int)", 0x07, 0},
    {"Add", 0x3F, 0},
    {"Add()", 0x38, 0},
    {"N.Reorder.Add", 0x30, 0},
    {"Remove", 0, 0x03},
    {".ctor", 0x40, 0},
    {"Order..ctor", 0x40, 0},
    {"order.Add", 0, 0},
    {"der.Add", 0, 0},
    {"dd", 0, 0},
    {"N.Order", 0, 0},
    {"Order.Add(", 0, 0},
    {"X.N.Order.Add", 0, 0},
    {"(int)", 0, 0},
    {"<Add>b__0", 0, 0}, /* the compiler's own name */
    {"", 0, 0},
};

static void method_is_named_by_the_end_of_its_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        want_nothing();
        add_methods(names[i].name);
        if (lines_wanted(APP) != names[i].app || lines_wanted(LIB) != names[i].lib)
            fail_msg("%s: %x, %x", names[i].name, lines_wanted(APP), lines_wanted(LIB));
    }
}

static void method_is_named_as_people_write_it(void **state)
{
    (void)state;
    facts->modules[LIB].methods[0].display =
        (struct fact_display){STR("N.Order<T>"), STR("Remove<U>"), STR("(T)")};
    add_methods("Remove");
    assert_int_equal(wanted.statements, 0);
    add_methods("Order<T>.Remove<U>");
    assert_int_equal(wanted.statements, 2);
    want_nothing();
    add_methods("Remove<U>(T)");
    assert_int_equal(lines_wanted(LIB), 0x03);
}

static void lines_and_methods_add_up(void **state)
{
    (void)state;
    add_lines("A.cs", 1, 1);
    add_methods("Order.Add(int)");
    add_methods("Remove");
    assert_int_equal(lines_wanted(APP), 0x07);
    assert_int_equal(lines_wanted(LIB), 0x03);
    assert_int_equal(wanted.statements, 5);
}

/* --- tests ------------------------------------------------------------------------------------ */

static void check_covering(bool first, bool second, bool third)
{
    bool *tests = NULL;
    struct err err = {0};
    assert_true(covering_tests(&tests, &wanted, &err));
    assert_int_equal(tests[0], first);
    assert_int_equal(tests[1], second);
    assert_int_equal(tests[2], third);
}

static void tests_are_those_that_hit_what_is_wanted(void **state)
{
    (void)state;
    add_hits(APP, 1, BYTES_VIEW(0, 1));       /* 0 */
    add_hits(APP, 4, BYTES_VIEW(0, 1, 1, 1)); /* 0, 2 */
    add_hits(APP, 5, BYTES_VIEW(1, 1));       /* 1 */
    add_hits(LIB, 1, BYTES_VIEW(1, 1));       /* 1 */
    add_lines("A.cs", 4, 4);
    check_covering(true, false, true);
    want_nothing();
    add_methods("Remove");
    check_covering(false, true, false);
    want_nothing();
    add_methods("Order.Add(int)");
    check_covering(true, false, false);
    add_lines("A.cs", 5, 5);
    check_covering(true, true, false);
}

static void what_nobody_hits_is_covered_by_none(void **state)
{
    (void)state;
    add_hits(APP, 1, BYTES_VIEW(0, 3));
    check_covering(false, false, false); /* nothing is wanted */
    add_lines("A.cs", 2, 2);
    check_covering(false, false, false);
    add_lines("src/B.cs", 1, 2);
    check_covering(false, false, false);
}

/* One way of hitting a method hits several counts; one of them is enough. */
static void one_count_of_a_set_is_enough(void **state)
{
    uint32_t first = count_at(APP, 1);
    struct view counts = {NULL, 0};
    (void)state;
    assert_int_equal(count_at(APP, 2), first + 1);
    assert_true(view_copy(&counts, BYTES_VIEW((uint8_t)first, 2), &arena, NULL));
    facts->hits[facts->hits_count++] = (struct fact_hits){APP, counts, set_of(1)};
    add_lines("A.cs", 2, 2);
    check_covering(false, true, false);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_facts, close_arena)
static const struct CMUnitTest tests[] = {
    TEST(lines_are_those_of_one_file),
    TEST(file_is_named_by_its_whole_path),
    TEST(lines_without_statements_want_nothing),
    TEST(statement_is_found_once),
    TEST(line_that_a_statement_only_spans_is_not_its_own),
    TEST(line_is_made_up_of_its_innermost_statement),
    TEST(method_is_named_by_the_end_of_its_name),
    TEST(method_is_named_as_people_write_it),
    TEST(lines_and_methods_add_up),
    TEST(tests_are_those_that_hit_what_is_wanted),
    TEST(what_nobody_hits_is_covered_by_none),
    TEST(one_count_of_a_set_is_enough),
};
UNIT_TESTS(tests);
