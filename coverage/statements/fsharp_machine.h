/* fsharp_machine.h - the state machines that the F# compiler makes of `task { }` and `seq { }`:
 * which kind a method is, what it keeps, and how it throws. In Debug builds only `seq` becomes one.
 * A task keeps in a flag, a bool that only gets constants, whether it continued or was suspended.
 * Source: dotnet/fsharp, src/FSharp.Core/resumable.fs and tasks.fs; RFC FS-1087.
 * Pure:   flow graph and metadata in. */
#pragma once

#include "coverage/statements/statements_source.h"

enum fsharp_kind {
    FSHARP_NO_MACHINE,
    FSHARP_TASK,
    FSHARP_SEQUENCE
};

/* The instruction that loads where to continue; the method that ends a seq early may first clear
 * the exception that it throws at its end. */
uint32_t fsharp_machine_state(const struct flow *flow);

enum fsharp_kind fsharp_machine_kind(const struct flow *flow);

/* Is the value on top of the stack before instruction `end` of block `n` a constant, or a flag? The
 * variable that has it may be the user's elsewhere. */
bool fsharp_machine_gives_flag(const struct flow *flow, uint32_t n, uint32_t end);

/* Does block `n` pass on, to a join, whether the task continued? */
bool fsharp_machine_hands_on_flag(enum fsharp_kind kind, const struct flow *flow, uint32_t n);

/* Does the block only throw because no rule of a match held, or rethrow what no rule of a `with`
 * caught? */
bool fsharp_machine_throws(const struct flow *flow, uint32_t n);

/* Does the block say that no rule of a match held? */
bool fsharp_machine_match_fails(const struct flow *flow, uint32_t n);
