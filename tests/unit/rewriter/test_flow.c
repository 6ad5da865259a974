/* test_flow.c - blocks begin where control may come together, part, or be cut off by an exception;
 * edges are the ways between them. What is malformed is declined by name. */
#include "rewriter/flow.h"

#include <stdio.h>

#include "tests/support/check.h"
#include "tests/support/il_builder.h"

static const struct block *block_at(const struct il_method *m, const char *label)
{
    return &m->flow.blocks[il_block(m, label)];
}

static bool begins_block(const struct il_method *m, const char *label)
{
    uint32_t i = m->flow.il.index_at[il_offset(&m->builder, label)];
    return m->flow.blocks[flow_block_of(&m->flow, i)].first == i;
}

/* --- blocks and edges ------------------------------------------------------------------------- */

static void straight_code_is_one_block(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "int32()", "ldc.i4.1; ldc.i4.2; add; ret");
    assert_int_equal(m.flow.block_count, 1);
    assert_int_equal(m.flow.edge_count, 0);
    assert_int_equal(m.flow.blocks[0].exit, FLOW_RETURN);
    assert_true(m.flow.blocks[0].is_entry);
    assert_true(m.flow.blocks[0].reachable);
    il_method_close(&m);
}

static void condition_has_an_edge_for_each_outcome(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(bool)", "A: ldarg.0; brfalse.s C; B: nop; C: ret");
    assert_int_equal(m.flow.block_count, 3);
    assert_int_equal(m.flow.edge_count, 3);
    assert_true(m.flow.edges[il_edge(&m, "A", "C")].taken);
    assert_false(m.flow.edges[il_edge(&m, "A", "B")].taken);
    assert_false(m.flow.edges[il_edge(&m, "B", "C")].taken);
    assert_int_equal(block_at(&m, "A")->exit, FLOW_CONDITION);
    assert_int_equal(block_at(&m, "C")->in_count, 2);
    assert_true(flow_is_critical(&m.flow, il_edge(&m, "A", "C")));
    assert_false(flow_is_critical(&m.flow, il_edge(&m, "A", "B")));
    assert_false(flow_is_critical(&m.flow, il_edge(&m, "B", "C")));
    il_method_close(&m);
}

static void both_ways_of_a_condition_may_lead_to_one_place(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(bool)", "A: ldarg.0; brtrue.s B; B: ret");
    assert_int_equal(m.flow.edge_count, 2);
    assert_true(m.flow.edges[0].taken);
    assert_false(m.flow.edges[1].taken);
    assert_int_equal(flow_taken_edge(&m.flow, 0, m.flow.blocks[1].first), 0);
    assert_true(flow_is_critical(&m.flow, 0));
    assert_true(flow_is_critical(&m.flow, 1));
    il_method_close(&m);
}

static void switch_has_one_edge_for_each_place(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(int32)", "A: ldarg.0; switch X Y X D; D: ret; X: ret; Y: ret");
    assert_int_equal(m.flow.blocks[0].edge_count, 4); /* X, Y, D taken, and D behind */
    assert_true(m.flow.edges[0].taken);
    assert_int_equal(m.flow.edges[0].to, il_block(&m, "X"));
    assert_int_equal(m.flow.edges[1].to, il_block(&m, "Y"));
    assert_int_equal(m.flow.edges[2].to, il_block(&m, "D"));
    assert_true(m.flow.edges[2].taken);
    assert_int_equal(m.flow.edges[3].to, il_block(&m, "D"));
    assert_false(m.flow.edges[3].taken);
    il_method_close(&m);
}

static void switch_of_nothing_runs_on(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(int32)", "A: ldarg.0; switch; B: ret");
    assert_int_equal(m.flow.block_count, 2);
    assert_int_equal(m.flow.edge_count, 1);
    assert_false(m.flow.edges[0].taken);
    il_method_close(&m);
}

static void edges_come_in_groups_by_their_target(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(bool)",
                   "A: ldarg.0; brtrue.s E; B: ldarg.0; brtrue.s E; C: br.s E; E: ret");
    const struct block *end = block_at(&m, "E");
    assert_int_equal(end->in_count, 3);
    for (uint32_t i = 0; i < end->in_count; i++)
        assert_int_equal(m.flow.edges[m.flow.in_edges[end->first_in + i]].to, il_block(&m, "E"));
    il_method_close(&m);
}

static void what_nothing_leads_to_is_unreachable_and_has_no_edges(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void()", "br.s E; DEAD: pop; br.s E; E: ret");
    assert_false(block_at(&m, "DEAD")->reachable);
    assert_int_equal(block_at(&m, "DEAD")->edge_count, 0);
    assert_true(block_at(&m, "E")->reachable);
    assert_int_equal(block_at(&m, "E")->in_count, 1);
    il_method_close(&m);
}

static void stack_may_be_kept_over_joins(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "int32(bool)",
                   "ldc.i4.5; ldarg.0; brtrue.s T; F: ldc.i4.1; br.s E; T: ldc.i4.2; E: add; ret");
    assert_int_equal(block_at(&m, "F")->depth, 1);
    assert_int_equal(block_at(&m, "T")->depth, 1);
    assert_int_equal(block_at(&m, "E")->depth, 2);
    il_method_close(&m);
}

/* --- conditions on constants ------------------------------------------------------------------ */

static const struct {
    const char *text;
    bool branches;
} constants[] = {
    {"ldc.i4.1; brtrue T", true},        {"ldc.i4.1; brfalse T", false},
    {"ldc.i4.0; brtrue T", false},       {"ldc.i4.0; brfalse.s T", true},
    {"ldc.i4.m1; brtrue.s T", true},     {"ldc.i4.s 0; brtrue.s T", false},
    {"ldc.i4 7; nop; brtrue.s T", true},
};

static void condition_on_a_constant_goes_one_way(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(constants); i++) {
        struct il_method m;
        char text[80];
        (void)snprintf(text, sizeof text, "%s; F: ret; T: ret", constants[i].text);
        il_method_open(&m, "void()", text);
        assert_int_equal(m.flow.blocks[0].edge_count, 1);
        assert_int_equal(m.flow.edges[0].taken, constants[i].branches);
        assert_int_equal(block_at(&m, "T")->reachable, constants[i].branches);
        assert_int_equal(block_at(&m, "F")->reachable, !constants[i].branches);
        il_method_close(&m);
    }
}

static void condition_on_what_may_be_a_constant_goes_both_ways(void **state)
{
    static const char *const texts[] = {
        "ldc.i4.1; br.s J; J: brtrue T; F: ret; T: ret",
        "ldc.i4.1; ldc.i4.1; beq T; F: ret; T: ret",
        "ldc.i8 1; brtrue T; F: ret; T: ret",
        "ldnull; brtrue T; F: ret; T: ret",
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct il_method m;
        il_method_open(&m, "void()", texts[i]);
        assert_true(block_at(&m, "T")->reachable);
        assert_true(block_at(&m, "F")->reachable);
        il_method_close(&m);
    }
}

/* --- splits ----------------------------------------------------------------------------------- */

static const struct {
    const char *name, *signature, *text;
    bool splits;           /* does a block begin at S? */
    bool optimised_splits; /* likewise in code built with optimisation */
} splits[] = {
    {"after a call", "void()", "call void(); S: ldnull; pop; ret", true, true},
    {"not before the end of a method", "void()", "call void(); S: nop; nop; ret", false, true},
    {"nor within it", "void()", "call void(); nop; S: ret", false, false},
    {"not after a use of what was tested", "void(object)",
     "ldarg.0; brfalse.s E; ldarg.0; ldfld int32; pop; S: ldnull; pop; E: ret", false, false},
    {"after a use of what was tested on another way", "void(object)",
     "ldarg.0; brtrue.s E; ldarg.0; ldfld int32; pop; S: ldnull; pop; E: ret", true, false},
    {"after a use of what was tested on one of two ways", "void(object,bool)",
     "ldarg.1; brtrue.s J; ldarg.0; brfalse.s E; J: ldarg.0; ldfld int32; pop; S: ldnull; pop; "
     "E: ret",
     true, false},
    {"not after a use of what an unoptimised build tested", "void(object)",
     ".locals bool; ldarg.0; ldnull; cgt.un; stloc.0; ldloc.0; brfalse.s E; ldarg.0; ldfld int32;"
     "pop; S: ldnull; pop; E: ret",
     false, false},
    {"before an end that others jump to", "bool()",
     "call bool(); brtrue.s E; call void(); S: nop; E: ldnull; ret", true, true},
    {"only after the first", "void()", "nop; S: nop; call void(); ret", false, false},
    {"once an empty stack comes", "void()", "call int32(); S: pop; ret", false, true},
    {"where the empty stack comes", "void()", "call int32(); pop; S: ret", true, false},
    {"not after what never throws", "void()", "ldc.i4.1; pop; S: nop; ret", false, false},
    {"not between prefix and call", "void(object)",
     "ldsfld int32; pop; ldarg.0; constrained. 0; S: callvirt this:void(); ret", false, false},
    {"at the prefix", "void()", "call void(); S: volatile.; ldsfld int32; pop; ret", true, true},
    {"not before the ret of a tail call", "void()", "tail.; call void(); S: ret", false, false},
    {"not before the ret of a call of itself", "void()", "call self; S: ret", false, false},
    {"before the ret of any other call", "void()", "call void(); S: ret", true, true},
    {"before the ret of the base type's method", "this:void()", "ldarg.0; call base; S: ret", true,
     true},
};

static void blocks_are_split_after_what_may_throw(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(splits); i++)
        for (int optimised = 0; optimised < 2; optimised++) {
            struct il_method m;
            bool expected = optimised != 0 ? splits[i].optimised_splits : splits[i].splits;
            (optimised != 0 ? il_method_open_optimised : il_method_open)(&m, splits[i].signature,
                                                                         splits[i].text);
            if (begins_block(&m, "S") != expected)
                fail_msg("%s: %s", splits[i].name, expected ? "no split" : "split");
            il_method_close(&m);
        }
}

static void block_after_a_split_knows_its_depth(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open_optimised(&m, "int32()", "ldc.i4.1; call int32(); S: add; ret");
    assert_int_equal(block_at(&m, "S")->depth, 2);
    assert_true(m.flow.blocks[0].may_throw);
    assert_false(block_at(&m, "S")->may_throw);
    assert_int_equal(m.flow.edge_count, 1);
    il_method_close(&m);
}

static void makers_are_remembered_over_splits(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open_optimised(&m, "int32()", "newobj this:void(); S: ldfld int32; ret");
    assert_false(block_at(&m, "S")->may_throw);
    il_method_close(&m);
}

/* --- tail calls ------------------------------------------------------------------------------- */

static const struct {
    const char *signature, *text;
    bool tail;
} tails[] = {
    {"void()", "tail.; call void(); ret", true},
    {"void()", "call self; ret", true},
    {"void()", "call self; nop; ret", false},
    {"void()", "call void(); ret", false},
    {"void(int32)", "ldarg.0; jmp self", true},
    {"int32(int32)", "ldarg.0; call self; ret", true},
    {"int32(int32)", "ldarg.0; call self; ldc.i4.1; add; ret", false},
    {"this:void()", "ldarg.0; call base; ret", false},
    {"aggressive:void()", "call void(); ret", true},
    {"aggressive:bool(int32)", "ldarg.0; callvirt this:bool() get_X; ret", true},
    {"aggressive:bool(int32)", "ldarg.0; callvirt this:bool() get_X; ldc.i4.0; ceq; ret", false},
};

static void tail_calls_are_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(tails); i++) {
        struct il_method m;
        il_method_open(&m, tails[i].signature, tails[i].text);
        if (m.flow.calls_tail != tails[i].tail)
            fail_msg("%s: %s", tails[i].text, tails[i].tail ? "no tail call" : "a tail call");
        il_method_close(&m);
    }
}

static void shared_return_of_a_tail_call_is_marked(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(bool)", "A: ldarg.0; brtrue.s R; B: tail.; call void(); R: ret");
    assert_true(block_at(&m, "R")->after_tail_call);
    assert_false(block_at(&m, "B")->after_tail_call);
    il_method_close(&m);
}

/* --- exception clauses ------------------------------------------------------------------------ */

static void handlers_are_entries_with_the_exception_on_the_stack(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(
        &m, "void()",
        ".try A C catch C D; A: call void(); B: leave.s E; C: pop; leave.s E; D: E: ret");
    assert_true(block_at(&m, "C")->is_entry);
    assert_int_equal(block_at(&m, "C")->depth, 1);
    assert_true(begins_block(&m, "B"));
    assert_false(m.flow.edges[il_edge(&m, "C", "E")].through_finally);
    il_method_close(&m);
}

static void filter_and_its_handler_are_entries(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void()",
                   ".try A F filter F H E; A: call void(); leave.s E;"
                   "F: pop; ldc.i4.1; endfilter; H: pop; leave.s E; E: ret");
    assert_true(block_at(&m, "F")->is_entry);
    assert_true(block_at(&m, "H")->is_entry);
    assert_int_equal(block_at(&m, "F")->depth, 1);
    assert_int_equal(block_at(&m, "H")->depth, 1);
    assert_int_equal(block_at(&m, "F")->exit, FLOW_ENDFILTER);
    assert_int_equal(block_at(&m, "F")->edge_count, 0);
    il_method_close(&m);
}

static void finally_and_fault_handlers_begin_with_an_empty_stack(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void()",
                   ".try A H finally H G; .try A G fault G E;"
                   "A: call void(); B: leave.s E; H: nop; endfinally; G: nop; endfinally; E: ret");
    assert_int_equal(block_at(&m, "H")->depth, 0);
    assert_int_equal(block_at(&m, "G")->depth, 0);
    assert_true(m.flow.edges[il_edge(&m, "B", "E")].through_finally);
    il_method_close(&m);
}

static void leave_out_of_a_fault_or_within_a_try_runs_no_finally(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void()",
                   ".try A G fault G E; A: call void(); B: leave.s E; G: endfinally; E: ret");
    assert_false(m.flow.edges[il_edge(&m, "B", "E")].through_finally);
    il_method_close(&m);
    il_method_open(&m, "void()",
                   ".try A I catch I C; .try A H finally H E;"
                   "A: call void(); B: leave.s C; I: pop; leave.s C; C: nop; D: leave.s E;"
                   "H: endfinally; E: ret");
    assert_false(m.flow.edges[il_edge(&m, "B", "C")].through_finally);
    assert_true(m.flow.edges[il_edge(&m, "C", "E")].through_finally);
    il_method_close(&m);
}

static void leave_empties_the_stack(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void()",
                   ".try A H finally H E; A: ldc.i4.1; ldc.i4.2; leave.s E; H: endfinally; E: ret");
    assert_int_equal(block_at(&m, "E")->depth, 0);
    il_method_close(&m);
}

static void clause_bounds_begin_blocks(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void()",
                   "nop; .try T C catch C D; T: nop; leave.s D; C: pop; leave.s D; D: ret");
    assert_true(begins_block(&m, "T"));
    assert_true(begins_block(&m, "C"));
    assert_true(begins_block(&m, "D"));
    il_method_close(&m);
}

static void clause_may_begin_at_the_start_and_end_at_the_end(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void()",
                   ".try A C catch C Z; A: call void(); L: br.s L; C: pop; D: br.s D; Z:");
    assert_true(m.flow.blocks[0].is_entry);
    assert_int_equal(block_at(&m, "C")->depth, 1);
    il_method_close(&m);
}

/* --- what is declined ------------------------------------------------------------------------- */

static const struct {
    const char *name, *signature, *text;
    enum verdict verdict;
} declined[] = {
    {"runs off the end", "void()", "nop", VERDICT_DECLINED_FALLS_OFF},
    {"runs off the end after many", "void()",
     "nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop; nop",
     VERDICT_DECLINED_FALLS_OFF},
    {"a call runs off the end", "void()", "call void()", VERDICT_DECLINED_FALLS_OFF},
    {"a condition runs off the end", "void(bool)", "A: ldarg.0; brtrue.s A",
     VERDICT_DECLINED_FALLS_OFF},
    {"a condition on a constant ends the code", "void()", "A: ldc.i4.1; brtrue.s A",
     VERDICT_DECLINED_FALLS_OFF},
    {"a switch runs off the end", "void(int32)", "A: ldarg.0; switch A",
     VERDICT_DECLINED_FALLS_OFF},
    {"depths differ at a join", "void(bool)", "ldarg.0; brtrue.s E; ldc.i4.1; E: ret",
     VERDICT_DECLINED_STACK},
    {"a loop grows the stack", "void()", "L: ldc.i4.1; br.s L", VERDICT_DECLINED_STACK},
    {"a switch to different depths", "void(int32)", "ldarg.0; switch A B; ret; A: ldc.i4.1; B: ret",
     VERDICT_DECLINED_STACK},
    {"a handler with an empty stack", "void()",
     ".try A C catch C D; A: nop; leave.s D; C: leave.s D; D: pop; ret", VERDICT_DECLINED_STACK},
    {"handler deeper than the header says", "void()",
     ".fat; .stack 0; .try A C catch C D; A: nop; leave.s D; C: pop; leave.s D; D: ret",
     VERDICT_DECLINED_STACK},
    {"try begins after a prefix", "void()",
     ".try P C catch C D; volatile.; P: ldsfld int32; pop; leave.s D; C: pop; leave.s D; D: ret",
     VERDICT_DECLINED_PREFIX},
    {"branch after a prefix", "void()", "br.s P; volatile.; P: ldsfld int32; pop; ret",
     VERDICT_DECLINED_PREFIX},
    {"no locals after their token", "void()", ".fat; nop; call void(); ldsfld int32; pop; ret",
     VERDICT_OK},
};

static void bad_flow_is_declined_by_name(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(declined); i++) {
        enum verdict verdict = il_verdict(declined[i].signature, declined[i].text);
        if (verdict != declined[i].verdict)
            fail_msg("%s: %s", declined[i].name, verdict_text(verdict));
    }
}

/* A label within an instruction can't be written in words: the clause is moved by hand. */
static void clause_bound_within_an_instruction_is_declined(void **state)
{
    struct il_builder b;
    struct arena arena;
    struct flow flow;
    (void)state;
    for (unsigned field = 0; field < 4; field++) {
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        il_begin(&b, "void()");
        struct view body =
            il_assemble(&b, ".try A C catch C D; A: ldc.i4 5; pop; leave.s D;"
                            "C: ldc.i4 5; pop; pop; leave.s D; D: ldc.i4 5; pop; ret");
        static const unsigned places[] = {2, 4, 5, 7};
        struct view copy = exact_copy(body);
        uint8_t *clause = (uint8_t *)(uintptr_t)copy.data + copy.len - 12;
        clause[places[field]] = (uint8_t)(clause[places[field]] + (field == 2 ? 2 : 1));
        assert_int_equal(flow_build(&flow, copy, &b.md, NULL, IL_METHOD_RID, &arena),
                         VERDICT_DECLINED_ODD_EH);
        exact_free(copy);
        il_free(&b);
        arena_free(&arena);
    }
}

static void every_truncation_of_a_body_is_declined(void **state)
{
    struct il_builder b;
    struct arena arena;
    struct flow flow;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    il_begin(&b, "int32(int32)");
    struct view body = il_assemble(
        &b, ".locals int32; .try A F filter F H D; .try A D finally G E;"
            "A: ldarg.0; switch B C; ldc.i4 5; stloc.0; leave D; B: call void(); leave D;"
            "C: tail.; call void(); leave D; F: pop; ldc.i4.1; endfilter; H: pop; leave D;"
            "D: leave.s E; G: endfinally; E: ldloc.0; ret");
    assert_int_equal(flow_build(&flow, body, &b.md, NULL, IL_METHOD_RID, &arena), VERDICT_OK);
    for (size_t len = 0; len < body.len; len++) {
        struct view copy = exact_copy((struct view){body.data, len});
        enum verdict verdict = flow_build(&flow, copy, &b.md, NULL, IL_METHOD_RID, &arena);
        assert_true(verdict == VERDICT_DECLINED_HEADER || verdict == VERDICT_DECLINED_ODD_EH);
        exact_free(copy);
    }
    il_free(&b);
    arena_free(&arena);
}

/* Whatever a byte becomes, the answer is a verdict, and sound where it is OK. */
static void every_changed_byte_gives_a_verdict(void **state)
{
    struct il_builder b;
    (void)state;
    il_begin(&b, "int32(int32)");
    struct view body = il_assemble(
        &b, ".locals int32; .try A F filter F H D; A: ldarg.0; switch B C; ldc.i4 5; stloc.0;"
            "leave D; B: call void(); leave D; C: ldarg.0; brtrue.s A; leave D;"
            "F: pop; ldc.i4.1; endfilter; H: pop; leave D; D: ldloc.0; ret");
    struct view copy = exact_copy(body);
    uint8_t *bytes = (uint8_t *)(uintptr_t)copy.data;
    for (size_t at = 0; at < copy.len; at++)
        for (unsigned value = 0; value < 0x100; value++) {
            struct arena arena;
            struct flow flow;
            uint8_t was = bytes[at];
            arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
            bytes[at] = (uint8_t)value;
            enum verdict verdict = flow_build(&flow, copy, &b.md, NULL, IL_METHOD_RID, &arena);
            assert_true(verdict != VERDICT_NO_IL && verdict < VERDICT_COUNT);
            for (uint32_t n = 0; verdict == VERDICT_OK && n < flow.block_count; n++) {
                assert_int_equal(flow.blocks[n].first, n == 0 ? 0 : flow.blocks[n - 1].end);
                for (uint32_t i = flow.blocks[n].first; i < flow.blocks[n].end; i++)
                    assert_int_equal(flow_block_of(&flow, i), n);
            }
            if (verdict == VERDICT_OK) {
                assert_int_equal(flow_block_of(&flow, flow.il.count), flow.block_count - 1);
                assert_int_equal(flow_block_of(&flow, NO_INDEX), flow.block_count - 1);
            }
            bytes[at] = was;
            arena_free(&arena);
        }
    exact_free(copy);
    il_free(&b);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(straight_code_is_one_block),
    cmocka_unit_test(condition_has_an_edge_for_each_outcome),
    cmocka_unit_test(both_ways_of_a_condition_may_lead_to_one_place),
    cmocka_unit_test(switch_has_one_edge_for_each_place),
    cmocka_unit_test(switch_of_nothing_runs_on),
    cmocka_unit_test(edges_come_in_groups_by_their_target),
    cmocka_unit_test(what_nothing_leads_to_is_unreachable_and_has_no_edges),
    cmocka_unit_test(stack_may_be_kept_over_joins),
    cmocka_unit_test(condition_on_a_constant_goes_one_way),
    cmocka_unit_test(condition_on_what_may_be_a_constant_goes_both_ways),
    cmocka_unit_test(blocks_are_split_after_what_may_throw),
    cmocka_unit_test(block_after_a_split_knows_its_depth),
    cmocka_unit_test(makers_are_remembered_over_splits),
    cmocka_unit_test(tail_calls_are_known),
    cmocka_unit_test(shared_return_of_a_tail_call_is_marked),
    cmocka_unit_test(handlers_are_entries_with_the_exception_on_the_stack),
    cmocka_unit_test(filter_and_its_handler_are_entries),
    cmocka_unit_test(finally_and_fault_handlers_begin_with_an_empty_stack),
    cmocka_unit_test(leave_out_of_a_fault_or_within_a_try_runs_no_finally),
    cmocka_unit_test(leave_empties_the_stack),
    cmocka_unit_test(clause_bounds_begin_blocks),
    cmocka_unit_test(clause_may_begin_at_the_start_and_end_at_the_end),
    cmocka_unit_test(bad_flow_is_declined_by_name),
    cmocka_unit_test(clause_bound_within_an_instruction_is_declined),
    cmocka_unit_test(every_truncation_of_a_body_is_declined),
    cmocka_unit_test(every_changed_byte_gives_a_verdict),
};
UNIT_TESTS(tests);
