/* test_execution_context.c - a context is held as long as code of it may be on the thread's stack,
 * which grows down. */
#include "profiler/contexts/execution_context.h"

#include "tests/support/check.h"

enum {
    CONTEXTS = FLOW_DEPTH_MAX + 2
};

static struct context_table table;
static struct test_context contexts[CONTEXTS];
static struct test_context *const a = &contexts[0], *const b = &contexts[1],
                                  *const c = &contexts[2];
static struct execution_context flow;
static struct test_context *idle[CONTEXTS]; /* in the order of the calls */
static uint32_t idle_count;
static struct left_context last_left; /* idle or not */

static int open_flow(void **state)
{
    (void)state;
    memset(&table, 0, sizeof table);
    memset(contexts, 0, sizeof contexts);
    memset(idle, 0, sizeof idle);
    flow = (struct execution_context){.current = NULL};
    idle_count = 0;
    for (uint32_t i = 0; i < CONTEXTS; i++) { /* each has a window, and nobody holds it */
        context_settle(&table, &contexts[i], i);
        (void)context_let_go(&contexts[i]);
    }
    return 0;
}

static void note_idle(void *argument, const struct left_context *left)
{
    assert_ptr_equal(argument, &table);
    assert_true(idle_count < CONTEXTS);
    if (left->is_idle)
        idle[idle_count++] = left->context;
    last_left = *left;
}

static void unwind(uintptr_t at)
{
    execution_context_unwind(&flow, at, note_idle, &table);
}

static void push_from(struct test_context *context, uintptr_t at, int64_t previous)
{
    uint32_t window;
    assert_true(context_hold(context, &window));
    execution_context_push(&flow, context, at, previous);
}

static void push(struct test_context *context, uintptr_t at)
{
    push_from(context, at, 0);
}

static uint32_t holders(struct test_context *context)
{
    return (uint32_t)atomic_load(&context->held);
}

static void finish(struct test_context *context)
{
    atomic_store(&context->is_over, true);
}

/* --- unwinding -------------------------------------------------------------------------------- */

static void what_lies_deeper_than_the_thread_is_let_go(void **state)
{
    (void)state;
    push(a, 1000);
    push(b, 900);
    push(c, 800);
    unwind(850);
    assert_true(holders(a) == 1 && holders(b) == 1 && holders(c) == 0);
    assert_int_equal(flow.depth, 2);
    unwind(899);
    assert_true(holders(a) == 1 && holders(b) == 1);
    unwind(900);
    assert_true(holders(a) == 1 && holders(b) == 0);
    unwind(UINTPTR_MAX);
    assert_int_equal(holders(a), 0);
    assert_int_equal(flow.depth, 0);
}

static void what_lies_above_the_thread_stays_held(void **state)
{
    (void)state;
    push(a, 1000);
    push(b, 900);
    unwind(899);
    unwind(0);
    assert_true(holders(a) == 1 && holders(b) == 1);
    assert_int_equal(flow.depth, 2);
}

static void several_are_let_go_at_once(void **state)
{
    (void)state;
    push(a, 1000);
    push(b, 900);
    push(a, 800);
    push(c, 700);
    unwind(950);
    assert_true(holders(a) == 1 && holders(b) == 0 && holders(c) == 0);
    assert_int_equal(flow.depth, 1);
}

static void stack_of_nobody_unwinds_to_nothing(void **state)
{
    (void)state;
    unwind(0);
    unwind(UINTPTR_MAX);
    assert_int_equal(flow.depth, 0);
    assert_int_equal(idle_count, 0);
}

/* --- idle ------------------------------------------------------------------------------------- */

static void context_that_is_over_is_idle_when_the_last_lets_go(void **state)
{
    (void)state;
    push(a, 1000);
    push(a, 900);
    finish(a);
    unwind(950);
    assert_int_equal(idle_count, 0);
    unwind(1000);
    assert_int_equal(idle_count, 1);
    assert_ptr_equal(idle[0], a);
}

static void context_that_is_held_elsewhere_is_not_idle(void **state)
{
    uint32_t window;
    (void)state;
    push(a, 1000);
    finish(a);
    assert_true(context_hold(a, &window)); /* another thread */
    unwind(UINTPTR_MAX);
    assert_int_equal(holders(a), 1);
    assert_int_equal(idle_count, 0);
}

static void context_that_is_not_over_is_not_idle(void **state)
{
    (void)state;
    push(a, 1000);
    push(b, 900);
    finish(b);
    unwind(UINTPTR_MAX);
    assert_int_equal(idle_count, 1);
    assert_ptr_equal(idle[0], b);
}

static void deepest_is_idle_first(void **state)
{
    (void)state;
    push(a, 1000);
    push(b, 900);
    finish(a);
    finish(b);
    unwind(UINTPTR_MAX);
    assert_int_equal(idle_count, 2);
    assert_ptr_equal(idle[0], b);
    assert_ptr_equal(idle[1], a);
}

/* --- returning -------------------------------------------------------------------------------- */

static void enter(struct test_context *context)
{
    uint32_t window;
    assert_true(context_hold(context, &window));
    execution_context_enter(&flow, context, true, 7);
}

static struct test_context *returned(void)
{
    int64_t previous = 0;
    struct test_context *context = execution_context_return(&flow, &previous);
    assert_int_equal(previous, context != NULL ? 7 : 0);
    return context;
}

static void enclosed_method_is_there_until_it_returns_whatever_the_address(void **state)
{
    (void)state;
    enter(a);
    push(b, 900);
    unwind(5000); /* what tells of the flow was deeper than the method itself */
    assert_true(holders(a) == 1 && holders(b) == 0);
    assert_ptr_equal(returned(), a);
    assert_int_equal(holders(a), 1); /* until the thread changes hands */
    unwind(0);
    assert_int_equal(holders(a), 0);
    assert_int_equal(flow.depth, 0);
}

static void what_is_deeper_than_a_method_that_returns_is_let_go(void **state)
{
    (void)state;
    push(a, 1000);
    enter(b);
    push(a, 800);
    assert_ptr_equal(returned(), b);
    unwind(0);
    assert_true(holders(a) == 1 && holders(b) == 0);
    assert_int_equal(flow.depth, 1);
}

static void innermost_enclosed_method_returns_first(void **state)
{
    (void)state;
    enter(a);
    enter(b);
    assert_ptr_equal(returned(), b);
    assert_ptr_equal(returned(), a);
    assert_null(returned());
}

static void enclosed_method_without_a_window_holds_nothing(void **state)
{
    (void)state;
    enter(a);
    execution_context_enter(&flow, b, false, 7);
    assert_ptr_equal(returned(), b);
    unwind(0);
    assert_true(holders(a) == 1 && holders(b) == 0);
    execution_context_enter(&flow, b, false, 7);
    execution_context_end(&flow, note_idle, &table);
    assert_true(holders(a) == 0 && holders(b) == 0);
}

/* Addresses alone may show that later. */
static void when_the_thread_went_back_is_known(void **state)
{
    (void)state;
    push_from(a, 1000, 7);
    assert_null(execution_context_back(&flow, 8));
    finish(a);
    unwind(1000);
    assert_true(last_left.context == a && last_left.back == 0);
    assert_null(execution_context_back(&flow, 7));
    push_from(a, 1000, 7);
    struct held_context *held = execution_context_back(&flow, 7);
    assert_ptr_equal(held, &flow.held[0]);
    held->back = 5;
    assert_null(execution_context_back(&flow, 7));
    unwind(1000);
    assert_true(last_left.context == a && last_left.back == 5);
}

static void method_that_began_a_context_leaves_as_the_last_of_it(void **state)
{
    (void)state;
    enter(a);
    push(b, 900);
    finish(a);
    finish(b);
    unwind(900);
    assert_true(last_left.context == b && !last_left.is_last);
    assert_ptr_equal(returned(), a);
    unwind(0);
    assert_true(last_left.context == a && last_left.is_last);
    assert_int_equal(atomic_load(&a->last), 0);
}

static void where_nothing_is_enclosed_nothing_returns(void **state)
{
    (void)state;
    assert_null(returned());
    push(a, 1000);
    assert_null(returned());
    unwind(0);
    assert_int_equal(holders(a), 1);
}

/* As many as began, innermost first, outside of all and in each that changed something. */
static void method_that_stays_in_the_flow_returns_to_it(void **state)
{
    (void)state;
    execution_context_stay(&flow);
    enter(a);
    execution_context_stay(&flow);
    push(c, 900);
    execution_context_stay(&flow);
    enter(b);
    execution_context_stay(&flow);
    assert_null(returned());
    assert_ptr_equal(returned(), b);
    assert_null(returned());
    assert_null(returned());
    assert_ptr_equal(returned(), a);
    assert_null(returned());
    enter(c);
    assert_ptr_equal(returned(), c);
}

static void thread_that_ends_stays_nowhere(void **state)
{
    (void)state;
    execution_context_stay(&flow);
    execution_context_end(&flow, note_idle, &table);
    assert_int_equal(flow.stays, 0);
}

/* --- limits ----------------------------------------------------------------------------------- */

static void outermost_is_held_for_ever_where_there_is_no_room(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < CONTEXTS; i++)
        push(&contexts[i], 10000 - 10 * i);
    assert_int_equal(flow.depth, FLOW_DEPTH_MAX);
    unwind(10000 - 10 * (CONTEXTS - 1)); /* the last one is gone */
    assert_int_equal(flow.depth, FLOW_DEPTH_MAX - 1);
    assert_int_equal(holders(&contexts[CONTEXTS - 1]), 0);
    assert_int_equal(holders(&contexts[CONTEXTS - 2]), 1);
    unwind(UINTPTR_MAX);
    assert_int_equal(flow.depth, 0);
    for (uint32_t i = 0; i < CONTEXTS; i++)
        assert_int_equal(holders(&contexts[i]), i < CONTEXTS - FLOW_DEPTH_MAX);
}

#define TEST(name) cmocka_unit_test_setup(name, open_flow)
static const struct CMUnitTest tests[] = {
    TEST(what_lies_deeper_than_the_thread_is_let_go),
    TEST(what_lies_above_the_thread_stays_held),
    TEST(several_are_let_go_at_once),
    TEST(stack_of_nobody_unwinds_to_nothing),
    TEST(context_that_is_over_is_idle_when_the_last_lets_go),
    TEST(context_that_is_held_elsewhere_is_not_idle),
    TEST(context_that_is_not_over_is_not_idle),
    TEST(deepest_is_idle_first),
    TEST(enclosed_method_is_there_until_it_returns_whatever_the_address),
    TEST(what_is_deeper_than_a_method_that_returns_is_let_go),
    TEST(innermost_enclosed_method_returns_first),
    TEST(when_the_thread_went_back_is_known),
    TEST(method_that_began_a_context_leaves_as_the_last_of_it),
    TEST(enclosed_method_without_a_window_holds_nothing),
    TEST(where_nothing_is_enclosed_nothing_returns),
    TEST(method_that_stays_in_the_flow_returns_to_it),
    TEST(thread_that_ends_stays_nowhere),
    TEST(outermost_is_held_for_ever_where_there_is_no_room),
};
UNIT_TESTS(tests);
