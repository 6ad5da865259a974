/* test_opcodes.c - the instruction set is that of ECMA-335 III: which bytes are instructions, and
 * which of them may throw. The lists here were made from the standard, apart from opcodes.def. */
#include "rewriter/il.h"
#include "tests/support/check.h"

/* III.1.2.1, tables of encodings: no instruction starts with these bytes. */
static bool is_free_byte(unsigned byte)
{
    return byte == 0x24 || byte == 0x77 || byte == 0x78 || (byte >= 0xA6 && byte <= 0xB2) ||
           (byte >= 0xBB && byte <= 0xC1) || byte == 0xC4 || byte == 0xC5 ||
           (byte >= 0xC7 && byte <= 0xCF) || byte >= 0xE1;
}

static bool is_free_second_byte(unsigned byte)
{
    return byte == 0x08 || byte == 0x10 || byte == 0x1B || byte > 0x1E;
}

/* The sections "Exceptions" of III.3 and III.4 name more than exhausted memory or stack, or a type
 * that does not load. */
static const char *const may_throw[] = {
    "add.ovf",
    "add.ovf.un",
    "call",
    "calli",
    "ckfinite",
    "conv.ovf.i1",
    "conv.ovf.i2",
    "conv.ovf.i4",
    "conv.ovf.i8",
    "conv.ovf.u1",
    "conv.ovf.u2",
    "conv.ovf.u4",
    "conv.ovf.u8",
    "conv.ovf.i",
    "conv.ovf.u",
    "conv.ovf.i1.un",
    "conv.ovf.i2.un",
    "conv.ovf.i4.un",
    "conv.ovf.i8.un",
    "conv.ovf.u1.un",
    "conv.ovf.u2.un",
    "conv.ovf.u4.un",
    "conv.ovf.u8.un",
    "conv.ovf.i.un",
    "conv.ovf.u.un",
    "cpblk",
    "div",
    "div.un",
    "initblk",
    "jmp",
    "localloc",
    "mul.ovf",
    "mul.ovf.un",
    "rem",
    "rem.un",
    "sub.ovf",
    "sub.ovf.un",
    "callvirt",
    "castclass",
    "cpobj",
    "ldelem",
    "ldelem.i1",
    "ldelem.i2",
    "ldelem.i4",
    "ldelem.i8",
    "ldelem.u1",
    "ldelem.u2",
    "ldelem.u4",
    "ldelem.r4",
    "ldelem.r8",
    "ldelem.i",
    "ldelem.ref",
    "ldelema",
    "ldsfld",
    "ldsflda",
    "ldvirtftn",
    "newarr",
    "newobj",
    "refanyval",
    "rethrow",
    "stelem",
    "stelem.i",
    "stelem.i1",
    "stelem.i2",
    "stelem.i4",
    "stelem.i8",
    "stelem.r4",
    "stelem.r8",
    "stelem.ref",
    "stsfld",
    "throw",
    "unbox",
    "unbox.any",
};

/* Only NullReferenceException, through the reference below the other operands. */
static const char *const throw_through_null[] = {
    "ldind.i1", "ldind.u1", "ldind.i2", "ldind.u2",  "ldind.i4",  "ldind.u4", "ldind.i8",
    "ldind.i",  "ldind.r4", "ldind.r8", "ldind.ref", "stind.ref", "stind.i1", "stind.i2",
    "stind.i4", "stind.i8", "stind.r4", "stind.r8",  "stind.i",   "initobj",  "ldfld",
    "ldflda",   "stfld",    "ldlen",    "ldobj",     "stobj",
};

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void every_byte_is_an_instruction_or_free_as_the_standard_says(void **state)
{
    (void)state;
    for (unsigned byte = 0; byte < 0x100; byte++) {
        if (byte != 0xFE)
            assert_int_equal(opcode_of(byte) == OP_INVALID, is_free_byte(byte));
        assert_int_equal(opcode_of(0xFE00 | byte) == OP_INVALID, is_free_second_byte(byte));
    }
}

static void opcodes_are_found_by_their_own_code(void **state)
{
    (void)state;
    for (unsigned op = 0; op < OP_COUNT; op++) {
        uint16_t code = opcode_info[op].code;
        assert_int_equal(opcode_of(code), op);
        assert_true(code < 0x100 || code >> 8 == 0xFE);
        if (op != 0)
            assert_true(code > opcode_info[op - 1].code);
    }
}

static void what_may_throw_is_what_the_standard_says(void **state)
{
    (void)state;
    size_t found = 0;
    for (unsigned op = 0; op < OP_COUNT; op++) {
        const char *name = opcode_info[op].mnemonic;
        bool may = is_one_of(name, may_throw, ARRAY_LEN(may_throw));
        bool null = is_one_of(name, throw_through_null, ARRAY_LEN(throw_through_null));
        unsigned expected = may ? THROWS_MAY : null ? THROWS_UNLESS_SAFE : THROWS_NEVER;
        if (opcode_info[op].throws != expected)
            fail_msg("%s throws %u, not %u", name, opcode_info[op].throws, expected);
        found += may || null;
    }
    assert_int_equal(found, ARRAY_LEN(may_throw) + ARRAY_LEN(throw_through_null));
}

static void only_calls_and_returns_take_what_a_signature_says(void **state)
{
    static const char *const names[] = {"call", "calli", "callvirt", "newobj", "ret"};
    (void)state;
    for (unsigned op = 0; op < OP_COUNT; op++)
        assert_int_equal(opcode_info[op].pops == STACK_VARIES,
                         is_one_of(opcode_info[op].mnemonic, names, ARRAY_LEN(names)));
}

/* The rewriter turns one into the other by their distance. */
static void short_branches_lie_as_far_from_their_long_forms(void **state)
{
    (void)state;
    for (unsigned op = OP_BR_S; op <= OP_BLT_UN_S; op++) {
        const struct opcode_info *is_short = &opcode_info[op];
        const struct opcode_info *is_long = &opcode_info[op - OP_BR_S + OP_BR];
        size_t len = strlen(is_long->mnemonic);
        assert_memory_equal(is_short->mnemonic, is_long->mnemonic, len);
        assert_string_equal(is_short->mnemonic + len, ".s");
        assert_int_equal(is_short->operand, OPERAND_TARGET8);
        assert_int_equal(is_long->operand, OPERAND_TARGET32);
        assert_int_equal(is_short->pops, is_long->pops);
        assert_int_equal(is_short->flow, is_long->flow);
        assert_int_equal(is_long->code - is_short->code, 0x0D);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_byte_is_an_instruction_or_free_as_the_standard_says),
    cmocka_unit_test(opcodes_are_found_by_their_own_code),
    cmocka_unit_test(what_may_throw_is_what_the_standard_says),
    cmocka_unit_test(only_calls_and_returns_take_what_a_signature_says),
    cmocka_unit_test(short_branches_lie_as_far_from_their_long_forms),
};
UNIT_TESTS(tests);
