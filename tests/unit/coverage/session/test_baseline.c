/* test_baseline.c - what a snapshot took is known to the next: each count is in one of them. */
#include "coverage/session/baseline.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/test_folder.h"

static const struct session_counters app = {.mvid = {1}, .plan_hash = 7, .counter_count = 3};
static const struct session_counters library = {.mvid = {2}, .plan_hash = 7, .counter_count = 1};
static const struct session_counters empty = {.mvid = {3}, .plan_hash = 7, .counter_count = 0};

static void put(struct baseline *baseline, const struct session_counters *counters,
                const uint64_t *sums)
{
    struct err err = {0};
    assert_true(baseline_put(baseline, counters, sums, &folder.arena, &err));
}

static struct baseline make(void)
{
    struct baseline baseline = {.id = {9, [15] = 8}, .since = 1777636800};
    put(&baseline, &app, (const uint64_t[]){1, UINT64_MAX, 0});
    put(&baseline, &library, (const uint64_t[]){5});
    put(&baseline, &empty, NULL);
    return baseline;
}

static struct str written(const struct baseline *baseline)
{
    struct err err = {0};
    assert_true(baseline_write(baseline, folder.folder, &folder.arena, &err));
    return temporary_read(&folder, temporary_path(&folder, SESSION_BASELINE));
}

static bool parse(struct baseline *out, const void *data, size_t len, struct err *err)
{
    struct view copy = exact_copy((struct view){data, len});
    *err = (struct err){0};
    bool ok = baseline_parse(out, copy, &folder.arena, err);
    exact_free(copy);
    return ok;
}

static void where_there_is_none_all_counts(void **state)
{
    struct baseline baseline;
    struct err err = {0};
    uint64_t sums[] = {1, 2, 3};
    (void)state;
    assert_true(baseline_read(&baseline, folder.folder, &folder.arena, &err));
    assert_true(baseline.since == 0);
    baseline_subtract(sums, &baseline, &app);
    assert_true(sums[0] == 1 && sums[1] == 2 && sums[2] == 3);
}

static void baseline_is_read_as_it_was_written(void **state)
{
    struct baseline made = make(), read;
    struct err err = {0};
    uint64_t sums[] = {3, UINT64_MAX, 4}, one[] = {5};
    struct stat st;
    (void)state;
    (void)written(&made);
    assert_int_equal(stat(temporary_path(&folder, SESSION_BASELINE), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(temporary_count(&folder), 1);
    assert_true(baseline_read(&read, folder.folder, &folder.arena, &err));
    assert_true(read.since == made.since);
    assert_memory_equal(read.id, made.id, sizeof read.id);
    assert_int_equal(read.groups.count, 3);
    baseline_subtract(sums, &read, &app);
    baseline_subtract(one, &read, &library);
    assert_true(sums[0] == 2 && sums[1] == 0 && sums[2] == 4 && one[0] == 0);
}

static void sums_that_became_smaller_are_nothing(void **state)
{
    struct baseline baseline = make();
    uint64_t sums[] = {0, UINT64_MAX - 1, 1};
    (void)state;
    baseline_subtract(sums, &baseline, &app);
    assert_true(sums[0] == 0 && sums[1] == 0 && sums[2] == 1);
}

static void only_the_same_plan_is_subtracted(void **state)
{
    struct baseline baseline = make();
    struct session_counters other = app;
    uint64_t sums[] = {1, 1, 1, 1};
    (void)state;
    other.plan_hash++;
    baseline_subtract(sums, &baseline, &other);
    other = app;
    other.counter_count = 4;
    baseline_subtract(sums, &baseline, &other);
    other = app;
    other.mvid[15] = 1;
    baseline_subtract(sums, &baseline, &other);
    assert_true(sums[0] == 1 && sums[1] == 1 && sums[2] == 1 && sums[3] == 1);
}

static void later_sums_replace_those_of_their_module(void **state)
{
    struct baseline baseline = make();
    uint64_t sums[] = {11, 0, 0}, one[] = {6};
    (void)state;
    put(&baseline, &app, (const uint64_t[]){10, 0, 0});
    assert_int_equal(baseline.groups.count, 3);
    baseline_subtract(sums, &baseline, &app);
    baseline_subtract(one, &baseline, &library);
    assert_true(sums[0] == 1 && one[0] == 1);
}

static void every_truncation_is_refused(void **state)
{
    struct baseline made = make(), read;
    struct str file = written(&made);
    (void)state;
    for (size_t len = 0; len < file.len; len++) {
        struct err err;
        assert_failed(parse(&read, file.text, len, &err), err, ERR_FORMAT);
    }
}

static void bad_bytes_are_refused(void **state)
{
    static const struct {
        size_t at;
        uint8_t value;
        enum err_code code;
    } cases[] = {
        {0, 'X', ERR_FORMAT}, {8, 2, ERR_UNSUPPORTED}, {15, 0xFF, ERR_FORMAT},
        {12, 2, ERR_FORMAT},  {23, 0x80, ERR_FORMAT},  {40 + 24 + 3, 0xFF, ERR_FORMAT},
    };
    struct baseline made = make(), read;
    struct str file = written(&made);
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err err;
        char *copy = arena_copy_text(&folder.arena, file.text, file.len, &err);
        assert_non_null(copy);
        copy[cases[i].at] = (char)cases[i].value;
        assert_failed(parse(&read, copy, file.len, &err), err, cases[i].code);
    }
}

static void what_is_not_a_plain_file_is_refused(void **state)
{
    struct baseline read;
    struct err err = {0};
    const char *path = temporary_path(&folder, SESSION_BASELINE);
    (void)state;
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_failed(baseline_read(&read, folder.folder, &folder.arena, &err), err, ERR_FORMAT);
    assert_non_null(strstr(err.text, path));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink("/etc/passwd", path), 0);
    assert_failed(baseline_read(&read, folder.folder, &folder.arena, &err), err, ERR_IO);
}

/* A link that somebody put there leads nowhere: it is replaced, not followed. */
static void what_a_killed_reset_left_is_replaced(void **state)
{
    struct baseline made = make();
    const char *victim = temporary_file(&folder, "victim", "x", 1);
    (void)state;
    assert_int_equal(symlink(victim, temporary_path(&folder, SESSION_BASELINE_PART)), 0);
    assert_true(written(&made).len > 1);
    assert_int_equal(temporary_read(&folder, victim).len, 1);
    assert_int_equal(temporary_count(&folder), 2);
}

static void one_reset_at_a_time(void **state)
{
    struct err err = {0};
    (void)state;
    int lock = baseline_lock(folder.folder, &err);
    assert_true(lock >= 0);
    assert_int_equal(baseline_lock(folder.folder, &err), -1);
    assert_non_null(strstr(err.text, "another snapshot"));
    assert_int_equal(close(lock), 0);
    lock = baseline_lock(folder.folder, &err);
    assert_true(lock >= 0);
    assert_int_equal(close(lock), 0);
    assert_int_equal(baseline_lock("/nonexistent/x", &err), -1);
}

static void where_nothing_can_be_written_it_is_said(void **state)
{
    struct baseline made = make();
    struct err err = {0};
    (void)state;
    assert_failed(baseline_write(&made, "/nonexistent/x", &folder.arena, &err), err, ERR_IO);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_folder, close_folder)

static const struct CMUnitTest tests[] = {
    TEST(where_there_is_none_all_counts),
    TEST(baseline_is_read_as_it_was_written),
    TEST(sums_that_became_smaller_are_nothing),
    TEST(only_the_same_plan_is_subtracted),
    TEST(later_sums_replace_those_of_their_module),
    TEST(every_truncation_is_refused),
    TEST(bad_bytes_are_refused),
    TEST(what_is_not_a_plain_file_is_refused),
    TEST(what_a_killed_reset_left_is_replaced),
    TEST(one_reset_at_a_time),
    TEST(where_nothing_can_be_written_it_is_said),
};
UNIT_TESTS(tests);
