/* run_id.h - the id of a measured run: which session it is of, and which part of it.
 * `ilcov snapshot --reset` ends a part, and the next one begins. What is collected of all is two
 * runs: all parts before the current one, and that. So each hit is in one part, and merging knows
 * which runs have the same: equal ids are states of one part; runs of which one contains the other
 * count once.
 *
 *   0   12   random: the session
 *   12   4   big-endian; below RUN_ID_BEFORE the number of a part, from 0; with it, all parts
 *            before that number
 *
 * Other runs have ids that are hashes of what they are. */
#pragma once

#include "coverage/facts/digest.h"

enum {
    FACT_ID_LEN = 16
};

#define RUN_ID_BEFORE (UINT32_C(1) << 31)

/* The part that an id is of, without RUN_ID_BEFORE. */
uint32_t run_id_part(const uint8_t id[FACT_ID_LEN]);
/* Makes it the id of another part, or of all before one, of the same session. */
void run_id_set(uint8_t id[FACT_ID_LEN], uint32_t part);

bool run_id_same_session(const uint8_t a[FACT_ID_LEN], const uint8_t b[FACT_ID_LEN]);
/* Is everything that `b` counted in `a`, too, which is another run? */
bool run_id_contains(const uint8_t a[FACT_ID_LEN], const uint8_t b[FACT_ID_LEN]);

/* The id of a run that is made of others: a hash of what the digest has and of their ids, which are
 * sorted. Closes the digest. */
void run_id_join(uint8_t out[FACT_ID_LEN], struct digest *digest, struct writer *ids);
