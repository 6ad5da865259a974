/* Data files made one: whatever the order and the grouping, to the same bytes. */
#include "coverage/merge/merge.h"

#include <stdio.h>
#include <unistd.h>

#include "coverage/facts/store.h"
#include "coverage/report/report_build.h"
#include "reporters/report/report_formats.h"
#include "tests/support/check.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/random_facts.h"
#include "tests/support/temporary.h"

enum {
    WORLDS = 12,
    GROUPINGS = 4,
    SHARDS_MAX = 6,
    PARTS_MAX = 32
};

struct world {
    struct temporary folder;
    struct arena arena;
    struct facts facts;
    const char *shards[SHARDS_MAX];
    uint32_t shard_count;
    uint64_t state;
    unsigned made; /* files, for their names */
};

static struct world world;

static int open_world(void **state)
{
    (void)state;
    temporary_open(&world.folder);
    arena_init(&world.arena, NULL, 0, ARENA_NO_LIMIT);
    return 0;
}

static int close_world(void **state)
{
    (void)state;
    arena_free(&world.arena);
    temporary_close(&world.folder);
    return 0;
}

static const char *new_path(const char *what)
{
    char name[64];
    (void)snprintf(name, sizeof name, "%s-%u", what, world.made++);
    return temporary_path(&world.folder, name);
}

static const char *written(const struct facts *facts)
{
    struct err err = {0};
    const char *path = new_path("shard");
    if (!store_write(path, facts, NULL, &err))
        fail_msg("%s", err.text);
    return path;
}

/* Shards that may tell of the same runs, or each of runs of its own. */
static void make_shards(unsigned seed, bool are_apart)
{
    world.state = UINT64_C(0x9E3779B97F4A7C15) * (seed + 1);
    random_world(&world.facts, &world.state, &world.arena);
    world.shard_count = 2 + random_below(&world.state, SHARDS_MAX - 1);
    for (uint32_t i = 0; i < world.shard_count; i++) {
        struct facts shard;
        uint32_t runs = are_apart ? 1u << i : 1 + random_below(&world.state, RANDOM_ALL_RUNS);
        random_shard(&shard, &world.facts, runs, &world.state, &world.arena);
        world.shards[i] = written(&shard);
    }
}

static struct merge_result merged(const char *path, const char *const *inputs, uint32_t count,
                                  const struct merge_options *options)
{
    struct merge_result result;
    struct err err = {0};
    if (!merge_files(&result, path, inputs, count, options, &world.arena, &err))
        fail_msg("%s", err.text);
    return result;
}

static const char *merge_of(const char *const *inputs, uint32_t count, bool squash)
{
    const char *path = new_path("merged");
    struct merge_options options = {.squash = squash, .strict = true};
    (void)merged(path, inputs, count, &options);
    return path;
}

/* A random order, some twice, a random tree of files on the way. */
static const char *merge_somehow(bool squash, bool twice)
{
    const char *parts[PARTS_MAX];
    uint32_t count = 0;
    for (uint32_t i = 0; i < world.shard_count; i++)
        for (uint32_t k = twice ? random_below(&world.state, 2) : 0; k < 2; k++) {
            parts[count++] = world.shards[i];
            k += !twice;
        }
    while (count > 1) {
        const char *inputs[PARTS_MAX];
        uint32_t taken = 0, want = 2 + random_below(&world.state, count - 1);
        for (; taken < want && count != 0; taken++) {
            uint32_t which = random_below(&world.state, count);
            inputs[taken] = parts[which];
            parts[which] = parts[--count];
        }
        parts[count++] = merge_of(inputs, taken, squash);
    }
    return parts[0];
}

static struct str bytes_of(const char *path)
{
    return temporary_read(&world.folder, path);
}

static struct str report_of(const char *path)
{
    struct facts facts;
    struct report report;
    struct report_options options = {.timestamp = 1};
    struct err err = {0};
    const char *xml = new_path("xml");
    if (!store_read_summed(&facts, path, NULL, &world.arena, &world.arena, &err) ||
        !report_build(&report, &facts, &options, &world.arena, &err) ||
        !format_write(format_find(report_formats, STR("cobertura")), xml,
                      &(struct format_job){.report = &report}, &err))
        fail_msg("%s", err.text);
    return bytes_of(xml);
}

static void assert_same_bytes(const char *a, const char *b, unsigned seed)
{
    if (!str_eq(bytes_of(a), bytes_of(b)))
        fail_msg("world %u: %s is not %s", seed, a, b);
}

static void assert_same_report(const char *a, const char *b, unsigned seed)
{
    if (!str_eq(report_of(a), report_of(b)))
        fail_msg("world %u: the report of %s is not that of %s", seed, a, b);
}

/* --- any order, any grouping ------------------------------------------------------------------ */

static void each_world(void (*test)(unsigned seed))
{
    for (unsigned seed = 0; seed < repeated(WORLDS); seed++) {
        assert_int_equal(open_world(NULL), 0);
        test(seed);
        assert_int_equal(close_world(NULL), 0);
    }
}

static void merge_all_ways(unsigned seed)
{
    make_shards(seed, false);
    const char *all = merge_of(world.shards, world.shard_count, false);
    struct str report = report_of(all);
    for (unsigned i = 0; i < repeated(GROUPINGS); i++) {
        const char *other = merge_somehow(false, true);
        assert_same_bytes(all, other, seed);
        assert_true(str_eq(report, report_of(other)));
    }
}

static void order_and_grouping_do_not_matter(void **state)
{
    (void)state;
    each_world(merge_all_ways);
}

static void merge_again(unsigned seed)
{
    make_shards(seed, false);
    const char *all = merge_of(world.shards, world.shard_count, false);
    const char *again[] = {all, world.shards[0], all, world.shards[world.shard_count - 1]};
    assert_same_bytes(all, merge_of(again, 1, false), seed);
    assert_same_bytes(all, merge_of(again, ARRAY_LEN(again), false), seed);
}

static void what_was_merged_changes_nothing_any_more(void **state)
{
    (void)state;
    each_world(merge_again);
}

static void squash_all_ways(unsigned seed)
{
    make_shards(seed, true);
    const char *all = merge_of(world.shards, world.shard_count, false);
    const char *squashed = merge_of(world.shards, world.shard_count, true);
    assert_same_report(all, squashed, seed);
    for (unsigned i = 0; i < repeated(GROUPINGS); i++)
        assert_same_bytes(squashed, merge_somehow(true, false), seed);
    assert_same_bytes(squashed, merge_of(&squashed, 1, true), seed);
    assert_same_bytes(squashed, merge_of(&squashed, 1, false), seed);
}

static void squashed_set_has_the_same_report(void **state)
{
    (void)state;
    each_world(squash_all_ways);
}

/* --- one thing at a time ---------------------------------------------------------------------- */

/* The fixture as one machine tells it: with the runs whose bits are set. */
static const char *fixture_with(uint32_t runs, void (*change)(struct facts *facts))
{
    struct facts facts;
    uint32_t kept = 0;
    fixture_facts(&facts, &world.arena);
    facts.runs[1].kind = RUN_MEASURED;
    facts.runs[1].folded = (struct view){NULL, 0};
    if (change != NULL)
        change(&facts);
    for (uint32_t i = 0; i < facts.counts_count; i++) {
        struct fact_counts row = facts.counts[i];
        if ((runs >> row.run & 1) == 0)
            continue;
        row.run = runs == 2 ? 0 : row.run;
        facts.counts[kept++] = row;
    }
    facts.counts_count = kept;
    facts.process_count = 0;
    facts.run_count = runs == 3 ? 2 : 1;
    if (runs == 2)
        facts.runs++;
    return written(&facts);
}

static struct facts read_back(const char *path)
{
    struct facts facts;
    struct err err = {0};
    if (!store_read(&facts, path, &world.arena, &err))
        fail_msg("%s", err.text);
    return facts;
}

static uint64_t total_of(const char *path)
{
    struct facts facts = read_back(path);
    uint64_t total = 0;
    for (uint32_t i = 0; i < facts.counts_count; i++)
        for (uint32_t k = 0; k < facts.modules[facts.counts[i].module].count_len; k++)
            total += facts.counts[i].counts[k];
    return total;
}

static void parts_of_a_file_are_the_file_again(void **state)
{
    const char *parts[] = {fixture_with(2, NULL), fixture_with(1, NULL)};
    const char *whole = fixture_with(3, NULL);
    (void)state;
    assert_same_bytes(merge_of(&whole, 1, false), merge_of(parts, 2, false), 0);
    assert_same_report(whole, merge_of(parts, 2, false), 0);
}

static void halve(struct facts *facts)
{
    for (uint32_t i = 0; i < facts->counts_count; i++)
        for (uint32_t k = 0; k < facts->modules[facts->counts[i].module].count_len; k++)
            facts->counts[i].counts[k] /= 2;
}

static void same_run_from_two_snapshots_keeps_the_larger_counts(void **state)
{
    const char *parts[] = {fixture_with(3, halve), fixture_with(3, NULL), fixture_with(1, halve)};
    (void)state;
    assert_true(total_of(parts[0]) < total_of(parts[1]));
    assert_same_bytes(merge_of(parts + 1, 1, false), merge_of(parts, 3, false), 0);
}

enum {
    TOTAL = 2, /* Total(), with two conditions on line 12; its outcomes stand at 11 to 14 */
    FIRST_OUTCOME = 11
};

static void take_only_true(struct facts *facts)
{
    for (uint32_t i = 0; i < facts->counts_count; i++)
        for (uint32_t k = 0; k < 4 && facts->counts[i].module == FIXTURE_CORE; k++)
            facts->counts[i].counts[FIRST_OUTCOME + k] = k == 1;
}

static void take_only_false(struct facts *facts)
{
    for (uint32_t i = 0; i < facts->counts_count; i++)
        for (uint32_t k = 0; k < 4 && facts->counts[i].module == FIXTURE_CORE; k++)
            facts->counts[i].counts[FIRST_OUTCOME + k] = k == 0;
}

/* Half and half of one condition are all of it; half of it twice stays half. */
static void outcomes_are_united_not_fractions(void **state)
{
    const char *apart[] = {fixture_with(1, take_only_true), fixture_with(2, take_only_false)};
    const char *alike[] = {fixture_with(1, take_only_true), fixture_with(2, take_only_true)};
    (void)state;
    struct facts facts = read_back(merge_of(apart, 2, false));
    const struct fact_decision *condition = &facts.modules[FIXTURE_CORE].decisions[2];
    assert_int_equal(condition->method, TOTAL);
    for (unsigned covered = 2; covered >= 1; covered--) {
        unsigned seen = 0;
        for (uint32_t k = 0; k < 2; k++) {
            bool hit = false;
            for (uint32_t i = 0; i < facts.counts_count; i++)
                hit |= facts.counts[i].module == FIXTURE_CORE &&
                       facts.counts[i].counts[condition->first_count + k] != 0;
            seen += hit;
        }
        assert_int_equal(seen, covered);
        facts = read_back(merge_of(alike, 2, false));
        condition = &facts.modules[FIXTURE_CORE].decisions[2];
    }
}

static void let_total_run_before(struct facts *facts)
{
    facts->modules[FIXTURE_CORE].methods[TOTAL].reason = reason_of_verdict(VERDICT_MAY_HAVE_RUN);
}

static void what_may_have_run_before_one_run_may_have_run(void **state)
{
    const char *parts[] = {fixture_with(1, NULL), fixture_with(2, let_total_run_before)};
    const char *turned[] = {parts[1], parts[0]};
    (void)state;
    const char *both = merge_of(parts, 2, false);
    struct facts facts = read_back(both);
    const struct fact_method *method = &facts.modules[FIXTURE_CORE].methods[TOTAL];
    assert_int_equal(method->state, METHOD_INSTRUMENTED);
    assert_true(reason_eq(method->reason, reason_of_verdict(VERDICT_MAY_HAVE_RUN)));
    assert_same_bytes(both, merge_of(turned, 2, false), 0);
}

static void refuse_total(struct facts *facts)
{
    struct fact_module *core = &facts->modules[FIXTURE_CORE];
    uint32_t kept = 0;
    core->methods[TOTAL].state = METHOD_DECLINED;
    core->methods[TOTAL].reason = reason_of_verdict(VERDICT_DECLINED_ODD_EH);
    core->methods[TOTAL].entry_count = NO_INDEX;
    for (uint32_t i = 0; i < core->statement_count; i++)
        if (core->statements[i].method != TOTAL)
            core->statements[kept++] = core->statements[i];
    core->statement_count = kept;
    kept = 0;
    for (uint32_t i = 0; i < core->decision_count; i++)
        if (core->decisions[i].method != TOTAL)
            core->decisions[kept++] = core->decisions[i];
    core->decision_count = kept;
}

static void ignore_a_statement(struct facts *facts)
{
    facts->modules[FIXTURE_CORE].statements[0].reason = reason_of(REASON_COMMENT);
    facts->modules[FIXTURE_CORE].decisions[0].reason = reason_of(REASON_COMMENT);
    refuse_total(facts);
}

/* Also where the files know different methods, so that their lists are made anew. */
static void comment_that_one_machine_read_excludes(void **state)
{
    const char *parts[] = {fixture_with(1, NULL), fixture_with(2, ignore_a_statement)};
    const char *turned[] = {parts[1], parts[0]};
    (void)state;
    const char *both = merge_of(parts, 2, false);
    struct facts facts = read_back(both);
    assert_reason(facts.modules[FIXTURE_CORE].statements[0].reason, "ilcov:ignore");
    assert_reason(facts.modules[FIXTURE_CORE].decisions[0].reason, "ilcov:ignore");
    assert_int_equal(facts.modules[FIXTURE_CORE].methods[TOTAL].state, METHOD_INSTRUMENTED);
    assert_same_bytes(both, merge_of(turned, 2, false), 0);
}

static void lose_sources(struct facts *facts)
{
    struct fact_module *core = &facts->modules[FIXTURE_CORE];
    for (uint32_t i = 0; i < core->decision_count; i++) {
        core->decisions[i].span =
            (struct fact_span){core->decisions[i].line, core->decisions[i].line, 9, 25};
        core->decisions[i].is_exact = false;
    }
}

static void forget_columns(struct facts *facts)
{
    lose_sources(facts);
    for (uint32_t i = 0; i < facts->modules[FIXTURE_CORE].decision_count; i++)
        facts->modules[FIXTURE_CORE].decisions[i].span.start_column =
            facts->modules[FIXTURE_CORE].decisions[i].span.end_column = 0;
}

static void operand_that_one_machine_saw_is_kept(void **state)
{
    void (*const losses[])(struct facts *) = {lose_sources, forget_columns};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(losses); i++) {
        const char *parts[] = {fixture_with(1, losses[i]), fixture_with(2, NULL)};
        const char *turned[] = {parts[1], parts[0]};
        const char *both = merge_of(parts, 2, false);
        struct facts facts = read_back(both);
        const struct fact_decision *operand = &facts.modules[FIXTURE_CORE].decisions[3];
        assert_true(operand->is_exact);
        assert_int_equal(operand->span.start_column, 18);
        assert_int_equal(operand->span.end_column, 23);
        assert_int_equal(operand->expression, 1);
        assert_same_bytes(both, merge_of(turned, 2, false), 0);
    }
}

static void processes_of_squashed_runs_of_several_kinds_are_kept(void **state)
{
    struct facts facts;
    (void)state;
    fixture_facts(&facts, &world.arena);
    struct fact_run runs[3] = {facts.runs[0], facts.runs[1], facts.runs[0]};
    struct fact_process processes[3];
    for (uint32_t i = 0; i < 3; i++) {
        runs[i].id[0] = (uint8_t)(i + 1);
        runs[i].started = i;
        processes[i] = (struct fact_process){i, STR("/app"), STR("10.0"), NULL, i == 2 ? 2 : 1, 1};
    }
    runs[1].kind = RUN_PARTIAL;
    facts = (struct facts){.runs = runs, .run_count = 3, .processes = processes};
    facts.process_count = 3;
    const char *shard = written(&facts), *squashed = merge_of(&shard, 1, true);
    facts = read_back(merge_of(&squashed, 1, false));
    assert_int_equal(facts.run_count, 2);
    assert_int_equal(facts.process_count, 3);
    for (uint32_t i = 1; i < 3; i++)
        assert_true(facts.processes[i - 1].run <= facts.processes[i].run);
}

/* --- what is refused -------------------------------------------------------------------------- */

static void refused(const char *const *inputs, uint32_t count, const struct merge_options *options,
                    const char *expected)
{
    struct merge_result result;
    struct err err = {0};
    const char *path = new_path("refused");
    bool ok = merge_files(&result, path, inputs, count, options, &world.arena, &err);
    assert_failed(ok, err, ERR_FORMAT);
    if (strstr(err.text, expected) == NULL)
        fail_msg("\"%s\" has no \"%s\"", err.text, expected);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void squashed_set_that_overlaps_is_refused(void **state)
{
    const char *one = fixture_with(1, NULL), *two = fixture_with(2, NULL);
    const char *both[] = {one, two}, *squashed = merge_of(both, 2, true);
    struct merge_options options = {.squash = false};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        refused((const char *const[]){squashed, one}, 2, &options, "was squashed");
        refused((const char *const[]){two, squashed}, 2, &options, "was squashed");
        refused((const char *const[]){two, squashed}, 2, &options, squashed);
        options.squash = true;
    }
    const char *twice[] = {squashed, squashed};
    assert_same_bytes(squashed, merge_of(twice, 2, false), 0);
}

static const char *damaged_copy(const char *path)
{
    struct str bytes = bytes_of(path);
    char *copy = arena_copy_text(&world.arena, bytes.text, bytes.len, NULL);
    assert_non_null(copy);
    char *name = memmem(copy, bytes.len, "Shop.Core", strlen("Shop.Core"));
    assert_non_null(name);
    *name = (char)(*name ^ 0x55);
    return temporary_file(&world.folder, "damaged", copy, bytes.len);
}

static void damaged_file_is_named_and_skipped_or_fatal(void **state)
{
    const char *good = fixture_with(3, NULL);
    const char *inputs[] = {good, damaged_copy(good)};
    struct merge_options options = {.strict = false};
    (void)state;
    const char *path = new_path("merged");
    struct merge_result result = merged(path, inputs, 2, &options);
    assert_int_equal(result.file_count, 1);
    assert_int_equal(result.warning_count, 1);
    assert_true(strstr(result.warnings[0].text, inputs[1]) != NULL);
    assert_same_bytes(path, merge_of(inputs, 1, false), 0);
    refused(inputs + 1, 1, &options, "nothing is left to merge of 1 file");
    options.strict = true;
    refused(inputs, 2, &options, inputs[1]);
}

static void missing_file_is_fatal(void **state)
{
    const char *inputs[] = {fixture_with(3, NULL), "/nowhere/at/all.ilcov"};
    struct merge_options options = {.strict = false};
    struct merge_result result;
    struct err err = {0};
    (void)state;
    assert_failed(merge_files(&result, new_path("merged"), inputs, 2, &options, &world.arena, &err),
                  err, ERR_IO);
    assert_non_null(strstr(err.text, inputs[1]));
}

static void result_may_replace_an_input(void **state)
{
    const char *inputs[] = {fixture_with(1, NULL), fixture_with(2, NULL)};
    struct merge_options options = {.strict = true};
    (void)state;
    const char *apart = merge_of(inputs, 2, false);
    (void)merged(inputs[0], inputs, 2, &options);
    assert_same_bytes(apart, inputs[0], 0);
}

static void builds_are_reported(void **state)
{
    const char *whole = fixture_with(3, NULL);
    struct merge_options options = {.strict = true};
    (void)state;
    struct merge_result result = merged(new_path("merged"), &whole, 1, &options);
    assert_int_equal(result.note_count, 1);
    assert_true(strstr(result.notes[0].text, "Shop.Core: 2 builds") != NULL);
    assert_true(strstr(result.notes[0].text, "by line") != NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(order_and_grouping_do_not_matter),
    cmocka_unit_test(what_was_merged_changes_nothing_any_more),
    cmocka_unit_test(squashed_set_has_the_same_report),
    TEST(parts_of_a_file_are_the_file_again),
    TEST(same_run_from_two_snapshots_keeps_the_larger_counts),
    TEST(what_may_have_run_before_one_run_may_have_run),
    TEST(outcomes_are_united_not_fractions),
    TEST(comment_that_one_machine_read_excludes),
    TEST(operand_that_one_machine_saw_is_kept),
    TEST(processes_of_squashed_runs_of_several_kinds_are_kept),
    TEST(squashed_set_that_overlaps_is_refused),
    TEST(damaged_file_is_named_and_skipped_or_fatal),
    TEST(missing_file_is_fatal),
    TEST(result_may_replace_an_input),
    TEST(builds_are_reported),
};
UNIT_TESTS(tests);
