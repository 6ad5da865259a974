/* fuzz_baseline.c - the file in which a session keeps what snapshots took, as a full disk may have
 * left it: what is taken off counters never makes them more. */
#include <string.h>

#include "base/bytes.h"
#include "coverage/session/baseline.h"
#include "tests/fuzz/fuzz.h"

/* Of counters that stand where they stood then. */
static void subtract(const struct baseline *baseline, const struct baseline_group *group,
                     struct arena *arena)
{
    struct session_counters counters = {.plan_hash = group->plan_hash,
                                        .counter_count = group->count};
    uint64_t *sums = ARENA_NEW(arena, uint64_t, group->count, NULL);
    memcpy(counters.mvid, group->mvid, sizeof counters.mvid);
    if (sums == NULL)
        return;
    for (uint32_t i = 0; i < group->count; i++)
        sums[i] = group->sums[i];
    baseline_subtract(sums, baseline, &counters);
    for (uint32_t i = 0; i < group->count; i++)
        FUZZ_ASSERT(sums[i] <= group->sums[i], "counter %u grew", i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct baseline baseline;
    struct arena *arena = fuzz_arena();
    struct err err = {.code = ERR_NONE};
    if (!baseline_parse(&baseline, (struct view){data, size}, arena, &err)) {
        fuzz_check_err(&err);
        return 0;
    }
    FUZZ_ASSERT(baseline.since > 0, "it began at %lld", (long long)baseline.since);
    const struct baseline_group *groups = baseline.groups.items;
    for (uint32_t i = 0; i < baseline.groups.count; i++)
        subtract(&baseline, &groups[i], arena);
    return 0;
}

/* --- seeds ------------------------------------------------------------------------------------ */

static void put_group(struct writer *w, uint8_t mvid, uint32_t count)
{
    for (int i = 0; i < 16; i++)
        wr_u8(w, mvid);
    wr_u64(w, 0x1122334455667788);
    wr_u32(w, count);
    wr_u32(w, 0);
    for (uint32_t i = 0; i < count; i++)
        wr_u64(w, i * 1000);
}

static void add_groups(fuzz_add *add, const char *name, uint32_t groups)
{
    uint8_t data[512];
    struct writer w = wr_over(data, sizeof data);
    wr_bytes(&w, "ILCOVBAS", 8);
    wr_u32(&w, 1);
    wr_u32(&w, groups);
    wr_u64(&w, 1764000000);
    wr_bytes(&w, "0123456789abcdef", 16);
    for (uint32_t i = 0; i < groups; i++)
        put_group(&w, (uint8_t)i, 3 * i);
    FUZZ_ASSERT(!w.failed, "%s has no room", name);
    add(name, (struct view){w.data, w.len});
}

void fuzz_seeds(fuzz_add *add)
{
    add_groups(add, "empty", 0);
    add_groups(add, "two", 2);
    add_groups(add, "four", 4);
}
