/* window_hits.h - what the counters of a window show: the hits of the context that has it.
 * Threads: under the layout lock. */
#pragma once

#include "profiler/contexts/hit_log.h"
#include "profiler/instance.h"

/* Has the window counters of its own in this module? */
bool window_is_told_apart(const struct counter_block *place, uint32_t window);

/* Into the log, as hits of the context whose are gathered. False without memory. */
NODISCARD bool window_hits_log(struct hit_log *log, const struct counter_block *place,
                               uint32_t window);
/* Adds them to those of another window, and clears them. */
void window_hits_keep(const struct counter_block *place, uint32_t window, uint32_t kept);
/* Are there any, in any module? */
bool window_hits_any(const struct profiler *p, uint32_t window);
