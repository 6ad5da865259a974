/* align.h - matches two sequences by the longest common subsequence of their hashes (Myers'
 * algorithm). Elements are statements or instructions (fact_method.instructions).
 * Owner:  everything lives in the arena. */
#pragma once

#include "coverage/facts/facts.h"

/* The instructions without the nops that Debug builds have for braces. */
struct aligned_body {
    uint32_t *offsets; /* per instruction; after the last one, the length of the code */
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

/* Is it the hash of that instruction, whatever its target? */
bool align_is(uint32_t hash, enum align_opcode opcode);

/* Empty if the code is not known. ERR_FORMAT: the bytes are malformed. */
NODISCARD bool align_read(struct aligned_body *out, struct view instructions, struct arena *arena,
                          struct err *err);

/* Index of the first instruction at or after an offset; `count` if there is none. */
uint32_t align_at(const struct aligned_body *body, uint32_t il_offset);

/* base_of[i]: the index of head[i] in BASE, or NO_INDEX. Entries that are set on call stay, and
 * each gap between them is compared on its own. Sequences that have too little in common are
 * compared only at their beginning and end. */
NODISCARD bool align_rows(uint32_t *base_of, const uint32_t *head, uint32_t head_count,
                          const uint32_t *base, uint32_t base_count, struct arena *arena,
                          struct err *err);
