/* pending_awaits.h - where code waits without a thread: the awaits at which state machines were
 * left and not entered again, as the counters of running processes prove.
 * The counters are read twice, and only who was left by the first reading and not entered by the
 * second counts: what runs meanwhile makes the number smaller, never larger. Where numbers may be
 * wrong (`hit`, threads that share counters, --per-test), an await counts only if nobody has ever
 * gone on from it. Runtime async has no state machines, so its awaits are not known.
 * Owner:  the arena.
 * Errors: ERR_MEMORY, and those of session_read. A module that is not what ran has none. */
#pragma once

#include "base/list.h"
#include "coverage/session/session.h"

struct pending_await {
    const struct session_counters *file; /* of its module and process */
    uint32_t token, il_offset;           /* of the machine's method, and of the await in it */
    uint64_t left, pending; /* how often it was left there, so many of them at least for good; 0:
                               numbers are not known */
};

/* Of the counter files of which `counts` says that a process counts there now. `session` was read
 * from `path`. */
NODISCARD bool pending_awaits_find(struct list *out, const char *path,
                                   const struct session *session,
                                   bool (*counts)(const void *context, struct str file),
                                   const void *context, struct arena *arena, struct err *err);
