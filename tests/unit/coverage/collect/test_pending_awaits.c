/* test_pending_awaits.c - which counters prove that an await has not gone on, and which do not. */
#include "coverage/collect/pending_awaits.h"

#include <stdio.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/path.h"
#include "contract/session_format.h"
#include "contract/verdict.h"
#include "metadata/module.h"
#include "rewriter/plan.h"
#include "tests/support/check.h"
#include "tests/support/il_builder.h"
#include "tests/support/temporary.h"

enum {
    SHARDS = 2,
    STRIDE = 4096,
    METHODS = 2, /* the first has no body */
    COUNTERS_LIMIT = 16
};

/* Left at 0, goes on at R. */
#define MACHINE                                                                                    \
    ".locals object; ldarg.0; ldfld int32 <>1__state; brfalse.s R; call object(); stloc.0;"        \
    "ldloc.0; call this:bool() get_IsCompleted; brtrue.s D; ldarg.0; ldc.i4.0;"                    \
    "stfld int32 <>1__state; call void(); ret; R: ldarg.0; ldc.i4.m1; stfld int32 <>1__state;"     \
    "D: ldloc.0; call this:void() GetResult; ret"

struct world {
    struct temporary session;
    char path[PATH_ROOM], mvid[33];
    struct module module;
    struct flow flow;
    struct plan plan;
    uint64_t plan_hash;
    uint32_t await, back; /* blocks: asks, and where it goes on */
};

static uint32_t block_with(const struct flow *flow, enum opcode op)
{
    for (uint32_t i = 0; i < flow->il.count; i++)
        if (flow->il.instrs[i].op == op)
            return flow->block_of[i];
    fail_msg("no such instruction");
    return NO_INDEX;
}

static int set_up(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    struct il_builder builder;
    struct method_def def;
    assert_non_null(w);
    temporary_open(&w->session);
    il_begin(&builder, "void()");
    (void)il_add_method(&builder, "this:void()", MACHINE);
    struct view image = image_pe(&builder.image, false);
    (void)snprintf(w->path, sizeof w->path, "%s",
                   temporary_file(&w->session, "App.dll", image.data, image.len));
    il_free(&builder);
    assert_true(module_open_file(&w->module, w->path, NULL));
    for (size_t i = 0; i < sizeof w->module.mvid; i++)
        (void)snprintf(w->mvid + 2 * i, 3, "%02x", w->module.mvid[i]);
    assert_true(module_method(&def, &w->module, METHODS));
    assert_int_equal(
        flow_build(&w->flow, def.body, &w->module.md, NULL, METHODS, &w->session.arena),
        VERDICT_OK);
    assert_true(plan_make(&w->plan, &w->flow, &w->session.arena));
    assert_in_range(w->plan.counter_count, 2, COUNTERS_LIMIT);
    w->await = block_with(&w->flow, OP_BRTRUE_S);
    w->back = block_with(&w->flow, OP_LDC_I4_M1);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    module_close(&w->module);
    temporary_close(&w->session);
    free(w);
    return 0;
}

/* So many were left, and so many went on: in the counters that alone stand for it. */
static void count(uint64_t out[COUNTERS_LIMIT], struct world *w, uint64_t left, uint64_t returned)
{
    memset(out, 0, COUNTERS_LIMIT * sizeof *out);
    uint32_t edge = w->flow.blocks[w->await].first_edge;
    edge += w->flow.edges[edge].taken;
    for (uint32_t i = 0; i < w->plan.counter_count; i++) {
        struct plan_counts counts;
        uint64_t one[COUNTERS_LIMIT] = {0};
        one[i] = 1;
        assert_true(plan_count(&counts, &w->plan, &w->flow, one, &w->session.arena, NULL));
        if (counts.edges[edge] != 0 && left != 0) {
            out[i] = left;
            left = 0;
        } else if (counts.blocks[w->back] != 0 && returned != 0) {
            out[i] = returned;
            returned = 0;
        }
    }
    assert_true(left == 0 && returned == 0);
}

struct counts {
    enum count_mode mode;
    uint32_t shards;
    uint64_t left[SHARDS], returned[SHARDS];
};

static void put(uint8_t *file, enum counters_offset at, size_t *end, const void *bytes, size_t len)
{
    store_u32(file + at, (uint32_t)*end);
    memcpy(file + *end, bytes, len);
    *end += len;
}

static void write_counts(struct world *w, const struct counts *counts)
{
    static uint8_t file[STRIDE * (1 + SHARDS)];
    static const uint8_t verdicts[METHODS] = {VERDICT_NO_IL, VERDICT_OK};
    char name[96];
    size_t end = COUNTERS_HEADER_LEN, size = counts->mode == MODE_HIT ? 1 : 8;
    memset(file, 0, sizeof file);
    w->plan_hash = plan_hash_method(plan_hash_start(counts->mode), METHODS, w->flow.body.whole,
                                    &w->plan, &w->flow);
    memcpy(file, COUNTERS_MAGIC, COUNTERS_AT_VERSION);
    store_u32(file + COUNTERS_AT_VERSION, COUNTERS_VERSION);
    store_u32(file + COUNTERS_AT_MODE, counts->mode);
    store_u64(file + COUNTERS_AT_PLAN_HASH, w->plan_hash);
    store_u32(file + COUNTERS_AT_SHARD_COUNT, counts->shards);
    store_u32(file + COUNTERS_AT_COUNTER_COUNT, w->plan.counter_count);
    store_u64(file + COUNTERS_AT_SHARD_STRIDE, STRIDE);
    store_u64(file + COUNTERS_AT_SHARDS, STRIDE);
    memcpy(file + COUNTERS_AT_MVID, w->module.mvid, sizeof w->module.mvid);
    store_u32(file + COUNTERS_AT_METHOD_COUNT, METHODS);
    put(file, COUNTERS_AT_VERDICTS, &end, verdicts, METHODS);
    put(file, COUNTERS_AT_PATH, &end, w->path, strlen(w->path));
    store_u32(file + COUNTERS_AT_PATH + 4, (uint32_t)strlen(w->path));
    put(file, COUNTERS_AT_NAME, &end, "App", 3);
    store_u32(file + COUNTERS_AT_NAME + 4, 3);
    store_u32(file + COUNTERS_AT_READY, COUNTERS_READY);
    for (uint32_t k = 0; k < counts->shards; k++) {
        uint64_t values[COUNTERS_LIMIT];
        count(values, w, counts->left[k], counts->returned[k]);
        for (uint32_t i = 0; i < w->plan.counter_count; i++) {
            uint8_t *at = file + STRIDE * (1 + k) + size * i;
            if (size == 1)
                *at = values[i] != 0;
            else
                store_u64(at, values[i]);
        }
    }
    (void)snprintf(name, sizeof name, "%s-%016llx-0.counts", w->mvid,
                   (unsigned long long)w->plan_hash);
    (void)temporary_file(&w->session, name, file, STRIDE * (1 + counts->shards));
}

static void write_record(struct world *w, const char *more)
{
    struct str record;
    assert_true(text_format(&record, &w->session.arena, NULL,
                            "ilcov-process\t0\nprogram\t/app/tool\n%s", more));
    (void)temporary_file(&w->session, "process-1-2", record.text, record.len);
}

static bool yes(const void *context, struct str file)
{
    (void)file;
    return context == NULL;
}

static void find(struct list *out, struct world *w, const struct session *session,
                 const void *context)
{
    *out = (struct list){NULL, 0, 0};
    assert_true(pending_awaits_find(out, w->session.folder, session, yes, context,
                                    &w->session.arena, NULL));
}

static struct session read_session(struct world *w)
{
    struct session session;
    assert_true(session_read(&session, w->session.folder, &w->session.arena, NULL));
    assert_int_equal(session.warning_count, 0);
    assert_int_equal(session.counters_count, 1);
    return session;
}

static const struct {
    const char *name;
    struct counts counts;
    const char *record;
    uint32_t found;
    uint64_t left, pending; /* that are told */
} cases[] = {
    {"nothing ran", {MODE_COUNT, 2, {0, 0}, {0, 0}}, "", 0, 0, 0},
    {"left once", {MODE_COUNT, 2, {1, 0}, {0, 0}}, "", 1, 1, 1},
    {"left, and gone on on another thread", {MODE_COUNT, 2, {1, 0}, {0, 1}}, "", 0, 0, 0},
    {"left 5 times, gone on 4 times", {MODE_COUNT, 2, {2, 3}, {4, 0}}, "", 1, 5, 1},
    {"exact, in one shard", {MODE_EXACT, 1, {5}, {4}}, "", 1, 5, 1},
    {"gone on more often than left", {MODE_COUNT, 2, {4, 0}, {5, 0}}, "", 0, 0, 0},
    {"one shard for all threads", {MODE_COUNT, 1, {5}, {4}}, "", 0, 0, 0},
    {"... never gone on", {MODE_COUNT, 1, {5}, {0}}, "", 1, 0, 0},
    {"shared by threads", {MODE_COUNT, 2, {5, 0}, {4, 0}}, "sharing\t43\t\n", 0, 0, 0},
    {"... never gone on", {MODE_COUNT, 2, {5, 0}, {0, 0}}, "sharing\t43\t\n", 1, 0, 0},
    {"hit", {MODE_HIT, 2, {1, 0}, {0, 1}}, "", 0, 0, 0},
    {"... never gone on", {MODE_HIT, 2, {1, 0}, {0, 0}}, "", 1, 0, 0},
};

static void an_await_is_pending_if_the_counters_prove_it(void **state)
{
    struct world *w = *state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct list found;
        write_record(w, cases[i].record);
        write_counts(w, &cases[i].counts);
        struct session session = read_session(w);
        find(&found, w, &session, NULL);
        const struct pending_await *await = found.items;
        if (found.count != cases[i].found ||
            (found.count != 0 &&
             (await->left != cases[i].left || await->pending != cases[i].pending ||
              await->token != TOKEN(TABLE_MethodDef, METHODS))))
            fail_msg("%s: %u found", cases[i].name, found.count);
        find(&found, w, &session, w); /* whom nobody counts for */
        assert_int_equal(found.count, 0);
        assert_int_equal(unlink(session.counters[0].file.text), 0);
    }
}

static void shards_that_came_meanwhile_are_looked_at(void **state)
{
    struct world *w = *state;
    struct list found;
    struct counts before = {MODE_COUNT, 1, {1}, {0}}, now = {MODE_COUNT, 2, {1, 0}, {0, 1}};
    write_record(w, "");
    write_counts(w, &before);
    struct session session = read_session(w);
    write_counts(w, &now);
    find(&found, w, &session, NULL);
    assert_int_equal(found.count, 0);
}

static void numbers_of_tests_that_are_told_apart_are_not_told(void **state)
{
    struct world *w = *state;
    struct list found;
    struct counts counts = {MODE_COUNT, 2, {5, 0}, {4, 0}}, never = {MODE_COUNT, 2, {5, 0}, {0, 0}};
    write_record(w, "");
    (void)temporary_file(&w->session, "hits-1-2", "began\t1\n", 8);
    write_counts(w, &counts);
    struct session session = read_session(w);
    find(&found, w, &session, NULL);
    assert_int_equal(found.count, 0);
    write_counts(w, &never);
    find(&found, w, &session, NULL);
    assert_int_equal(found.count, 1);
    assert_int_equal(((const struct pending_await *)found.items)->left, 0);
}

static void another_build_proves_nothing(void **state)
{
    struct world *w = *state;
    struct list found;
    struct counts counts = {MODE_COUNT, 2, {1, 0}, {0, 0}};
    write_record(w, "");
    write_counts(w, &counts);
    struct session session = read_session(w);
    assert_int_equal(truncate(w->path, 100), 0);
    find(&found, w, &session, NULL);
    assert_int_equal(found.count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
static const struct CMUnitTest tests[] = {
    TEST(an_await_is_pending_if_the_counters_prove_it),
    TEST(shards_that_came_meanwhile_are_looked_at),
    TEST(numbers_of_tests_that_are_told_apart_are_not_told),
    TEST(another_build_proves_nothing),
};
UNIT_TESTS(tests);
