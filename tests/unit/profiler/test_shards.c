/* test_shards.c - threads that live at once count in shards of their own; a shard takes memory when
 * a thread first needs it. Each scenario runs in a process of its own, as there is one profiler a
 * process. */
#include "profiler/shards.h"

#include <semaphore.h>

#include "base/bytes.h"
#include "profiler/callback.h"
#include "profiler/instrument.h"
#include "profiler/signatures.h"
#include "tests/support/check.h"
#include "tests/support/fake_clr.h"
#include "tests/support/il_builder.h"
#include "tests/support/scenario.h"

enum {
    STACK_LEN = 256 << 10,
    MANY = SHARDS_MAX + 20
};

struct world {
    struct temporary session;
    struct fake_clr clr;
    struct il_builder builder;
    struct view image;
};

static int set_up(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    if (w == NULL)
        return -1;
    temporary_open(&w->session);
    fake_clr_open(&w->clr);
    il_begin(&w->builder, "void()");
    IMAGE_ROW(&w->builder.image, Assembly, 0x8004, 1, 2, 3, 4, 0, 0,
              image_string(&w->builder.image, "Handmade"), 0);
    (void)il_add_method(&w->builder, "void()", "ret");
    w->image = image_pe(&w->builder.image, false);
    scenario_configure(&w->session, "version=1\nmode=count\ninclude=[Handmade]*\n");
    assert_int_equal(setenv(SESSION_ENV, w->session.folder, 1), 0);
    *state = w;
    return 0;
}

static int tear_down(void **state)
{
    struct world *w = *state;
    il_free(&w->builder);
    fake_clr_close(&w->clr);
    temporary_close(&w->session);
    free(w);
    return 0;
}

static struct fake_module *loaded(struct world *w, const char *path)
{
    struct fake_module *module = fake_clr_add(&w->clr, path, w->image, false);
    instrument_module(&g_profiler, module->id);
    return module;
}

static uint32_t shards_of(const struct fake_module *module)
{
    const struct instrumented_module *row = instance_find_module(&g_profiler, module->id);
    EXPECT(row != NULL && row->place->file.head != NULL);
    return load_u32(row->place->file.head + COUNTERS_AT_SHARD_COUNT);
}

/* --- threads ---------------------------------------------------------------------------------- */

struct runner {
    pthread_t thread;
    ThreadID id;
    sem_t met, may_end;
    uint64_t base;   /* what code on its stack reads from the table */
    uint64_t *count; /* counter 0, or NULL */
};

/* Counts as code does: plainly, at base + constant. */
static void *run(void *argument)
{
    struct runner *r = argument;
    char local;
    EXPECT(g_callback.vtbl->ThreadAssignedToOSThread(&g_callback, r->id, 1) == S_OK);
    r->base = shard_table_get(&g_profiler.shards.table, (uintptr_t)&local);
    if (r->count != NULL)
        ++*(uint64_t *)(void *)((uint8_t *)r->count + r->base);
    EXPECT(sem_post(&r->met) == 0 && sem_wait(&r->may_end) == 0);
    EXPECT(g_callback.vtbl->ThreadDestroyed(&g_callback, r->id) == S_OK);
    return NULL;
}

static void start(struct runner *r, ThreadID id, uint64_t *count)
{
    pthread_attr_t attributes;
    *r = (struct runner){.id = id, .count = count};
    EXPECT(sem_init(&r->met, 0, 0) == 0 && sem_init(&r->may_end, 0, 0) == 0);
    EXPECT(pthread_attr_init(&attributes) == 0);
    EXPECT(pthread_attr_setstacksize(&attributes, STACK_LEN) == 0);
    EXPECT(pthread_create(&r->thread, &attributes, run, r) == 0);
    EXPECT(sem_wait(&r->met) == 0);
    (void)pthread_attr_destroy(&attributes);
}

static void end(struct runner *r)
{
    EXPECT(sem_post(&r->may_end) == 0 && pthread_join(r->thread, NULL) == 0);
}

static uint64_t *counter_of(const struct fake_module *module)
{
    return (uint64_t *)(uintptr_t)instance_find_module(&g_profiler, module->id)->place->counters;
}

/* Each `sharing` of the record, as "REASON SUBJECT;". */
static const char *reported(struct world *w)
{
    static char all[512];
    struct str record =
        temporary_read(&w->session, temporary_path(&w->session, g_profiler.record.name));
    all[0] = '\0';
    for (const char *at = record.text; (at = strstr(at, "\nsharing\t")) != NULL; at++) {
        unsigned reason = 0;
        char subject[64] = "";
        EXPECT(sscanf(at, "\nsharing\t%u\t%63[^\n]", &reason, subject) >= 1);
        (void)snprintf(all + strlen(all), sizeof all - strlen(all), "%u %s;", reason, subject);
    }
    return all;
}

static void expect_told(struct world *w, enum reason_code reason, const char *subject)
{
    char expected[64] = "";
    if (reason != REASON_NONE)
        (void)snprintf(expected, sizeof expected, "%u %s;", (unsigned)reason, subject);
    EXPECT(strcmp(reported(w), expected) == 0);
}

static void as_many_as_there_are_shards(struct world *w)
{
    static struct runner runners[SHARDS_MAX];
    static bool taken[SHARDS_MAX];
    EXPECT(fake_clr_start(&w->clr) == S_OK); /* this thread has shard 0 */
    struct fake_module *early = loaded(w, "/app/Handmade.dll"), *late = NULL;
    uint32_t before = shards_of(early);
    taken[0] = true;
    for (unsigned i = 1; i < SHARDS_MAX; i++) {
        start(&runners[i], 100 + i, counter_of(early));
        uint64_t shard = runners[i].base >> WINDOW_BITS;
        EXPECT(shard < SHARDS_MAX && !taken[shard] && shard << WINDOW_BITS == runners[i].base);
        taken[shard] = true;
        EXPECT(shards_of(early) == 1 + i);
        if (i == 20)
            late = loaded(w, "/app/late/Handmade.dll");
    }
    expect_told(w, REASON_NONE, "");
    EXPECT(before == 1 && shards_of(late) == SHARDS_MAX);
    for (unsigned i = 1; i < SHARDS_MAX; i++) {
        EXPECT(*(uint64_t *)(void *)((uint8_t *)counter_of(early) + runners[i].base) == 1);
        ++*(uint64_t *)(void *)((uint8_t *)counter_of(late) + runners[i].base); /* is there */
        end(&runners[i]);
    }
}

static void shards_are_taken_one_by_one_and_shared_by_none(void **state)
{
    assert_true(scenario_survives(*state, as_many_as_there_are_shards, NULL));
}

static void more_than_there_are_shards(struct world *w)
{
    static struct runner runners[MANY];
    unsigned users[SHARDS_MAX] = {1};
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *module = loaded(w, "/app/Handmade.dll");
    for (unsigned i = 0; i < MANY; i++) {
        start(&runners[i], 100 + i, counter_of(module));
        EXPECT(runners[i].base >> WINDOW_BITS < SHARDS_MAX);
        users[runners[i].base >> WINDOW_BITS]++;
        expect_told(w, i + 1 < SHARDS_MAX ? REASON_NONE : REASON_MANY_THREADS, "192");
    }
    for (unsigned s = 0; s < SHARDS_MAX; s++)
        EXPECT(users[s] == 1 || users[s] == 2);
    for (unsigned i = 0; i < MANY; i++)
        end(&runners[i]);
}

static void threads_share_shards_evenly_when_there_are_more(void **state)
{
    assert_true(scenario_survives(*state, more_than_there_are_shards, NULL));
}

/* The second thread of two that live at once. */
static void expect_told_with_thread(struct world *w, enum reason_code reason, const char *subject)
{
    struct runner runners[2];
    expect_told(w, REASON_NONE, "");
    for (unsigned i = 0; i < ARRAY_LEN(runners); i++) {
        start(&runners[i], 7 + i, NULL);
        expect_told(w, reason, subject);
    }
    for (unsigned i = 0; i < ARRAY_LEN(runners); i++)
        end(&runners[i]);
}

static void without_room(struct world *w)
{
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    (void)loaded(w, "/app/Handmade.dll");
    (void)loaded(w, "/app/other/Handmade.dll");
    g_profiler.shards.reserve = UINT64_MAX;
    expect_told_with_thread(w, REASON_NO_ROOM_FOR_THREADS, "");
}

static void without_room_at_load(struct world *w)
{
    struct runner first, second;
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    start(&first, 7, NULL);
    start(&second, 8, NULL);
    end(&first);
    end(&second);
    g_profiler.shards.reserve = UINT64_MAX;
    (void)loaded(w, "/app/Handmade.dll");
    expect_told_with_thread(w, REASON_NO_ROOM_FOR_THREADS, "");
}

static void without_mappings(struct world *w)
{
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    (void)loaded(w, "/app/Handmade.dll");
    g_profiler.windows.mapping_count = MAPPINGS_MAX;
    expect_told_with_thread(w, REASON_MANY_MAPPINGS, "");
}

static void without_mappings_at_load(struct world *w)
{
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    g_profiler.windows.mapping_count = MAPPINGS_MAX;
    (void)loaded(w, "/app/Handmade.dll");
    expect_told_with_thread(w, REASON_MANY_MAPPINGS, "");
}

/* As windows_init finds it where nearly nothing is left. */
static void without_addresses(struct world *w)
{
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    g_profiler.shards.limit = 1;
    g_profiler.shards.limit_reason = REASON_FEW_ADDRESSES;
    (void)loaded(w, "/app/Handmade.dll");
    expect_told_with_thread(w, REASON_FEW_ADDRESSES, "");
}

static void before_any_module(struct world *w)
{
    static struct runner runners[SHARDS_MAX];
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    for (unsigned i = 0; i < SHARDS_MAX; i++)
        start(&runners[i], 100 + i, NULL);
    expect_told(w, REASON_NONE, ""); /* nothing counts there */
    (void)loaded(w, "/app/Handmade.dll");
    expect_told(w, REASON_MANY_THREADS, "192");
    for (unsigned i = 0; i < SHARDS_MAX; i++)
        end(&runners[i]);
}

static void in_hit_mode(struct world *w)
{
    struct runner runner;
    scenario_configure(&w->session, "version=1\nmode=hit\ninclude=[Handmade]*\n");
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    (void)loaded(w, "/app/Handmade.dll");
    g_profiler.windows.mapping_count = MAPPINGS_MAX;
    start(&runner, 7, NULL);
    expect_told(w, REASON_NONE, "");
    end(&runner);
}

static void sharing_is_told_with_its_cause(void **state)
{
    static void (*const scenarios[])(struct world *) = {
        without_room,      without_room_at_load, without_mappings, without_mappings_at_load,
        without_addresses, before_any_module,    in_hit_mode};
    for (size_t i = 0; i < ARRAY_LEN(scenarios); i++)
        assert_true(scenario_survives(*state, scenarios[i], NULL));
}

/* Its frame must not change, so it has no variable that leads to a shard: it needs a signature. */
static void load_with_tail_call(struct world *w)
{
    struct il_builder builder;
    il_begin(&builder, "void()");
    IMAGE_ROW(&builder.image, Assembly, 0x8004, 1, 2, 3, 4, 0, 0,
              image_string(&builder.image, "Handmade"), 0);
    (void)il_add_method(&builder, "void()", "tail.; call void(); ret");
    w->image = image_pe(&builder.image, false);
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    (void)loaded(w, "/app/Handmade.dll");
    il_free(&builder);
}

static void tail_call_that_calls(struct world *w)
{
    load_with_tail_call(w);
    expect_told_with_thread(w, REASON_NONE, "");
}

static void tail_call_without_signature(struct world *w)
{
    w->clr.no_signatures = true;
    load_with_tail_call(w);
    expect_told_with_thread(w, REASON_TAIL_CALLS, "Handmade");
}

static void module_whose_tail_calls_share_counters_is_named(void **state)
{
    assert_true(scenario_survives(*state, tail_call_that_calls, NULL));
    assert_true(scenario_survives(*state, tail_call_without_signature, NULL));
}

/* 8 MiB are room for 170 shards of 48 KiB. */
static void module_with_many_counters(struct world *w)
{
    enum {
        METHODS = 6000,
        SHARDS = 170
    };
    static struct runner runners[SHARDS];
    struct il_builder builder;
    il_begin(&builder, "void()");
    IMAGE_ROW(&builder.image, Assembly, 0x8004, 1, 2, 3, 4, 0, 0,
              image_string(&builder.image, "Handmade"), 0);
    for (unsigned i = 0; i < METHODS; i++)
        (void)il_add_method(&builder, "void()", "ret");
    w->image = image_pe(&builder.image, false);
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *module = loaded(w, "/app/Handmade.dll");
    for (unsigned i = 0; i < SHARDS; i++) {
        expect_told(w, REASON_NONE, "");
        start(&runners[i], 100 + i, counter_of(module));
    }
    EXPECT(shards_of(module) == SHARDS);
    expect_told(w, REASON_MANY_COUNTERS, "Handmade");
    for (unsigned i = 0; i < SHARDS; i++)
        end(&runners[i]);
    il_free(&builder);
}

static void module_with_many_counters_is_named(void **state)
{
    assert_true(scenario_survives(*state, module_with_many_counters, NULL));
}

static unsigned mappings_of_counters(void)
{
    char line[512];
    unsigned count = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    EXPECT(maps != NULL);
    while (fgets(line, sizeof line, maps) != NULL)
        count += strstr(line, SESSION_COUNTS) != NULL;
    (void)fclose(maps);
    return count;
}

/* II.24.2.2: where the stream of GUIDs is, of which there is one. */
static uint8_t *mvid_of(struct view image)
{
    const uint8_t *root = memmem(image.data, image.len, "BSJB", 4),
                  *stream = memmem(image.data, image.len, "#GUID", 5);
    EXPECT(root != NULL && stream != NULL && load_u32(stream - 4) == 16);
    return (uint8_t *)(uintptr_t)root + load_u32(stream - 8);
}

/* A module has a mapping for each shard, its head included; beyond the bound only the first. They
 * are different ones: loads of the same module look for a file that no other has. */
static void more_modules_than_are_sharded(struct world *w)
{
    enum {
        FURTHER = 50,
        THREADS = 3
    };
    struct runner runners[THREADS - 1];
    struct fake_module *module = fake_clr_add(&w->clr, "", w->image, false);
    uint8_t *mvid = mvid_of(module->image);
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    start(&runners[0], 7, NULL);
    for (unsigned i = 0; i < SHARDED_MODULES_MAX + FURTHER; i++) {
        (void)snprintf(module->path, sizeof module->path, "/app/%u/Handmade.dll", i);
        store_u32(mvid, i);
        expect_told(w, i <= SHARDED_MODULES_MAX ? REASON_NONE : REASON_MANY_MODULES, "1000");
        instrument_module(&g_profiler, module->id);
        instrument_forget_module(&g_profiler, module->id);
        instrument_free_module(&g_profiler, module->id);
    }
    start(&runners[1], 8, NULL); /* now each of the first has a third one */
    EXPECT(mappings_of_counters() == SHARDED_MODULES_MAX * THREADS + FURTHER);
    EXPECT(g_profiler.windows.mapping_count == SHARDED_MODULES_MAX * THREADS + FURTHER);
    expect_told(w, REASON_MANY_MODULES, "1000");
    for (unsigned i = 0; i < ARRAY_LEN(runners); i++)
        end(&runners[i]);
}

static void thousands_of_modules_take_few_mappings(void **state)
{
    assert_true(scenario_survives(*state, more_modules_than_are_sharded, NULL));
}

static void one_after_the_other(struct world *w)
{
    struct runner runner, stays;
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *module = loaded(w, "/app/Handmade.dll");
    start(&stays, 7, NULL);
    for (unsigned i = 0; i < 300; i++) {
        start(&runner, 100 + i, counter_of(module));
        EXPECT(runner.base >> WINDOW_BITS == 2);
        end(&runner);
    }
    EXPECT(shards_of(module) == 3);
    EXPECT(*(uint64_t *)(void *)((uint8_t *)counter_of(module) + runner.base) == 300);
    end(&stays);
}

static void shard_of_a_thread_that_ended_is_the_next_ones(void **state)
{
    assert_true(scenario_survives(*state, one_after_the_other, NULL));
}

/* The runtime names it after it has started the library on it. */
static void main_thread_comes_again(struct world *w)
{
    struct runner runner;
    int local;
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    EXPECT(g_callback.vtbl->ThreadAssignedToOSThread(&g_callback, 1, 1) == S_OK);
    EXPECT(g_callback.vtbl->ThreadAssignedToOSThread(&g_callback, 1, 1) == S_OK);
    EXPECT(shard_table_get(&g_profiler.shards.table, (uintptr_t)&local) == 0);
    EXPECT(g_profiler.shards.count == 1 && g_profiler.shards.users[0] == 1);
    start(&runner, 2, NULL);
    EXPECT(runner.base == WINDOW_LEN);
    end(&runner);
    EXPECT(g_callback.vtbl->ThreadDestroyed(&g_callback, 99) == S_OK); /* nobody knows it */
}

static void main_thread_is_one(void **state)
{
    assert_true(scenario_survives(*state, main_thread_comes_again, NULL));
}

static void in_exact_mode(struct world *w)
{
    scenario_configure(&w->session, "version=1\nmode=exact\ninclude=[Handmade]*\n");
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *module = loaded(w, "/app/Handmade.dll");
    EXPECT((w->clr.event_mask & COR_PRF_MONITOR_THREADS) == 0);
    EXPECT(g_profiler.shards.table.entries == NULL && shards_of(module) == 1);
    EXPECT(g_callback.vtbl->ThreadAssignedToOSThread(&g_callback, 1, 1) == S_OK);
}

static void exact_mode_needs_no_shards(void **state)
{
    assert_true(scenario_survives(*state, in_exact_mode, NULL));
}

/* A thread of which nobody has told: as when the library is attached. */
static void *stay(void *argument)
{
    struct runner *r = argument;
    char local;
    EXPECT(sem_post(&r->met) == 0 && sem_wait(&r->may_end) == 0);
    r->base = shard_table_get(&g_profiler.shards.table, (uintptr_t)&local);
    return NULL;
}

static void strangers(struct world *w)
{
    enum {
        STRANGERS = 12
    };
    static struct runner there[STRANGERS];
    struct runner new;
    unsigned users[SHARDS_MAX] = {0};
    EXPECT(fake_clr_start(&w->clr) == S_OK);
    struct fake_module *module = loaded(w, "/app/Handmade.dll");
    for (unsigned i = 0; i < STRANGERS; i++) {
        EXPECT(sem_init(&there[i].met, 0, 0) == 0 && sem_init(&there[i].may_end, 0, 0) == 0);
        EXPECT(pthread_create(&there[i].thread, NULL, stay, &there[i]) == 0);
        EXPECT(sem_wait(&there[i].met) == 0);
    }
    shards_meet_strangers(&g_profiler);
    uint32_t count = g_profiler.shards.count;
    shards_meet_strangers(&g_profiler);
    EXPECT(g_profiler.shards.count == count && shards_of(module) == count);
    for (unsigned i = 0; i < STRANGERS; i++) {
        end(&there[i]);
        EXPECT(there[i].base != 0 && ++users[there[i].base >> WINDOW_BITS] == 1);
    }
    start(&new, 5, counter_of(module));
    end(&new);
}

static void threads_that_were_there_have_shards_of_their_own(void **state)
{
#ifdef __SANITIZE_THREAD__ /* makes stacks its own way */
    skip();
#endif
    assert_true(scenario_survives(*state, strangers, NULL));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const struct CMUnitTest tests[] = {
    TEST(shards_are_taken_one_by_one_and_shared_by_none),
    TEST(threads_share_shards_evenly_when_there_are_more),
    TEST(sharing_is_told_with_its_cause),
    TEST(module_whose_tail_calls_share_counters_is_named),
    TEST(module_with_many_counters_is_named),
    TEST(thousands_of_modules_take_few_mappings),
    TEST(shard_of_a_thread_that_ended_is_the_next_ones),
    TEST(main_thread_is_one),
    TEST(exact_mode_needs_no_shards),
    TEST(threads_that_were_there_have_shards_of_their_own),
};
UNIT_TESTS(tests);
