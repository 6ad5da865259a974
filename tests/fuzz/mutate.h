/* mutate.h - changes an input: bits, bytes, integers that break programs, parts cut, doubled, moved
 * and taken from other inputs. The same state makes the same changes. */
#pragma once

#include "base/base.h"

struct mutator {
    uint64_t state;
};

/* One of `inputs`, changed in one to eight ways; it is made in `room` bytes at `bytes`. */
struct view mutate(struct mutator *mutator, uint8_t *bytes, size_t room, const struct view *inputs,
                   size_t input_count);
