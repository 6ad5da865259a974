#include "coverage/statements/variable.h"

/* Of the numbers at most one is there. */
static struct variable pick_variable(uint32_t local, uint32_t argument, const struct instr *instr,
                                     enum opcode of_field)
{
    if (local != NO_INDEX)
        return (struct variable){VARIABLE_LOCAL, local};
    if (argument != NO_INDEX)
        return (struct variable){VARIABLE_ARGUMENT, argument};
    return (struct variable){instr->op == of_field ? VARIABLE_FIELD : VARIABLE_NONE,
                             instr->operand};
}

struct variable variable_loaded(const struct instr *instr)
{
    return pick_variable(il_loaded_local(instr), il_loaded_arg(instr), instr, OP_LDFLD);
}

struct variable variable_addressed(const struct instr *instr)
{
    bool of_argument = instr->op == OP_LDARGA_S || instr->op == OP_LDARGA;
    return pick_variable(il_address_of_local(instr), of_argument ? instr->operand : NO_INDEX, instr,
                         OP_LDFLDA);
}

struct variable variable_stored(const struct instr *instr)
{
    return pick_variable(il_stored_local(instr), NO_INDEX, instr, OP_STFLD);
}
