/* test_memory_merge.c - as test_memory: whichever allocation fails in merging, carrying, pairing
 * and folding, it is said, everything is given back, and no file is left behind. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "coverage/facts/store.h"
#include "coverage/merge/carry.h"
#include "coverage/merge/merge.h"
#include "coverage/merge/transplant.h"
#include "coverage/report/report_build.h"
#include "tests/support/check.h"
#include "tests/support/failing_memory.h"
#include "tests/support/hand_facts.h"
#include "tests/support/temporary.h"

enum {
    FILE_ROOM = 1 << 17
};

static struct temporary folder;
static struct hand base, head;
static const char *base_path, *head_path, *out_path;

static void check(const char *name, memory_job *job, void *context)
{
    assert_true(failing_memory_check(name, job, context) != 0);
}

/* Two builds of one assembly; the second has an edited method, a lambda more and one that moved. */
static void make_facts(struct hand *hand, uint8_t id, enum run_kind kind)
{
    bool is_head = id == 2;
    hand_open(hand, &folder.arena);
    hand_module(hand, "Lib", id);
    uint32_t user = hand_method(hand, "N.C", "M", "()", "ab Cd");
    (void)hand_made(hand, user, "N.C/<>c", "<M>b__0", "i j");
    (void)hand_method(hand, "N.C", "Edited", "()", is_head ? "efX gh" : "ef gh");
    (void)hand_method(hand, is_head ? "N.D" : "N.C", "Moved", "()", "abcdefghijkl");
    hand_lay_out(hand);
    uint64_t *counts = hand_counts(hand, hand_run(hand, id, kind), 0);
    for (uint32_t i = 0; i < hand->facts.modules[0].count_len; i++)
        counts[i] = is_head ? i == 0 : 3;
}

/* --- data files ------------------------------------------------------------------------------- */

struct merging {
    const char *const *inputs;
    uint32_t count;
    struct merge_options options;
    uint8_t expected[FILE_ROOM];
    size_t expected_len;
};

/* Without our own allocations: they fail here. */
static size_t read_output(uint8_t *bytes)
{
    int fd = open(out_path, O_RDONLY | O_CLOEXEC);
    ssize_t len = fd >= 0 ? read(fd, bytes, FILE_ROOM) : -1;
    if (fd >= 0)
        (void)close(fd);
    return len > 0 ? (size_t)len : 0;
}

static bool merge_inputs(void *context, struct arena *arena, struct err *err)
{
    static uint8_t bytes[FILE_ROOM];
    struct merging *job = context;
    struct merge_result result;
    (void)unlink(out_path);
    bool ok = merge_files(&result, out_path, job->inputs, job->count, &job->options, arena, err);
    assert_int_equal(temporary_count(&folder), ok ? 3 : 2);
    if (!ok)
        return false;
    size_t len = read_output(bytes);
    if (job->expected_len == 0)
        memcpy(job->expected, bytes, job->expected_len = len);
    assert_int_equal(len, job->expected_len);
    assert_memory_equal(bytes, job->expected, len);
    return true;
}

static void check_merging(const char *name, struct merging *job)
{
    struct err err = {0};
    struct arena arena;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_true(merge_inputs(job, &arena, &err)); /* what it is without trouble */
    arena_free(&arena);
    check(name, merge_inputs, job);
}

static void merging(void **state)
{
    static struct merging job;
    const char *inputs[] = {base_path, head_path};
    (void)state;
    job = (struct merging){.inputs = inputs, .count = 2, .options = {.strict = true}};
    check_merging("merge", &job);
}

static void merging_and_carrying(void **state)
{
    static struct merging job;
    const char *inputs[] = {head_path};
    (void)state;
    job = (struct merging){.inputs = inputs,
                           .count = 1,
                           .options = {.squash = true, .strict = true, .carry = base_path}};
    check_merging("merge --carry", &job);
}

/* --- facts ------------------------------------------------------------------------------------ */

static bool carry_all(void *context, struct arena *arena, struct err *err)
{
    struct facts carried;
    uint64_t methods = 0;
    (void)context;
    if (!carry(&carried, &methods, &head.facts, &base.facts, arena, err))
        return false;
    assert_int_equal(methods, 1);
    return true;
}

static void carrying(void **state)
{
    (void)state;
    check("carry", carry_all, NULL);
}

static bool pair_and_move(void *context, struct arena *arena, struct err *err)
{
    struct pairing pairing;
    struct transplant moved;
    uint64_t *counts[] = {base.facts.counts[0].counts};
    (void)context;
    if (!pairing_make(&pairing, &head.facts, &base.facts, arena, err) ||
        !transplant(&moved, &pairing, &head.facts, &base.facts, counts, arena, err))
        return false;
    assert_int_equal(moved.base[0][hand_place(&head, 0, "Moved", 0)], 3);
    assert_int_equal(moved.base[0][hand_place(&head, 0, "Edited", 0)], 0);
    assert_int_equal(moved.base[0][hand_place(&head, 0, "Edited", 1)], 3);
    return true;
}

static void pairing_and_transplanting(void **state)
{
    (void)state;
    check("pairing", pair_and_move, NULL);
}

static bool report_both(void *context, struct arena *arena, struct err *err)
{
    struct report report;
    struct report_options options = {.timestamp = 0};
    struct fact_module modules[] = {base.facts.modules[0], head.facts.modules[0]};
    struct fact_counts counts[] = {base.facts.counts[0], head.facts.counts[0]};
    struct facts facts = {.modules = modules,
                          .module_count = 2,
                          .runs = base.facts.runs,
                          .run_count = 1,
                          .counts = counts,
                          .counts_count = 2};
    (void)context;
    counts[1] = (struct fact_counts){0, 1, counts[1].counts};
    if (!report_build(&report, &facts, &options, arena, err))
        return false;
    assert_int_equal(report.totals.methods_valid, 3); /* a line is in one class only */
    return true;
}

static void reports_of_several_builds(void **state)
{
    (void)state;
    check("several builds", report_both, NULL);
}

static int take_memory(void **state)
{
    (void)state;
    failing_memory_open_without_sqlite();
    temporary_open(&folder);
    make_facts(&base, 1, RUN_MEASURED);
    make_facts(&head, 2, RUN_PARTIAL);
    base_path = temporary_path(&folder, "base.ilcov");
    head_path = temporary_path(&folder, "head.ilcov");
    out_path = temporary_path(&folder, "out.ilcov");
    return store_write(base_path, &base.facts, NULL, NULL) &&
                   store_write(head_path, &head.facts, NULL, NULL)
               ? 0
               : -1;
}

static int give_back(void **state)
{
    (void)state;
    temporary_close(&folder);
    return 0;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(merging),
    cmocka_unit_test(merging_and_carrying),
    cmocka_unit_test(carrying),
    cmocka_unit_test(pairing_and_transplanting),
    cmocka_unit_test(reports_of_several_builds),
};
UNIT_TESTS_WITH(tests, take_memory, give_back);
