/* left_values.h - what a test leaves for others in a field (shared_fields.h): it sets the field, or
 * changes what that holds, or asks first for a value that is made then. What such a test ran, those
 * depend on that read the field. The test is known by what it ran of the method and others did not;
 * where that has no counts of its own, as for `??=`, it may be any that ran the method. What a
 * method that changed did before, nobody knows: it may have set any static field of its class, or
 * any that is set elsewhere, too.
 *   - How often a number was changed does not count.
 *   - An object is changed by the method that reads the field, or by those of its own class.
 * Errors: ERR_MEMORY. */
#pragma once

#include "impact/build_changes.h"

struct left_value {
    bool *makers, *readers; /* per test of BASE */
};

/* `method_of`: per module of BASE and count: 1 + the method of its code, or 0. */
NODISCARD bool left_values_find(struct list *out, const struct build_changes *changes,
                                uint32_t *const *method_of);
