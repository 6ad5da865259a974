/* signer.h - who made an assembly: an assembly may have any name, but its public key (II.6.2.1.3)
 * is its maker's. Known are the makers of the SDK's tools and of test platforms, which run beside
 * the user's code. */
#pragma once

#include "metadata/heaps.h"

bool signer_is_known(const struct metadata *md);

/* Is the file an assembly of this simple name, and signed by one of them? */
bool signer_is_known_of_file(const char *path, struct str assembly);
