/* il.h - the code of a method as an array of instructions, and the instruction set, which
 * opcodes.def has.
 * Source: ECMA-335 III.
 * Units:  offset in bytes from the first instruction; an index counts instructions.
 * Owner:  arrays live in the arena; operands that are not targets stay in the code bytes. */
#pragma once

#include "rewriter/body.h"

enum opcode {
#define OP(name, mnemonic, code, operand, pops, pushes, flow, throws) OP_##name,
#include "rewriter/opcodes.def"
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

/* By its code; OP_INVALID for bytes that are no instruction. */
enum opcode opcode_of(unsigned code);

struct instr {
    uint32_t offset;
    uint32_t len; /* opcode and operand */
    /* token; variable number; target index; of a switch the place of its targets in il.targets */
    uint32_t operand;
    uint8_t op; /* enum opcode */
};

struct il {
    const uint8_t *code;
    uint32_t code_size;
    struct instr *instrs;
    uint32_t count;
    /* code_size + 1 places: index of the instruction that starts there, else NO_INDEX;
     * index_at[code_size] is count */
    uint32_t *index_at;
    uint32_t *targets; /* a switch's: count, then instruction indexes */
    uint32_t target_count;
};

/* VERDICT_OK, DECLINED_OPCODE, DECLINED_TARGET, DECLINED_PREFIX, DECLINED_MEMORY. */
enum verdict il_decode(struct il *out, const struct il_body *body, struct arena *arena);

static inline const struct opcode_info *il_info(const struct instr *instr)
{
    return &opcode_info[instr->op];
}

/* The instruction that begins at an offset of any kind, or NO_INDEX. */
static inline uint32_t il_index(const struct il *il, uint32_t offset)
{
    return offset < il->code_size ? il->index_at[offset] : NO_INDEX;
}

/* Number of the argument or local that the instruction reads, writes or takes the address of, in
 * any of its forms; NO_INDEX for other instructions. */
uint32_t il_loaded_local(const struct instr *instr);     /* ldloc */
uint32_t il_stored_local(const struct instr *instr);     /* stloc */
uint32_t il_address_of_local(const struct instr *instr); /* ldloca */
uint32_t il_loaded_arg(const struct instr *instr);       /* ldarg */
uint32_t il_stored_arg(const struct instr *instr);       /* starg, ldarga: may be changed */
/* The instruction before one that is not the first, past nops: C# compilers have two of them behind
 * each number of a local above 255. */
uint32_t il_before(const struct il *il, uint32_t instr);
/* Does instruction `load` load what `store`, an stloc or stfld, stored? The field must be one of
 * `this`: an async method keeps values there across an await. */
bool il_loads_stored(const struct il *il, uint32_t load, uint32_t store);
/* Of the same local, argument or field. */
bool il_loads_the_same(const struct instr *a, const struct instr *b);

/* Appends an opcode; for a variable, the shortest form that holds its number. */
void il_write(struct writer *w, enum opcode op);
void il_write_u32(struct writer *w, enum opcode op, uint32_t operand);
void il_write_variable(struct writer *w, enum opcode short_op, enum opcode long_op,
                       uint32_t number);

/* A long branch forwards; returns the place of its distance, which il_land fills in: to what is
 * written next. */
uint32_t il_write_branch(struct writer *w, enum opcode op);
void il_land(struct writer *w, uint32_t at);

/* The constant of an ldc.i4 in any form. */
bool il_constant(int32_t *value, const struct instr *instr);

/* Is it a call or callvirt? */
bool il_is_call(const struct instr *instr);

/* Is it a brtrue, in either form? */
bool il_is_brtrue(const struct instr *instr);

/* brtrue or brfalse: does it test a single value? */
bool il_tests_bool(const struct instr *instr);

/* Does the instruction only push a variable, an address of one or a constant, or replace an object
 * by one of its fields? */
bool il_only_pushes(const struct instr *instr);

/* Does the instruction make a constant 0 or 1: an ldc.i4, or a ceq of two of them, as Debug code
 * has for `!(x is T t)`? */
bool il_makes_zero_or_one(const struct il *il, uint32_t instr);
