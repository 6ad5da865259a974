/* baseline.h - what a snapshot took, for the next one to begin there: `ilcov snapshot --reset`
 * leaves the counters alone, which others write, and remembers their sums. No count is lost, and
 * the session's own report counts all. One file, replaced as a whole.
 * Owner:  lists live in the arena.
 * Errors: ERR_FORMAT the file is damaged; ERR_IO the system said no. */
#ifndef ILCOV_COVERAGE_SESSION_BASELINE_H
#define ILCOV_COVERAGE_SESSION_BASELINE_H

#include "base/list.h"
#include "coverage/session/session.h"

#define SESSION_BASELINE      "baseline"
#define SESSION_BASELINE_LOCK SESSION_BASELINE ".lock"
#define SESSION_BASELINE_PART SESSION_BASELINE ".part" /* while it is written */

/* The counters of a module and plan, summed over all files and shards. */
struct baseline_group {
    uint8_t mvid[16];
    uint64_t plan_hash;
    uint32_t count;
    const uint64_t *sums;
};

struct baseline {
    uint8_t id[16];     /* of the run that began with it */
    int64_t since;      /* Unix seconds; 0: there is none, and all counts */
    struct list groups; /* struct baseline_group */
};

/* Of the session in this directory. */
NODISCARD bool baseline_read(struct baseline *out, const char *session, struct arena *arena,
                             struct err *err);
NODISCARD bool baseline_write(const struct baseline *baseline, const char *session,
                              struct arena *arena, struct err *err);
NODISCARD bool baseline_parse(struct baseline *out, struct view file, struct arena *arena,
                              struct err *err);

/* Takes from the sums of a module's counters what was counted before. */
void baseline_subtract(uint64_t *sums, const struct baseline *baseline,
                       const struct session_counters *counters);

/* Remembers them, instead of what was known of this module. Copies. */
NODISCARD bool baseline_put(struct baseline *baseline, const struct session_counters *counters,
                            const uint64_t *sums, struct arena *arena, struct err *err);

/* As long as the descriptor is open nobody else resets this session. -1: somebody does, or
 * `err`. */
int baseline_lock(const char *session, struct err *err);

#endif
