/* packed.h - a vector of counts as stored in the data file: { zeros, count }*, both LEB128: how
 * many zero counts to skip, then a count that is not zero. Trailing zeros are not written, so every
 * vector has exactly one packed form. */
#pragma once

#include "base/bytes.h"

void packed_write(struct writer *w, const uint64_t *counts, uint32_t len);

/* Adds a packed vector to `counts`, saturating. False, with some of it added, if the bytes are not
 * a packed vector of at most `len` counts. */
NODISCARD bool packed_add(uint64_t *counts, uint32_t len, struct view packed);

/* The same test without adding. */
NODISCARD bool packed_is_sound(uint32_t len, struct view packed);
