/* variable.h - what an instruction loads, stores or takes the address of: a local, an argument, or
 * a field, in which a state machine keeps locals and arguments. Whose field it is is not known.
 * Pure:   instructions in. */
#pragma once

#include "rewriter/il.h"

struct variable {
    enum {
        VARIABLE_NONE,
        VARIABLE_LOCAL,
        VARIABLE_ARGUMENT,
        VARIABLE_FIELD,
    } kind;
    uint32_t number; /* of a field: its token */
};

struct variable variable_loaded(const struct instr *instr);
struct variable variable_addressed(const struct instr *instr);
/* Arguments are not among them. */
struct variable variable_stored(const struct instr *instr);

/* Are they the same, and one at all? */
static inline bool variable_is(struct variable a, struct variable b)
{
    return a.kind != VARIABLE_NONE && a.kind == b.kind && a.number == b.number;
}

/* Does the instruction store it? */
static inline bool variable_is_stored(struct variable variable, const struct instr *instr)
{
    return variable_is(variable_stored(instr), variable);
}
