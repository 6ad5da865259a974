/* collect.h - turns a session's counters into facts, using the metadata of its modules and the same
 * plan that the profiler made: how often each statement began, and which way each decision went.
 * Errors: ERR_MEMORY and the like. A module that can't be read becomes a skipped module with a
 *         reason and, if its counters say that it ran, also a trouble: no module silently gets 0
 *         %. */
#pragma once

#include "coverage/collect/collect_options.h"

NODISCARD bool collect(struct collect_result *out, const struct session *session,
                       const struct collect_options *options, struct arena *arena, struct err *err);
