/* align.h - which instruction of an old body each of a new one is: the longest common run of their hashes
 * (fact_method.instructions), by Myers' algorithm.
 * Owner:  everything lives in the arena. */
#ifndef ILCOV_COVERAGE_ALIGN_H
#define ILCOV_COVERAGE_ALIGN_H

#include "coverage/facts.h"

struct aligned_body {
    uint32_t *offsets; /* of each instruction, and behind the last the length of the code */
    uint32_t *hashes;
    uint32_t count;
};

/* Empty when nothing is known of the code. ERR_FORMAT: the bytes are not what they should be. */
NODISCARD bool align_read(struct aligned_body *out, struct view instructions, struct arena *arena,
                          struct err *err);

/* Index of the instruction at an offset, or NO_INDEX. */
uint32_t align_at(const struct aligned_body *body, uint32_t il_offset);

/* Of each instruction of `head` that of `base`, or NO_INDEX. Bodies that have too little in common are
 * compared only at their beginning and end. */
NODISCARD bool align_bodies(uint32_t **base_of, const struct aligned_body *head,
                            const struct aligned_body *base, struct arena *arena, struct err *err);

#endif
