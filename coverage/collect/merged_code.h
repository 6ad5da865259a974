/* merged_code.h - code that the compiler keeps once where it was written twice. If both ways out of
 * a condition lead to equal code that throws or returns, as in
 *
 *     if (a) { if (b) throw new E(); }     ldarg.0; brfalse L; ldarg.1; pop; newobj E; throw
 *     throw new E();                       L: newobj E; throw
 *
 * Release builds of C# drop the condition and one of the two: here, `b` is only popped, and runs of
 * the second statement count for the first.
 * Pure:   flow graph in.
 * Units:  instructions are indexes of the flow graph's.
 * Owner:  the array lives in the arena. */
#ifndef ILCOV_COVERAGE_COLLECT_MERGED_CODE_H
#define ILCOV_COVERAGE_COLLECT_MERGED_CODE_H

#include "rewriter/flow.h"

/* Where statements begin that may have been kept for another one as well. */
struct merged_code {
    uint32_t *first;
    uint32_t count;
};

/* `begins`, per instruction: NO_INDEX where no statement begins. */
NODISCARD bool merged_code_find(struct merged_code *out, const struct flow *flow,
                                const uint32_t *begins, struct arena *arena, struct err *err);

/* May runs of the statement that begins at instruction `first` count for another one? */
bool merged_code_has_twin(const struct merged_code *merged, const struct flow *flow,
                          uint32_t first);

#endif
