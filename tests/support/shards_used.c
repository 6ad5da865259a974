/* shards_used SESSION LEAST: prints in how many shards of the session's counter files some counter
 * reached LEAST. The threads test asks whether each of its threads had a shard of its own. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/bytes.h"
#include "coverage/session/session.h"

static bool shard_reached(const uint8_t *shard, const struct session_counters *file, uint64_t least)
{
    for (uint32_t i = 0; i < file->counter_count; i++)
        if (load_u64(shard + (size_t)i * 8) >= least)
            return true;
    return false;
}

static unsigned shards_of(const struct session_counters *file, uint64_t least)
{
    size_t len = file->shards_offset + file->shard_stride * file->shard_count;
    int fd = open(file->file.text, O_RDONLY | O_CLOEXEC);
    const uint8_t *data = fd >= 0 ? mmap(NULL, len, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    unsigned used = 0;
    if (data == MAP_FAILED || file->mode == MODE_HIT)
        exit(2);
    for (uint32_t s = 0; s < file->shard_count; s++)
        used += shard_reached(data + file->shards_offset + s * file->shard_stride, file, least);
    (void)close(fd);
    return used;
}

int main(int argc, char **argv)
{
    struct arena arena;
    struct session session;
    struct err err;
    unsigned used = 0;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    if (argc != 3 || !session_read(&session, argv[1], &arena, &err))
        return 2;
    for (uint32_t i = 0; i < session.counters_count; i++)
        used += shards_of(&session.counters[i], strtoull(argv[2], NULL, 10));
    printf("%u\n", used);
    arena_free(&arena);
    return 0;
}
