/* il_script.h - any bytes as a method body that is nearly always valid: so that the rewriter, and
 * not the refusal of nonsense, is what gets tested.
 *
 *     u8 locals (low 4 bits), fat header 0x10, zeroed locals 0x20, small clauses 0x40
 *     u8 number of clauses, modulo SCRIPT_CLAUSES_MAX + 1
 *     for each clause: u8 kind, u8 x 4 places: the ends of try, filter and handler
 *     then an instruction each: u8 opcode, and by its operand u8 number, token's place, target;
 *     a switch has u8 count and as many targets
 *
 * Targets and places are numbers of instructions, modulo their count. Before an instruction that
 * lacks operands constants are pushed, before a join what is left is popped, regions are left as
 * they must be; bit 7 of a target switches that off for its instruction. */
#pragma once

#include "tests/fuzz/il_context.h"

enum {
    SCRIPT_CLAUSES_MAX = 3,
    SCRIPT_INSTRS_MAX = 96
};

/* The body of a method with the signature of row `method_rid`; empty without memory. */
struct view il_script_body(struct view script, const struct il_context *context,
                           uint32_t method_rid, struct arena *arena);
