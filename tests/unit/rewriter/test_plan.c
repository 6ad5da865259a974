/* test_plan.c - a block or edge gets a counter unless another count is surely the same; the counts
 * made of the counters are what truly happened; the hash changes with whatever the plan is made
 * of. */
#include "rewriter/plan.h"

#include <stdio.h>

#include "tests/support/check.h"
#include "tests/support/il_builder.h"
#include "tests/support/walk.h"

enum {
    WALKS = 400
};

static uint8_t rule_of(const struct il_method *m, const char *label)
{
    return m->plan.rule[il_block(m, label)];
}

static uint32_t value_of(const struct il_method *m, const char *label)
{
    return m->plan.value_counter[il_block(m, label)];
}

static bool edge_counts(const struct il_method *m, const char *from, const char *to)
{
    return m->plan.edge_counter[il_edge(m, from, to)] != NO_INDEX;
}

/* Every plan of these tests must also be true. */
static void close_proven(struct il_method *m)
{
    struct walk_tally tally = {.finished = 0};
    struct err err;
    if (!walk_check(&tally, &m->flow, &m->plan, repeated(WALKS), 1, &m->arena, &err))
        fail_msg("%s", err.text);
    assert_true(tally.finished != 0);
    il_method_close(m);
}

/* --- what needs no counter -------------------------------------------------------------------- */

static void straight_code_has_one_counter(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "int32()", "ldc.i4.1; ret");
    assert_int_equal(m.plan.counter_count, 1);
    assert_int_equal(m.plan.block_counter[0], 0);
    close_proven(&m);
}

/* if (a) nop; the end: `else` is the one edge that no block counts. */
static void condition_that_cannot_throw_is_the_sum_of_its_ways(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(bool)", "A: ldarg.0; brfalse.s C; B: nop; C: ret");
    assert_int_equal(rule_of(&m, "A"), RULE_OUT);
    assert_int_equal(rule_of(&m, "B"), RULE_COUNTER);
    assert_true(edge_counts(&m, "A", "C"));
    assert_false(edge_counts(&m, "A", "B"));
    assert_int_equal(rule_of(&m, "C"), RULE_IN);
    assert_int_equal(m.plan.counter_count, 2);
    close_proven(&m);
}

static void condition_that_may_throw_has_its_own_counter(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void()", "A: call bool(); brfalse.s C; B: nop; C: ret");
    assert_int_equal(rule_of(&m, "A"), RULE_COUNTER);
    close_proven(&m);
}

static void join_after_what_may_throw_has_its_own_counter(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(bool)",
                   "A: ldarg.0; brfalse.s F; B: call int32(); br.s J; F: ldc.i4.1; J: pop; ret");
    assert_int_equal(rule_of(&m, "J"), RULE_COUNTER);
    close_proven(&m);
    /* with an empty stack it is split off first */
    il_method_open(&m, "void(bool)",
                   "A: ldarg.0; brfalse.s C; B: call int32(); pop; S: br.s C; C: ret");
    assert_int_equal(rule_of(&m, "S"), RULE_COUNTER);
    assert_int_equal(rule_of(&m, "C"), RULE_IN);
    close_proven(&m);
}

static void block_after_a_split_has_its_own_counter(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void()", "A: call void(); B: ldnull; pop; ret");
    assert_int_equal(rule_of(&m, "A"), RULE_COUNTER);
    assert_int_equal(rule_of(&m, "B"), RULE_COUNTER);
    assert_int_equal(m.plan.counter_count, 2);
    close_proven(&m);
}

static void block_that_only_runs_on_is_the_same_as_what_follows(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void()", "A: nop; br.s B; B: ret");
    assert_int_equal(rule_of(&m, "A"), RULE_COUNTER);
    assert_int_equal(rule_of(&m, "B"), RULE_IN);
    assert_int_equal(m.plan.counter_count, 1);
    close_proven(&m);
}

static void loop_is_not_counted_by_itself(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(bool)", "A: nop; L: ldarg.0; brtrue.s L; E: ret");
    assert_true(edge_counts(&m, "L", "L"));
    close_proven(&m);
    il_method_open(&m, "void(bool)", "L: ldarg.0; brtrue.s L; E: ret");
    assert_true(edge_counts(&m, "L", "L"));
    close_proven(&m);
    il_method_open(&m, "void(bool)", "L: ldarg.0; brfalse.s E; B: nop; br.s L; E: ret");
    close_proven(&m);
    il_method_open(&m, "void(bool)", "br.s C; B: nop; C: ldarg.0; brtrue.s B; E: ret");
    close_proven(&m);
}

/* Two blocks that lead to each other: neither may be counted by the other. */
static void blocks_in_a_ring_are_counted(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(bool)",
                   "A: ldarg.0; brtrue.s D; B: nop; C: ldarg.0; brtrue.s X; br.s D;"
                   "D: ldarg.0; brtrue.s B; E: ret; X: ret");
    close_proven(&m);
    il_method_open(&m, "void(bool)",
                   "br.s B; A: nop; br.s B; B: nop; br.s C; C: ldarg.0;"
                   "brtrue.s A; ret");
    close_proven(&m);
    il_method_open(&m, "void(bool)",
                   "nop; T: nop; br.s C; C: ldarg.0; brtrue.s X; Y: ldarg.0; brtrue.s X; ret;"
                   "X: nop; br.s T");
    close_proven(&m);
}

static void unreachable_code_has_no_counter(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void()", "br.s E; D: ldc.i4.1; brtrue.s E; E: ret");
    assert_int_equal(rule_of(&m, "D"), RULE_NEVER);
    assert_int_equal(m.plan.counter_count, 1);
    close_proven(&m);
}

static void each_way_of_a_switch_is_counted(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(int32)", "A: ldarg.0; switch X Y X D; D: ret; X: ret; Y: nop; ret");
    assert_false(edge_counts(&m, "A", "X"));
    assert_false(edge_counts(&m, "A", "Y"));
    assert_int_equal(rule_of(&m, "A"), RULE_OUT);
    /* the two ways to D are told apart */
    assert_int_not_equal(m.plan.edge_counter[2], NO_INDEX);
    assert_int_not_equal(m.plan.edge_counter[3], NO_INDEX);
    close_proven(&m);
}

static void handler_has_its_own_counter(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void()",
                   ".try A C catch C D; A: call void(); leave.s D; C: pop; leave.s D; D: ret");
    assert_int_equal(rule_of(&m, "C"), RULE_COUNTER);
    close_proven(&m);
}

/* A loop back to the method's first instruction, which is entered from outside too. */
static void entry_is_not_the_sum_of_its_edges(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void()", "A: call int32(); brtrue.s A; ret");
    assert_int_equal(rule_of(&m, "A"), RULE_COUNTER);
    assert_true(edge_counts(&m, "A", "A"));
    close_proven(&m);
}

static void leave_through_finally_counts_where_it_arrives(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void()",
                   ".try A H finally H E; A: nop; leave.s E; H: call void(); endfinally; E: ret");
    assert_int_equal(rule_of(&m, "E"), RULE_COUNTER);
    close_proven(&m);
    il_method_open(&m, "void()",
                   ".try A C catch C E; A: nop; leave.s E; C: pop; leave.s E; E: ret");
    assert_int_equal(rule_of(&m, "E"), RULE_IN);
    close_proven(&m);
}

/* --- tail calls ------------------------------------------------------------------------------- */

static void shared_return_of_a_tail_call_is_counted_on_its_edges(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(bool)", "A: ldarg.0; brtrue.s R; B: tail.; call void(); R: ret");
    assert_int_equal(rule_of(&m, "R"), RULE_IN);
    assert_true(edge_counts(&m, "A", "R"));
    assert_false(edge_counts(&m, "B", "R"));
    close_proven(&m);
}

/* From a block that may throw the jump has a counter of its own, right before it. */
static void jump_into_the_return_of_a_tail_call_is_counted(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(
        &m, "int32(bool)",
        "A: ldarg.0; brtrue.s C; B: tail.; call int32(); R: ret; C: ldsfld int32; br.s R");
    assert_true(edge_counts(&m, "C", "R"));
    assert_int_equal(rule_of(&m, "R"), RULE_IN);
    close_proven(&m);
    il_method_open(&m, "void(bool)",
                   "A: ldarg.0; brtrue.s C; B: ldc.i4.0; call self; R: ret; C: call int32();"
                   "brtrue.s R; ret");
    assert_true(edge_counts(&m, "C", "R"));
    close_proven(&m);
}

static void condition_on_a_constant_into_a_tail_return_is_counted(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(bool)",
                   "A: ldarg.0; brtrue.s C; B: ldc.i4.0; call self; R: ret;"
                   "C: ldc.i4.1; brtrue.s R; D: ret");
    close_proven(&m);
}

static void leave_into_the_return_of_a_tail_call_is_counted(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(bool)",
                   ".try T H finally H Z; A: ldarg.0; brtrue.s T;"
                   "B: ldc.i4.0; call self; R: ret;"
                   "T: call void(); leave.s R; H: endfinally; Z:");
    close_proven(&m);
}

/* --- values ----------------------------------------------------------------------------------- */

/* bool x = a && b, as Debug builds have it. */
static const char and_value[] =
    ".locals bool; A: ldarg.0; brfalse.s F; B: ldarg.1; br.s J; F: ldc.i4.0; J: stloc.0; ldloc.0;"
    "brfalse.s E; T: nop; E: ret";

static void operand_of_a_kept_condition_is_counted_by_its_value(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(bool,bool)", and_value);
    assert_int_not_equal(value_of(&m, "B"), NO_INDEX);
    assert_int_equal(value_of(&m, "A"), NO_INDEX);
    assert_int_equal(value_of(&m, "F"), NO_INDEX);
    close_proven(&m);
}

/* `x = a && (await b).F()` in an async method: what was kept of the await is cleared after that. */
static void operand_stored_before_fields_are_cleared_is_counted(void **state)
{
    static const struct {
        const char *clear;
        bool counts;
    } cases[] = {
        {"", true},
        {"ldarg.0; ldnull; stfld object <>s__4;", true},
        {"ldarg.0; ldnull; stfld object <>7__wrap4; ldarg.0; ldnull; stfld object <>s__5;", true},
        {"ldarg.0; ldflda object <>s__4; initobj object;", true},
        {"ldarg.0; ldnull; stfld object mine;", false},
        {"ldarg.0; ldnull; stfld object <>s__4; nop;", false},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct il_method m;
        char text[512];
        (void)snprintf(text, sizeof text,
                       ".locals bool; ldarg.1; stloc.0; ldloc.0; brfalse.s J; B: call bool();"
                       "stloc.0; %s J: ldarg.0; ldloc.0; stfld bool x; ret",
                       cases[i].clear);
        il_method_open(&m, "this:void(bool)", text);
        assert_int_equal(value_of(&m, "B") != NO_INDEX, cases[i].counts);
        close_proven(&m);
    }
}

/* The outcomes of the condition that tests a kept `a && b` are sums of what was handed to it. */
static void condition_on_handed_values_has_no_counter(void **state)
{
    static const struct {
        const char *text;
        bool handed;
    } cases[] = {
        {"A: ldarg.0; brfalse.s F; B: ldarg.1; br.s J; F: ldc.i4.0;"
         "J: brfalse.s E; T: call void(); E: ret",
         true},
        {".locals bool; A: ldarg.0; brfalse.s F; B: ldarg.1; br.s J; F: ldc.i4.0;"
         "J: stloc.0; ldloc.0; brfalse.s E; T: call void(); E: ret",
         true},
        {".locals bool; A: ldarg.0; brfalse.s F; B: ldarg.1; br.s J; F: ldc.i4.0;"
         "J: nop; stloc.0; nop; ldloc.0; ldc.i4.0; ceq; brtrue.s E; T: call void(); E: ret",
         true},
        {".locals bool; A: ldarg.0; brtrue.s F; B: ldarg.1; br.s J; F: ldc.i4.1;"
         "J: stloc.0; ldloc.0; brtrue.s E; T: call void(); E: ret",
         true},
        /* tests another local, or does something else as well */
        {".locals bool bool; A: ldarg.0; brfalse.s F; B: ldarg.1; br.s J; F: ldc.i4.0;"
         "J: stloc.0; ldloc.1; brfalse.s E; T: call void(); E: ret",
         false},
        {".locals bool; A: ldarg.0; brfalse.s F; B: ldarg.1; br.s J; F: ldc.i4.0;"
         "J: stloc.0; call void(); ldloc.0; brfalse.s E; T: call void(); E: ret",
         false},
        /* a way without a counted value or constant */
        {".locals bool; A: ldarg.0; brfalse.s F; B: ldarg.1; br.s J; F: ldc.i4.2;"
         "J: stloc.0; ldloc.0; brfalse.s E; T: call void(); E: ret",
         false},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct il_method m;
        il_method_open(&m, "void(bool,bool)", cases[i].text);
        if ((m.plan.handed[il_block(&m, "J")] != HANDED_NOTHING) != cases[i].handed)
            fail_msg("%s", cases[i].text);
        if (cases[i].handed) {
            assert_false(edge_counts(&m, "J", "E"));
            assert_int_equal(rule_of(&m, "T"), RULE_IN);
        }
        close_proven(&m);
    }
}

static void block_with_a_counted_value_is_the_sum_of_its_outcomes(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(bool,bool)", and_value);
    assert_int_equal(rule_of(&m, "B"), RULE_VALUES);
    close_proven(&m);
    il_method_open(&m, "void(bool)",
                   ".locals bool; A: ldarg.0; brfalse.s F; B: call bool(); br.s J; F: ldc.i4.0;"
                   "J: stloc.0; ret");
    assert_int_equal(rule_of(&m, "B"), RULE_COUNTER); /* the call may throw */
    assert_int_equal(rule_of(&m, "J"), RULE_IN);
    close_proven(&m);
}

static void operands_of_or_are_counted_the_same_way(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(bool,bool)",
                   ".locals bool; A: ldarg.0; brtrue.s T; B: ldarg.1; br.s J; T: ldc.i4.1;"
                   "J: stloc.0; ret");
    assert_int_not_equal(value_of(&m, "B"), NO_INDEX);
    close_proven(&m);
}

static void returned_operand_is_counted_by_its_value(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "bool(bool,bool)",
                   "A: ldarg.0; brfalse.s F; B: ldarg.1; ret; F: ldc.i4.0; ret");
    assert_int_not_equal(value_of(&m, "B"), NO_INDEX);
    close_proven(&m);
}

/* The constant of `a || b` comes before b: returned, kept, and beside a nested operand. In another
 * language B is no operand. */
static void operand_after_the_constant_is_counted_in_fsharp(void **state)
{
    static const char *const texts[][2] = {
        {"bool(bool,bool)", "A: ldarg.0; brfalse.s B; T: ldc.i4.1; ret; B: ldarg.1; ret"},
        {"void(bool,bool)", ".locals bool; A: ldarg.0; brfalse.s B; T: ldc.i4.1; br.s J;"
                            "B: ldarg.1; J: stloc.0; ret"},
        {"void(bool,bool)",
         ".locals bool; A: ldarg.0; brfalse.s C; T: ldc.i4.1; br.s J;"
         "C: ldarg.0; brtrue.s D; B: ldarg.1; br.s K; D: ldarg.0; K: nop; br.s J;"
         "J: stloc.0; ret"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct il_method m;
        il_method_open_fsharp(&m, texts[i][0], texts[i][1]);
        assert_int_not_equal(value_of(&m, "B"), NO_INDEX);
        assert_int_equal(value_of(&m, "A"), NO_INDEX);
        assert_int_equal(value_of(&m, "T"), NO_INDEX);
        close_proven(&m);
        il_method_open(&m, texts[i][0], texts[i][1]);
        assert_int_equal(value_of(&m, "B"), NO_INDEX);
        close_proven(&m);
    }
}

/* No condition chooses the constant, or the value goes elsewhere. */
static void values_without_a_chosen_constant_are_not_counted_in_fsharp(void **state)
{
    static const char *const texts[][2] = {
        {"bool(bool,bool)", "A: ldarg.0; brfalse.s B; T: ldc.i4.2; ret; B: ldarg.1; ret"},
        {"bool(bool,bool)",
         ".locals bool; A: ldarg.0; brfalse.s C; T: ldc.i4.1; br.s J; C: ldc.i4.2;"
         "J: stloc.0; ldarg.0; brtrue.s B; nop; B: ldarg.1; ret"},
        {"void(bool,bool)", ".locals bool; A: ldarg.0; brfalse.s E; B: ldarg.1; br.s J;"
                            "E: ldarg.0; J: stloc.0; ret"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct il_method m;
        il_method_open_fsharp(&m, texts[i][0], texts[i][1]);
        assert_int_equal(value_of(&m, "B"), NO_INDEX);
        close_proven(&m);
    }
}

static void verdict_of_a_filter_is_counted_by_its_value(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(bool)",
                   ".try A F filter F H E; A: call void(); leave.s E;"
                   "F: pop; ldarg.0; ldc.i4.0; cgt.un; endfilter; H: pop; leave.s E; E: ret");
    assert_int_not_equal(value_of(&m, "F"), NO_INDEX);
    close_proven(&m);
    il_method_open(
        &m, "void(bool)",
        ".try A F filter F H E; A: call void(); leave.s E;"
        "F: isinst; dup; brtrue.s G; B: pop; ldc.i4.0; br.s X; G: pop; ldarg.0; ldc.i4.0;"
        "cgt.un; X: endfilter; H: pop; leave.s E; E: ret");
    assert_int_not_equal(value_of(&m, "G"), NO_INDEX);
    assert_int_equal(value_of(&m, "B"), NO_INDEX);
    close_proven(&m);
}

static const struct {
    const char *name, *signature, *text;
} no_values[] = {
    {"a ?: of two bools", "void(bool,bool,bool)",
     ".locals bool; ldarg.0; brtrue.s T; B: ldarg.1; br.s J; T: ldarg.2; J: stloc.0; ret"},
    {"a number, not a bool", "void(bool,int32)",
     ".locals int32; ldarg.0; brtrue.s T; B: ldarg.1; br.s J; T: ldc.i4.0; J: stloc.0; ret"},
    {"a constant 2", "void(bool,bool)",
     ".locals bool; ldarg.0; brtrue.s T; B: ldarg.1; br.s J; T: ldc.i4.2; J: stloc.0; ret"},
    {"no way round it", "bool(bool)", "ldarg.0; pop; B: ldarg.0; br.s J; J: ret"},
    {"a return without a short way", "bool(bool,bool)",
     "ldarg.0; brtrue.s T; B: ldarg.1; ret; T: ldarg.0; ret"},
    {"beside a tail call", "bool(bool)",
     "ldarg.0; brfalse.s F; B: ldarg.0; ret; F: ldc.i4.0; ret; D: ldarg.0; tail.; call bool(bool);"
     "ret"},
};

static void other_values_are_not_counted(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(no_values); i++) {
        struct il_method m;
        il_method_open(&m, no_values[i].signature, no_values[i].text);
        for (uint32_t n = 0; n < m.flow.block_count; n++)
            if (m.plan.value_counter[n] != NO_INDEX)
                fail_msg("%s", no_values[i].name);
        close_proven(&m);
    }
}

/* return a && M(b), with one `ret`: nothing may stand between the call and it. */
static void value_before_the_return_of_a_tail_call_is_not_counted(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "bool(bool)",
                   "A: ldarg.0; brfalse.s F; B: ldarg.0; call self; R: ret; F: ldc.i4.0; br.s R");
    assert_int_equal(value_of(&m, "B"), NO_INDEX);
    close_proven(&m);
}

/* What is on top before a condition is what it tests, not the value below. */
static void value_below_a_condition_is_not_counted(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(bool,bool)",
                   ".locals bool; A: ldarg.0; brfalse.s F; B: ldarg.1; ldc.i4.1; brtrue.s J;"
                   "F: ldc.i4.0; J: stloc.0; ret");
    assert_int_equal(value_of(&m, "B"), NO_INDEX);
    close_proven(&m);
}

/* --- counts ----------------------------------------------------------------------------------- */

static void counters_are_numbered_without_a_gap(void **state)
{
    struct il_method m;
    uint8_t seen[64] = {0};
    (void)state;
    il_method_open(&m, "void(bool,bool)", and_value);
    assert_true(m.plan.counter_count <= sizeof seen);
    for (uint32_t n = 0; n < m.flow.block_count; n++) {
        if (m.plan.block_counter[n] != NO_INDEX)
            seen[m.plan.block_counter[n]]++;
        if (m.plan.value_counter[n] != NO_INDEX) {
            seen[m.plan.value_counter[n]]++;
            seen[m.plan.value_counter[n] + 1]++;
        }
    }
    for (uint32_t e = 0; e < m.flow.edge_count; e++)
        if (m.plan.edge_counter[e] != NO_INDEX)
            seen[m.plan.edge_counter[e]]++;
    for (uint32_t n = 0; n < m.plan.counter_count; n++)
        assert_int_equal(seen[n], 1);
    close_proven(&m);
}

static void sums_stop_at_the_largest_number(void **state)
{
    struct il_method m;
    struct plan_counts counts;
    uint64_t counters[2] = {UINT64_MAX - 1, UINT64_MAX - 1};
    (void)state;
    il_method_open(&m, "void(bool)", "A: ldarg.0; brfalse.s C; B: nop; C: ret");
    assert_int_equal(m.plan.counter_count, 2);
    assert_true(plan_count(&counts, &m.plan, &m.flow, counters, &m.arena, NULL));
    assert_true(counts.blocks[il_block(&m, "A")] == UINT64_MAX);
    assert_true(counts.blocks[il_block(&m, "C")] == UINT64_MAX);
    il_method_close(&m);
}

static void nothing_counted_is_nothing_anywhere(void **state)
{
    struct il_method m;
    struct plan_counts counts;
    uint64_t counters[64] = {0};
    (void)state;
    il_method_open(&m, "void(bool,bool)", and_value);
    assert_true(plan_count(&counts, &m.plan, &m.flow, counters, &m.arena, NULL));
    for (uint32_t n = 0; n < m.flow.block_count; n++)
        assert_true(counts.blocks[n] == 0);
    for (uint32_t e = 0; e < m.flow.edge_count; e++)
        assert_true(counts.edges[e] == 0);
    il_method_close(&m);
}

/* A counter that is one can only make counts that are not zero: nothing is ever subtracted. */
static void counts_grow_with_every_counter(void **state)
{
    struct il_method m;
    uint64_t counters[64] = {0};
    (void)state;
    il_method_open(&m, "void(bool,bool)", and_value);
    for (uint32_t n = 0; n < m.plan.counter_count; n++) {
        struct plan_counts before, after;
        assert_true(plan_count(&before, &m.plan, &m.flow, counters, &m.arena, NULL));
        counters[n] += 5;
        assert_true(plan_count(&after, &m.plan, &m.flow, counters, &m.arena, NULL));
        for (uint32_t b = 0; b < m.flow.block_count; b++)
            assert_true(after.blocks[b] >= before.blocks[b]);
        for (uint32_t e = 0; e < m.flow.edge_count; e++)
            assert_true(after.edges[e] >= before.edges[e]);
    }
    il_method_close(&m);
}

/* --- the hash --------------------------------------------------------------------------------- */

static uint64_t hash_of(const struct il_method *m, uint32_t rid, struct view body)
{
    return plan_hash_method(plan_hash_start(MODE_COUNT), rid, body, &m->plan, &m->flow);
}

static void hash_changes_with_every_byte_of_a_body(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(bool,bool)", and_value);
    uint64_t hash = hash_of(&m, 1, m.body);
    struct view copy = exact_copy(m.body);
    uint8_t *bytes = (uint8_t *)(uintptr_t)copy.data;
    for (size_t at = 0; at < copy.len; at++)
        for (unsigned bit = 0; bit < 8; bit++) {
            bytes[at] ^= (uint8_t)(1u << bit);
            assert_true(hash_of(&m, 1, copy) != hash);
            bytes[at] ^= (uint8_t)(1u << bit);
        }
    assert_true(hash_of(&m, 1, copy) == hash);
    assert_true(hash_of(&m, 1, (struct view){copy.data, copy.len - 1}) != hash);
    exact_free(copy);
    il_method_close(&m);
}

static void hash_changes_with_mode_row_and_order(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(bool,bool)", and_value);
    assert_true(plan_hash_start(MODE_COUNT) != plan_hash_start(MODE_HIT));
    assert_true(plan_hash_start(MODE_COUNT) != plan_hash_start(MODE_EXACT));
    uint64_t one = hash_of(&m, 1, m.body), two = hash_of(&m, 2, m.body);
    assert_true(one != two);
    assert_true(plan_hash_method(one, 2, m.body, &m.plan, &m.flow) !=
                plan_hash_method(two, 1, m.body, &m.plan, &m.flow));
    il_method_close(&m);
}

static void hash_changes_with_the_places_of_counters(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(bool,bool)", and_value);
    uint64_t hash = hash_of(&m, 1, m.body);
    for (uint32_t n = 0; n < m.flow.block_count; n++) {
        m.plan.block_counter[n]++;
        assert_true(hash_of(&m, 1, m.body) != hash);
        m.plan.block_counter[n]--;
        m.plan.value_counter[n]++;
        assert_true(hash_of(&m, 1, m.body) != hash);
        m.plan.value_counter[n]--;
    }
    for (uint32_t e = 0; e < m.flow.edge_count; e++) {
        m.plan.edge_counter[e]++;
        assert_true(hash_of(&m, 1, m.body) != hash);
        m.plan.edge_counter[e]--;
    }
    il_method_close(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(straight_code_has_one_counter),
    cmocka_unit_test(condition_that_cannot_throw_is_the_sum_of_its_ways),
    cmocka_unit_test(condition_that_may_throw_has_its_own_counter),
    cmocka_unit_test(join_after_what_may_throw_has_its_own_counter),
    cmocka_unit_test(block_after_a_split_has_its_own_counter),
    cmocka_unit_test(block_that_only_runs_on_is_the_same_as_what_follows),
    cmocka_unit_test(loop_is_not_counted_by_itself),
    cmocka_unit_test(blocks_in_a_ring_are_counted),
    cmocka_unit_test(unreachable_code_has_no_counter),
    cmocka_unit_test(each_way_of_a_switch_is_counted),
    cmocka_unit_test(handler_has_its_own_counter),
    cmocka_unit_test(entry_is_not_the_sum_of_its_edges),
    cmocka_unit_test(leave_through_finally_counts_where_it_arrives),
    cmocka_unit_test(shared_return_of_a_tail_call_is_counted_on_its_edges),
    cmocka_unit_test(jump_into_the_return_of_a_tail_call_is_counted),
    cmocka_unit_test(condition_on_a_constant_into_a_tail_return_is_counted),
    cmocka_unit_test(leave_into_the_return_of_a_tail_call_is_counted),
    cmocka_unit_test(operand_of_a_kept_condition_is_counted_by_its_value),
    cmocka_unit_test(operand_stored_before_fields_are_cleared_is_counted),
    cmocka_unit_test(condition_on_handed_values_has_no_counter),
    cmocka_unit_test(block_with_a_counted_value_is_the_sum_of_its_outcomes),
    cmocka_unit_test(operands_of_or_are_counted_the_same_way),
    cmocka_unit_test(returned_operand_is_counted_by_its_value),
    cmocka_unit_test(operand_after_the_constant_is_counted_in_fsharp),
    cmocka_unit_test(values_without_a_chosen_constant_are_not_counted_in_fsharp),
    cmocka_unit_test(verdict_of_a_filter_is_counted_by_its_value),
    cmocka_unit_test(other_values_are_not_counted),
    cmocka_unit_test(value_before_the_return_of_a_tail_call_is_not_counted),
    cmocka_unit_test(value_below_a_condition_is_not_counted),
    cmocka_unit_test(counters_are_numbered_without_a_gap),
    cmocka_unit_test(sums_stop_at_the_largest_number),
    cmocka_unit_test(nothing_counted_is_nothing_anywhere),
    cmocka_unit_test(counts_grow_with_every_counter),
    cmocka_unit_test(hash_changes_with_every_byte_of_a_body),
    cmocka_unit_test(hash_changes_with_mode_row_and_order),
    cmocka_unit_test(hash_changes_with_the_places_of_counters),
};
UNIT_TESTS(tests);
