/* test_merge_tests.c - the tests of several data files are those of all their runs, each run's from
 * one file, and what they hit is where the merged layout has it. */
#include <stdio.h>

#include "coverage/facts/store.h"
#include "coverage/merge/merge.h"
#include "tests/support/check.h"
#include "tests/support/hand_facts.h"
#include "tests/support/temporary.h"

enum {
    ROOM = 8
};

static struct temporary folder;
static struct arena arena;
static unsigned made; /* files, for their names */

static int open_world(void **state)
{
    (void)state;
    temporary_open(&folder);
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    return 0;
}

static int close_world(void **state)
{
    (void)state;
    arena_free(&arena);
    temporary_close(&folder);
    return 0;
}

/* --- files ------------------------------------------------------------------------------------ */

struct file {
    struct hand hand;
    struct fact_test tests[ROOM];
    struct fact_hits hits[ROOM];
};

/* M has the counts 0 to 3, an entry and three statements, N those from 4 to 6. */
static void add_module(struct file *file, const char *name, uint8_t build)
{
    hand_module(&file->hand, name, build);
    (void)hand_method(&file->hand, "N.C", "M", "()", "a b c");
    (void)hand_method(&file->hand, "N.C", "N", "()", "d e");
    hand_lay_out(&file->hand);
    assert_int_equal(file->hand.facts.modules[0].count_len, 7);
}

static void open_empty(struct file *out)
{
    *out = (struct file){.tests = {{.ns = 0}}};
    hand_open(&out->hand, &arena);
    out->hand.facts.tests = out->tests;
    out->hand.facts.hits = out->hits;
}

/* One module, and one run of this number. */
static void open_file(struct file *out, uint8_t run)
{
    open_empty(out);
    add_module(out, "Lib", 1);
    (void)hand_counts(&out->hand, hand_run(&out->hand, run, RUN_MEASURED), 0);
}

static void add_test(struct file *file, uint32_t run, enum test_kind kind, const char *name)
{
    file->tests[file->hand.facts.test_count++] = (struct fact_test){
        .name = str_of(name), .kind = kind, .end = TEST_RETURNED, .ns = 5, .rows = 1, .run = run};
}

static void add_hits(struct file *file, uint32_t module, struct view counts, struct view tests)
{
    struct fact_hits *hits = &file->hits[file->hand.facts.hits_count++];
    *hits = (struct fact_hits){.module = module};
    assert_true(view_copy(&hits->counts, counts, &arena, NULL));
    assert_true(view_copy(&hits->tests, tests, &arena, NULL));
}

static const char *new_path(const char *what)
{
    char name[32];
    (void)snprintf(name, sizeof name, "%s-%u", what, made++);
    return temporary_path(&folder, name);
}

static const char *written(const struct file *file)
{
    struct err err = {0};
    const char *path = new_path("file");
    if (!store_write(path, &file->hand.facts, NULL, &err))
        fail_msg("%s", err.text);
    return path;
}

static const char *merge_as(const char *const *inputs, uint32_t count, bool squash)
{
    struct merge_options options = {.squash = squash, .strict = true};
    struct merge_result result;
    struct err err = {0};
    const char *path = new_path("merged");
    if (!merge_files(&result, path, inputs, count, &options, &arena, &err))
        fail_msg("%s", err.text);
    return path;
}

static const char *merged(const char *one, const char *other)
{
    return merge_as((const char *const[]){one, other}, 2, false);
}

static struct facts read_back(const char *path)
{
    struct facts facts;
    struct err err = {0};
    if (!store_read(&facts, path, &arena, &err))
        fail_msg("%s", err.text);
    return facts;
}

static void check_same(const char *a, const char *b)
{
    if (!str_eq(temporary_read(&folder, a), temporary_read(&folder, b)))
        fail_msg("%s is not %s", a, b);
}

/* Both ways, and what comes of it again with both; gives the facts. */
static struct facts merged_all_ways(const char *one, const char *other)
{
    const char *both = merged(one, other);
    check_same(both, merged(other, one));
    check_same(both, merged(both, both));
    check_same(both, merged(both, one));
    check_same(both, merged(other, both));
    return read_back(both);
}

static void check_test(const struct facts *facts, uint32_t index, uint32_t run, const char *name)
{
    assert_true(index < facts->test_count);
    assert_str(facts->tests[index].name, name);
    assert_int_equal(facts->tests[index].run, run);
}

static void check_set(struct view set, struct view expected)
{
    assert_int_equal(set.len, expected.len);
    assert_memory_equal(set.data, expected.data, expected.len);
}

/* Sets are pairs of a gap and a length (index_set.h). */
static void check_hits(const struct facts *facts, uint32_t index, uint32_t module,
                       struct view counts, struct view tests)
{
    assert_true(index < facts->hits_count);
    assert_int_equal(facts->hits[index].module, module);
    check_set(facts->hits[index].counts, counts);
    check_set(facts->hits[index].tests, tests);
}

/* --- several runs ----------------------------------------------------------------------------- */

static void tests_of_all_runs_are_kept(void **state)
{
    struct file one, two;
    (void)state;
    open_file(&one, 1);
    add_test(&one, 0, TEST_METHOD, "N.T.A");
    add_test(&one, 0, TEST_OUTSIDE, "");
    add_hits(&one, 0, BYTES_VIEW(0, 2), BYTES_VIEW(0, 1));
    add_hits(&one, 0, BYTES_VIEW(2, 1), BYTES_VIEW(0, 2));
    open_file(&two, 2);
    add_test(&two, 0, TEST_METHOD, "N.T.A");
    add_test(&two, 0, TEST_METHOD, "N.T.B");
    two.tests[1].end = TEST_THREW;
    two.tests[1].ns = 9;
    two.tests[1].rows = 3;
    add_hits(&two, 0, BYTES_VIEW(0, 2), BYTES_VIEW(1, 1));
    add_hits(&two, 0, BYTES_VIEW(4, 1), BYTES_VIEW(0, 1));
    struct facts facts = merged_all_ways(written(&one), written(&two));
    assert_int_equal(facts.test_count, 4);
    check_test(&facts, 0, 0, "N.T.A");
    check_test(&facts, 1, 0, "");
    assert_int_equal(facts.tests[1].kind, TEST_OUTSIDE);
    check_test(&facts, 2, 1, "N.T.A");
    check_test(&facts, 3, 1, "N.T.B");
    assert_int_equal(facts.tests[3].end, TEST_THREW);
    assert_int_equal(facts.tests[3].ns, 9);
    assert_int_equal(facts.tests[3].rows, 3);
    assert_int_equal(facts.hits_count, 3);
    check_hits(&facts, 0, 0, BYTES_VIEW(0, 2), BYTES_VIEW(0, 1, 2, 1)); /* tests 0 and 3 */
    check_hits(&facts, 1, 0, BYTES_VIEW(2, 1), BYTES_VIEW(0, 2));
    check_hits(&facts, 2, 0, BYTES_VIEW(4, 1), BYTES_VIEW(2, 1));
}

static void run_without_tests_takes_none(void **state)
{
    struct file one, two;
    (void)state;
    open_file(&one, 1);
    open_file(&two, 2);
    add_test(&two, 0, TEST_METHOD, "N.T.A");
    add_hits(&two, 0, BYTES_VIEW(1, 2), BYTES_VIEW(0, 1));
    struct facts facts = merged_all_ways(written(&one), written(&two));
    assert_int_equal(facts.run_count, 2);
    assert_int_equal(facts.test_count, 1);
    check_test(&facts, 0, 1, "N.T.A");
    assert_int_equal(facts.hits_count, 1);
    check_hits(&facts, 0, 0, BYTES_VIEW(1, 2), BYTES_VIEW(0, 1));
}

/* --- one run in two files --------------------------------------------------------------------- */

static void run_of_two_files_takes_the_tests_of_the_one_with_more(void **state)
{
    struct file fewer, more;
    (void)state;
    open_file(&fewer, 1);
    add_test(&fewer, 0, TEST_METHOD, "N.T.C");
    add_hits(&fewer, 0, BYTES_VIEW(0, 7), BYTES_VIEW(0, 1));
    open_file(&more, 1);
    add_test(&more, 0, TEST_METHOD, "N.T.A");
    add_test(&more, 0, TEST_METHOD, "N.T.B");
    add_hits(&more, 0, BYTES_VIEW(0, 1), BYTES_VIEW(0, 1));
    add_hits(&more, 0, BYTES_VIEW(1, 1), BYTES_VIEW(1, 1));
    struct facts facts = merged_all_ways(written(&fewer), written(&more));
    assert_int_equal(facts.run_count, 1);
    assert_int_equal(facts.test_count, 2);
    check_test(&facts, 0, 0, "N.T.A");
    check_test(&facts, 1, 0, "N.T.B");
    assert_int_equal(facts.hits_count, 2);
    check_hits(&facts, 0, 0, BYTES_VIEW(0, 1), BYTES_VIEW(0, 1));
    check_hits(&facts, 1, 0, BYTES_VIEW(1, 1), BYTES_VIEW(1, 1));
}

/* The number of tests of each run counts, not that of the file. */
static void of_as_many_tests_those_that_hit_more_are_taken(void **state)
{
    struct file fewer, more;
    (void)state;
    open_file(&fewer, 1);
    add_test(&fewer, 0, TEST_METHOD, "N.T.A");
    add_hits(&fewer, 0, BYTES_VIEW(0, 1), BYTES_VIEW(0, 1));
    open_file(&more, 1);
    add_test(&more, 0, TEST_METHOD, "N.T.A");
    add_hits(&more, 0, BYTES_VIEW(0, 2), BYTES_VIEW(0, 1));
    struct facts facts = merged_all_ways(written(&fewer), written(&more));
    assert_int_equal(facts.test_count, 1);
    assert_int_equal(facts.hits_count, 1);
    check_hits(&facts, 0, 0, BYTES_VIEW(0, 2), BYTES_VIEW(0, 1));
}

static void of_as_much_the_order_of_files_decides_nothing(void **state)
{
    struct file one, other;
    (void)state;
    open_file(&one, 1);
    add_test(&one, 0, TEST_METHOD, "N.T.A");
    add_hits(&one, 0, BYTES_VIEW(0, 1), BYTES_VIEW(0, 1));
    open_file(&other, 1);
    add_test(&other, 0, TEST_METHOD, "N.T.A");
    add_hits(&other, 0, BYTES_VIEW(1, 1), BYTES_VIEW(0, 1));
    struct facts facts = merged_all_ways(written(&one), written(&other));
    assert_int_equal(facts.test_count, 1);
    assert_int_equal(facts.hits_count, 1);
}

static void each_run_has_a_file_of_its_own(void **state)
{
    struct file first, second;
    (void)state;
    open_file(&first, 1); /* one test of run 1, two of run 2 */
    (void)hand_counts(&first.hand, hand_run(&first.hand, 2, RUN_MEASURED), 0);
    add_test(&first, 0, TEST_METHOD, "N.T.Old");
    add_test(&first, 1, TEST_METHOD, "N.T.X");
    add_test(&first, 1, TEST_METHOD, "N.T.Y");
    add_hits(&first, 0, BYTES_VIEW(0, 1), BYTES_VIEW(0, 2)); /* Old, X */
    add_hits(&first, 0, BYTES_VIEW(5, 1), BYTES_VIEW(0, 1)); /* Old alone */
    add_hits(&first, 0, BYTES_VIEW(6, 1), BYTES_VIEW(1, 2)); /* X, Y */
    open_file(&second, 1);                                   /* two tests of run 1, one of run 2 */
    (void)hand_counts(&second.hand, hand_run(&second.hand, 2, RUN_MEASURED), 0);
    add_test(&second, 0, TEST_METHOD, "N.T.A");
    add_test(&second, 0, TEST_METHOD, "N.T.B");
    add_test(&second, 1, TEST_METHOD, "N.T.Old");
    add_hits(&second, 0, BYTES_VIEW(1, 1), BYTES_VIEW(0, 3)); /* all */
    struct facts facts = merged_all_ways(written(&first), written(&second));
    assert_int_equal(facts.test_count, 4);
    check_test(&facts, 0, 0, "N.T.A");
    check_test(&facts, 1, 0, "N.T.B");
    check_test(&facts, 2, 1, "N.T.X");
    check_test(&facts, 3, 1, "N.T.Y");
    assert_int_equal(facts.hits_count, 3);
    check_hits(&facts, 0, 0, BYTES_VIEW(0, 1), BYTES_VIEW(2, 1));
    check_hits(&facts, 1, 0, BYTES_VIEW(1, 1), BYTES_VIEW(0, 2));
    check_hits(&facts, 2, 0, BYTES_VIEW(6, 1), BYTES_VIEW(2, 2));
}

/* --- places ----------------------------------------------------------------------------------- */

/* M is not instrumented there: the counts of N are 0 to 2. */
static void refuse_first_method(struct file *file, uint32_t index)
{
    struct fact_module *module = &file->hand.facts.modules[index];
    module->methods[0].state = METHOD_DECLINED;
    module->methods[0].reason = reason_of_verdict(VERDICT_DECLINED_ODD_EH);
    module->methods[0].entry_count = NO_INDEX;
    module->statements += 3;
    module->statement_count -= 3;
    facts_layout(module);
    assert_int_equal(module->count_len, 3);
}

static void places_of_counts_move_with_the_layout(void **state)
{
    struct file whole, part;
    (void)state;
    open_file(&whole, 1);
    add_test(&whole, 0, TEST_METHOD, "N.T.A");
    add_hits(&whole, 0, BYTES_VIEW(0, 1, 3, 1), BYTES_VIEW(0, 1)); /* 0 and 4 */
    open_file(&part, 2);
    refuse_first_method(&part, 0);
    add_test(&part, 0, TEST_METHOD, "N.T.B");
    add_hits(&part, 0, BYTES_VIEW(0, 1, 1, 1), BYTES_VIEW(0, 1)); /* 0 and 2: the union's 4, 6 */
    struct facts facts = merged_all_ways(written(&whole), written(&part));
    assert_int_equal(facts.module_count, 1);
    assert_int_equal(facts.modules[0].count_len, 7);
    assert_int_equal(facts.hits_count, 2);
    check_hits(&facts, 0, 0, BYTES_VIEW(0, 1, 3, 1), BYTES_VIEW(0, 1));
    check_hits(&facts, 1, 0, BYTES_VIEW(4, 1, 1, 1), BYTES_VIEW(1, 1));
}

/* The same hits in two layouts are one. */
static void same_hits_in_two_layouts_are_one(void **state)
{
    struct file whole, part;
    (void)state;
    open_file(&whole, 1);
    add_test(&whole, 0, TEST_METHOD, "N.T.A");
    add_hits(&whole, 0, BYTES_VIEW(4, 2), BYTES_VIEW(0, 1));
    open_file(&part, 2);
    refuse_first_method(&part, 0);
    add_test(&part, 0, TEST_METHOD, "N.T.B");
    add_hits(&part, 0, BYTES_VIEW(0, 2), BYTES_VIEW(0, 1));
    struct facts facts = merged_all_ways(written(&whole), written(&part));
    assert_int_equal(facts.hits_count, 1);
    check_hits(&facts, 0, 0, BYTES_VIEW(4, 2), BYTES_VIEW(0, 2));
}

static void each_module_of_a_file_has_a_layout_of_its_own(void **state)
{
    struct file whole, part;
    (void)state;
    open_empty(&whole);
    add_module(&whole, "A", 1);
    add_module(&whole, "B", 1);
    (void)hand_run(&whole.hand, 1, RUN_MEASURED);
    open_empty(&part);
    add_module(&part, "A", 1);
    add_module(&part, "B", 1);
    refuse_first_method(&part, 1);
    (void)hand_run(&part.hand, 2, RUN_MEASURED);
    add_test(&part, 0, TEST_METHOD, "N.T.A");
    add_hits(&part, 0, BYTES_VIEW(1, 1), BYTES_VIEW(0, 1));
    add_hits(&part, 1, BYTES_VIEW(1, 1), BYTES_VIEW(0, 1)); /* of N: the union's 5 */
    struct facts facts = merged_all_ways(written(&whole), written(&part));
    assert_int_equal(facts.hits_count, 2);
    check_hits(&facts, 0, 0, BYTES_VIEW(1, 1), BYTES_VIEW(0, 1));
    check_hits(&facts, 1, 1, BYTES_VIEW(5, 1), BYTES_VIEW(0, 1));
}

static void modules_have_the_numbers_of_the_union(void **state)
{
    struct file one, two;
    (void)state;
    open_empty(&one);
    add_module(&one, "A", 1);
    add_module(&one, "C", 1);
    (void)hand_run(&one.hand, 1, RUN_MEASURED);
    add_test(&one, 0, TEST_METHOD, "N.T.A");
    add_hits(&one, 0, BYTES_VIEW(1, 1), BYTES_VIEW(0, 1));
    add_hits(&one, 1, BYTES_VIEW(2, 1), BYTES_VIEW(0, 1)); /* of C */
    open_empty(&two);
    add_module(&two, "B", 1);
    add_module(&two, "C", 1);
    (void)hand_run(&two.hand, 2, RUN_MEASURED);
    add_test(&two, 0, TEST_METHOD, "N.T.B");
    add_hits(&two, 0, BYTES_VIEW(3, 1), BYTES_VIEW(0, 1)); /* of B */
    add_hits(&two, 1, BYTES_VIEW(2, 1), BYTES_VIEW(0, 1)); /* of C */
    struct facts facts = merged_all_ways(written(&one), written(&two));
    assert_int_equal(facts.module_count, 3);
    assert_int_equal(facts.hits_count, 3);
    check_hits(&facts, 0, 0, BYTES_VIEW(1, 1), BYTES_VIEW(0, 1));
    check_hits(&facts, 1, 1, BYTES_VIEW(3, 1), BYTES_VIEW(1, 1));
    check_hits(&facts, 2, 2, BYTES_VIEW(2, 1), BYTES_VIEW(0, 2));
}

static void one_build_in_two_places_has_the_hits_of_both(void **state)
{
    struct file file;
    (void)state;
    open_empty(&file);
    add_module(&file, "Lib", 1);
    add_module(&file, "Lib", 1);
    file.hand.facts.modules[0].path = STR("/a/Lib.dll");
    file.hand.facts.modules[1].path = STR("/b/Lib.dll");
    (void)hand_run(&file.hand, 1, RUN_MEASURED);
    add_test(&file, 0, TEST_METHOD, "N.T.A");
    add_test(&file, 0, TEST_METHOD, "N.T.B");
    add_hits(&file, 0, BYTES_VIEW(0, 1), BYTES_VIEW(0, 1));
    add_hits(&file, 1, BYTES_VIEW(0, 1), BYTES_VIEW(1, 1));
    const char *path = written(&file);
    struct facts facts = read_back(merge_as(&path, 1, false));
    assert_int_equal(facts.module_count, 1);
    assert_int_equal(facts.hits_count, 1);
    check_hits(&facts, 0, 0, BYTES_VIEW(0, 1), BYTES_VIEW(0, 2));
}

/* --- squash ----------------------------------------------------------------------------------- */

static void squashed_runs_have_each_test_once(void **state)
{
    struct file one, two;
    (void)state;
    open_file(&one, 1);
    add_test(&one, 0, TEST_METHOD, "N.T.A");
    add_test(&one, 0, TEST_METHOD, "N.T.C");
    add_hits(&one, 0, BYTES_VIEW(0, 1), BYTES_VIEW(0, 1)); /* A */
    add_hits(&one, 0, BYTES_VIEW(1, 1), BYTES_VIEW(1, 1)); /* C */
    open_file(&two, 2);
    add_test(&two, 0, TEST_METHOD, "N.T.A");
    add_test(&two, 0, TEST_METHOD, "N.T.B");
    two.tests[0].end = TEST_THREW;
    two.tests[0].ns = 7;
    two.tests[0].rows = 2;
    add_hits(&two, 0, BYTES_VIEW(1, 1), BYTES_VIEW(0, 1)); /* A */
    add_hits(&two, 0, BYTES_VIEW(2, 1), BYTES_VIEW(1, 1)); /* B */
    const char *inputs[] = {written(&one), written(&two)}, *turned[] = {inputs[1], inputs[0]};
    const char *squashed = merge_as(inputs, 2, true);
    check_same(squashed, merge_as(turned, 2, true));
    check_same(squashed, merge_as(&squashed, 1, true));
    struct facts facts = read_back(squashed);
    assert_int_equal(facts.run_count, 1);
    assert_int_equal(facts.test_count, 3);
    check_test(&facts, 0, 0, "N.T.A");
    check_test(&facts, 1, 0, "N.T.B");
    check_test(&facts, 2, 0, "N.T.C");
    assert_int_equal(facts.tests[0].end, TEST_THREW);
    assert_int_equal(facts.tests[0].ns, 12);
    assert_int_equal(facts.tests[0].rows, 3);
    assert_int_equal(facts.hits_count, 3);
    check_hits(&facts, 0, 0, BYTES_VIEW(0, 1), BYTES_VIEW(0, 1));
    check_hits(&facts, 1, 0, BYTES_VIEW(1, 1), BYTES_VIEW(0, 1, 1, 1)); /* A, C */
    check_hits(&facts, 2, 0, BYTES_VIEW(2, 1), BYTES_VIEW(1, 1));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)
static const struct CMUnitTest tests[] = {
    TEST(tests_of_all_runs_are_kept),
    TEST(run_without_tests_takes_none),
    TEST(run_of_two_files_takes_the_tests_of_the_one_with_more),
    TEST(of_as_many_tests_those_that_hit_more_are_taken),
    TEST(of_as_much_the_order_of_files_decides_nothing),
    TEST(each_run_has_a_file_of_its_own),
    TEST(places_of_counts_move_with_the_layout),
    TEST(same_hits_in_two_layouts_are_one),
    TEST(each_module_of_a_file_has_a_layout_of_its_own),
    TEST(modules_have_the_numbers_of_the_union),
    TEST(one_build_in_two_places_has_the_hits_of_both),
    TEST(squashed_runs_have_each_test_once),
};
UNIT_TESTS(tests);
