/* fsharp_machine.h - the state machines that the F# compiler makes of `task { }` and `seq { }`:
 * which kind a method is, what it keeps, and how it throws. In Debug builds only `seq` becomes one.
 * A task keeps in a bool, which is only ever a constant, whether it continued or was suspended.
 * Source: dotnet/fsharp, src/FSharp.Core/resumable.fs and tasks.fs; RFC FS-1087.
 * Pure:   flow graph and metadata in.
 * Owner:  the array lives in the arena. */
#pragma once

#include "coverage/statements/statements_source.h"

enum fsharp_kind {
    FSHARP_NO_MACHINE,
    FSHARP_TASK,
    FSHARP_SEQUENCE
};

struct fsharp_machine {
    enum fsharp_kind kind; /* NO_MACHINE in other languages, too */
    bool *is_flag; /* per local of a task: it only receives constants, or other such locals */
};

/* The instruction that loads where to continue; the method that ends a seq early may first clear
 * the exception that it throws at its end. */
uint32_t fsharp_machine_state(const struct flow *flow);

enum fsharp_kind fsharp_machine_kind(const struct flow *flow);

NODISCARD bool fsharp_machine_make(struct fsharp_machine *out,
                                   const struct statements_source *source, struct arena *arena,
                                   struct err *err);

/* Is the value on top of the stack before instruction `end` of block `n` a constant, or a flag? It
 * may just have been stored in a variable that is the user's elsewhere. */
bool fsharp_machine_gives_flag(const struct fsharp_machine *machine, const struct flow *flow,
                               uint32_t n, uint32_t end);

/* Does block `n` pass on, to a join, whether the task continued? */
bool fsharp_machine_hands_on_flag(const struct fsharp_machine *machine, const struct flow *flow,
                                  uint32_t n);

/* Does the block only throw because no rule of a match held, or rethrow what no rule of a `with`
 * caught? */
bool fsharp_machine_throws(const struct flow *flow, uint32_t n);

/* Does the block say that no rule of a match held? */
bool fsharp_machine_match_fails(const struct flow *flow, uint32_t n);
