/* rank.h - which of two files to believe if they have different facts about the same build. The
 * answer never depends on the order of the files.
 * Owner:  what `kept` takes over is copied into the arena. */
#pragma once

#include "coverage/facts/facts.h"

/* Each sets `kept` to the one of the two that ranks higher. */
NODISCARD bool rank_document(struct fact_document *kept, const struct fact_document *other,
                             struct arena *arena, struct err *err);
NODISCARD bool rank_method_state(struct fact_method *kept, const struct fact_method *other,
                                 struct arena *arena, struct err *err);
/* Lines without text that only one machine could tell apart have none on all of them. */
NODISCARD bool rank_gaps(struct view *kept, struct view other, struct arena *arena,
                         struct err *err);

/* Its reason, its gaps and its causes. */
NODISCARD bool rank_statement(struct fact_statement *kept, const struct fact_statement *other,
                              struct arena *arena, struct err *err);
/* Its span, words, arms, reason and causes: who had the source knows the operand. */
NODISCARD bool rank_decision(struct fact_decision *kept, const struct fact_decision *other,
                             struct arena *arena, struct err *err);

/* State, path, hash, reason and time; not its lists. */
NODISCARD bool rank_module(struct fact_module *kept, const struct fact_module *other,
                           struct arena *arena, struct err *err);

/* Compares by what the modules know about a method; 0: they know the same. */
int rank_knowledge(const struct fact_module *a, uint32_t method_of_a, const struct fact_module *b,
                   uint32_t method_of_b);
