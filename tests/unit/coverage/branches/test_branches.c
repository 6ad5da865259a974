/* test_branches.c - what is known of branches and ways before any rule has classified them, and
 * what rules write. */
#include "coverage/branches/branches.h"

#include "tests/support/check.h"
#include "tests/support/il_builder.h"

struct fixture {
    struct il_method m;
    struct seq_points points;
    struct branches branches;
};

static void open(struct fixture *f, const char *signature, const char *text, bool is_state_machine)
{
    struct err err;
    il_method_open_optimised(&f->m, signature, text);
    f->points = il_points(&f->m.builder);
    struct statements_source source = {
        .flow = &f->m.flow, .points = &f->points, .is_state_machine = is_state_machine};
    if (!branches_make(&f->branches, &source, &f->m.plan, &f->m.arena, &err))
        fail_msg("%s", err.text);
}

/* The nth branch of the method. */
static uint32_t nth_branch(const struct fixture *f, unsigned nth)
{
    for (uint32_t n = 0; n < f->m.flow.block_count; n++)
        if (branches_has(&f->branches, n) && nth-- == 0)
            return n;
    fail_msg("it has not so many branches");
    return NO_INDEX;
}

static void new_branches_has_no_class(void **state)
{
    struct fixture f;
    (void)state;
    open(&f, "void(bool)", ".point 2; ldarg.0; brfalse.s E; .point 3; call void(); E: ret", false);
    for (uint32_t n = 0; n < f.m.flow.block_count; n++) {
        assert_null(f.branches.rule[n]);
        assert_int_equal(f.branches.class[n], BRANCH_NONE);
        assert_int_equal(f.branches.statement[n], NO_INDEX);
        assert_int_equal(branches_group(&f.branches, n), n);
        assert_int_equal(f.branches.next[n], NO_INDEX);
        assert_false(branches_is_inlined(&f.branches, n));
    }
    il_method_close(&f.m);
}

static void branch_knows_what_it_tests(void **state)
{
    struct fixture f;
    (void)state;
    open(&f, "void()",
         ".locals bool; .point 2; ldsfld bool Ready; brfalse.s A; call void(); A: .point 3; "
         "ldc.i4.1;"
         "stloc.0; .hidden; ldloc.0; brtrue.s E; call void(); E: ret",
         false);
    struct branch field = branches_at(&f.branches, nth_branch(&f, 0));
    assert_true(str_is(field.member, "Ready"));
    assert_int_equal(field.local, NO_INDEX);
    assert_true(field.visible && !field.just_stored);
    assert_int_equal(branches_statement(&f.branches, &field), 0);
    struct branch local = branches_at(&f.branches, nth_branch(&f, 1));
    assert_int_equal(local.local, NO_INDEX); /* the store just before is looked through */
    assert_true(!local.visible && local.just_stored);
    assert_int_equal(local.before, 1);
    il_method_close(&f.m);
}

static void statement_is_the_next_where_none_is_before(void **state)
{
    struct fixture f;
    (void)state;
    open(&f, "void(bool)", "ldarg.0; brfalse.s E; .point 3; call void(); E: ret", false);
    struct branch branch = branches_at(&f.branches, nth_branch(&f, 0));
    assert_int_equal(branch.before, NO_INDEX);
    assert_int_equal(branches_statement(&f.branches, &branch), 0);
    il_method_close(&f.m);
}

static void way_ends_at_a_point_a_dispatch_or_a_fork(void **state)
{
    static const struct rule dispatch = {.name = "d", .class = BRANCH_DISPATCH};
    struct fixture f;
    (void)state;
    open(&f, "void(bool,bool)",
         ".point 2; ldarg.0; brfalse.s A; br.s B; A: ldarg.1; brtrue.s E; B: nop; br.s C; C: "
         ".point 3;"
         "call void(); E: ret",
         false);
    uint32_t fork = il_block(&f.m, "A");
    assert_int_equal(branches_follow(&f.branches, il_block(&f.m, "B")).point, 1);
    assert_int_equal(branches_follow(&f.branches, fork).point, NO_INDEX);
    assert_int_equal(branches_follow(&f.branches, fork).block, fork);
    branches_set_rule(&f.branches, fork, &dispatch);
    assert_ptr_equal(f.branches.rule[fork], &dispatch);
    assert_int_equal(f.branches.class[fork], BRANCH_DISPATCH);
    assert_int_equal(branches_follow(&f.branches, fork).block, fork);
    il_method_close(&f.m);
}

/* No arm of a switch expression matched: nobody wrote that way. */
static void way_that_only_the_compiler_throws_on_says_so(void **state)
{
    struct fixture f;
    (void)state;
    open(&f, "void(object)",
         ".point 2; ldarg.0; brfalse.s T; .point 3; call void(); ret; T: .hidden; ldarg.0; throw",
         false);
    assert_true(branches_follow(&f.branches, il_block(&f.m, "T")).throws);
    il_method_close(&f.m);
}

static void way_continues_past_an_await(void **state)
{
    struct fixture f;
    (void)state;
    open(&f, "this:void()",
         ".locals object; .point 2; call object(); stloc.0; .hidden; A: ldloc.0;"
         "call this:bool() get_IsCompleted; brtrue.s D; ldarg.0; ldc.i4.0; stfld int32 <>1__state;"
         "ret; D: .point 4; call void(); ret",
         true);
    assert_int_equal(branches_follow(&f.branches, il_block(&f.m, "D")).point, 2);
    assert_int_equal(branches_follow(&f.branches, nth_branch(&f, 0)).point, 2);
    il_method_close(&f.m);
}

static void lowest_block_of_a_group_leads_it(void **state)
{
    struct fixture f;
    (void)state;
    open(&f, "void(bool,bool,bool)",
         ".point 2; ldarg.0; brfalse.s E; ldarg.1; brfalse.s E; ldarg.2; brfalse.s E; call void();"
         "E: ret",
         false);
    assert_true(f.m.flow.block_count >= 4);
    assert_true(branches_unite(&f.branches, 3, 2));
    assert_true(branches_unite(&f.branches, 1, 3));
    assert_false(branches_unite(&f.branches, 2, 1));
    assert_int_equal(branches_group(&f.branches, 3), 1);
    assert_int_equal(branches_group(&f.branches, 2), 1);
    assert_int_equal(branches_group(&f.branches, 0), 0);
    il_method_close(&f.m);
}

/* The borrowed text is that of another method: nothing is reported on it, unless the method has
 * none of its own. */
static void borrowed_point_is_that_of_the_statement_around_it_or_before(void **state)
{
    static const bool borrowed[] = {false, false, true, true, false};
    struct fixture f;
    (void)state;
    open(&f, "void()",
         ".point 2 1-40; call void(); .point 3 1-9; call void(); .point 2 10-20; call void();"
         ".point 4 1-9; call void(); .point 5 1-2; ret",
         false);
    assert_int_equal(branches_own_point(&f.branches, 2), 2);
    f.branches.borrowed = borrowed;
    assert_int_equal(branches_own_point(&f.branches, 4), 4);
    assert_int_equal(branches_own_point(&f.branches, 1), 1);
    assert_int_equal(branches_own_point(&f.branches, 2), 0); /* around it */
    assert_int_equal(branches_own_point(&f.branches, 3), 0); /* before it, past a borrowed one */
    f.branches.map.outer[2] = NO_INDEX;
    assert_int_equal(branches_own_point(&f.branches, 3), 1);
    f.branches.map.visible[0] = f.branches.map.visible[1] = false;
    assert_int_equal(branches_own_point(&f.branches, 3), 3);
    il_method_close(&f.m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(new_branches_has_no_class),
    cmocka_unit_test(branch_knows_what_it_tests),
    cmocka_unit_test(statement_is_the_next_where_none_is_before),
    cmocka_unit_test(way_ends_at_a_point_a_dispatch_or_a_fork),
    cmocka_unit_test(way_that_only_the_compiler_throws_on_says_so),
    cmocka_unit_test(way_continues_past_an_await),
    cmocka_unit_test(lowest_block_of_a_group_leads_it),
    cmocka_unit_test(borrowed_point_is_that_of_the_statement_around_it_or_before),
};
UNIT_TESTS(tests);
