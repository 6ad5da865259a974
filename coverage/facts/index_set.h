/* index_set.h - a set of numbers, packed: { gap, length }*, both LEB128: how many numbers to skip,
 * and how many follow that are in the set. No run is empty, and none touches the next one, so every
 * set has exactly one packed form. */
#pragma once

#include "base/bytes.h"

/* Those base + i, i < count, for which has[i]; w->failed without memory. */
void index_set_write_at(struct writer *w, const bool *has, uint32_t count, uint32_t base);
/* From ascending numbers. */
void index_set_write_list(struct writer *w, const uint32_t *numbers, uint32_t count);
/* The set of these numbers, which may repeat and are sorted in place. */
NODISCARD bool index_set_pack(struct view *out, uint32_t *numbers, uint32_t count,
                              struct arena *arena, struct err *err);

/* The runs of a sound set: while (index_set_next(&r, &first, &end)). */
struct index_runs {
    struct reader r;
    uint32_t at;
};
struct index_runs index_set_runs(struct view set);
bool index_set_next(struct index_runs *runs, uint32_t *first, uint32_t *end);

/* Is it one, of numbers below `limit`? */
bool index_set_is_sound(struct view set, uint32_t limit);
uint32_t index_set_count(struct view set);
/* Its numbers, ascending. Returns the place after the last. */
uint32_t *index_set_list(uint32_t *out, struct view set);
/* The set of to[i] for its numbers i, without those for which it is NO_INDEX. */
NODISCARD bool index_set_renumber(struct view *out, struct view set, const uint32_t *to,
                                  struct arena *scratch, struct arena *arena, struct err *err);
/* Sets has[i] for its numbers, which are below its length. */
void index_set_mark(bool *has, struct view set);
