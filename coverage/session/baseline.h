/* baseline.h - where the next snapshot begins: `ilcov snapshot --reset` does not touch the
 * counters, which other processes write, but remembers their sums. No count is lost, and the
 * session's final report counts everything. One file, replaced as a whole.
 * Owner:  lists live in the arena.
 * Errors: ERR_FORMAT the file is damaged; ERR_IO a system call failed. */
#pragma once

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
    int64_t since;      /* Unix seconds; 0: there is no baseline, and everything counts */
    struct list groups; /* struct baseline_group */
};

/* Reads the baseline of the session in this directory. */
NODISCARD bool baseline_read(struct baseline *out, const char *session, struct arena *arena,
                             struct err *err);
NODISCARD bool baseline_write(const struct baseline *baseline, const char *session,
                              struct arena *arena, struct err *err);
NODISCARD bool baseline_parse(struct baseline *out, struct view file, struct arena *arena,
                              struct err *err);

/* Subtracts earlier counts from the sums of a module's counters. */
void baseline_subtract(uint64_t *sums, const struct baseline *baseline,
                       const struct session_counters *counters);

/* Remembers the sums, replacing those of this module. Copies. */
NODISCARD bool baseline_put(struct baseline *baseline, const struct session_counters *counters,
                            const uint64_t *sums, struct arena *arena, struct err *err);

/* While the descriptor is open, no other process resets this session. -1 with `err` set if another
 * one does, or on failure. */
int baseline_lock(const char *session, struct err *err);
