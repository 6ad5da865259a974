#include "rewriter/opcodes.h"

const struct opcode_info opcode_info[OP_COUNT] = {
#define VARIES STACK_VARIES
#define OP(name, mnemonic, code, operand, pops, pushes, flow, throws)                              \
    [OP_##name] = {mnemonic, code, OPERAND_##operand, pops, pushes, FLOW_##flow, THROWS_##throws},
#include "rewriter/opcodes.def"
#undef OP
#undef VARIES
};

_Static_assert(OP_COUNT < UINT8_MAX, "an opcode fits a byte of opcode_of_code");

/* By the only byte of the code in the first half, by the byte after 0xFE in the second. An entry is
 * the opcode plus one; 0 is not an instruction. */
static const uint8_t opcode_of_code[512] = {
#define OP(name, mnemonic, code, operand, pops, pushes, flow, throws)                              \
    [(code) < 0x100 ? (code) : 0x100 + ((code)&0xFF)] = OP_##name + 1,
#include "rewriter/opcodes.def"
#undef OP
};

static enum opcode look_up(unsigned place)
{
    return opcode_of_code[place] == 0 ? OP_INVALID : (enum opcode)(opcode_of_code[place] - 1);
}

enum opcode opcode_of_byte(uint8_t byte)
{
    return look_up(byte);
}

enum opcode opcode_of_second_byte(uint8_t byte)
{
    return look_up(0x100u + byte);
}
