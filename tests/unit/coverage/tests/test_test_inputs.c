/* test_test_inputs.c - which files tests may depend on. */
#include "coverage/tests/test_inputs.h"

#include <string.h>

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

/* The paths in one line. */
static const char *output_of(int64_t before, struct list *inputs)
{
    struct text text;
    struct str line;
    struct err err = {0};
    if (!test_inputs_add_output(inputs, str_of(folder.folder), before, &hand.facts, &arena, &err))
        fail_msg("%s", err.text);
    fact_inputs_sort(inputs->items, &inputs->count);
    text_open(&text, &arena);
    const struct fact_input *items = inputs->items;
    for (uint32_t i = 0; i < inputs->count; i++)
        text_addf(&text, "%s%.*s", i != 0 ? " " : "", STR_ARGS(items[i].path));
    assert_true(text_take(&line, &text, &err));
    return line.text;
}

static void all_but_code_symbols_and_documentation_counts(void **state)
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
    assert_string_equal(output_of(INT64_MAX, &inputs), "Package.dll data.xml settings.json");
}

static void what_was_written_later_does_not_count(void **state)
{
    struct list inputs = {0};
    (void)state;
    put("settings.json", "{}");
    assert_string_equal(output_of(1, &inputs), "");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(all_but_code_symbols_and_documentation_counts),
        TEST(what_was_written_later_does_not_count),
        TEST(hash_tells_contents_apart),
        TEST(equal_inputs_are_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
