/* random.h - bytes that nobody can guess, for names and identities. */
#pragma once

#include "base/base.h"

/* At most 256 bytes. False, with the system's reason in errno. */
NODISCARD bool random_bytes(void *out, size_t len);
