/* check_rewrite.h - proves that a rewritten body is the old one with the plan's probes in it and
 * nothing else. Knows what a rewritten body has to be (docs/decisions, 2 to 5), but
 * nothing of how rewrite.c comes to it: probes are recognised by what they do to a counter, and
 * their places by which of them control passes from one old instruction to the next.
 * Errors: ERR_MISMATCH with the offset in the new code where the proof fails; ERR_MEMORY. */
#pragma once

#include "rewriter/rewrite.h"

/* 1. The new body parses and decodes; clauses and branches lead to where they led.
 * 2. Without entry sequence, stubs and probes it is the old body up to short and long branches.
 * 3. Each counter of the plan is added to in one place, the one where the plan has it.
 * 4. The evaluation stack has the same depth whichever way an instruction is reached, and never
 *    more than the new header says.
 * 5. The offset map says where each old instruction went.
 * Types at joins follow: control comes to each old instruction from where it came (1), and what is
 * on the way is balanced and touches nothing below its own values (a probe is run on symbols from
 * an empty stack), so that the types that meet there are those of the old body. */
NODISCARD bool check_rewrite(const struct rewritten *rewritten, const struct flow *flow,
                             const struct plan *plan, const struct probe_form *form,
                             struct arena *arena, struct err *err);

/* What body_write makes of a parsed body parses to the same body again. */
NODISCARD bool check_round_trip(struct view body, struct arena *arena, struct err *err);

/* For proofs over real bodies: where the counters lie. No constant of any program is one of these
 * addresses. */
#define PROOF_COUNTERS  UINT64_C(0x5EED00000000)
#define PROOF_FUNCTION  UINT64_C(0x7EED12345678)
#define PROOF_TABLE     UINT64_C(0x70000000)
#define PROOF_EXACT_SIG UINT32_C(0x117FFFFD)
