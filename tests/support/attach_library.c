/* attach_library.c - has the runtime of a process load a profiler:
 *
 *   attach_library PID LIBRARY CLIENT_DATA
 *
 * and prints the HRESULT that it answers. Exit status: 0 it answered, 2 trouble. */
#include <stdio.h>
#include <string.h>

#include "cli/process/diagnostics.h"
#include "contract/session_format.h"

enum {
    TROUBLE = 2,
    LIMIT_MS = 10000
};

int main(int argc, char **argv)
{
    struct arena arena;
    struct process process;
    struct err err = {0};
    int pid = 0;
    uint32_t hr = 0;
    if (argc != 4 || !process_number(&pid, argv[1])) {
        (void)fprintf(stderr, "usage: attach_library PID LIBRARY CLIENT_DATA\n");
        return TROUBLE;
    }
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    struct view data = {(const uint8_t *)argv[3], strlen(argv[3])};
    bool ok = process_read(&process, pid, &arena, &err) &&
              diagnostics_attach(&hr, &process, PROFILER_CLSID, argv[2], data, LIMIT_MS, &err);
    arena_free(&arena);
    if (!ok)
        (void)fprintf(stderr, "attach_library: %s\n", err.text);
    else
        printf("0x%08x\n", (unsigned)hr);
    return ok ? 0 : TROUBLE;
}
