/* test_execution_context.c - an owner is held as long as code of it may be on the thread's stack,
 * which grows down. */
#include "profiler/owners/execution_context.h"

#include "tests/support/check.h"

enum {
    OWNERS = FLOW_DEPTH_MAX + 2
};

static struct owner_table table;
static struct owner owners[OWNERS];
static struct owner *const a = &owners[0], *const b = &owners[1], *const c = &owners[2];
static struct execution_context flow;
static struct owner *idle[OWNERS]; /* in the order of the calls */
static uint32_t idle_count;

static int open_flow(void **state)
{
    (void)state;
    memset(&table, 0, sizeof table);
    memset(owners, 0, sizeof owners);
    memset(idle, 0, sizeof idle);
    flow = (struct execution_context){.current = NULL};
    idle_count = 0;
    for (uint32_t i = 0; i < OWNERS; i++) { /* each has a window, and nobody holds it */
        owner_settle(&table, &owners[i], i);
        (void)owner_let_go(&owners[i]);
    }
    return 0;
}

static void note_idle(void *context, struct owner *owner)
{
    assert_ptr_equal(context, &table);
    assert_true(idle_count < OWNERS);
    idle[idle_count++] = owner;
}

static void unwind(uintptr_t at)
{
    execution_context_unwind(&flow, at, note_idle, &table);
}

static void push(struct owner *owner, uintptr_t at)
{
    uint32_t window;
    assert_true(owner_hold(owner, &window));
    execution_context_push(&flow, owner, at);
}

static uint32_t holders(struct owner *owner)
{
    return (uint32_t)atomic_load(&owner->held);
}

static void finish(struct owner *owner)
{
    atomic_store(&owner->is_over, true);
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

static void owner_that_is_over_is_idle_when_the_last_lets_go(void **state)
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

static void owner_that_is_held_elsewhere_is_not_idle(void **state)
{
    uint32_t window;
    (void)state;
    push(a, 1000);
    finish(a);
    assert_true(owner_hold(a, &window)); /* another thread */
    unwind(UINTPTR_MAX);
    assert_int_equal(holders(a), 1);
    assert_int_equal(idle_count, 0);
}

static void owner_that_is_not_over_is_not_idle(void **state)
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

static void enter(struct owner *owner)
{
    uint32_t window;
    assert_true(owner_hold(owner, &window));
    execution_context_enter(&flow, owner, true, 7);
}

static struct owner *returned(void)
{
    int64_t previous = 0;
    struct owner *owner = execution_context_return(&flow, &previous);
    assert_int_equal(previous, owner != NULL ? 7 : 0);
    return owner;
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
    execution_context_end(&flow);
    assert_true(holders(a) == 0 && holders(b) == 0);
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
    execution_context_end(&flow);
    assert_int_equal(flow.stays, 0);
}

/* --- limits ----------------------------------------------------------------------------------- */

static void outermost_is_held_for_ever_where_there_is_no_room(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < OWNERS; i++)
        push(&owners[i], 10000 - 10 * i);
    assert_int_equal(flow.depth, FLOW_DEPTH_MAX);
    unwind(10000 - 10 * (OWNERS - 1)); /* the last one is gone */
    assert_int_equal(flow.depth, FLOW_DEPTH_MAX - 1);
    assert_int_equal(holders(&owners[OWNERS - 1]), 0);
    assert_int_equal(holders(&owners[OWNERS - 2]), 1);
    unwind(UINTPTR_MAX);
    assert_int_equal(flow.depth, 0);
    for (uint32_t i = 0; i < OWNERS; i++)
        assert_int_equal(holders(&owners[i]), i < OWNERS - FLOW_DEPTH_MAX);
}

#define TEST(name) cmocka_unit_test_setup(name, open_flow)
static const struct CMUnitTest tests[] = {
    TEST(what_lies_deeper_than_the_thread_is_let_go),
    TEST(what_lies_above_the_thread_stays_held),
    TEST(several_are_let_go_at_once),
    TEST(stack_of_nobody_unwinds_to_nothing),
    TEST(owner_that_is_over_is_idle_when_the_last_lets_go),
    TEST(owner_that_is_held_elsewhere_is_not_idle),
    TEST(owner_that_is_not_over_is_not_idle),
    TEST(deepest_is_idle_first),
    TEST(enclosed_method_is_there_until_it_returns_whatever_the_address),
    TEST(what_is_deeper_than_a_method_that_returns_is_let_go),
    TEST(innermost_enclosed_method_returns_first),
    TEST(enclosed_method_without_a_window_holds_nothing),
    TEST(where_nothing_is_enclosed_nothing_returns),
    TEST(method_that_stays_in_the_flow_returns_to_it),
    TEST(thread_that_ends_stays_nowhere),
    TEST(outermost_is_held_for_ever_where_there_is_no_room),
};
UNIT_TESTS(tests);
