/* test_test_hits.c - what a test hits in a method is what the logs tell of it and what its shards
 * still have; what belongs to nobody was hit outside of all tests. */
#include "coverage/session/test_hits.h"

#include "base/bytes.h"
#include "tests/support/check.h"
#include "tests/support/test_folder.h"

/* A module of two methods: rid 1 has the counters 0 and 1, rid 2 those from 2 to 5. */
enum {
    COUNTERS = 6,
    SHARDS = 3,
    STRIDE = 64
};

/* Three tests in each of two processes; tests[0] is what ran outside. */
static struct session_context contexts[2][3];
static struct session_vector vectors[2][4];
static struct session_hit hits[2][4];
static struct session_counts_name names[2][2];
static struct session_hits processes[2];
static struct session session;
static uint8_t shards[SHARDS * STRIDE];

static int open_session(void **state)
{
    (void)open_folder(state);
    memset(contexts, 0, sizeof contexts);
    memset(shards, 0, sizeof shards);
    memset(processes, 0, sizeof processes);
    for (uint32_t i = 0; i < 2; i++) {
        processes[i].contexts = contexts[i];
        processes[i].context_count = 3;
        processes[i].vectors = vectors[i];
        processes[i].hits = hits[i];
        processes[i].counts = names[i];
        processes[i].counts_count = 2;
    }
    names[0][0] = (struct session_counts_name){STR("m-0.counts"), false};
    names[0][1] = (struct session_counts_name){STR("n-0.counts"), false};
    names[1][0] = (struct session_counts_name){STR("n-1.counts"), false};
    names[1][1] = (struct session_counts_name){STR("m-1.counts"), false};
    session = (struct session){.hits = processes, .hits_count = 2};
    return 0;
}

/* The context's line of hits, and its vector's. */
static void log_hit(uint32_t process, uint32_t context, uint32_t counts, uint32_t rid,
                    const char *runs)
{
    struct session_hits *p = &processes[process];
    p->vectors[p->vector_count] = (struct session_vector){counts, rid, str_of(runs)};
    p->hits[p->hit_count++] = (struct session_hit){context, p->vector_count++};
}

/* The counter file, with what is in `shards` now. */
static struct session_counters counter_file(const char *name, enum count_mode mode)
{
    return (struct session_counters){
        .file = str_of(temporary_file(&folder, name, shards, sizeof shards)),
        .mode = mode,
        .shard_count = SHARDS,
        .counter_count = COUNTERS,
        .shard_stride = STRIDE};
}

static struct session_tests tests_of_session(void)
{
    struct session_tests tests;
    struct err err = {0};
    assert_true(session_tests_make(&tests, &session, &folder.arena, &err));
    return tests;
}

static struct test_hits gathered(const struct session_counters *files, uint32_t count)
{
    struct session_tests tests = tests_of_session();
    struct test_hits gathered;
    struct err err = {0};
    if (!test_hits_gather(&gathered, &tests, &session, files, count, &folder.arena, &err))
        fail_msg("%s", err.text);
    return gathered;
}

static struct list of_method(struct test_hits *from, uint32_t rid, uint32_t first, uint32_t count)
{
    struct list found;
    struct err err = {0};
    if (!test_hits_of_method(&found, from, rid, first, count, &folder.arena, &err))
        fail_msg("%s", err.text);
    return found;
}

/* There is just one way of all that hits these counters, and these tests hit so. */
static void check_way(const struct list *found, struct view counters, struct view tests)
{
    const struct method_vector *ways = found->items;
    uint32_t same = 0;
    for (uint32_t i = 0; i < found->count; i++) {
        bool equal = true;
        for (size_t n = 0; n < counters.len; n++)
            equal = equal && ways[i].counters[n] == counters.data[n];
        if (!equal)
            continue;
        same++;
        assert_int_equal(ways[i].tests.len, tests.len);
        assert_memory_equal(ways[i].tests.data, tests.data, tests.len);
    }
    assert_int_equal(same, 1);
}

/* --- logs ------------------------------------------------------------------------------------- */

static void logged_hits_are_those_of_the_module_and_method(void **state)
{
    (void)state;
    log_hit(0, 0, 0, 1, "01"); /* test 1 hits the first of m */
    log_hit(0, 1, 0, 2, "12"); /* test 2 hits the second and third of another method */
    log_hit(0, 2, 1, 1, "11"); /* test 3 hits another module */
    struct session_counters file = counter_file("m-0.counts", MODE_HIT);
    struct test_hits of = gathered(&file, 1);
    struct list found = of_method(&of, 1, 0, 2);
    assert_int_equal(found.count, 1);
    check_way(&found, BYTES_VIEW(1, 0), BYTES_VIEW(1, 1));
    found = of_method(&of, 2, 2, 4);
    assert_int_equal(found.count, 1);
    check_way(&found, BYTES_VIEW(0, 1, 1, 0), BYTES_VIEW(2, 1));
    assert_int_equal(of_method(&of, 3, 6, 0).count, 0);
}

static void tests_that_hit_in_one_way_are_one_set(void **state)
{
    (void)state;
    log_hit(0, 2, 0, 1, "02"); /* test 3 */
    log_hit(0, 0, 0, 1, "02"); /* test 1 */
    log_hit(0, 1, 0, 1, "11"); /* test 2 hits another way */
    struct session_counters file = counter_file("m-0.counts", MODE_HIT);
    struct test_hits of = gathered(&file, 1);
    struct list found = of_method(&of, 1, 0, 2);
    assert_int_equal(found.count, 2);
    check_way(&found, BYTES_VIEW(1, 1), BYTES_VIEW(1, 1, 1, 1)); /* 1, 3 */
    check_way(&found, BYTES_VIEW(0, 1), BYTES_VIEW(2, 1));
}

static void what_a_test_hit_at_several_times_adds_up(void **state)
{
    (void)state;
    log_hit(0, 1, 0, 2, "01");
    log_hit(0, 0, 0, 2, "31");
    log_hit(0, 1, 0, 2, "21");
    log_hit(0, 1, 0, 2, "02");
    struct session_counters file = counter_file("m-0.counts", MODE_HIT);
    struct test_hits of = gathered(&file, 1);
    struct list found = of_method(&of, 2, 2, 4);
    assert_int_equal(found.count, 2);
    check_way(&found, BYTES_VIEW(1, 1, 1, 0), BYTES_VIEW(2, 1));
    check_way(&found, BYTES_VIEW(0, 0, 0, 1), BYTES_VIEW(1, 1));
}

static void methods_that_are_left_out_hide_no_later_ones(void **state)
{
    (void)state;
    log_hit(0, 0, 0, 1, "01");
    log_hit(0, 0, 0, 4, "01");
    log_hit(0, 0, 0, 5, "02");
    struct session_counters file = counter_file("m-0.counts", MODE_HIT);
    struct test_hits of = gathered(&file, 1);
    struct list found = of_method(&of, 5, 2, 4);
    assert_int_equal(found.count, 1);
    check_way(&found, BYTES_VIEW(1, 1, 0, 0), BYTES_VIEW(1, 1));
}

static void log_that_contradicts_the_module_is_refused(void **state)
{
    struct list found;
    struct err err = {0};
    (void)state;
    log_hit(0, 0, 0, 1, "03");
    struct session_counters file = counter_file("m-0.counts", MODE_HIT);
    struct test_hits of = gathered(&file, 1);
    assert_failed(test_hits_of_method(&found, &of, 1, 0, 2, &folder.arena, &err), err, ERR_FORMAT);
}

/* --- shards ----------------------------------------------------------------------------------- */

static void shard_is_hit_by_the_context_that_has_it(void **state)
{
    (void)state;
    shards[0] = 1;                             /* of nobody: outside */
    shards[STRIDE + 1] = 200;                  /* of context 2 */
    memset(shards + 2 * STRIDE, 1, COUNTERS);  /* of what is kept */
    shards[COUNTERS] = shards[STRIDE - 1] = 1; /* behind the counters */
    processes[0].of_shard[1] = 2;
    processes[0].of_shard[2] = CONTEXT_OF_KEPT;
    struct session_counters file = counter_file("m-0.counts", MODE_HIT);
    struct test_hits of = gathered(&file, 1);
    struct list found = of_method(&of, 1, 0, 2);
    assert_int_equal(found.count, 2);
    check_way(&found, BYTES_VIEW(1, 0), BYTES_VIEW(0, 1));
    check_way(&found, BYTES_VIEW(0, 1), BYTES_VIEW(2, 1));
    assert_int_equal(of_method(&of, 2, 2, 4).count, 0);
}

static void shard_adds_to_what_the_log_tells(void **state)
{
    (void)state;
    log_hit(0, 0, 0, 1, "01");
    log_hit(0, 2, 0, 1, "01");
    shards[1] = 1; /* test 1 goes on */
    processes[0].of_shard[0] = 1;
    struct session_counters file = counter_file("m-0.counts", MODE_HIT);
    struct test_hits of = gathered(&file, 1);
    struct list found = of_method(&of, 1, 0, 2);
    assert_int_equal(found.count, 2);
    check_way(&found, BYTES_VIEW(1, 1), BYTES_VIEW(1, 1));
    check_way(&found, BYTES_VIEW(1, 0), BYTES_VIEW(3, 1));
}

static void several_shards_of_nobody_are_one_outside(void **state)
{
    (void)state;
    shards[0] = 1;
    shards[STRIDE + 1] = 1;
    struct session_counters file = counter_file("m-0.counts", MODE_HIT);
    struct test_hits of = gathered(&file, 1);
    struct list found = of_method(&of, 1, 0, 2);
    assert_int_equal(found.count, 1);
    check_way(&found, BYTES_VIEW(1, 1), BYTES_VIEW(0, 1));
}

static void counters_of_8_bytes_are_hit_if_one_of_them_is(void **state)
{
    (void)state;
    store_u64(shards + 3 * 8, UINT64_C(1) << 56);
    shards[5 * 8] = 1;
    processes[0].of_shard[0] = 3;
    struct session_counters file = counter_file("m-0.counts", MODE_COUNT);
    struct test_hits of = gathered(&file, 1);
    assert_int_equal(of_method(&of, 1, 0, 2).count, 0);
    struct list found = of_method(&of, 2, 2, 4);
    assert_int_equal(found.count, 1);
    check_way(&found, BYTES_VIEW(0, 1, 0, 1), BYTES_VIEW(3, 1));
}

static void unsure_shards_are_of_no_test(void **state)
{
    (void)state;
    names[0][0].is_unsure = true;
    log_hit(0, 0, 0, 1, "01"); /* before */
    shards[0] = 1;
    processes[0].of_shard[0] = 2;
    struct session_counters file = counter_file("m-0.counts", MODE_HIT);
    struct test_hits of = gathered(&file, 1);
    struct list found = of_method(&of, 1, 0, 2);
    assert_int_equal(found.count, 1);
    check_way(&found, BYTES_VIEW(1, 0), BYTES_VIEW(0, 2)); /* outside, and test 1 */
}

static void what_outlives_its_test_is_outside_too(void **state)
{
    (void)state;
    contexts[0][0].outlives = contexts[0][1].outlives = true;
    log_hit(0, 0, 0, 1, "01");
    shards[1] = 1;
    processes[0].of_shard[0] = 2;
    struct session_counters file = counter_file("m-0.counts", MODE_HIT);
    struct test_hits of = gathered(&file, 1);
    struct list found = of_method(&of, 1, 0, 2);
    assert_int_equal(found.count, 3);
    check_way(&found, BYTES_VIEW(1, 0), BYTES_VIEW(1, 1));
    check_way(&found, BYTES_VIEW(0, 1), BYTES_VIEW(2, 1));
    check_way(&found, BYTES_VIEW(1, 1), BYTES_VIEW(0, 1));
}

static void process_that_tells_nothing_apart_ran_outside(void **state)
{
    (void)state;
    shards[0] = 1;
    processes[0].of_shard[0] = 2;
    struct session_counters file = counter_file("x-0.counts", MODE_HIT);
    struct test_hits of = gathered(&file, 1);
    struct list found = of_method(&of, 1, 0, 2);
    assert_int_equal(found.count, 1);
    check_way(&found, BYTES_VIEW(1, 0), BYTES_VIEW(0, 1));
}

static void tests_of_several_processes_are_told_apart(void **state)
{
    struct session_counters files[2];
    (void)state;
    log_hit(0, 0, 0, 1, "01"); /* test 1 */
    log_hit(1, 0, 1, 1, "01"); /* the first of the other three: 4 */
    log_hit(1, 0, 0, 1, "11"); /* another module */
    processes[1].of_shard[2] = 3;
    files[0] = counter_file("m-0.counts", MODE_HIT);
    shards[2 * STRIDE + 1] = 1; /* 6 */
    files[1] = counter_file("m-1.counts", MODE_HIT);
    struct test_hits of = gathered(files, 2);
    struct list found = of_method(&of, 1, 0, 2);
    assert_int_equal(found.count, 2);
    check_way(&found, BYTES_VIEW(1, 0), BYTES_VIEW(1, 1, 2, 1)); /* 1, 4 */
    check_way(&found, BYTES_VIEW(0, 1), BYTES_VIEW(6, 1));
}

/* --- nothing ---------------------------------------------------------------------------------- */

static void session_that_tells_nothing_apart_has_no_hits(void **state)
{
    (void)state;
    session.hits_count = 0;
    shards[0] = 1;
    struct session_counters file = counter_file("m-0.counts", MODE_HIT);
    struct test_hits of = gathered(&file, 1);
    assert_int_equal(of_method(&of, 1, 0, 2).count, 0);
}

static void file_that_cannot_be_read_is_named(void **state)
{
    struct session_tests tests = tests_of_session();
    struct test_hits of;
    struct err err = {0};
    (void)state;
    struct session_counters file = counter_file("m-0.counts", MODE_HIT);
    file.file = STR("/nonexistent/m-0.counts");
    assert_failed(test_hits_gather(&of, &tests, &session, &file, 1, &folder.arena, &err), err,
                  ERR_IO);
    assert_non_null(strstr(err.text, "/nonexistent/m-0.counts"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_session, close_folder)
static const struct CMUnitTest tests[] = {
    TEST(logged_hits_are_those_of_the_module_and_method),
    TEST(tests_that_hit_in_one_way_are_one_set),
    TEST(what_a_test_hit_at_several_times_adds_up),
    TEST(methods_that_are_left_out_hide_no_later_ones),
    TEST(log_that_contradicts_the_module_is_refused),
    TEST(shard_is_hit_by_the_context_that_has_it),
    TEST(shard_adds_to_what_the_log_tells),
    TEST(several_shards_of_nobody_are_one_outside),
    TEST(counters_of_8_bytes_are_hit_if_one_of_them_is),
    TEST(unsure_shards_are_of_no_test),
    TEST(what_outlives_its_test_is_outside_too),
    TEST(process_that_tells_nothing_apart_ran_outside),
    TEST(tests_of_several_processes_are_told_apart),
    TEST(session_that_tells_nothing_apart_has_no_hits),
    TEST(file_that_cannot_be_read_is_named),
};
UNIT_TESTS(tests);
