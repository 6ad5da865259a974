/* fuzz_il.c - any bytes as a method body: parsed, decoded, its flow built, its plan made twice, its
 * counts made of counters. The first byte chooses the method (low bits) and optimised code
 * (0x80). */
#include <stdio.h>
#include <string.h>

#include "rewriter/plan.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/il_script.h"
#include "tests/support/check_rewrite.h"

enum {
    OPTIMISED = 0x80
};

static void check_flow(const struct flow *flow)
{
    uint32_t next = 0, edges = 0;
    for (uint32_t n = 0; n < flow->block_count; n++) {
        const struct block *block = &flow->blocks[n];
        FUZZ_ASSERT(block->first == next && block->end > next, "block %u has a gap before it", n);
        next = block->end;
        edges += block->edge_count;
    }
    FUZZ_ASSERT(next == flow->il.count && edges == flow->edge_count, "blocks do not cover all");
    for (uint32_t e = 0; e < flow->edge_count; e++)
        FUZZ_ASSERT(flow->edges[e].to < flow->block_count &&
                        flow->blocks[flow->edges[e].to].reachable,
                    "edge %u leads nowhere", e);
}

static void check_counts(const struct plan *plan, const struct flow *flow, struct arena *arena)
{
    struct plan_counts counts;
    struct err err = {.code = ERR_NONE};
    uint64_t *counters = ARENA_NEW(arena, uint64_t, plan->counter_count, NULL);
    FUZZ_ASSERT(counters != NULL, "no memory");
    for (uint32_t i = 0; i < plan->counter_count; i++)
        counters[i] = i % 3 == 0 ? UINT64_MAX : i;
    FUZZ_ASSERT(plan_count(&counts, plan, flow, counters, arena, &err), "%s", err.text);
    for (uint32_t n = 0; n < flow->block_count; n++)
        FUZZ_ASSERT(plan->block_counter[n] == NO_INDEX ||
                        counts.blocks[n] == counters[plan->block_counter[n]],
                    "block %u has lost its counter", n);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct il_context *context = il_context();
    struct arena *arena = fuzz_arena();
    struct err err = {.code = ERR_NONE};
    struct flow flow;
    struct plan plan;
    if (size == 0)
        return 0;
    struct view body = {data + 1, size - 1};
    uint32_t rid = 1 + (data[0] & ~(unsigned)OPTIMISED) % CONTEXT_METHODS;
    context->md.optimised = (data[0] & OPTIMISED) != 0;
    FUZZ_ASSERT(check_round_trip(body, arena, &err), "%s", err.text);
    if (flow_build(&flow, body, &context->md, NULL, rid, arena) != VERDICT_OK)
        return 0;
    check_flow(&flow);
    FUZZ_ASSERT(plan_make(&plan, &flow, arena), "no memory");
    check_counts(&plan, &flow, arena);
    (void)plan_hash_method(plan_hash_start(MODE_COUNT), rid, body, &plan, &flow);
    return 0;
}

/* Scripts of pseudo-random bytes: what they give is enough to start from. */
void fuzz_seeds(fuzz_add *add)
{
    uint64_t state = 1;
    for (unsigned n = 0; n < 24; n++) {
        uint8_t script[64], input[4096];
        for (size_t i = 0; i < sizeof script; i++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
            script[i] = (uint8_t)(state >> 56);
        }
        uint32_t rid = 1 + n % CONTEXT_METHODS;
        struct view body =
            il_script_body((struct view){script, 8 + 2 * n}, il_context(), rid, fuzz_arena());
        char name[32];
        (void)snprintf(name, sizeof name, "body-%02u", n);
        if (body.len >= sizeof input)
            continue;
        input[0] = (uint8_t)(n % CONTEXT_METHODS | (n & 4) << 5);
        memcpy(input + 1, body.data, body.len);
        add(name, (struct view){input, body.len + 1});
    }
}
