/* packed.h - a vector of counts as the data file keeps it: { zeros, count }*, two LEB128: how many
 * zero counts to skip, then one that is not zero. Zeros at the end are not written, so every vector
 * has one packed form. */
#ifndef ILCOV_COVERAGE_STORE_PACKED_H
#define ILCOV_COVERAGE_STORE_PACKED_H

#include "base/bytes.h"

void packed_write(struct writer *w, const uint64_t *counts, uint32_t len);

/* Adds what is packed to `counts`, saturating. False, with some of it added, when the bytes are no
 * packed vector of at most `len` counts. */
NODISCARD bool packed_add(uint64_t *counts, uint32_t len, struct view packed);

/* The same test alone. */
NODISCARD bool packed_is_sound(uint32_t len, struct view packed);

#endif
