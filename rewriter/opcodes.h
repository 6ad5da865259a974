/* opcodes.h - the instruction set of ECMA-335 III, made from opcodes.def. */
#ifndef ILCOV_REWRITER_OPCODES_H
#define ILCOV_REWRITER_OPCODES_H

#include "base/base.h"

enum opcode {
#define OP(name, mnemonic, code, operand, pops, pushes, flow, throws) OP_##name,
#include "rewriter/opcodes.def"
#undef OP
    OP_COUNT,
    OP_INVALID = OP_COUNT,
};

enum operand_kind {
    OPERAND_NONE,
    OPERAND_VAR8, /* number of an argument or local */
    OPERAND_VAR16,
    OPERAND_I8,
    OPERAND_I32,
    OPERAND_I64,
    OPERAND_R32,
    OPERAND_R64,
    OPERAND_TOKEN,
    OPERAND_TARGET8, /* signed distance from the next instruction */
    OPERAND_TARGET32,
    OPERAND_SWITCH, /* uint32 n, then n distances from the next instruction */
};

enum control_flow {
    FLOW_NEXT,
    FLOW_BRANCH,
    FLOW_CONDITION,
    FLOW_SWITCH,
    FLOW_RETURN,
    FLOW_THROW, /* throw, rethrow */
    FLOW_LEAVE,
    FLOW_ENDFINALLY, /* endfault is the same opcode */
    FLOW_ENDFILTER,
    FLOW_JMP,
    FLOW_PREFIX, /* binds to the next instruction */
};

enum throws {
    THROWS_NEVER,
    THROWS_MAY,
    THROWS_UNLESS_SAFE, /* only through a null reference */
};

enum {
    STACK_VARIES = 0xFF
};

struct opcode_info {
    const char *mnemonic;
    uint16_t code; /* 0x00nn, or 0xFEnn for two bytes */
    uint8_t operand, pops, pushes, flow, throws;
};

extern const struct opcode_info opcode_info[OP_COUNT];

/* OP_INVALID for a byte that starts no instruction. */
enum opcode opcode_of_byte(uint8_t byte);
enum opcode opcode_of_second_byte(uint8_t byte); /* after 0xFE */

#endif
