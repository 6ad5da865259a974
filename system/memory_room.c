#include "system/memory_room.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/base.h"
#include "system/file/file_read.h"
#include "system/file/open_file.h"

/* The number in a cgroup file; UINT64_MAX if it says "max" or there is no such file. */
static uint64_t cgroup_number(const char *path)
{
    char text[32];
    int file = file_open(path, FILE_READ);
    int64_t len = file >= 0 ? file_read_some(file, text, sizeof text - 1) : 0;
    uint64_t number = UINT64_MAX;
    (void)file_close(file);
    text[len > 0 ? len : 0] = '\0';
    return sscanf(text, "%" SCNu64, &number) == 1 ? number : UINT64_MAX;
}

uint64_t memory_room(void)
{
    static const char *const files[][2] = {
        {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"},
        {"/sys/fs/cgroup/memory/memory.limit_in_bytes",
         "/sys/fs/cgroup/memory/memory.usage_in_bytes"}};
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        uint64_t limit = cgroup_number(files[i][0]), used = cgroup_number(files[i][1]);
        if (limit != UINT64_MAX && used != UINT64_MAX)
            return limit > used ? limit - used : 0;
    }
    return UINT64_MAX;
}
