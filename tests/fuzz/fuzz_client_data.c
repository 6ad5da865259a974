/* fuzz_client_data.c - what a program that attaches hands over, or anybody else who may: the
 * library takes a session's path from it, or refuses it. */
#include <string.h>

#include "base/bytes.h"
#include "contract/protocol.h"
#include "profiler/attach.h"
#include "tests/fuzz/fuzz.h"

/* A path has one client data, byte for byte. */
static struct view client_data(const char *path, struct arena *arena)
{
    size_t path_len = strlen(path), len = CLIENT_DATA_HEADER_LEN + path_len;
    uint8_t *data = arena_raw(arena, len, 1, NULL);
    FUZZ_ASSERT(data != NULL, "no memory");
    memcpy(data, CLIENT_DATA_MAGIC, CLIENT_DATA_AT_VERSION);
    store_u32(data + CLIENT_DATA_AT_VERSION, PROTOCOL_VERSION);
    store_u32(data + CLIENT_DATA_AT_LEN, (uint32_t)len);
    store_u32(data + CLIENT_DATA_AT_PATH_LEN, (uint32_t)path_len);
    memcpy(data + CLIENT_DATA_HEADER_LEN, path, path_len);
    return (struct view){data, len};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[FOLDER_PATH_MAX];
    struct err err = {.code = ERR_NONE};
    if (!attach_read_client_data(path, sizeof path, data, size, &err)) {
        fuzz_check_err(&err);
        return 0;
    }
    FUZZ_ASSERT(path[0] == '/' && memchr(path, '\0', sizeof path) != NULL, "no absolute path");
    struct view again = client_data(path, fuzz_arena());
    FUZZ_ASSERT(again.len == size && memcmp(again.data, data, size) == 0, "%s is not its own path",
                path);
    return 0;
}

void fuzz_seeds(fuzz_add *add)
{
    static char long_path[FOLDER_PATH_MAX];
    struct arena arena;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    memset(long_path, '/', sizeof long_path - 1);
    add("session", client_data("/dev/shm/ilcov-4711-abcdef", &arena));
    add("root", client_data("/", &arena));
    add("longest", client_data(long_path, &arena));
    arena_free(&arena);
}
