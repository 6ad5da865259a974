#include "system/session_places.h"

#include <stdlib.h>

size_t session_places(const char *out[SESSION_PLACES_MOST])
{
    const char *wanted = getenv("TMPDIR");
    size_t count = 0;
    out[count++] = SESSION_PLACE_IN_MEMORY;
    if (wanted != NULL && wanted[0] != '\0')
        out[count++] = wanted;
    out[count++] = "/tmp";
    return count;
}
