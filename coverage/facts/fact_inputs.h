/* fact_inputs.h - files that tests may depend on (coverage/session/test_inputs.h). */
#pragma once

#include "base/text.h"

enum {
    FACT_INPUT_HASH_LEN = 16
};

/* A file that tests may depend on although it has no code that is measured. */
struct fact_input {
    struct str folder; /* absolute: of the build's output; empty: the source root */
    struct str path;   /* below it, '/' separators */
    /* of its bytes; all 0: nobody has looked at them; all 0xFF: it was written while tests ran */
    uint8_t hash[FACT_INPUT_HASH_LEN];
};

/* Nobody knows whether it changed. */
bool fact_input_is_unseen(const struct fact_input *input);

/* Tests wrote it. */
bool fact_input_is_left(const struct fact_input *input);
void fact_input_leave(struct fact_input *input);

/* Sorts the list by folder, path and hash, and leaves each of its items once. */
void fact_inputs_sort(struct fact_input *inputs, uint32_t *count);
