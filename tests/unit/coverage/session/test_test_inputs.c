/* test_test_inputs.c - which files tests may depend on. */
#include "coverage/session/test_inputs.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "coverage/facts/fact_inputs.h"
#include "tests/support/check.h"
#include "tests/support/hand_facts.h"
#include "tests/support/temporary.h"

static struct temporary folder;
static struct arena arena;
static struct hand hand;

static int open_world(void **state)
{
    (void)state;
    temporary_open(&folder);
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    hand_open(&hand, &arena);
    hand_module(&hand, "Shop", 1);
    (void)hand_method(&hand, "N.C", "M", "()", "a");
    hand_lay_out(&hand);
    return 0;
}

static int close_world(void **state)
{
    (void)state;
    arena_free(&arena);
    temporary_close(&folder);
    return 0;
}

static void put(const char *name, const char *text)
{
    (void)temporary_file(&folder, name, text, strlen(text));
}

/* Last written then. */
static void put_time(const char *name, time_t seconds, long ns)
{
    const struct timespec times[] = {{seconds, ns}, {seconds, ns}};
    assert_int_equal(utimensat(AT_FDCWD, temporary_path(&folder, name), times, 0), 0);
}

/* The paths in one line. */
static const char *output_of(int64_t before, struct list *inputs)
{
    struct str line;
    struct err err = {0};
    if (!test_inputs_add_output(inputs, str_of(folder.folder), before, &hand.facts, &arena, &err))
        fail_msg("%s", err.text);
    fact_inputs_sort(inputs->items, &inputs->count);
    struct text text = text_in(&arena);
    const struct fact_input *items = inputs->items;
    for (uint32_t i = 0; i < inputs->count; i++)
        text_addf(&text, "%s%.*s", i != 0 ? " " : "", STR_ARGS(items[i].path));
    assert_true(text_take(&line, &text, &err));
    return line.text;
}

static void all_but_code_and_symbols_counts(void **state)
{
    struct list inputs = {0};
    (void)state;
    put("Shop.dll", "code");
    put("Shop.pdb", "symbols");
    put("Shop.xml", "documentation");
    put("Package.dll", "a package");
    put("data.xml", "data");
    put("settings.json", "{}");
    put("CoverletSourceRootsMapping_Shop", "paths");
    assert_string_equal(output_of(INT64_MAX, &inputs),
                        "Package.dll Shop.xml data.xml settings.json");
}

static void files_of_every_ending_count(void **state)
{
    struct list inputs = {0};
    (void)state;
    put("orders.log", "an order");
    put("result.trx", "a result");
    assert_string_equal(output_of(INT64_MAX, &inputs), "orders.log result.trx");
}

static void what_was_written_later_is_what_tests_left(void **state)
{
    struct list inputs = {0};
    (void)state;
    put("settings.json", "{}");
    assert_string_equal(output_of(1, &inputs), "settings.json");
    assert_true(fact_input_is_left(inputs.items));
    put_time("settings.json", 7, 0);
    struct {
        int64_t before;
        bool is_left;
    } cases[] = {
        {INT64_C(6999999999), true}, {INT64_C(7000000001), true}, {INT64_C(8000000000), false}};
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        inputs.count = 0;
        (void)output_of(cases[i].before, &inputs);
        assert_int_equal(fact_input_is_left(inputs.items), cases[i].is_left);
    }
    put_time("settings.json", 7, 5);
    inputs.count = 0;
    (void)output_of(INT64_C(7000000006), &inputs);
    assert_false(fact_input_is_left(inputs.items));
}

static void hash_tells_contents_apart(void **state)
{
    struct list one = {0}, two = {0};
    (void)state;
    put("a", "x");
    put("b", "x");
    put("c", "y");
    (void)output_of(INT64_MAX, &one);
    const struct fact_input *items = one.items;
    assert_memory_equal(items[0].hash, items[1].hash, FACT_INPUT_HASH_LEN);
    assert_memory_not_equal(items[0].hash, items[2].hash, FACT_INPUT_HASH_LEN);
    put("a", "z");
    (void)output_of(INT64_MAX, &two);
    assert_memory_not_equal(((struct fact_input *)two.items)[0].hash, items[0].hash,
                            FACT_INPUT_HASH_LEN);
}

static const char *make_folder(const char *name)
{
    const char *path = temporary_path(&folder, name);
    assert_int_equal(mkdir(path, 0700), 0);
    return path;
}

static void make_link(const char *name, const char *to)
{
    assert_int_equal(symlink(to, temporary_path(&folder, name)), 0);
}

static bool is_unseen(const struct list *inputs, uint32_t index)
{
    return fact_input_is_unseen((const struct fact_input *)inputs->items + index);
}

/* pnpm's node_modules has such circles; followed, these are 2^32 folders. */
static void link_within_the_output_is_not_followed(void **state)
{
    struct list one = {0}, two = {0};
    (void)state;
    (void)make_folder("e");
    put("e/file", "x");
    make_link("e/a", ".");
    make_link("e/b", "..");
    make_link("e/c", temporary_path(&folder, "e"));
    assert_string_equal(output_of(INT64_MAX, &one), "e/a e/b e/c e/file");
    const struct fact_input *items = one.items;
    for (uint32_t i = 0; i < one.count; i++)
        assert_false(is_unseen(&one, i));
    assert_memory_equal(items[0].hash, items[2].hash, FACT_INPUT_HASH_LEN);
    assert_memory_not_equal(items[0].hash, items[1].hash, FACT_INPUT_HASH_LEN);
    assert_int_equal(unlink(temporary_path(&folder, "e/a")), 0);
    make_link("e/a", "..");
    (void)output_of(INT64_MAX, &two);
    assert_memory_equal(((struct fact_input *)two.items)[0].hash, items[1].hash,
                        FACT_INPUT_HASH_LEN);
}

/* The next folder's name begins like that of the output. */
static void link_to_elsewhere_is_unseen(void **state)
{
    struct list inputs = {0};
    char beside[sizeof folder.folder + 8];
    (void)state;
    (void)snprintf(beside, sizeof beside, "%s.2", folder.folder);
    assert_int_equal(mkdir(beside, 0700), 0);
    make_link("beside", beside);
    make_link("root", "/");
    const char *paths = output_of(INT64_MAX, &inputs);
    assert_int_equal(rmdir(beside), 0);
    assert_string_equal(paths, "beside root");
    assert_true(is_unseen(&inputs, 0) && is_unseen(&inputs, 1));
}

static void link_to_a_file_is_the_file(void **state)
{
    struct list inputs = {0};
    (void)state;
    put("file", "x");
    make_link("link", "file");
    make_link("dangling", "nowhere");
    make_link("device", "/dev/zero");
    assert_string_equal(output_of(INT64_MAX, &inputs), "file link");
    const struct fact_input *items = inputs.items;
    assert_memory_equal(items[0].hash, items[1].hash, FACT_INPUT_HASH_LEN);
    assert_false(is_unseen(&inputs, 0));
}

/* 16 GiB of nothing, and a file of the kernel's that says it is empty. */
static void what_is_too_much_is_unseen(void **state)
{
    struct list inputs = {0};
    (void)state;
    put("large", "");
    assert_int_equal(truncate(temporary_path(&folder, "large"), INT64_C(16) << 30), 0);
    make_link("made", "/proc/self/maps");
    put("small", "x");
    assert_string_equal(output_of(INT64_MAX, &inputs), "large made small");
    assert_true(is_unseen(&inputs, 0) && is_unseen(&inputs, 1));
    assert_false(is_unseen(&inputs, 2));
}

static void folder_that_is_too_deep_is_unseen(void **state)
{
    enum {
        DEPTH = 40
    };
    struct list inputs = {0};
    char path[2 * DEPTH + 8] = "d";
    (void)state;
    for (size_t i = 0; i < DEPTH; i++, memcpy(path + strlen(path), "/d", 3))
        (void)make_folder(path);
    assert_string_equal(output_of(INT64_MAX, &inputs),
                        "d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d/d");
    assert_true(is_unseen(&inputs, 0));
}

static void equal_inputs_are_one(void **state)
{
    struct fact_input inputs[] = {
        {STR("b"), STR("p"), {1}}, {STR("a"), STR("q"), {1}}, {STR("b"), STR("p"), {1}},
        {STR("a"), STR("p"), {2}}, {STR("a"), STR("p"), {1}},
    };
    uint32_t count = ARRAY_LEN(inputs);
    (void)state;
    fact_inputs_sort(inputs, &count);
    assert_int_equal(count, 4);
    assert_true(str_is(inputs[0].folder, "a") && str_is(inputs[0].path, "p"));
    assert_int_equal(inputs[0].hash[0], 1);
    assert_int_equal(inputs[1].hash[0], 2);
    assert_true(str_is(inputs[2].path, "q"));
    assert_true(str_is(inputs[3].folder, "b"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)

static const struct CMUnitTest tests[] = {
    TEST(all_but_code_and_symbols_counts),
    TEST(what_was_written_later_is_what_tests_left),
    TEST(files_of_every_ending_count),
    TEST(hash_tells_contents_apart),
    TEST(link_within_the_output_is_not_followed),
    TEST(link_to_elsewhere_is_unseen),
    TEST(link_to_a_file_is_the_file),
    TEST(what_is_too_much_is_unseen),
    TEST(folder_that_is_too_deep_is_unseen),
    TEST(equal_inputs_are_one),
};
UNIT_TESTS(tests);
