#include "system/random.h"

#include <sys/random.h>

bool random_bytes(void *out, size_t len)
{
    return getrandom(out, len, 0) == (ssize_t)len;
}
