/* verdict.h - what became of a method: instrumented, or left as it was for a named reason.
 * The values are written into counter files (contract/session_format.h), and as reasons (reason.h)
 * into data files: append, never renumber. */
#pragma once

#include <stdbool.h>

/* VERDICT(name, text for humans) */
#define VERDICTS(VERDICT)                                                                          \
    VERDICT(NO_IL, "has no IL body")                                                               \
    VERDICT(OK, "instrumented")                                                                    \
    VERDICT(DECLINED_HEADER, "its method header is malformed")                                     \
    VERDICT(DECLINED_OPCODE, "its IL contains bytes that are not an instruction")                  \
    VERDICT(DECLINED_TARGET, "a branch leads into the middle of an instruction")                   \
    VERDICT(DECLINED_PREFIX, "a branch leads between a prefix and its instruction")                \
    VERDICT(DECLINED_ODD_EH, "its exception clauses are malformed")                                \
    VERDICT(DECLINED_FALLS_OFF, "its IL can run past the end")                                     \
    VERDICT(DECLINED_STACK, "the evaluation stack does not balance")                               \
    VERDICT(DECLINED_SIGNATURE, "a call names a signature that cannot be read")                    \
    VERDICT(DECLINED_TOO_LARGE, "it is larger than a method can be")                               \
    VERDICT(DECLINED_MEMORY, "memory ran out while it was rewritten")                              \
    VERDICT(DECLINED_BY_RUNTIME, "the runtime rejected its new body")                              \
    VERDICT(DECLINED_RUNTIME_ASYNC,                                                                \
            "it uses runtime async, and this version of .NET cannot recompile such methods")       \
    VERDICT(MAY_HAVE_RUN, "instrumented; may have run before ilcov was attached")                  \
    VERDICT(WAS_RUNNING, "instrumented; was running when ilcov was attached")

enum verdict {
#define VERDICT(name, text) VERDICT_##name,
    VERDICTS(VERDICT)
#undef VERDICT
    VERDICT_COUNT
};

/* Is it instrumented? */
static inline bool verdict_is_counted(enum verdict verdict)
{
    return verdict == VERDICT_OK || verdict >= VERDICT_MAY_HAVE_RUN;
}

/* Of several processes or loads the worst counts: what was left as it was, then what may have run
 * without probes. */
static inline bool verdict_is_worse(enum verdict one, enum verdict other)
{
    bool is_declined = !verdict_is_counted(one) && one != VERDICT_NO_IL,
         other_is_declined = !verdict_is_counted(other) && other != VERDICT_NO_IL;
    return is_declined != other_is_declined ? is_declined : one > other;
}

/* For people; "unknown" for any other number. In the library for ILCOV_TRACE alone. */
const char *verdict_text(enum verdict verdict);
