/* left_values.h - what a test leaves for others in a static field: a method sets it when it is
 * first asked for, or a Lazy in it makes its value. What such a test ran, those depend on that read
 * the field. The test is known by what it ran of the method and others did not; where nobody ran
 * more than others, as for `??=`, it may be any that ran it.
 *   - Fields of one thread, and those that compilers make, are not among them.
 *   - What a test puts into an object that is already there is not seen.
 * Errors: ERR_MEMORY. */
#pragma once

#include "impact/build_changes.h"

struct left_value {
    bool *makers, *readers; /* per test of BASE */
};

/* `method_of`: per module of BASE and count: 1 + the method of its code, or 0. */
NODISCARD bool left_values_find(struct list *out, const struct build_changes *changes,
                                uint32_t *const *method_of);
