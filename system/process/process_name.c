#include "system/process/process_name.h"

#include <stdio.h>
#include <string.h>

static bool read_name(char out[PROCESS_NAME_ROOM], int pid, const char *file)
{
    size_t len = 0;
    bool ok = process_file_read(out, &len, PROCESS_NAME_ROOM, pid, file);
    if (len != 0 && out[len - 1] == '\n')
        out[len - 1] = '\0';
    return ok;
}

bool process_name_read(char out[PROCESS_NAME_ROOM], int pid)
{
    return read_name(out, pid, "comm");
}

bool process_name_of_thread(char out[PROCESS_NAME_ROOM], int pid, uint32_t thread)
{
    char file[32];
    (void)snprintf(file, sizeof file, "task/%lu/comm", (unsigned long)thread);
    return read_name(out, pid, file);
}
