/* test_rewrite.c - new bodies are the old ones with the plan's probes in them: shown byte by byte
 * for small ones, and proven by check_rewrite and random walks for handmade and generated ones. */
#include "rewriter/rewrite.h"

#include <stdio.h>

#include "tests/support/check.h"
#include "tests/support/check_rewrite.h"
#include "tests/support/il_builder.h"
#include "tests/support/walk.h"

enum {
    WALKS = 60,
    GENERATED = 500,
    ENTRY_LEN = 25, /* with the long forms of variables */
    LOCAL_SIG = 0x117FFFFE,
    EXACT_SIG = 0x117FFFFD
};

#define COUNTERS UINT64_C(0x11223344)
#define FUNCTION UINT64_C(0x5566778899AA)
#define TABLE    UINT64_C(0x7800000)
#define CHUNKS   UINT64_C(0xFFFFF)

/* How probes find their counters. */
enum how {
    ABSOLUTE,
    BASE_IS_KEPT,
    BY_LOCAL, /* each probe looks up */
    BY_ARGUMENT,
    HOWS
};

static const char *const how_names[] = {"absolute", "the base is kept", "by a local",
                                        "by an argument"};

static struct probe_form form_of(enum count_mode mode, enum how how)
{
    static const struct anchor anchors[] = {
        [ABSOLUTE] = {.kind = ANCHOR_NONE},
        [BASE_IS_KEPT] = {ANCHOR_LOCAL, 300, 301, LOCAL_SIG},
        [BY_LOCAL] = {ANCHOR_LOCAL, 0, NO_INDEX, LOCAL_SIG},
        [BY_ARGUMENT] = {ANCHOR_ARGUMENT, 256, NO_INDEX, LOCAL_SIG},
    };
    return (struct probe_form){.mode = mode,
                               .counters = COUNTERS,
                               .anchor = anchors[how],
                               .shard_table = TABLE,
                               .function_sig = EXACT_SIG,
                               .function = FUNCTION};
}

static struct rewritten rewritten_as(struct il_method *m, enum count_mode mode, enum how how)
{
    struct probe_form form = form_of(mode, how);
    struct rewritten out;
    struct err err;
    assert_int_equal(rewrite(&out, &m->flow, &m->plan, &form, &m->arena, &m->arena), VERDICT_OK);
    if (!check_rewrite(&out, &m->flow, &m->plan, &form, &m->arena, &err))
        fail_msg("%s, %s: %s", mode_name(mode), how_names[how], err.text);
    return out;
}

static void prove(struct il_method *m, uint64_t seed)
{
    struct walk_tally tally = {.finished = 0};
    struct err err;
    for (enum count_mode mode = MODE_COUNT; mode <= MODE_EXACT; mode++) {
        for (enum how how = ABSOLUTE; how < (rewrite_can_shard(&m->flow) ? HOWS : 1); how++)
            (void)rewritten_as(m, mode, how);
    }
    if (!walk_check(&tally, &m->flow, &m->plan, repeated(WALKS), seed, &m->arena, &err))
        fail_msg("%s", err.text);
    if (!check_round_trip(m->body, &m->arena, &err))
        fail_msg("%s", err.text);
}

static struct il_body parsed(struct il_method *m, const struct rewritten *rewritten)
{
    struct il_body body;
    assert_int_equal(body_parse(&body, rewritten->body, &m->arena), VERDICT_OK);
    return body;
}

/* --- the bytes of probes ---------------------------------------------------------------------- */

/* ldc.i8 address; ldc.i8 address; ldind.i8; ldc.i8 1; add; stind.i8; ret: what was measured to
 * become one instruction. */
static void probes_are_these_bytes(void **state)
{
    static const uint8_t count[] = {0x21, 0x44, 0x33, 0x22, 0x11, 0, 0,    0,    0,    0x21, 0x44,
                                    0x33, 0x22, 0x11, 0,    0,    0, 0,    0x4C, 0x21, 1,    0,
                                    0,    0,    0,    0,    0,    0, 0x58, 0x55, 0x2A};
    static const uint8_t hit[] = {0x21, 0x44, 0x33, 0x22, 0x11, 0, 0, 0, 0, 0x17, 0x52, 0x2A};
    static const uint8_t exact[] = {0x21, 0x44, 0x33, 0x22, 0x11, 0,    0,    0,
                                    0,    0x21, 0xAA, 0x99, 0x88, 0x77, 0x66, 0x55,
                                    0,    0,    0x29, 0xFD, 0xFF, 0x7F, 0x11, 0x2A};
    static const struct {
        enum count_mode mode;
        struct view code;
    } expected[] = {
        {MODE_COUNT, {count, sizeof count}},
        {MODE_HIT, {hit, sizeof hit}},
        {MODE_EXACT, {exact, sizeof exact}},
    };
    struct il_method m;
    (void)state;
    il_method_open(&m, "void()", "ret");
    for (size_t i = 0; i < ARRAY_LEN(expected); i++) {
        struct rewritten rewritten = rewritten_as(&m, expected[i].mode, false);
        struct il_body body = parsed(&m, &rewritten);
        assert_int_equal(body.code_size, expected[i].code.len);
        assert_memory_equal(body.code, expected[i].code.data, expected[i].code.len);
    }
    il_method_close(&m);
}

static void bytes_are(struct il_method *m, const struct probe_form *form, struct view expected)
{
    struct rewritten rewritten;
    struct err err;
    assert_int_equal(rewrite(&rewritten, &m->flow, &m->plan, form, &m->arena, &m->arena),
                     VERDICT_OK);
    if (!check_rewrite(&rewritten, &m->flow, &m->plan, form, &m->arena, &err))
        fail_msg("%s", err.text);
    struct il_body body = parsed(m, &rewritten);
    assert_int_equal(body.code_size, expected.len);
    assert_memory_equal(body.code, expected.data, expected.len);
}

/* ldc.i4 address; conv.u; ldind.u1; brtrue N; ldc.i4 address; conv.u; ldc.i4.1; stind.i1; N: ret */
static void probe_that_looks_first_writes_once(void **state)
{
    static const uint8_t expected[] = {0x20, 0x44, 0x33, 0x22, 0x11, 0xE0, 0x47, 0x3A, 8,    0,   0,
                                       0,    0x20, 0x44, 0x33, 0x22, 0x11, 0xE0, 0x17, 0x52, 0x2A};
    struct il_method m;
    (void)state;
    il_method_open_optimised(&m, "void()", "ret");
    struct probe_form form = form_of(MODE_HIT, ABSOLUTE);
    form.looks_first = true;
    bytes_are(&m, &form, (struct view){expected, sizeof expected});
    il_method_close(&m);
}

static void optimised_code_has_short_constants(void **state)
{
    /* ldc.i4 address; conv.u; ldc.i4 address; conv.u; ldind.i8; ldc.i4.1; conv.i8; add; stind.i8;
     * ret */
    static const uint8_t count[] = {0x20, 0x44, 0x33, 0x22, 0x11, 0xE0, 0x20, 0x44, 0x33,
                                    0x22, 0x11, 0xE0, 0x4C, 0x17, 0x6A, 0x58, 0x55, 0x2A};
    /* ldloca.s 1; conv.u; ldc.i4.s 14; shr.un; ldc.i4.3; shl; ldc.i4 table; add; ldind.i;
     * stloc.s 0; ldloc.s 0; ldc.i4 address; add; ldc.i4.1; stind.i1; ret */
    static const uint8_t hit[] = {0x12, 1,    0xE0, 0x1F, 14,   0x64, 0x19, 0x62, 0x20, 0,
                                  0,    0x80, 7,    0x58, 0x4D, 0x13, 0,    0x11, 0,    0x20,
                                  0x44, 0x33, 0x22, 0x11, 0x58, 0x17, 0x52, 0x2A};
    struct il_method m;
    (void)state;
    il_method_open_optimised(&m, "void()", "ret");
    struct probe_form form = form_of(MODE_COUNT, ABSOLUTE);
    bytes_are(&m, &form, (struct view){count, sizeof count});
    form = form_of(MODE_HIT, BASE_IS_KEPT);
    form.anchor.variable = 1;
    form.anchor.base_local = 0;
    bytes_are(&m, &form, (struct view){hit, sizeof hit});
    il_method_close(&m);
}

/* An int32 would be extended with its sign. */
static void constants_from_2_gib_on_are_long(void **state)
{
    static const uint8_t below[] = {0x20, 0xFF, 0xFF, 0xFF, 0x7F, 0xE0, 0x17, 0x52, 0x2A};
    static const uint8_t from[] = {0x21, 0, 0, 0, 0x80, 0, 0, 0, 0, 0x17, 0x52, 0x2A};
    struct il_method m;
    (void)state;
    il_method_open_optimised(&m, "void()", "ret");
    struct probe_form form = form_of(MODE_HIT, ABSOLUTE);
    form.counters = INT32_MAX;
    bytes_are(&m, &form, (struct view){below, sizeof below});
    form.counters++;
    bytes_are(&m, &form, (struct view){from, sizeof from});
    il_method_close(&m);
}

static void unoptimised_and_short_methods_look_first(void **state)
{
    static const struct {
        const char *text;
        bool looks;
    } cases[] = {
        {"ldarg.0; ldfld int32; pop; ret", true},
        {"call void(); ret", false},
        {"ldarg.0; brtrue.s E; nop; E: ret", false},
        {"L: ldarg.0; brtrue.s L; ret", false},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct il_method m;
        il_method_open_optimised(&m, "this:void(bool)", cases[i].text);
        assert_int_equal(rewrite_should_look_first(&m.flow, &m.plan), cases[i].looks);
        il_method_close(&m);
        il_method_open(&m, "this:void(bool)", cases[i].text);
        assert_true(rewrite_should_look_first(&m.flow, &m.plan));
        il_method_close(&m);
    }
}

static void base_is_looked_up_once_and_kept(void **state)
{
    /* ldloca.s 1; conv.u; ldc.i4.s 14; shr.un; ldc.i4.3; shl; ldc.i8 table; add; ldind.i;
     * stloc.s 0; ldloc.s 0; ldc.i8 address; add; ldc.i4.1; stind.i1; ret */
    static const uint8_t expected[] = {0x12, 1,    0xE0, 0x1F, 14, 0x64, 0x19, 0x62, 0x21,
                                       0,    0,    0x80, 7,    0,  0,    0,    0,    0x58,
                                       0x4D, 0x13, 0,    0x11, 0,  0x21, 0x44, 0x33, 0x22,
                                       0x11, 0,    0,    0,    0,  0x58, 0x17, 0x52, 0x2A};
    struct il_method m;
    struct probe_form form = form_of(MODE_HIT, BASE_IS_KEPT);
    (void)state;
    form.anchor.base_local = 0;
    form.anchor.variable = 1;
    il_method_open(&m, "void()", "ret");
    bytes_are(&m, &form, (struct view){expected, sizeof expected});
    il_method_close(&m);
}

static void base_is_looked_up_by_each_probe(void **state)
{
    /* ldarga.s 0; conv.u; ldc.i4.s 14; shr.un; ldc.i4.3; shl; ldc.i8 table; add; ldind.i;
     * ldc.i8 address; add; ldc.i4.1; stind.i1; ret */
    static const uint8_t expected[] = {
        0x0F, 0,    0xE0, 0x1F, 14,   0x64, 0x19, 0x62, 0x21, 0, 0, 0x80, 7,    0,    0,    0,
        0,    0x58, 0x4D, 0x21, 0x44, 0x33, 0x22, 0x11, 0,    0, 0, 0,    0x58, 0x17, 0x52, 0x2A};
    struct il_method m;
    struct probe_form form = form_of(MODE_HIT, BY_ARGUMENT);
    (void)state;
    form.anchor.variable = 0;
    il_method_open(&m, "void(bool)", "ret");
    bytes_are(&m, &form, (struct view){expected, sizeof expected});
    il_method_close(&m);
}

/* `dup` would take a local of its own in code that is not optimised. */
static void address_is_looked_up_twice_only_without_optimisation(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void()", "ret");
    struct rewritten twice = rewritten_as(&m, MODE_COUNT, BY_LOCAL);
    size_t len = twice.body.len;
    il_method_close(&m);
    il_method_open_optimised(&m, "void()", "ret");
    struct rewritten once = rewritten_as(&m, MODE_COUNT, BY_LOCAL);
    assert_true(once.body.len + 20 < len);
    il_method_close(&m);
}

static void header_has_the_signature_that_the_anchor_needs(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void()", "ret");
    for (enum how how = ABSOLUTE; how < HOWS; how++) {
        struct rewritten rewritten = rewritten_as(&m, MODE_COUNT, how);
        struct il_body body = parsed(&m, &rewritten);
        assert_int_equal(body.local_sig, how == ABSOLUTE ? 0 : LOCAL_SIG);
    }
    il_method_close(&m);
}

/* ... ldc.i8 chunks; and; ... */
static void table_of_part_of_the_addresses_has_its_chunks_masked(void **state)
{
    static const uint8_t expected[] = {0x12, 0, 0xE0, 0x1F, 14, 0x64, 0x21, 0xFF, 0xFF, 0x0F,
                                       0,    0, 0,    0,    0,  0x5F, 0x19, 0x62, 0x21};
    struct il_method m;
    struct rewritten rewritten;
    struct err err;
    struct probe_form form = form_of(MODE_HIT, BY_LOCAL);
    (void)state;
    form.shard_chunks = CHUNKS;
    il_method_open(&m, "void()", "ret");
    assert_int_equal(rewrite(&rewritten, &m.flow, &m.plan, &form, &m.arena, &m.arena), VERDICT_OK);
    assert_true(check_rewrite(&rewritten, &m.flow, &m.plan, &form, &m.arena, &err));
    struct il_body body = parsed(&m, &rewritten);
    assert_true(body.code_size > sizeof expected);
    assert_memory_equal(body.code, expected, sizeof expected);
    il_method_close(&m);
}

/* Optimised code keeps what it computes from the address of a variable: ldloca.s; conv.u; ldc.i4
 * before; conv.u; ldind.i; add; ... Other code does not. */
static void code_that_may_change_its_thread_reads_memory_for_each_lookup(void **state)
{
    static const uint8_t expected[] = {0x12, 0,    0xE0, 0x20, 0xF8, 0xFF,
                                       0x7F, 0x07, 0xE0, 0x4D, 0x58};
    (void)state;
    for (int optimised = 0; optimised < 2; optimised++) {
        struct il_method m;
        struct rewritten rewritten;
        struct err err;
        struct probe_form form = form_of(MODE_HIT, BY_LOCAL);
        il_method_open(&m, "async:class()", "ldnull; ret");
        m.builder.md.optimised = optimised != 0;
        assert_int_equal(rewrite(&rewritten, &m.flow, &m.plan, &form, &m.arena, &m.arena),
                         VERDICT_OK);
        assert_true(check_rewrite(&rewritten, &m.flow, &m.plan, &form, &m.arena, &err));
        struct il_body body = parsed(&m, &rewritten);
        bool reads = memcmp(body.code, expected, sizeof expected) == 0;
        assert_int_equal(reads, optimised);
        il_method_close(&m);
    }
}

/* --- headers ---------------------------------------------------------------------------------- */

static void tiny_body_becomes_fat_and_zeroes_no_locals(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void()", "ret");
    assert_true(m.flow.body.tiny);
    struct rewritten rewritten = rewritten_as(&m, MODE_COUNT, BASE_IS_KEPT);
    struct il_body body = parsed(&m, &rewritten);
    assert_false(body.tiny);
    assert_false(body.init_locals);
    assert_true(body.max_stack >= 8 + 3);
    il_method_close(&m);
}

static void fat_body_keeps_its_flag_for_locals(void **state)
{
    static const char *const texts[] = {".fat; ret", ".fat; .init; ret",
                                        ".locals int32; .init; ret", ".locals int32; ret"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct il_method m;
        il_method_open(&m, "void()", texts[i]);
        struct rewritten rewritten = rewritten_as(&m, MODE_COUNT, ABSOLUTE);
        struct il_body body = parsed(&m, &rewritten);
        assert_int_equal(body.init_locals, strstr(texts[i], ".init") != NULL);
        assert_int_equal(body.local_sig, m.flow.body.local_sig);
        il_method_close(&m);
    }
}

static void largest_stack_stays_the_largest(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void()", ".fat; .stack 65535; ret");
    struct rewritten rewritten = rewritten_as(&m, MODE_COUNT, ABSOLUTE);
    struct il_body body = parsed(&m, &rewritten);
    assert_int_equal(body.max_stack, 65535);
    il_method_close(&m);
}

/* --- places ----------------------------------------------------------------------------------- */

static void entry_sequence_stays_outside_a_clause_at_the_start(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void()",
                   ".try A C catch C D; A: call void(); leave.s D; C: pop; leave.s A; D: ret");
    struct rewritten rewritten = rewritten_as(&m, MODE_COUNT, BASE_IS_KEPT);
    struct il_body body = parsed(&m, &rewritten);
    assert_int_equal(body.clauses[0].try_offset, ENTRY_LEN);
    prove(&m, 1);
    il_method_close(&m);
}

static void jumps_to_the_start_do_not_enter_again(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(bool)", "A: nop; ldarg.0; brtrue.s A; ret");
    prove(&m, 1);
    il_method_close(&m);
}

static void tail_calls_have_no_shard(void **state)
{
    static const char *const texts[] = {"tail.; call void(); ret", "call self; ret", "jmp self"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        struct il_method m;
        il_method_open(&m, "void()", texts[i]);
        assert_false(rewrite_can_shard(&m.flow));
        prove(&m, i);
        il_method_close(&m);
    }
}

/* Where the JIT may make a jump of any call before `ret`, it still can. */
static void calls_of_an_always_optimised_method_stay_before_their_return(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open_optimised(
        &m, "aggressive:int32(int32)",
        "ldarg.0; brtrue.s C; ldc.i4.0; ret; C: ldarg.0; call int32(int32); ret");
    uint32_t block = flow_block_of(&m.flow, m.flow.il.count - 1);
    assert_false(rewrite_can_shard(&m.flow));
    bool begins_with_return = m.flow.blocks[block].first == m.flow.il.count - 1;
    assert_false(begins_with_return && m.plan.block_counter[block] != NO_INDEX);
    prove(&m, 1);
    il_method_close(&m);
}

/* As many bytes between a short branch and its target as it can reach. */
static void short_branches_grow(void **state)
{
    static const struct {
        const char *before, *after;
        unsigned nops;
    } branches[] = {
        {"ldarg.0; brtrue.s B;", "call void(); B: ret", 122},
        {"A: call void();", "ldarg.0; brfalse.s A; ret", 120},
        {"br.s B; A: ret; B:", "ldarg.0; brfalse.s A; ret", 124},
        {".try A C catch C E; A:", "leave.s E; C: pop; leave.s E; E: ret", 124},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(branches); i++) {
        struct il_method m;
        char text[1400];
        (void)snprintf(text, sizeof text, "%s", branches[i].before);
        for (unsigned n = 0; n < branches[i].nops; n++)
            strcat(text, " nop;");
        strcat(text, branches[i].after);
        il_method_open(&m, "void(bool)", text);
        prove(&m, i);
        il_method_close(&m);
    }
}

static void every_branch_keeps_its_condition(void **state)
{
    (void)state;
    for (unsigned op = 0; op < OP_COUNT; op++) {
        struct il_method m;
        char text[96];
        const struct opcode_info *info = &opcode_info[op];
        if ((info->operand != OPERAND_TARGET8 && info->operand != OPERAND_TARGET32) ||
            info->flow == FLOW_LEAVE)
            continue;
        (void)snprintf(text, sizeof text, "%s%s%s E; X: nop; E: ret",
                       info->pops > 0 ? "ldarg.0;" : "", info->pops > 1 ? "ldarg.0;" : "",
                       info->mnemonic);
        il_method_open(&m, "void(int32)", text);
        prove(&m, op);
        il_method_close(&m);
    }
}

static void new_offsets_ascend(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(bool,int32)",
                   "ldarg.0; brtrue.s A; ldarg.1; switch A B; call void(); A: nop; B: ret");
    struct rewritten rewritten = rewritten_as(&m, MODE_COUNT, BASE_IS_KEPT);
    assert_int_equal(rewritten.map_count, m.flow.il.count);
    for (uint32_t i = 1; i < rewritten.map_count; i++) {
        assert_true(rewritten.map[i].old_offset > rewritten.map[i - 1].old_offset);
        assert_true(rewritten.map[i].new_offset > rewritten.map[i - 1].new_offset);
    }
    il_method_close(&m);
}

static void same_input_gives_same_bytes(void **state)
{
    struct il_method m;
    (void)state;
    il_method_open(&m, "void(bool,int32)",
                   "ldarg.0; brtrue.s A; ldarg.1; switch A B; call void(); A: nop; B: ret");
    struct rewritten first = rewritten_as(&m, MODE_COUNT, BASE_IS_KEPT);
    struct rewritten second = rewritten_as(&m, MODE_COUNT, BASE_IS_KEPT);
    assert_int_equal(first.body.len, second.body.len);
    assert_memory_equal(first.body.data, second.body.data, first.body.len);
    il_method_close(&m);
}

static const struct {
    const char *name, *signature, *text;
} handmade[] = {
    {"both ways to one place", "void(bool)", "ldarg.0; brtrue.s E; E: ret"},
    {"a loop of one block", "void(bool)", "L: ldarg.0; brtrue.s L; ret"},
    {"switch to itself", "void(int32)", "L: ldarg.0; switch L L E; ret; E: ret"},
    {"switch of nothing", "void(int32)", "ldarg.0; switch; ret"},
    {"switch with its default", "void(int32)", "ldarg.0; switch D X D X; D: nop; X: ret"},
    {"non-empty stack at a switch", "int32(int32)",
     "ldc.i4.7; ldarg.0; switch A B; ldc.i4.0; br.s E; A: ldc.i4.1; br.s E; B: ldc.i4.2;"
     "E: add; ret"},
    {"ldc.i8 before a probe", "int64(bool)",
     "ldc.i8 287454020; ldarg.0; brtrue.s E; ldc.i8 1; add; E: ret"},
    {"dup; brtrue, as of ??", "object(object)", "ldarg.0; dup; brtrue.s E; pop; ldstr; E: ret"},
    {"constant conditions", "void(bool)",
     "ldc.i4.1; brtrue.s A; nop; A: ldc.i4.0; brtrue.s D; ldarg.0; brtrue.s A; ret; D: nop; br.s "
     "A"},
    {"prefixes at the start of blocks", "void(object)",
     "L: volatile.; ldsfld object; brtrue.s L; ldarg.0; constrained. 0; callvirt this:void(); ret"},
    {"filter with conditions", "void(bool)",
     ".try A F filter F H E; A: call void(); leave.s E; F: isinst; brtrue.s G; ldc.i4.0; br.s X;"
     "G: ldarg.0; brtrue.s Y; ldc.i4.0; br.s X; Y: call bool(); X: endfilter; H: pop; leave.s E;"
     "E: ret"},
    {"nested clauses of all kinds", "void(bool)",
     ".try A C catch C D; .try A G finally G K; .try A L fault L M; .try B F filter F H N;"
     "B: nop; A: call void(); leave.s D; C: pop; rethrow; D: leave.s K; G: call void(); endfinally;"
     "K: leave.s M; L: call void(); endfinally; M: leave.s N; F: pop; ldarg.0; endfilter; H: throw;"
     "N: ret"},
    {"condition at the end of a try", "void(bool)",
     ".try A C catch C E; A: ldarg.0; brtrue.s L; call void(); L: ldarg.0; brfalse.s A; leave.s E;"
     "C: pop; leave.s E; E: ret"},
    {"stub before a handler", "void(bool)",
     ".try A C catch C E; A: call void(); X: leave.s E; C: pop; B: ldarg.0; brtrue.s B; leave.s E;"
     "E: ret"},
    {"shared return of tail calls", "int32(bool)",
     "ldarg.0; brtrue.s X; ldarg.0; brtrue.s C; tail.; call int32(); R: ret; X: ldc.i4.1; br.s R;"
     "C: ldsfld int32; br.s R"},
    {"condition into the return of a tail call", "void(bool)",
     "A: ldarg.0; brtrue.s R; ldarg.0; call self; R: ret"},
    {"constant condition into it", "void(bool)",
     "ldarg.0; brtrue.s C; ldarg.0; call self; R: ret; C: ldc.i4.1; brtrue.s R; ret"},
    {"value before it", "bool(bool)",
     "ldarg.0; brfalse.s F; ldarg.0; call self; R: ret; F: ldc.i4.0; br.s R"},
    {"value and jump", "void(bool,bool)",
     ".locals bool; ldarg.0; brfalse.s F; ldarg.1; br.s J; F: ldc.i4.0; J: stloc.0; ret"},
    {"value that runs on", "void(bool,bool)",
     ".locals bool; br.s A; F: ldc.i4.0; br.s J; A: ldarg.0; brfalse.s F; ldarg.1; J: stloc.0; "
     "ret"},
    {"value below others", "void(bool,bool)",
     ".locals bool; ldc.i4.7; ldarg.0; brfalse.s F; ldarg.1; br.s J; F: ldc.i4.0; J: pop; pop; "
     "ret"},
    {"unreachable code", "void()", "br.s E; ldarg.0; brtrue.s E; switch E; nop; E: ret"},
    {"unreachable handler", "void()",
     ".try D H finally H E; br.s E; D: nop; leave.s E; H: endfinally; E: ret"},
    {"endless", "void()", "L: call void(); br.s L"},
    {"throw only", "void()", "ldnull; throw"},
    {"largest operands", "void()",
     "ldc.r8 5; ldc.r4 7; ldc.i8 -1; ldc.i4 -1; ldstr; ldtoken; pop; pop; pop; pop; pop; pop; ret"},
};

static void handmade_bodies_are_proven(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(handmade); i++)
        for (int optimised = 0; optimised < 2; optimised++) {
            struct il_method m;
            print_message("             %s\n", handmade[i].name);
            (optimised != 0 ? il_method_open_optimised : il_method_open)(&m, handmade[i].signature,
                                                                         handmade[i].text);
            prove(&m, i);
            il_method_close(&m);
        }
}

/* --- generated bodies ------------------------------------------------------------------------- */

struct generator {
    uint64_t random;
    char text[32768];
    size_t len;
    unsigned labels, budget;
    unsigned protected_depth;     /* try blocks and handlers around */
    bool in_handler_without_exit; /* finally, fault, filter: no leave */
    bool gives;                   /* the method returns a bool */
    bool has_shared_return;
};

static unsigned any(struct generator *g, unsigned limit)
{
    g->random ^= g->random << 13;
    g->random ^= g->random >> 7;
    g->random ^= g->random << 17;
    return (unsigned)((g->random >> 33) % limit);
}

static void put(struct generator *g, const char *format, ...) PRINTF_LIKE(2, 3);
static void put(struct generator *g, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int len = vsnprintf(g->text + g->len, sizeof g->text - g->len, format, args);
    va_end(args);
    assert_true(len >= 0 && (size_t)len < sizeof g->text - g->len);
    g->len += (size_t)len;
}

static void generate_list(struct generator *g);

static void generate_bool(struct generator *g)
{
    static const char *const texts[] = {"ldarg.0;",
                                        "call bool();",
                                        "ldarg.1; ldc.i4.3; clt;",
                                        "ldsfld bool;",
                                        "ldarg.0; ldc.i4.0; ceq;",
                                        "newobj this:void(); ldfld bool;"};
    if (any(g, 4) != 0 || g->budget == 0) {
        put(g, "%s", texts[any(g, ARRAY_LEN(texts))]);
        return;
    }
    unsigned n = g->labels++;
    g->budget--;
    if (any(g, 2) != 0) { /* && or || as a value */
        bool is_and = any(g, 2) != 0;
        generate_bool(g);
        put(g, "%s F%u;", is_and ? "brfalse" : "brtrue", n);
        generate_bool(g);
        put(g, "br J%u; F%u: ldc.i4.%d; J%u: ", n, n, is_and ? 0 : 1, n);
    } else { /* ?: */
        generate_bool(g);
        put(g, "brtrue T%u;", n);
        generate_bool(g);
        put(g, "br J%u; T%u: ", n, n);
        generate_bool(g);
        put(g, "J%u: ", n);
    }
}

static void generate_condition(struct generator *g, const char *target, unsigned n)
{
    static const char *const comparisons[] = {"beq", "bge.un", "blt", "bgt", "bne.un", "ble.un"};
    const char *test = any(g, 2) != 0 ? "brtrue" : "brfalse";
    unsigned kind = any(g, 15);
    if (kind < 3) {
        put(g, "ldarg.1; ldc.i4.5; %s %s%u;", comparisons[any(g, ARRAY_LEN(comparisons))], target,
            n);
    } else if (kind == 3) {
        put(g, "ldc.i4.%u; %s %s%u;", any(g, 2), test, target, n);
    } else {
        generate_bool(g);
        put(g, "%s %s%u;", test, target, n);
    }
}

static void generate_if(struct generator *g)
{
    unsigned n = g->labels++;
    generate_condition(g, "F", n);
    generate_list(g);
    if (any(g, 2) != 0) {
        put(g, "br E%u; F%u: ", n, n);
        generate_list(g);
        put(g, "E%u: nop;", n);
    } else {
        put(g, "F%u: ", n);
    }
}

static void generate_loop(struct generator *g)
{
    unsigned n = g->labels++;
    if (any(g, 2) != 0)
        put(g, "br C%u;", n);
    put(g, "B%u: ", n);
    generate_list(g);
    put(g, "C%u: ", n);
    generate_bool(g);
    put(g, "brtrue B%u;", n);
}

static void generate_switch(struct generator *g)
{
    unsigned n = g->labels++, arms = any(g, 4);
    put(g, "ldarg.1; switch");
    for (unsigned i = any(g, 6); i != 0; i--)
        put(g, " %c%u", any(g, arms + 1) == 0 ? 'D' : (int)('P' + any(g, arms + 1)), n);
    put(g, "; D%u: ", n);
    generate_list(g);
    for (unsigned i = 0; i <= arms; i++) {
        if (any(g, 3) != 0)
            put(g, "br E%u;", n);
        put(g, "%c%u: ", (int)('P' + i), n);
        generate_list(g);
    }
    put(g, "E%u: nop;", n);
}

static void generate_try(struct generator *g)
{
    static const char *const kinds[] = {"catch", "filter", "finally", "fault"};
    unsigned n = g->labels++, kind = any(g, 4);
    bool was_without_exit = g->in_handler_without_exit;
    g->protected_depth++;
    put(g, "T%u: ", n);
    generate_list(g);
    put(g, "leave E%u;", n);
    g->in_handler_without_exit |= kind != 0;
    if (kind == 1) {
        put(g, "I%u: pop;", n);
        generate_list(g);
        generate_bool(g);
        put(g, "endfilter;");
        g->in_handler_without_exit = was_without_exit;
    }
    put(g, "H%u: %s", n, kind <= 1 ? "pop;" : "");
    generate_list(g);
    if (kind <= 1)
        put(g, "%s", any(g, 6) == 0 ? "rethrow;" : "");
    if (kind <= 1)
        put(g, "leave E%u;", n);
    else
        put(g, "endfinally;");
    g->in_handler_without_exit = was_without_exit;
    g->protected_depth--;
    put(g, "E%u: nop; .try T%u %c%u %s", n, n, kind == 1 ? 'I' : 'H', n, kinds[kind]);
    if (kind == 1)
        put(g, " I%u", n);
    put(g, " H%u E%u;", n, n);
}

/* Out of the method, from wherever we are. */
static void generate_exit(struct generator *g)
{
    if (g->in_handler_without_exit || any(g, 4) == 0) {
        put(g, "ldnull; throw;");
    } else if (g->protected_depth != 0) {
        put(g, "leave END;");
    } else if (any(g, 3) == 0) {
        put(g, "ldarg.0; ldarg.1; %s call self; ret;", any(g, 2) != 0 ? "tail.;" : "");
    } else if (g->has_shared_return && any(g, 2) != 0) {
        unsigned n = g->labels++;
        generate_condition(g, "Q", n);
        put(g, "%s br R; Q%u: %s br R;", g->gives ? "call bool();" : "call void();", n,
            g->gives ? "ldc.i4.1;" : "");
    } else {
        if (g->gives)
            generate_bool(g);
        put(g, "ret;");
    }
}

static void generate_statement(struct generator *g)
{
    static const char *const simple[] = {"nop;",
                                         "call void();",
                                         "ldsfld int32; pop;",
                                         "ldc.i4.4; stloc.1;",
                                         "ldarg.1; ldc.i4.2; div; stloc.1;",
                                         "call int32(); call int32(); add; pop;",
                                         "newobj this:void(); dup; ldc.i4.1; stfld int32; pop;"};
    switch (any(g, 11)) {
    case 0:
    case 1:
        generate_if(g);
        break;
    case 2:
        generate_loop(g);
        break;
    case 3:
        generate_switch(g);
        break;
    case 4:
    case 5:
        generate_try(g);
        break;
    case 6:
        generate_bool(g);
        put(g, "stloc.0;");
        break;
    case 7:
        generate_exit(g);
        break;
    default:
        put(g, "%s", simple[any(g, ARRAY_LEN(simple))]);
    }
}

static void generate_list(struct generator *g)
{
    for (unsigned count = any(g, 4); count != 0 && g->budget != 0; count--) {
        g->budget--;
        generate_statement(g);
    }
}

static void generate_method(struct generator *g, uint64_t seed)
{
    g->random = (seed + 1) * UINT64_C(0x9E3779B97F4A7C15);
    g->len = g->labels = g->protected_depth = 0;
    g->in_handler_without_exit = false;
    g->budget = 4 + any(g, 36);
    g->gives = any(g, 2) != 0;
    g->has_shared_return = any(g, 2) != 0;
    put(g, ".stack 12; .locals bool int32; .init; %s", any(g, 2) != 0 ? ".wide;" : "");
    while (g->budget != 0)
        generate_list(g);
    put(g, "br END;");
    if (g->has_shared_return) /* reached only by jumps, beside its tail call */
        put(g, "ldarg.0; brtrue END; ldarg.0; ldarg.1; %s call self; R: ret;",
            any(g, 2) != 0 ? "tail.;" : "");
    put(g, "END: %s ret", g->gives ? "ldloc.0;" : "");
}

/* Small sections of clauses hold less than 256 bytes of code: those methods are left out. */
static bool fits(const struct generator *g)
{
    return strstr(g->text, ".wide;") != NULL || strstr(g->text, ".try") == NULL;
}

static void generated_bodies_are_proven(void **state)
{
    static struct generator g;
    (void)state;
    for (uint64_t seed = 0; seed < repeated(GENERATED); seed++) {
        struct il_method m;
        generate_method(&g, seed);
        if (!fits(&g))
            continue;
        (seed % 2 != 0 ? il_method_open_optimised : il_method_open)(
            &m, g.gives ? "bool(bool,int32)" : "void(bool,int32)", g.text);
        prove(&m, seed);
        il_method_close(&m);
    }
}

/* --- limits ----------------------------------------------------------------------------------- */

/* call; call; ... ret: each call ends a block. */
static void code_that_grows_beyond_the_limit_is_declined(void **state)
{
    enum {
        CALLS = 700000
    };
    struct il_builder b;
    struct arena arena;
    struct flow flow;
    struct plan plan;
    struct rewritten rewritten;
    struct probe_form form = form_of(MODE_COUNT, ABSOLUTE);
    (void)state;
    il_begin(&b, "void()");
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    struct view one = il_assemble(&b, ".fat; call void(); ret");
    struct writer w = wr_in(&arena);
    wr_bytes(&w, one.data, 12);
    store_u32(w.data + 4, CALLS * 5 + 1);
    for (unsigned i = 0; i < CALLS; i++)
        wr_bytes(&w, one.data + 12, 5);
    wr_u8(&w, 0x2A);
    assert_int_equal(
        flow_build(&flow, (struct view){w.data, w.len}, &b.md, NULL, IL_METHOD_RID, &arena),
        VERDICT_OK);
    assert_true(plan_make(&plan, &flow, &arena));
    assert_int_equal(rewrite(&rewritten, &flow, &plan, &form, &arena, &arena),
                     VERDICT_DECLINED_TOO_LARGE);
    arena_free(&arena);
    il_free(&b);
}

/* il_builder gives each mention of a field a token of its own: all get that of the first. */
static void make_fields_one(struct il_method *m)
{
    uint8_t *code = m->builder.body.data + (m->flow.body.code - m->body.data);
    uint32_t token = 0;
    for (uint32_t i = 0; i < m->flow.il.count; i++) {
        const struct instr *instr = &m->flow.il.instrs[i];
        if (instr->op != OP_LDFLD && instr->op != OP_STFLD)
            continue;
        if (token == 0)
            token = instr->operand;
        store_u32(code + instr->offset + 1, token);
    }
    assert_int_equal(flow_build(&m->flow, m->body, &m->builder.md, NULL, IL_METHOD_RID, &m->arena),
                     VERDICT_OK);
    assert_true(plan_make(&m->plan, &m->flow, &m->arena));
}

/* Found by fuzzing: the outcome of an operand was counted between `volatile.` and its store. */
static void nothing_is_between_a_prefix_and_its_store(void **state)
{
    static const struct {
        const char *text;
        bool counted;
    } cases[] = {
        {"ldarg.0; ldfld bool f; brfalse.s J; S: ldarg.0; ldarg.1; stfld bool f;"
         "J: ldarg.0; ldfld bool f; brfalse.s E; nop; E: ret",
         true},
        {"ldarg.0; ldfld bool f; brfalse.s J; S: ldarg.0; ldarg.1; volatile.; stfld bool f;"
         "J: ldarg.0; ldfld bool f; brfalse.s E; nop; E: ret",
         false},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct il_method m;
        il_method_open(&m, "this:void(bool)", cases[i].text);
        make_fields_one(&m);
        assert_int_equal(m.plan.value_counter[il_block(&m, "S")] != NO_INDEX, cases[i].counted);
        prove(&m, 1);
        il_method_close(&m);
    }
}

/* The memory that the whole takes ends at each byte once. */
static enum verdict with_memory(struct il_builder *b, struct view body, size_t limit)
{
    struct arena arena;
    struct flow flow;
    struct plan plan;
    struct rewritten rewritten;
    struct probe_form form = form_of(MODE_COUNT, BASE_IS_KEPT);
    arena_init(&arena, NULL, 0, limit);
    enum verdict verdict = flow_build(&flow, body, &b->md, NULL, IL_METHOD_RID, &arena);
    if (verdict == VERDICT_OK && !plan_make(&plan, &flow, &arena))
        verdict = VERDICT_DECLINED_MEMORY;
    if (verdict == VERDICT_OK)
        verdict = rewrite(&rewritten, &flow, &plan, &form, &arena, &arena);
    arena_free(&arena);
    return verdict;
}

static void no_memory_is_reported_wherever_it_ends(void **state)
{
    struct il_builder b;
    size_t limit = 0;
    (void)state;
    il_begin(&b, "void(bool,int32)");
    struct view body = il_assemble(
        &b, ".locals bool; .try A F filter F H E; A: ldarg.0; brtrue.s B; call void(); leave E;"
            "B: ldarg.1; switch A C; C: leave E; F: pop; call bool(); endfilter; H: pop; leave E;"
            "E: ldarg.0; brfalse.s X; ldarg.0; br.s J; X: ldc.i4.0; J: stloc.0; ret");
    enum verdict verdict = VERDICT_DECLINED_MEMORY;
    for (; verdict != VERDICT_OK; limit++) {
        verdict = with_memory(&b, body, limit);
        assert_true(verdict == VERDICT_OK || verdict == VERDICT_DECLINED_MEMORY);
        assert_true(limit < 1 << 20);
    }
    for (size_t more = 0; more < 512; more++)
        assert_int_equal(with_memory(&b, body, limit + more), VERDICT_OK);
    il_free(&b);
}

static void no_memory_for_the_new_body_is_reported(void **state)
{
    struct il_method m;
    struct arena none;
    struct rewritten rewritten;
    struct probe_form form = form_of(MODE_COUNT, ABSOLUTE);
    (void)state;
    il_method_open(&m, "void()", "ret");
    arena_init(&none, NULL, 0, 8);
    assert_int_equal(rewrite(&rewritten, &m.flow, &m.plan, &form, &none, &m.arena),
                     VERDICT_DECLINED_MEMORY);
    arena_free(&none);
    il_method_close(&m);
}

/* --- the proof itself ------------------------------------------------------------------------- */

/* A new body with any bit changed is not proven, but for what means nothing: a larger stack. */
static void changed_bodies_are_not_proven(void **state)
{
    struct il_method m;
    struct err err;
    (void)state;
    il_method_open(&m, "void(bool,bool)",
                   ".locals bool; .try T C catch C E; T: ldarg.0; brfalse.s F; ldarg.1; br.s J;"
                   "F: ldc.i4.0; J: stloc.0; L: ldloc.0; brtrue.s L; leave.s E; C: pop; leave.s E;"
                   "E: ret");
    struct probe_form form = form_of(MODE_COUNT, BASE_IS_KEPT);
    struct rewritten rewritten = rewritten_as(&m, MODE_COUNT, BASE_IS_KEPT);
    uint32_t code_size = parsed(&m, &rewritten).code_size;
    uint8_t *bytes = (uint8_t *)(uintptr_t)rewritten.body.data;
    for (size_t at = 0; at < rewritten.body.len; at++) {
        bool is_stack = at == 2 || at == 3;
        for (unsigned bit = 0; bit < 8; bit++) {
            struct arena arena;
            arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
            bytes[at] ^= (uint8_t)(1u << bit);
            bool proven = check_rewrite(&rewritten, &m.flow, &m.plan, &form, &arena, &err);
            bytes[at] ^= (uint8_t)(1u << bit);
            arena_free(&arena);
            /* Nothing reads padding, a header's unused bits, or how far a section is filled. */
            size_t code_end = 12 + (size_t)code_size, section = (code_end + 3) & ~(size_t)3;
            bool unread = (at >= code_end && at < section) || at == section + 1 ||
                          (at == 0 && bit != 0 && bit != 1 && bit != 3 && bit != 4) ||
                          (at == 1 && bit < 4);
            if (proven && !is_stack && !unread)
                fail_msg("byte %zu, bit %u of code that ends at %zu", at, bit, code_end);
        }
    }
    il_method_close(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(probes_are_these_bytes),
    cmocka_unit_test(probe_that_looks_first_writes_once),
    cmocka_unit_test(optimised_code_has_short_constants),
    cmocka_unit_test(constants_from_2_gib_on_are_long),
    cmocka_unit_test(unoptimised_and_short_methods_look_first),
    cmocka_unit_test(base_is_looked_up_once_and_kept),
    cmocka_unit_test(base_is_looked_up_by_each_probe),
    cmocka_unit_test(address_is_looked_up_twice_only_without_optimisation),
    cmocka_unit_test(header_has_the_signature_that_the_anchor_needs),
    cmocka_unit_test(table_of_part_of_the_addresses_has_its_chunks_masked),
    cmocka_unit_test(code_that_may_change_its_thread_reads_memory_for_each_lookup),
    cmocka_unit_test(tiny_body_becomes_fat_and_zeroes_no_locals),
    cmocka_unit_test(fat_body_keeps_its_flag_for_locals),
    cmocka_unit_test(largest_stack_stays_the_largest),
    cmocka_unit_test(entry_sequence_stays_outside_a_clause_at_the_start),
    cmocka_unit_test(jumps_to_the_start_do_not_enter_again),
    cmocka_unit_test(tail_calls_have_no_shard),
    cmocka_unit_test(calls_of_an_always_optimised_method_stay_before_their_return),
    cmocka_unit_test(short_branches_grow),
    cmocka_unit_test(every_branch_keeps_its_condition),
    cmocka_unit_test(new_offsets_ascend),
    cmocka_unit_test(same_input_gives_same_bytes),
    cmocka_unit_test(handmade_bodies_are_proven),
    cmocka_unit_test(generated_bodies_are_proven),
    cmocka_unit_test(code_that_grows_beyond_the_limit_is_declined),
    cmocka_unit_test(nothing_is_between_a_prefix_and_its_store),
    cmocka_unit_test(no_memory_is_reported_wherever_it_ends),
    cmocka_unit_test(no_memory_for_the_new_body_is_reported),
    cmocka_unit_test(changed_bodies_are_not_proven),
};
UNIT_TESTS(tests);
