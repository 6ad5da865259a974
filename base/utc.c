#include "base/utc.h"

#include <time.h>

const char *utc_text(char out[UTC_ROOM], int64_t seconds)
{
    struct tm parts;
    time_t time = (time_t)seconds;
    if (gmtime_r(&time, &parts) == NULL ||
        strftime(out, UTC_ROOM, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        out[0] = '\0';
    return out;
}
