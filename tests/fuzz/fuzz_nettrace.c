/* fuzz_nettrace.c - a stream of events that claims to be that of a runtime. */
#include <string.h>

#include "cli/process/nettrace.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/nettrace_stream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char message[NETTRACE_MESSAGE_ROOM];
    bool found = nettrace_message(message, (struct view){data, size});
    FUZZ_ASSERT(memchr(message, '\0', sizeof message) != NULL, "the message does not end");
    FUZZ_ASSERT(found == (message[0] != '\0'), "a message is there, or it is not");
    for (const char *c = message; *c != '\0'; c++)
        FUZZ_ASSERT((unsigned char)*c >= ' ' && *c != 0x7F, "it talks to the terminal");
    return 0;
}

void fuzz_seeds(fuzz_add *add)
{
    uint8_t data[2048];
    struct writer w = wr_over(data, sizeof data);
    stream_begin(&w);
    add("begun", (struct view){w.data, w.len});
    stream_add_metadata(&w, 1, NETTRACE_PROVIDER, 299);
    stream_add_event(&w, 1, "Loading profiler failed.  HRESULT: 0x8007007e.\n");
    stream_end(&w);
    add("failed", (struct view){w.data, w.len});
}
