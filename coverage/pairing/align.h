/* align.h - which of a row of old things each of a row of new ones is: the longest common run of
 * their hashes, by Myers' algorithm. Things are statements, or instructions
 * (fact_method.instructions).
 * Owner:  everything lives in the arena. */
#ifndef ILCOV_COVERAGE_PAIRING_ALIGN_H
#define ILCOV_COVERAGE_PAIRING_ALIGN_H

#include "coverage/facts/facts.h"

/* What does something: without the nops that Debug builds have for braces. */
struct aligned_body {
    uint32_t *offsets; /* of each instruction, and behind the last the length of the code */
    uint32_t *hashes;
    uint32_t count;
};

enum align_opcode {
    ALIGN_NOP = 0x00,
    ALIGN_RET = 0x2A,
    ALIGN_BR = 0x38,
    ALIGN_ENDFINALLY = 0xDC,
    ALIGN_LEAVE = 0xDD
};

/* Is it the hash of that instruction, wherever it leads? */
bool align_is(uint32_t hash, enum align_opcode opcode);

/* Empty when nothing is known of the code. ERR_FORMAT: the bytes are not what they should be. */
NODISCARD bool align_read(struct aligned_body *out, struct view instructions, struct arena *arena,
                          struct err *err);

/* Index of the first instruction at an offset or behind it; `count`: none. */
uint32_t align_at(const struct aligned_body *body, uint32_t il_offset);

/* base_of[i]: what head[i] is in BASE; NO_INDEX stays what is in none. Where it is not NO_INDEX
 * when this is called it stays, and each gap between is compared on its own. Rows that have too
 * little in common are compared only at their beginning and end. */
NODISCARD bool align_rows(uint32_t *base_of, const uint32_t *head, uint32_t head_count,
                          const uint32_t *base, uint32_t base_count, struct arena *arena,
                          struct err *err);

#endif
