/* test_input_changes.c - which files beside assemblies are a reason for tests, and for which. */
#include "impact/input_changes.h"

#include <string.h>
#include <unistd.h>

#include "coverage/session/test_inputs.h"
#include "tests/support/check.h"
#include "tests/support/hand_facts.h"
#include "tests/support/temporary.h"
#include "tests/support/test_arena.h"

static struct temporary folder;
static struct hand hand;

static int open_world(void **state)
{
    temporary_open(&folder);
    int failed = open_arena(state);
    hand_open(&hand, &arena);
    hand_module(&hand, "Shop", 1);
    (void)hand_method(&hand, "N.C", "M", "()", "a");
    hand_lay_out(&hand);
    hand.facts.modules[0].path = STR("/was/Shop.dll");
    return failed;
}

static int close_world(void **state)
{
    temporary_close(&folder);
    return close_arena(state);
}

static void put(const char *name, const char *text)
{
    (void)temporary_file(&folder, name, text, strlen(text));
}

#define READERS ", and code that reads files may notice"

/* What the run knows of the folder as it is. */
static void remember(void)
{
    struct list inputs = {0};
    struct err err = {0};
    assert_true(test_inputs_add_output(&inputs, str_of(folder.folder), INT64_MAX, &hand.facts,
                                       &arena, &err));
    fact_inputs_sort(inputs.items, &inputs.count);
    hand.facts.inputs = inputs.items;
    hand.facts.input_count = inputs.count;
    for (uint32_t i = 0; i < inputs.count; i++)
        hand.facts.inputs[i].folder = STR("/was");
}

/* The reasons in one line; those for all tests are marked. */
static const char *changes(void)
{
    struct err err = {0};
    struct str line;
    struct fact_module module = hand.facts.modules[0];
    module.path = str_of(temporary_path(&folder, "Shop.dll"));
    const struct new_build build = {.facts = {.modules = &module, .module_count = 1}};
    struct build_changes found = {
        .base = hand.facts, .build = &build, .arena = &arena, .err = &err};
    const struct impact_request request = {.root = str_of(folder.folder)};
    assert_true(input_changes_find(&found, &request));
    const struct str *all = found.all.items;
    struct text text = text_in(&arena);
    for (uint32_t i = 0; i < found.all.count; i++)
        text_addf(&text, "%sall: %.*s", i != 0 ? "; " : "", STR_ARGS(all[i]));
    const struct build_change *some = found.list.items;
    for (uint32_t i = 0; i < found.list.count; i++) {
        struct str reason = some[i].text;
        assert_true(str_ends(reason, READERS));
        reason.len -= strlen(READERS);
        text_addf(&text, "%s%.*s", i + found.all.count != 0 ? "; " : "", STR_ARGS(reason));
    }
    assert_true(text_take(&line, &text, &err));
    return line.text;
}

static void what_is_the_same_is_no_reason(void **state)
{
    (void)state;
    put("file", "x");
    assert_int_equal(symlink(".", temporary_path(&folder, "back")), 0);
    remember();
    assert_string_equal(changes(), "");
    put("file", "y");
    put("new", "x");
    assert_string_equal(changes(), "file changed; new is new");
}

static void what_the_runtime_reads_is_for_all(void **state)
{
    (void)state;
    put("file", "x");
    remember();
    put("Package.dll", "x");
    put("Shop.deps.json", "x");
    put("Shop.resources.dll", "x");
    put("Shop.runtimeconfig.json", "x");
    put("Shop.xml", "x");
    put("appsettings.json", "x");
    put("my.testconfig.json", "x");
    put("orders.log", "x");
    assert_string_equal(changes(), "all: Package.dll is new; all: Shop.deps.json is new; "
                                   "all: Shop.runtimeconfig.json is new; "
                                   "all: my.testconfig.json is new; Shop.resources.dll is new; "
                                   "Shop.xml is new; appsettings.json is new; orders.log is new");
}

static void what_tests_left_is_no_reason(void **state)
{
    (void)state;
    put("left", "x");
    put("kept", "x");
    remember();
    for (uint32_t i = 0; i < hand.facts.input_count; i++)
        if (str_is(hand.facts.inputs[i].path, "left"))
            fact_input_leave(&hand.facts.inputs[i]);
    assert_string_equal(changes(), "");
    put("left", "y");
    assert_string_equal(changes(), "");
    assert_int_equal(unlink(temporary_path(&folder, "left")), 0);
    assert_string_equal(changes(), "");
}

#define MAY "may have changed: it is a link to somewhere else, cannot be read, or is too large"

static void what_was_or_is_not_looked_at_may_have_changed(void **state)
{
    const char *elsewhere = temporary_path(&folder, "elsewhere");
    (void)state;
    put("file", "x");
    assert_int_equal(symlink("/", elsewhere), 0);
    remember();
    assert_string_equal(changes(), "all: elsewhere " MAY);
    assert_int_equal(unlink(elsewhere), 0);
    put("elsewhere", "a file now");
    assert_string_equal(changes(), "all: elsewhere " MAY);
    remember();
    assert_int_equal(unlink(elsewhere), 0);
    assert_int_equal(symlink("/", elsewhere), 0);
    assert_string_equal(changes(), "all: elsewhere " MAY);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)

static const struct CMUnitTest tests[] = {
    TEST(what_is_the_same_is_no_reason),
    TEST(what_the_runtime_reads_is_for_all),
    TEST(what_tests_left_is_no_reason),
    TEST(what_was_or_is_not_looked_at_may_have_changed),
};
UNIT_TESTS(tests);
