/* test_session_tests.c - each context of a session's processes is a test, named as --filter wants
 * it once the module is known that has its method. */
#include "coverage/session/test_hits.h"

#include "tests/support/check.h"
#include "tests/support/metadata_fixture.h"
#include "tests/support/test_arena.h"

static const uint8_t other_mvid[16] = {99};
static const uint8_t sample_mvid[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

static struct session_context context_of(enum context_kind kind, const uint8_t *mvid, uint32_t rid,
                                         const char *type)
{
    struct session_context context = {.kind = kind, .rid = rid, .type = str_of(type)};
    memcpy(context.mvid, mvid, sizeof context.mvid);
    return context;
}

static const struct fact_test *test_at(const struct session_tests *tests, uint32_t index)
{
    assert_true(index < tests->tests.count);
    return (const struct fact_test *)tests->tests.items + index;
}

static struct session_tests made(struct session_hits *hits, uint32_t count)
{
    struct session session = {.hits = hits, .hits_count = count};
    struct session_tests tests;
    struct err err = {0};
    assert_true(session_tests_make(&tests, &session, &arena, &err));
    return tests;
}

/* The name that a context gets from the module of metadata_fixture_sample. */
static struct str name_of(enum context_kind kind, uint32_t rid, const char *type)
{
    struct session_context context = context_of(kind, sample_mvid, rid, type);
    struct session_hits hits = {.contexts = &context, .context_count = 1};
    struct session_tests tests = made(&hits, 1);
    struct metadata_fixture *f = metadata_fixture_sample();
    struct err err = {0};
    struct str name = {NULL, 0};
    assert_true(session_tests_name(&tests, sample_mvid, &f->md, &arena, &err));
    assert_true(str_copy(&name, test_at(&tests, tests.of_context[0][0])->name, &arena, &err));
    metadata_fixture_end(f);
    return name;
}

/* --- tests ------------------------------------------------------------------------------------ */

static void session_that_tells_nothing_apart_has_no_tests(void **state)
{
    (void)state;
    struct session_tests tests = made(NULL, 0);
    assert_int_equal(tests.tests.count, 0);
    assert_int_equal(tests.outside, NO_INDEX);
}

static void process_without_contexts_ran_outside_of_all(void **state)
{
    struct session_hits hits = {.context_count = 0};
    (void)state;
    struct session_tests tests = made(&hits, 1);
    assert_int_equal(tests.tests.count, 1);
    assert_int_equal(test_at(&tests, tests.outside)->kind, TEST_OUTSIDE);
    assert_str(test_at(&tests, tests.outside)->name, "");
}

static void each_context_of_each_process_is_a_test(void **state)
{
    struct session_context first[] = {context_of(CONTEXT_TEST, sample_mvid, 1, "N.A"),
                                      context_of(CONTEXT_CLASS, sample_mvid, 2, "N.A")};
    struct session_context second[] = {context_of(CONTEXT_STATIC, sample_mvid, 3, ""),
                                       context_of(CONTEXT_TEST, sample_mvid, 1, "N.A")};
    struct session_hits hits[] = {{.contexts = first, .context_count = 2},
                                  {.context_count = 0},
                                  {.contexts = second, .context_count = 2}};
    bool seen[5] = {false};
    (void)state;
    first[0].end = CONTEXT_RETURNED;
    first[0].ns = 1500;
    first[0].rows = 3;
    second[1].end = CONTEXT_THREW;
    struct session_tests tests = made(hits, 3);
    assert_int_equal(tests.tests.count, 5);
    const uint32_t indexes[] = {tests.outside, tests.of_context[0][0], tests.of_context[0][1],
                                tests.of_context[2][0], tests.of_context[2][1]};
    for (size_t i = 0; i < ARRAY_LEN(indexes); i++) {
        assert_true(indexes[i] < 5 && !seen[indexes[i]]);
        seen[indexes[i]] = true;
    }
    const struct fact_test *test = test_at(&tests, indexes[1]);
    assert_int_equal(test->kind, TEST_METHOD);
    assert_int_equal(test->end, TEST_RETURNED);
    assert_true(test->ns == 1500 && test->rows == 3 && test->run == 0);
    assert_int_equal(test_at(&tests, indexes[2])->kind, TEST_CLASS);
    assert_int_equal(test_at(&tests, indexes[2])->end, TEST_END_UNKNOWN);
    assert_int_equal(test_at(&tests, indexes[3])->kind, TEST_STATIC);
    assert_int_equal(test_at(&tests, indexes[4])->kind, TEST_METHOD);
    assert_int_equal(test_at(&tests, indexes[4])->end, TEST_THREW);
}

/* --- names ------------------------------------------------------------------------------------ */

static void test_is_named_by_the_type_that_it_runs_in(void **state)
{
    (void)state;
    assert_str(name_of(CONTEXT_TEST, SAMPLE_GENERIC, "N.Derived"), "N.Derived.Generic");
    assert_str(name_of(CONTEXT_TEST, SAMPLE_MARK, "N.Outer+Inner"), "N.Outer+Inner..ctor");
}

static void arguments_of_a_generic_type_are_no_part_of_the_name(void **state)
{
    (void)state;
    assert_str(name_of(CONTEXT_TEST, SAMPLE_GENERIC,
                       "N.Outer`2[[System.Int32, X, Version=1.0.0.0],[System.String, X]]"),
               "N.Outer`2.Generic");
    assert_str(name_of(CONTEXT_CLASS, SAMPLE_CONSTRUCTOR, "N.Outer`2[[A],[B]]"), "N.Outer`2");
}

static void static_test_is_named_by_the_type_that_declares_it(void **state)
{
    (void)state;
    assert_str(name_of(CONTEXT_TEST, SAMPLE_GENERIC, ""), "N.Outer`2.Generic");
    assert_str(name_of(CONTEXT_TEST, SAMPLE_MARK, ""), "N.MarkAttribute..ctor");
}

static void what_runs_around_tests_is_named_by_its_class(void **state)
{
    (void)state;
    assert_str(name_of(CONTEXT_CLASS, SAMPLE_CONSTRUCTOR, "N.Derived"), "N.Derived");
    assert_str(name_of(CONTEXT_CLASS, SAMPLE_CONSTRUCTOR, ""), "N.Outer`2");
    assert_str(name_of(CONTEXT_STATIC, SAMPLE_MARK, ""), "N.MarkAttribute");
}

static void only_the_module_of_its_method_names_a_test(void **state)
{
    struct session_context contexts[] = {
        context_of(CONTEXT_TEST, sample_mvid, SAMPLE_GENERIC, "N.A"),
        context_of(CONTEXT_TEST, other_mvid, SAMPLE_GENERIC, "N.B")};
    struct session_hits hits = {.contexts = contexts, .context_count = 2};
    struct session_tests tests = made(&hits, 1);
    struct metadata_fixture *f = metadata_fixture_sample();
    struct err err = {0};
    (void)state;
    assert_true(session_tests_name(&tests, sample_mvid, &f->md, &arena, &err));
    assert_str(test_at(&tests, tests.of_context[0][0])->name, "N.A.Generic");
    assert_str(test_at(&tests, tests.of_context[0][1])->name, "");
    assert_true(session_tests_name(&tests, other_mvid, &f->md, &arena, &err));
    assert_str(test_at(&tests, tests.of_context[0][0])->name, "N.A.Generic");
    assert_str(test_at(&tests, tests.of_context[0][1])->name, "N.B.Generic");
    assert_str(test_at(&tests, tests.outside)->name, "");
    metadata_fixture_end(f);
}

/* That of the outside is all zeros, and so may that of a module be. */
static void what_ran_outside_stays_without_a_name(void **state)
{
    static const uint8_t zero[16] = {0};
    struct session_hits hits = {.context_count = 0};
    struct session_tests tests = made(&hits, 1);
    struct metadata_fixture *f = metadata_fixture_sample();
    struct err err = {0};
    (void)state;
    assert_true(session_tests_name(&tests, zero, &f->md, &arena, &err));
    assert_str(test_at(&tests, tests.outside)->name, "");
    metadata_fixture_end(f);
}

static void names_outlive_the_module(void **state)
{
    struct session_context context = context_of(CONTEXT_TEST, sample_mvid, SAMPLE_GENERIC, "");
    struct session_hits hits = {.contexts = &context, .context_count = 1};
    struct session_tests tests = made(&hits, 1);
    struct metadata_fixture *f = metadata_fixture_sample();
    struct err err = {0};
    (void)state;
    assert_true(session_tests_name(&tests, sample_mvid, &f->md, &arena, &err));
    metadata_fixture_end(f);
    assert_str(test_at(&tests, tests.of_context[0][0])->name, "N.Outer`2.Generic");
}

static void method_that_the_module_does_not_have_is_no_harm(void **state)
{
    (void)state;
    assert_str(name_of(CONTEXT_TEST, 0, "N.A"), "N.A.");
    assert_str(name_of(CONTEXT_TEST, UINT32_MAX, "N.A"), "N.A.");
    assert_str(name_of(CONTEXT_CLASS, 999, "N.A"), "N.A");
}

/* --- memory ----------------------------------------------------------------------------------- */

static void without_memory_it_is_said(void **state)
{
    struct session_context context = context_of(CONTEXT_TEST, sample_mvid, SAMPLE_GENERIC, "");
    struct session_hits hits = {.contexts = &context, .context_count = 1};
    struct session session = {.hits = &hits, .hits_count = 1};
    struct metadata_fixture *f = metadata_fixture_sample();
    bool ok = false;
    (void)state;
    for (size_t limit = 0; !ok; limit += 16) {
        struct session_tests tests;
        struct arena small;
        struct err err = {0};
        arena_init(&small, NULL, 0, limit);
        ok = session_tests_make(&tests, &session, &small, &err) &&
             session_tests_name(&tests, sample_mvid, &f->md, &small, &err);
        if (!ok)
            assert_failed(ok, err, err.code == ERR_LIMIT ? ERR_LIMIT : ERR_MEMORY);
        arena_free(&small);
        assert_true(limit < 1 << 20);
    }
    metadata_fixture_end(f);
}

static void nested_types_are_named_as_filters_want_them(void **state)
{
    (void)state;
    assert_str(name_of(CONTEXT_TEST, SAMPLE_CONVERT, ""), "N.Outer`2+Inner.op_Implicit");
}

static void row_that_the_module_lacks_is_no_error(void **state)
{
    (void)state;
    assert_str(name_of(CONTEXT_TEST, 999, ""), "?.");
    assert_str(name_of(CONTEXT_CLASS, 0, ""), "?");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)
static const struct CMUnitTest tests[] = {
    TEST(session_that_tells_nothing_apart_has_no_tests),
    TEST(process_without_contexts_ran_outside_of_all),
    TEST(each_context_of_each_process_is_a_test),
    TEST(test_is_named_by_the_type_that_it_runs_in),
    TEST(arguments_of_a_generic_type_are_no_part_of_the_name),
    TEST(static_test_is_named_by_the_type_that_declares_it),
    TEST(what_runs_around_tests_is_named_by_its_class),
    TEST(only_the_module_of_its_method_names_a_test),
    TEST(what_ran_outside_stays_without_a_name),
    TEST(names_outlive_the_module),
    TEST(method_that_the_module_does_not_have_is_no_harm),
    TEST(without_memory_it_is_said),
    TEST(nested_types_are_named_as_filters_want_them),
    TEST(row_that_the_module_lacks_is_no_error),
};
UNIT_TESTS(tests);
