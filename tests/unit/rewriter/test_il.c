/* test_il.c - code is decoded into instructions that cover it without a gap; what is no
 * instruction, and branches that lead to none, are declined by name. */
#include "rewriter/il.h"
#include "tests/support/check.h"

struct code {
    const char *name;
    uint8_t bytes[24];
    size_t len;
    enum verdict verdict;
};

/* Decodes a copy that ends where its code ends. */
static enum verdict decode(struct il *out, const uint8_t *bytes, size_t len, struct arena *arena)
{
    struct view copy = exact_copy((struct view){bytes, len});
    struct il_body body = {.code = copy.data, .code_size = (uint32_t)len};
    enum verdict verdict = il_decode(out, &body, arena);
    exact_free(copy);
    return verdict;
}

static const uint8_t operand_len[] = {
    [OPERAND_NONE] = 0,  [OPERAND_VAR8] = 1,    [OPERAND_VAR16] = 2,    [OPERAND_I8] = 1,
    [OPERAND_I32] = 4,   [OPERAND_I64] = 8,     [OPERAND_R32] = 4,      [OPERAND_R64] = 8,
    [OPERAND_TOKEN] = 4, [OPERAND_TARGET8] = 1, [OPERAND_TARGET32] = 4, [OPERAND_SWITCH] = 4,
};

/* Each opcode once, all operand bytes zero, then `ret`, or ldind.i1 behind a prefix: branches lead
 * to the next instruction. */
static size_t write_each_opcode(uint8_t *out, unsigned op)
{
    size_t len = 0;
    if (opcode_info[op].code > 0xFF)
        out[len++] = 0xFE;
    out[len++] = (uint8_t)opcode_info[op].code;
    for (unsigned i = 0; i < operand_len[opcode_info[op].operand]; i++)
        out[len++] = 0;
    out[len] = opcode_info[op].flow == FLOW_PREFIX ? 0x46 : 0x2A;
    return len + 1;
}

static void every_opcode_is_decoded_with_its_operand(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (unsigned op = 0; op < OP_COUNT; op++) {
        uint8_t bytes[16];
        struct il il;
        size_t len = write_each_opcode(bytes, op);
        assert_int_equal(decode(&il, bytes, len, &arena), VERDICT_OK);
        assert_int_equal(il.count, 2);
        assert_int_equal(il.instrs[0].op, op);
        assert_int_equal(il.instrs[0].len, len - 1);
        assert_int_equal(il.instrs[1].op,
                         opcode_info[op].flow == FLOW_PREFIX ? OP_LDIND_I1 : OP_RET);
        assert_int_equal(il.index_at[0], 0);
        assert_int_equal(il.index_at[len - 1], 1);
        assert_int_equal(il.index_at[len], 2);
        for (size_t at = 1; at < len - 1; at++)
            assert_int_equal(il.index_at[at], NO_INDEX);
    }
    arena_free(&arena);
}

static void every_opcode_cut_short_is_declined(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (unsigned op = 0; op < OP_COUNT; op++) {
        uint8_t bytes[16];
        struct il il;
        size_t len = write_each_opcode(bytes, op) - 1;
        for (size_t cut = 1; cut < len; cut++)
            assert_int_equal(decode(&il, bytes, cut, &arena), VERDICT_DECLINED_OPCODE);
    }
    arena_free(&arena);
}

/* clang-format off */
static const struct code codes[] = {
    {"branch to itself", {0x2B, 0xFE}, 2, VERDICT_OK},
    {"branch to the start", {0x00, 0x2B, 0xFD}, 3, VERDICT_OK},
    {"long branch back", {0x00, 0x38, 0xFA, 0xFF, 0xFF, 0xFF}, 6, VERDICT_OK},
    {"branch after the last byte", {0x2B, 0x00}, 2, VERDICT_DECLINED_TARGET},
    {"branch far past the end", {0x38, 0xFF, 0xFF, 0xFF, 0x7F}, 5, VERDICT_DECLINED_TARGET},
    {"branch before the first byte", {0x2B, 0xFD}, 2, VERDICT_DECLINED_TARGET},
    {"branch far before", {0x38, 0x00, 0x00, 0x00, 0x80}, 5, VERDICT_DECLINED_TARGET},
    {"branch into an operand", {0x2B, 0x01, 0x20, 0, 0, 0, 0, 0x2A}, 8, VERDICT_DECLINED_TARGET},
    {"branch between the bytes of an opcode",
     {0x2B, 0x01, 0xFE, 0x01, 0x2A}, 5, VERDICT_DECLINED_TARGET},
    {"branch after a prefix", {0x2B, 0x02, 0xFE, 0x13, 0x46, 0x2A}, 6, VERDICT_DECLINED_PREFIX},
    {"branch between two prefixes",
     {0x2B, 0x03, 0xFE, 0x12, 0x01, 0xFE, 0x13, 0x46, 0x2A}, 9, VERDICT_DECLINED_PREFIX},
    {"branch to a prefix", {0x2B, 0x00, 0xFE, 0x13, 0x46, 0x2A}, 6, VERDICT_OK},
    {"a prefix of nothing", {0x00, 0xFE, 0x13}, 3, VERDICT_DECLINED_FALLS_OFF},
    {"a prefix before a branch", {0xFE, 0x13, 0x2B, 0x00, 0x2A}, 5, VERDICT_DECLINED_OPCODE},
    {"a prefix before ret", {0xFE, 0x14, 0x2A}, 3, VERDICT_DECLINED_OPCODE},
    {"a prefix before a store of a variable",
     {0x16, 0xFE, 0x13, 0x0A, 0x2A}, 5, VERDICT_DECLINED_OPCODE},
    {"byte 0x24", {0x24}, 1, VERDICT_DECLINED_OPCODE},
    {"byte 0xFF", {0x00, 0xFF}, 2, VERDICT_DECLINED_OPCODE},
    {"bytes 0xFE 0x08", {0xFE, 0x08}, 2, VERDICT_DECLINED_OPCODE},
    {"0xFE alone", {0x00, 0xFE}, 2, VERDICT_DECLINED_OPCODE},
    {"0xFE 0xFE", {0xFE, 0xFE, 0x2A}, 3, VERDICT_DECLINED_OPCODE},
    {"switch of nothing", {0x45, 0, 0, 0, 0, 0x2A}, 6, VERDICT_OK},
    {"switch that leads to itself",
     {0x45, 1, 0, 0, 0, 0xF7, 0xFF, 0xFF, 0xFF, 0x2A}, 10, VERDICT_OK},
    {"switch into its own table",
     {0x45, 1, 0, 0, 0, 0xFC, 0xFF, 0xFF, 0xFF, 0x2A}, 10, VERDICT_DECLINED_TARGET},
    {"switch with a bad second target",
     {0x45, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0x2A}, 14, VERDICT_DECLINED_TARGET},
    {"switch after a prefix",
     {0x45, 1, 0, 0, 0, 2, 0, 0, 0, 0xFE, 0x13, 0x46, 0x2A}, 13, VERDICT_DECLINED_PREFIX},
    {"switch with more targets than bytes",
     {0x45, 2, 0, 0, 0, 0, 0, 0, 0, 0x2A}, 10, VERDICT_DECLINED_OPCODE},
    {"switch with 2^30 targets",
     {0x45, 0, 0, 0, 0x40, 0, 0, 0, 0, 0x2A}, 10, VERDICT_DECLINED_OPCODE},
    {"switch with 2^32 - 1 targets",
     {0x45, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0x2A}, 10, VERDICT_DECLINED_OPCODE},
};
/* clang-format on */

static void bad_code_is_declined_by_name(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
        struct il il;
        enum verdict verdict = decode(&il, codes[i].bytes, codes[i].len, &arena);
        if (verdict != codes[i].verdict)
            fail_msg("%s: %s", codes[i].name, verdict_text(verdict));
    }
    arena_free(&arena);
}

static void branches_name_the_instruction_that_they_lead_to(void **state)
{
    /* br.s +1; nop; ldc.i4 0; brtrue -13 (0); ret */
    static const uint8_t bytes[] = {0x2B, 0x01, 0x00, 0x20, 0,    0,    0,
                                    0,    0x3A, 0xF3, 0xFF, 0xFF, 0xFF, 0x2A};
    struct arena arena;
    struct il il;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_int_equal(decode(&il, bytes, sizeof bytes, &arena), VERDICT_OK);
    assert_int_equal(il.count, 5);
    assert_int_equal(il.instrs[0].operand, 2);
    assert_int_equal(il.instrs[3].operand, 0);
    arena_free(&arena);
}

static void switch_keeps_its_targets_in_order(void **state)
{
    /* switch (+2, 0, +2); nop; nop; ret */
    static const uint8_t bytes[] = {0x45, 3, 0, 0, 0, 2, 0, 0, 0, 0,
                                    0,    0, 0, 2, 0, 0, 0, 0, 0, 0x2A};
    struct arena arena;
    struct il il;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_int_equal(decode(&il, bytes, sizeof bytes, &arena), VERDICT_OK);
    const uint32_t *targets = &il.targets[il.instrs[0].operand];
    assert_int_equal(targets[0], 3);
    assert_int_equal(targets[1], 3);
    assert_int_equal(targets[2], 1);
    assert_int_equal(targets[3], 3);
    arena_free(&arena);
}

/* clang-format off */
static const struct {
    const char *name;
    uint8_t bytes[4];
    size_t len;
    uint32_t loads_local, stores_local, loads_arg, stores_arg;
} variables[] = {
    {"ldloc.0", {0x06}, 1, 0, NO_INDEX, NO_INDEX, NO_INDEX},
    {"ldloc.3", {0x09}, 1, 3, NO_INDEX, NO_INDEX, NO_INDEX},
    {"ldloc.s 255", {0x11, 0xFF}, 2, 255, NO_INDEX, NO_INDEX, NO_INDEX},
    {"ldloc 258", {0xFE, 0x0C, 0x02, 0x01}, 4, 258, NO_INDEX, NO_INDEX, NO_INDEX},
    {"stloc.0", {0x0A}, 1, NO_INDEX, 0, NO_INDEX, NO_INDEX},
    {"stloc.3", {0x0D}, 1, NO_INDEX, 3, NO_INDEX, NO_INDEX},
    {"stloc.s 4", {0x13, 4}, 2, NO_INDEX, 4, NO_INDEX, NO_INDEX},
    {"stloc 258", {0xFE, 0x0E, 0x02, 0x01}, 4, NO_INDEX, 258, NO_INDEX, NO_INDEX},
    {"ldloca.s 1", {0x12, 1}, 2, NO_INDEX, NO_INDEX, NO_INDEX, NO_INDEX},
    {"ldarg.0", {0x02}, 1, NO_INDEX, NO_INDEX, 0, NO_INDEX},
    {"ldarg.3", {0x05}, 1, NO_INDEX, NO_INDEX, 3, NO_INDEX},
    {"ldarg.s 9", {0x0E, 9}, 2, NO_INDEX, NO_INDEX, 9, NO_INDEX},
    {"ldarg 258", {0xFE, 0x09, 0x02, 0x01}, 4, NO_INDEX, NO_INDEX, 258, NO_INDEX},
    {"starg.s 1", {0x10, 1}, 2, NO_INDEX, NO_INDEX, NO_INDEX, 1},
    {"starg 258", {0xFE, 0x0B, 0x02, 0x01}, 4, NO_INDEX, NO_INDEX, NO_INDEX, 258},
    {"ldarga.s 1", {0x0F, 1}, 2, NO_INDEX, NO_INDEX, NO_INDEX, 1},
    {"ldarga 258", {0xFE, 0x0A, 0x02, 0x01}, 4, NO_INDEX, NO_INDEX, NO_INDEX, 258},
    {"nop", {0x00}, 1, NO_INDEX, NO_INDEX, NO_INDEX, NO_INDEX},
    {"ldnull", {0x14}, 1, NO_INDEX, NO_INDEX, NO_INDEX, NO_INDEX},
};

static const struct {
    uint8_t bytes[5];
    size_t len;
    bool is_constant;
    int32_t value;
} constants[] = {
    {{0x15}, 1, true, -1},
    {{0x16}, 1, true, 0},
    {{0x17}, 1, true, 1},
    {{0x1E}, 1, true, 8},
    {{0x1F, 0x80}, 2, true, -128},
    {{0x1F, 0x7F}, 2, true, 127},
    {{0x20, 0, 0, 0, 0x80}, 5, true, INT32_MIN},
    {{0x20, 0xFF, 0xFF, 0xFF, 0x7F}, 5, true, INT32_MAX},
    {{0x14}, 1, false, 0},
    {{0x22, 0, 0, 0x80, 0x3F}, 5, false, 0},
};
/* clang-format on */

static void variables_are_known_in_all_forms(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(variables); i++) {
        struct il il;
        assert_int_equal(decode(&il, variables[i].bytes, variables[i].len, &arena), VERDICT_OK);
        assert_int_equal(il_loaded_local(il.instrs), variables[i].loads_local);
        assert_int_equal(il_stored_local(il.instrs), variables[i].stores_local);
        assert_int_equal(il_loaded_arg(il.instrs), variables[i].loads_arg);
        assert_int_equal(il_stored_arg(il.instrs), variables[i].stores_arg);
    }
    arena_free(&arena);
}

static void constants_are_known_in_all_forms(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(constants); i++) {
        struct il il;
        int32_t value = 0;
        assert_int_equal(decode(&il, constants[i].bytes, constants[i].len, &arena), VERDICT_OK);
        assert_int_equal(il_constant(&value, il.instrs), constants[i].is_constant);
        assert_int_equal(value, constants[i].value);
    }
    arena_free(&arena);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_opcode_is_decoded_with_its_operand),
    cmocka_unit_test(every_opcode_cut_short_is_declined),
    cmocka_unit_test(bad_code_is_declined_by_name),
    cmocka_unit_test(branches_name_the_instruction_that_they_lead_to),
    cmocka_unit_test(switch_keeps_its_targets_in_order),
    cmocka_unit_test(variables_are_known_in_all_forms),
    cmocka_unit_test(constants_are_known_in_all_forms),
};
UNIT_TESTS(tests);
