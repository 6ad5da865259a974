/* test_context_table.c - a context has one number for ever, and a window of its own as long as it
 * is held. */
#include "profiler/contexts/context_table.h"

#include <stdio.h>

#include "tests/support/check.h"
#include "tests/support/test_arena.h"

static struct context_table table;

static int open_table(void **state)
{
    memset(&table, 0, sizeof table);
    return open_arena(state);
}

static struct test_context *add(uint32_t site, const char *name, bool expect_new)
{
    bool is_new = !expect_new;
    struct test_context *context = context_table_add(&table, site, str_of(name), &is_new, &arena);
    assert_non_null(context);
    assert_int_equal(is_new, expect_new);
    return context;
}

/* With a window, and held nowhere. */
static struct test_context *settled(uint32_t site, uint32_t window)
{
    struct test_context *context = add(site, "", true);
    context_settle(&table, context, window);
    assert_true(context_let_go(context));
    return context;
}

/* --- rows ------------------------------------------------------------------------------------- */

static void contexts_are_numbered_from_1_in_the_order_they_came(void **state)
{
    (void)state;
    assert_int_equal(add(7, "N.C", true)->number, 1);
    assert_int_equal(add(7, "N.D", true)->number, 2);
    assert_int_equal(add(8, "N.C", true)->number, 3);
    assert_int_equal(add(8, "", true)->number, 4);
    assert_int_equal(table.count, 4);
}

static void same_site_and_name_are_one_context(void **state)
{
    (void)state;
    struct test_context *c = add(7, "N.C", true), *none = add(7, "", true);
    assert_ptr_equal(add(7, "N.C", false), c);
    assert_ptr_equal(add(7, "", false), none);
    assert_int_equal(table.count, 2);
}

static void name_outlives_the_text_that_it_was_given(void **state)
{
    char text[] = "N.C";
    (void)state;
    struct test_context *context = add(7, text, true);
    text[2] = 'D';
    assert_str(context->name, "N.C");
    assert_int_equal(context->site, 7);
    assert_ptr_equal(add(7, "N.C", false), context);
    assert_int_equal(add(7, text, true)->number, 2);
}

static void numbers_outside_the_table_are_nobody(void **state)
{
    const int64_t most = (int64_t)CONTEXTS_IN_BLOCK * CONTEXT_BLOCKS_MAX;
    (void)state;
    assert_null(context_get(&table, 1));
    struct test_context *context = add(7, "N.C", true);
    assert_ptr_equal(context_get(&table, 1), context);
    assert_null(context_get(&table, 0));
    assert_null(context_get(&table, -1));
    assert_null(context_get(&table, INT64_MIN));
    assert_null(context_get(&table, CONTEXTS_IN_BLOCK + 1));
    assert_null(context_get(&table, most));
    assert_null(context_get(&table, most + 1));
    assert_null(context_get(&table, INT64_MAX));
}

static void thousands_of_contexts_stay_where_they_are(void **state)
{
    enum {
        MANY = 3 * CONTEXTS_IN_BLOCK + 1
    };
    static struct test_context *contexts[MANY];
    char name[24];
    (void)state;
    for (uint32_t i = 0; i < MANY; i++) {
        (void)snprintf(name, sizeof name, "N.C%u", i / 2);
        contexts[i] = add(i % 2, name, true);
        assert_int_equal(contexts[i]->number, i + 1);
    }
    for (uint32_t i = 0; i < MANY; i++) {
        (void)snprintf(name, sizeof name, "N.C%u", i / 2);
        assert_ptr_equal(context_get(&table, i + 1), contexts[i]);
        assert_ptr_equal(add(i % 2, name, false), contexts[i]);
    }
    assert_int_equal(table.count, MANY);
}

/* More than there are lists, so that some share one. */
static void methods_of_one_type_are_told_apart(void **state)
{
    enum {
        MANY = 2000
    };
    (void)state;
    for (uint32_t site = 1; site <= MANY; site++)
        assert_int_equal(add(site, "N.C", true)->number, site);
    for (uint32_t site = 1; site <= MANY; site++)
        assert_int_equal(add(site, "N.C", false)->site, site);
}

static void without_memory_there_is_no_new_context(void **state)
{
    struct arena small;
    bool is_new = false;
    (void)state;
    for (size_t limit = 0; limit < 200000; limit += 10000) {
        arena_init(&small, NULL, 0, limit);
        memset(&table, 0, sizeof table);
        if (context_table_add(&table, 7, STR("N.C"), &is_new, &small) == NULL)
            assert_int_equal(table.count, 0);
        else
            assert_int_equal(table.count, 1);
        arena_free(&small);
    }
    assert_int_equal(table.count, 1); /* the last limit is enough */
    memset(&table, 0, sizeof table);
    arena_init(&small, NULL, 0, 0);
    assert_null(context_table_add(&table, 7, STR("N.C"), &is_new, &small));
    arena_free(&small);
    assert_int_equal(add(7, "N.C", true)->number, 1);
}

/* --- windows ---------------------------------------------------------------------------------- */

static void context_without_a_window_is_not_held(void **state)
{
    uint32_t window = 99;
    (void)state;
    struct test_context *context = add(7, "N.C", true);
    assert_false(context_hold(context, &window));
    assert_false(context_unsettle(context, &window));
    assert_null(context_table_oldest(&table, false));
}

static void held_context_keeps_its_window(void **state)
{
    static const uint32_t windows[] = {0, 5, SHARDS_MAX - 1};
    (void)state;
    for (uint32_t i = 0; i < ARRAY_LEN(windows); i++) {
        uint32_t window = 99;
        struct test_context *context = add(i, "N.C", true);
        context_settle(&table, context, windows[i]);
        assert_ptr_equal(table.of_window[windows[i]], context);
        assert_false(context_unsettle(context, &window));
        assert_true(context_let_go(context));
        assert_true(context_hold(context, &window));
        assert_int_equal(window, windows[i]);
        assert_false(context_unsettle(context, &window));
    }
}

static void last_of_its_holders_is_told_so(void **state)
{
    uint32_t window;
    (void)state;
    struct test_context *context = add(7, "N.C", true);
    context_settle(&table, context, 5);
    assert_true(context_hold(context, &window));
    assert_true(context_hold(context, &window));
    assert_false(context_let_go(context));
    assert_false(context_let_go(context));
    assert_true(context_let_go(context));
}

static void context_that_nobody_holds_loses_its_window_once(void **state)
{
    uint32_t window = 99;
    (void)state;
    struct test_context *context = settled(1, 5);
    assert_true(context_unsettle(context, &window));
    assert_int_equal(window, 5);
    assert_false(context_unsettle(context, &window));
    assert_false(context_hold(context, &window));
    context_settle(&table, context, 6);
    assert_true(context_hold(context, &window));
    assert_int_equal(window, 6);
}

static void oldest_is_the_one_that_got_its_window_first(void **state)
{
    uint32_t window;
    (void)state;
    struct test_context *a = settled(1, 3), *b = settled(2, SHARDS_MAX - 1), *c = settled(3, 0);
    assert_ptr_equal(context_table_oldest(&table, false), a);
    assert_true(context_hold(a, &window));
    assert_ptr_equal(context_table_oldest(&table, false), b);
    assert_true(context_hold(b, &window));
    assert_ptr_equal(context_table_oldest(&table, false), c);
    assert_true(context_hold(c, &window));
    assert_null(context_table_oldest(&table, false));
    assert_true(context_let_go(c));
    assert_true(context_let_go(b));
    assert_ptr_equal(context_table_oldest(&table, false), b);
}

static void window_that_is_got_again_is_the_youngest(void **state)
{
    uint32_t window = 99;
    (void)state;
    struct test_context *a = settled(1, 3), *b = settled(2, 1);
    assert_true(context_unsettle(a, &window));
    context_table_free(&table, window);
    assert_null(table.of_window[3]);
    assert_ptr_equal(context_table_oldest(&table, false), b);
    context_settle(&table, a, 0);
    assert_true(context_let_go(a));
    assert_ptr_equal(context_table_oldest(&table, false), b);
    assert_true(context_unsettle(b, &window));
    context_table_free(&table, window);
    assert_ptr_equal(context_table_oldest(&table, false), a);
}

static void number_that_nobody_has_is_nobody(void **state)
{
    bool is_new = false;
    (void)state;
    assert_non_null(context_table_add(&table, 7, STR("x"), &is_new, &arena));
    assert_non_null(context_get(&table, 1));
    assert_null(context_get(&table, 2)); /* its row is there already */
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_table, close_arena)
static const struct CMUnitTest tests[] = {
    TEST(contexts_are_numbered_from_1_in_the_order_they_came),
    TEST(same_site_and_name_are_one_context),
    TEST(name_outlives_the_text_that_it_was_given),
    TEST(numbers_outside_the_table_are_nobody),
    TEST(thousands_of_contexts_stay_where_they_are),
    TEST(methods_of_one_type_are_told_apart),
    TEST(without_memory_there_is_no_new_context),
    TEST(context_without_a_window_is_not_held),
    TEST(held_context_keeps_its_window),
    TEST(last_of_its_holders_is_told_so),
    TEST(context_that_nobody_holds_loses_its_window_once),
    TEST(oldest_is_the_one_that_got_its_window_first),
    TEST(window_that_is_got_again_is_the_youngest),
    TEST(number_that_nobody_has_is_nobody),
};
UNIT_TESTS(tests);
