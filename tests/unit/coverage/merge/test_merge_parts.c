/* test_merge_parts.c - what was collected of one session at several times, with resets between, is
 * merged to what was counted: each hit once, whichever files there are, in any order. */
#include <stdio.h>
#include <string.h>

#include "coverage/facts/store.h"
#include "coverage/merge/merge.h"
#include "tests/support/check.h"
#include "tests/support/hand_facts.h"
#include "tests/support/temporary.h"

enum {
    TICKS = 8, /* at tick n, the n-th count of the module is hit once */
    FILES = 9
};

/* What is written at a time: `snapshot`, or `run` and `collect`, which take the whole session. */
struct collection {
    uint32_t at;
    uint32_t part; /* how many resets were before */
    bool is_whole;
};

/* Resets are at the ticks 2, 4 and 6. */
static const uint32_t begins[] = {0, 2, 4, 6};
static const struct collection collections[FILES] = {
    {1, 0, true},  /* while nobody has reset */
    {2, 0, false}, /* snapshot --reset */
    {3, 1, false}, /* snapshot */
    {3, 1, true},  /* collect, while the program runs on */
    {4, 1, false}, /* --reset */
    {5, 2, true},  /* collect */
    {6, 2, false}, /* --reset */
    {7, 3, false}, /* snapshot */
    {8, 3, true},  /* the end of `run` */
};

static struct temporary folder;
static struct arena arena;
static const char *paths[FILES];

static void add_run(struct hand *hand, uint32_t part, uint32_t first, uint32_t end)
{
    uint32_t run = hand_run(hand, 7, RUN_MEASURED);
    run_id_set(hand->facts.runs[run].id, part);
    uint64_t *counts = hand_counts(hand, run, 0);
    for (uint32_t tick = first; tick < end; tick++)
        counts[tick] = 1;
}

/* As coverage/collect makes them: of the whole, what was before the last reset is a run. */
static void write_collection(const char *path, const struct collection *c)
{
    struct hand hand;
    struct err err = {0};
    hand_open(&hand, &arena);
    hand_module(&hand, "Shop", 1);
    (void)hand_method(&hand, "N.C", "M", "()", "a b c d e f g h");
    hand_lay_out(&hand);
    assert_true(hand.facts.modules[0].count_len >= TICKS);
    if (c->is_whole && c->part != 0)
        add_run(&hand, RUN_ID_BEFORE | c->part, 0, begins[c->part]);
    add_run(&hand, c->part, begins[c->part], c->at);
    if (!facts_sort(&hand.facts, &arena, &err) || !store_write(path, &hand.facts, NULL, &err))
        fail_msg("%s", err.text);
}

static int open_world(void **state)
{
    (void)state;
    temporary_open(&folder);
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (uint32_t i = 0; i < FILES; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "file%u", i);
        paths[i] = temporary_path(&folder, name);
        write_collection(paths[i], &collections[i]);
    }
    return 0;
}

static int close_world(void **state)
{
    (void)state;
    arena_free(&arena);
    temporary_close(&folder);
    return 0;
}

static const char *merge_to(const char *name, const char *const *inputs, uint32_t count,
                            bool squash)
{
    struct merge_result result;
    struct err err = {0};
    const char *path = temporary_path(&folder, name);
    const struct merge_options options = {.strict = true, .squash = squash};
    if (!merge_files(&result, path, inputs, count, &options, &arena, &err))
        fail_msg("%s", err.text);
    return path;
}

/* A tick is in a file if it is in the part, or before it in the whole. */
static bool has_tick(const struct collection *c, uint32_t tick)
{
    return tick < c->at && (c->is_whole || tick >= begins[c->part]);
}

static void counts_each_hit_once(const char *path, uint32_t files)
{
    struct facts facts;
    struct err err = {0};
    uint64_t sums[TICKS] = {0};
    if (!store_read(&facts, path, &arena, &err))
        fail_msg("%s", err.text);
    for (uint32_t i = 0; i < facts.counts_count; i++)
        for (uint32_t tick = 0; tick < TICKS; tick++)
            sums[tick] += facts.counts[i].counts[tick];
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        uint64_t expected = 0;
        for (uint32_t i = 0; i < FILES; i++)
            if ((files >> i & 1) != 0 && has_tick(&collections[i], tick))
                expected = 1;
        if (sums[tick] != expected)
            fail_msg("files 0x%x: tick %u counts %u times", files, tick, (unsigned)sums[tick]);
    }
}

/* In one go, and one after another from either end: nothing depends on what was merged before. */
static void merge_some(uint32_t files)
{
    const char *inputs[FILES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < FILES; i++)
        if ((files >> i & 1) != 0)
            inputs[count++] = paths[i];
    counts_each_hit_once(merge_to("all", inputs, count, false), files);
    const char *up = inputs[0], *down = inputs[count - 1];
    for (uint32_t i = 1; i < count; i++) {
        const char *next[] = {up, inputs[i]}, *previous[] = {inputs[count - 1 - i], down};
        up = merge_to("up", next, 2, false);
        down = merge_to("down", previous, 2, false);
    }
    counts_each_hit_once(up, files);
    counts_each_hit_once(down, files);
    counts_each_hit_once(merge_to("squashed", inputs, count, true), files);
}

static void each_hit_counts_once(void **state)
{
    (void)state;
    for (uint32_t a = 0; a < FILES; a++)
        for (uint32_t b = a; b < FILES; b++)
            merge_some(1u << a | 1u << b);
    for (uint32_t gone = 0; gone < FILES; gone++)
        merge_some(((1u << FILES) - 1) & ~(1u << gone));
    merge_some((1u << FILES) - 1);
}

/* Squashed counts cannot be taken apart. */
static void squashed_part_beside_the_whole_is_refused(void **state)
{
    const char *parts[] = {paths[1], paths[4]};
    const char *both[] = {merge_to("squashed", parts, 2, true), paths[8]};
    struct merge_result result;
    const struct merge_options options = {.strict = true};
    struct err err = {0};
    (void)state;
    assert_false(
        merge_files(&result, temporary_path(&folder, "no"), both, 2, &options, &arena, &err));
    assert_int_equal(err.code, ERR_FORMAT);
    assert_non_null(strstr(err.text, "would count twice"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)

static const struct CMUnitTest tests[] = {
    TEST(each_hit_counts_once),
    TEST(squashed_part_beside_the_whole_is_refused),
};
UNIT_TESTS(tests);
