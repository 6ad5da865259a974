/* fsharp_made.h - what the compiler of F# puts into `task { }` and `seq { }`: which branches of their state
 * machines nobody wrote. In Debug builds only `seq` is one.
 * A task asks at its start, and at each `try` and `while`, where to go on (ResumptionPoint); at each `let!`
 * whether the awaiter is ready; and behind everything, by a bool that is only ever a constant, whether that
 * went on or was suspended.
 * Source: dotnet/fsharp, src/FSharp.Core/resumable.fs and tasks.fs; RFC FS-1087.
 * Pure: flow graph and metadata in. Used by judge.c.
 * Owner: the array lives in the arena. */
#ifndef ILCOV_COVERAGE_BRANCHES_FSHARP_MADE_H
#define ILCOV_COVERAGE_BRANCHES_FSHARP_MADE_H

#include "coverage/branches/point_map.h"

enum fsharp_machine {
    FSHARP_NO_MACHINE,
    FSHARP_TASK,
    FSHARP_SEQUENCE
};

struct made_fsharp {
    bool is_fsharp;
    enum fsharp_machine machine;
    bool *is_flag; /* of each local of a task: only constants are stored, or other such locals */
};

enum fsharp_machine made_fsharp_machine(const struct flow *flow);

NODISCARD bool made_fsharp_make(struct made_fsharp *out, const struct statements_source *source,
                                struct arena *arena, struct err *err);

/* Does the branch at the end of block `n` test what only the state machine knows of; or is it of a loop that
 * was copied from FSharp.Core, without its lines? */
bool made_fsharp_test(const struct made_fsharp *made, const struct cover *cover, uint32_t n);

/* Does the block only throw because no rule of a match held; or on what no rule of a `with` took? */
bool made_fsharp_throw(const struct made_fsharp *made, const struct flow *flow, uint32_t n);

/* Does the block say that no rule of a match held? */
bool made_fsharp_match_failure(const struct flow *flow, uint32_t n);

/* Does block `n` hand on, to a join, whether the task went on? */
bool made_fsharp_flag(const struct made_fsharp *made, const struct flow *flow, uint32_t n);

#endif
