/* fuzz_counter_file.c - the head of a counter file. The input is the file, but for its name, whose
 * parts are made from the header: so that it is not the name that refuses most inputs. With a part
 * of that name it has to be refused. */
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "contract/session_format.h"
#include "contract/verdict.h"
#include "coverage/session/session.h"
#include "tests/fuzz/fuzz.h"

enum {
    NAME_ROOM = 128,
    SEED_SHARDS_AT = 4096,
    SEED_STRIDE = 4096
};

static struct str name_of(char *room, const uint8_t *data, size_t size)
{
    char *at = room;
    uint8_t header[COUNTERS_HEADER_LEN] = {0};
    memcpy(header, data, size < sizeof header ? size : sizeof header);
    for (unsigned i = 0; i < 16; i++)
        at += snprintf(at, 3, "%02x", header[COUNTERS_AT_MVID + i]);
    at += snprintf(at, NAME_ROOM - 32, "-%016llx-%u" SESSION_COUNTS,
                   (unsigned long long)load_u64(header + COUNTERS_AT_PLAN_HASH), 3u);
    return (struct str){room, (size_t)(at - room)};
}

static void check(const struct session_counters *counters, size_t size)
{
    FUZZ_ASSERT(counters->shards_offset <= size &&
                    counters->shard_stride <=
                        (size - counters->shards_offset) / counters->shard_count,
                "shards outside of the file");
    FUZZ_ASSERT(counters->counter_count * mode_counter_size(counters->mode) <=
                    counters->shard_stride,
                "counters outside of their shard");
    fuzz_read(
        (struct view){(const uint8_t *)counters->module_path.text, counters->module_path.len});
    fuzz_read(
        (struct view){(const uint8_t *)counters->module_name.text, counters->module_name.len});
    fuzz_read(counters->verdicts);
    for (uint32_t i = 0; i < counters->method_count; i++)
        FUZZ_ASSERT(counters->verdicts.data[i] < VERDICT_COUNT, "an unknown verdict");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct session_counters counters;
    struct err err = {.code = ERR_NONE};
    char room[NAME_ROOM];
    struct str name = name_of(room, data, size);
    if (session_parse_counters(&counters, name, (struct view){data, size}, size, &err))
        check(&counters, size);
    else
        fuzz_check_err(&err);
    name.len = size != 0 ? data[size - 1] % name.len : 0;
    if (session_parse_counters(&counters, name, (struct view){data, size}, size, &err))
        fuzz_fail(__FILE__, __LINE__, "a counter file of any name");
    return 0;
}

static void add_file(fuzz_add *add, const char *name, enum count_mode mode, uint32_t shards)
{
    uint8_t file[SEED_SHARDS_AT + 2 * SEED_STRIDE] = {0};
    static const char path[] = "/app/App.dll", assembly[] = "App";
    size_t len = SEED_SHARDS_AT + (size_t)shards * SEED_STRIDE;
    uint32_t at = COUNTERS_HEADER_LEN;
    memcpy(file, COUNTERS_MAGIC, COUNTERS_AT_VERSION);
    store_u32(file + COUNTERS_AT_VERSION, COUNTERS_VERSION);
    store_u32(file + COUNTERS_AT_MODE, (uint32_t)mode);
    store_u64(file + COUNTERS_AT_PLAN_HASH, UINT64_C(0x0123456789ABCDEF));
    store_u32(file + COUNTERS_AT_SHARD_COUNT, shards);
    store_u32(file + COUNTERS_AT_COUNTER_COUNT, 5);
    store_u64(file + COUNTERS_AT_SHARD_STRIDE, SEED_STRIDE);
    store_u64(file + COUNTERS_AT_SHARDS, SEED_SHARDS_AT);
    store_u32(file + COUNTERS_AT_METHOD_COUNT, 3);
    store_u32(file + COUNTERS_AT_READY, COUNTERS_READY);
    store_u32(file + COUNTERS_AT_NAME, at);
    store_u32(file + COUNTERS_AT_NAME + 4, sizeof assembly - 1);
    memcpy(file + at, assembly, sizeof assembly - 1);
    at += sizeof assembly - 1;
    store_u32(file + COUNTERS_AT_PATH, at);
    store_u32(file + COUNTERS_AT_PATH + 4, sizeof path - 1);
    memcpy(file + at, path, sizeof path - 1);
    at += sizeof path - 1;
    store_u32(file + COUNTERS_AT_VERDICTS, at);
    memcpy(file + at, "\1\0\3", 3);
    add(name, (struct view){file, len});
}

void fuzz_seeds(fuzz_add *add)
{
    add_file(add, "count", MODE_COUNT, 1);
    add_file(add, "hit-two-shards", MODE_HIT, 2);
}
