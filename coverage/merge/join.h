/* join.h - joins what two files know about one build into one module: each method has the places of
 * the file that knows more about it (rank.h).
 * Owner:  what `kept` takes over is copied into the arena. */
#pragma once

#include "coverage/facts/facts.h"

/* `kept` becomes the union of both, except for its counts. */
NODISCARD bool join_module(struct fact_module *kept, const struct fact_module *other,
                           struct arena *arena, struct err *err);
