/* fuzz_session_hits.c - what a process wrote of the hits of its tests, as another program may have
 * left it: every number in it is of something that there is, and no hit lies outside of a
 * method. */
#include <string.h>

#include "coverage/session/session_hits.h"
#include "tests/fuzz/fuzz.h"

enum {
    COUNTERS = 100
};

static void check_text(struct str text)
{
    fuzz_read((struct view){(const uint8_t *)text.text, text.len});
}

static void check_contexts(const struct session_hits *hits)
{
    for (uint32_t i = 0; i < hits->context_count; i++) {
        FUZZ_ASSERT(hits->contexts[i].kind <= CONTEXT_STATIC, "owner %u is of no kind", i);
        FUZZ_ASSERT(hits->contexts[i].end <= CONTEXT_THREW, "owner %u ends in no way", i);
        check_text(hits->contexts[i].type);
    }
    for (uint32_t i = 0; i < hits->counts_count; i++)
        check_text(hits->counts[i].name);
}

/* In a method of just as many counters as are hit, too. */
static void check_runs(struct str runs, struct arena *arena)
{
    uint8_t *hit = ARENA_NEW(arena, uint8_t, COUNTERS, NULL);
    struct err err = {.code = ERR_NONE};
    uint32_t end = COUNTERS;
    FUZZ_ASSERT(hit != NULL, "no memory");
    if (!session_hits_runs(hit, COUNTERS, runs, &err)) {
        fuzz_check_err(&err);
        return;
    }
    for (uint32_t i = 0; i < COUNTERS; i++)
        FUZZ_ASSERT(hit[i] <= 1, "counter %u is hit %u times", i, hit[i]);
    while (end != 0 && hit[end - 1] == 0)
        end--;
    uint8_t *fewer = ARENA_NEW(arena, uint8_t, (size_t)end + 1, NULL);
    FUZZ_ASSERT(fewer != NULL, "no memory");
    if (session_hits_runs(fewer, end, runs, &err)) /* else a gap leads beyond the last hit */
        FUZZ_ASSERT(memcmp(hit, fewer, end) == 0, "other counters are hit");
    if (end != 0)
        FUZZ_ASSERT(!session_hits_runs(fewer, end - 1, runs, &err), "a hit has no counter");
}

static void check_hits(const struct session_hits *hits, struct arena *arena)
{
    for (uint32_t i = 0; i < hits->vector_count; i++) {
        const struct session_vector *vector = &hits->vectors[i];
        FUZZ_ASSERT(vector->counts < hits->counts_count, "vector %u is of no counts", i);
        FUZZ_ASSERT(vector->rid != 0, "vector %u is of no method", i);
        check_runs(vector->runs, arena);
    }
    for (uint32_t i = 0; i < hits->hit_count; i++) {
        FUZZ_ASSERT(hits->hits[i].context < hits->context_count, "hit %u is of no owner", i);
        FUZZ_ASSERT(hits->hits[i].vector < hits->vector_count, "hit %u is of no vector", i);
    }
}

/* Owners of shards: whatever they are, none is one that there is not. */
static void check_shards(struct session_hits *hits, struct view file)
{
    struct err err = {.code = ERR_NONE};
    if (!session_parse_contexts(hits, file, &err)) {
        fuzz_check_err(&err);
        return;
    }
    for (uint32_t i = 0; i < SHARDS_MAX; i++)
        FUZZ_ASSERT(hits->of_shard[i] <= hits->context_count ||
                        hits->of_shard[i] == CONTEXT_OF_KEPT,
                    "shard %u is of no owner", i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct session_hits hits;
    struct arena *arena = fuzz_arena();
    struct err err = {.code = ERR_NONE};
    struct view file = {data, size};
    if (!session_parse_hits(&hits, STR("hits-4711-123456"), file, arena, &err)) {
        fuzz_check_err(&err);
        return 0;
    }
    check_contexts(&hits);
    check_hits(&hits, arena);
    check_shards(&hits, file);
    return 0;
}

/* --- seeds ------------------------------------------------------------------------------------ */

static void add_text(fuzz_add *add, const char *name, const char *text)
{
    add(name, (struct view){(const uint8_t *)text, strlen(text)});
}

#define MVID "00112233445566778899aabbccddeeff"

void fuzz_seeds(fuzz_add *add)
{
    add_text(add, "owners",
             "owner\t1\t0\t" MVID "\t7\tN.C\nowner\t2\t1\t" MVID "\t8\tN.D`1[[System.Int32]]\n"
             "over\t1\t1500\t1\t1\nover\t2\t20\t3\t0\nowner\t3\t2\t" MVID "\t9\t\n");
    add_text(add, "hits",
             "counts\t1\t" MVID "-00000000deadbeef-0.counts\nowner\t1\t0\t" MVID "\t7\tN.C\n"
             "vector\t1\t1\t7\t0112\nvector\t2\t1\t8\tX111\nvector\t3\t1\t9\t0V2\n"
             "hits\t1\t123\n");
    add_text(add, "unsure",
             "counts\t1\ta.counts\ncounts\t2\tb\\tc\\n\\\\.counts\nunsure\t2\n"
             "vector\t1\t2\t1\too0\n");
}
