/* fuzz_rewrite.c - rewrites what flow_build accepts, and proves the result: check_rewrite for the
 * new body, random walks for the counts. The input is a script (il_script.h) behind two bytes:
 *
 *     u8 method (low 2 bits), 0x20 optimised, 0x40 what follows is the body itself
 *     u8 mode; each input is rewritten with absolute and with sharded probes. From WALKING on
 *     random
 *        walks prove the counts instead: endless loops make them slow */
#include <stdio.h>

#include "rewriter/rewrite.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/il_script.h"
#include "tests/support/check_rewrite.h"
#include "tests/support/walk.h"

enum {
    OPTIMISED = 0x20,
    RAW = 0x40,
    WALKING = 0xE0,
    WALKS = 2
};

static void prove(const struct flow *flow, const struct plan *plan, enum count_mode mode,
                  bool sharded, struct arena *arena)
{
    struct probe_form form = {.mode = mode,
                              .counters = PROOF_COUNTERS,
                              .shard_table = PROOF_TABLE,
                              .function_sig = PROOF_EXACT_SIG,
                              .function = PROOF_FUNCTION};
    struct rewritten rewritten;
    struct spare_locals spare;
    struct err err = {.code = ERR_NONE};
    spare_locals_find(&spare, flow->context.md, arena);
    if (sharded)
        anchor_choose(&form.anchor, flow, plan, &spare, arena);
    enum verdict verdict = rewrite(&rewritten, flow, plan, &form, arena, arena);
    FUZZ_ASSERT(verdict == VERDICT_OK, "not rewritten: %s", verdict_text(verdict));
    FUZZ_ASSERT(check_rewrite(&rewritten, flow, plan, &form, arena, &err), "%s, %s: %s",
                mode_name(mode), sharded ? "sharded" : "absolute", err.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct il_context *context = il_context();
    struct arena *arena = fuzz_arena();
    struct walk_tally tally = {.finished = 0};
    struct err err = {.code = ERR_NONE};
    struct flow flow;
    struct plan plan;
    if (size < 2)
        return 0;
    uint32_t rid = 1 + (data[0] & 3u);
    struct view body = {data + 2, size - 2};
    context->md.optimised = (data[0] & OPTIMISED) != 0;
    if ((data[0] & RAW) == 0)
        body = il_script_body(body, context, rid, arena);
    if (flow_build(&flow, body, &context->md, NULL, rid, arena) != VERDICT_OK)
        return 0;
    FUZZ_ASSERT(plan_make(&plan, &flow, arena), "no memory");
    if (data[1] >= WALKING) {
        FUZZ_ASSERT(walk_check(&tally, &flow, &plan, WALKS, data[1], arena, &err), "%s", err.text);
        return 0;
    }
    enum count_mode mode = (enum count_mode)(data[1] % (MODE_EXACT + 1));
    prove(&flow, &plan, mode, false, arena);
    if (rewrite_can_shard(&flow))
        prove(&flow, &plan, mode, true, arena);
    return 0;
}

void fuzz_seeds(fuzz_add *add)
{
    uint64_t state = 7;
    for (unsigned n = 0; n < 48; n++) {
        uint8_t script[96];
        char name[32];
        for (size_t i = 0; i < sizeof script; i++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
            script[i] = (uint8_t)(state >> 56);
        }
        script[0] = (uint8_t)(n % 4 | (n & 4) << 3);
        (void)snprintf(name, sizeof name, "script-%02u", n);
        add(name, (struct view){script, 12 + n});
    }
}
