/* pattern_test.h - what the tests of a pattern ask, and of which value. What a cast, a nullable, or
 * the length or hash of a string gave is in locals of its own.
 * Pure:   flow graph in.
 * Owner:  arrays live in the arena. */
#pragma once

#include "rewriter/flow.h"

enum asks {
    ASKS_NOTHING,  /* the block only continues */
    ASKS_EQUAL,    /* is it this constant, or in a range of them? */
    ASKS_PRESENCE, /* is it there, of a type, in a table? */
    ASKS_ORDER,
    ASKS_TABLE,
};

struct pattern_test {
    enum asks asks;
    uint32_t variable; /* where the value comes from, or NO_INDEX */
    bool of_part;      /* a length, a character or a hash of that is tested */
    uint32_t yes;      /* ASKS_EQUAL: the edge on which it is; ASKS_TABLE: on which it is not */
    int64_t most;      /* the highest constant of those that it asks for, or compares with */
};

/* What a local holds within a pattern. */
struct pattern_local {
    uint32_t pattern; /* the number of the pattern that stored it */
    uint32_t variable;
    bool of_part;
};

struct pattern_values {
    const struct flow *flow;
    struct pattern_local *locals;
    uint32_t local_count;
    uint32_t pattern; /* the number of the current one, not 0 */
    uint32_t first;   /* its first block */
};

NODISCARD bool pattern_values_make(struct pattern_values *out, const struct flow *flow,
                                   struct arena *arena, struct err *err);

/* Notes what the locals hold that a block of the pattern stores; of each, in ascending order. */
void pattern_values_note(struct pattern_values *v, uint32_t n);

/* The test at the end of a block of the pattern. */
struct pattern_test pattern_test_at(const struct pattern_values *v, uint32_t n);
