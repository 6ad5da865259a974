/* The facts of several files made one; with counts, in whatever order: test_merge. */
#include "coverage/merge/unite.h"

#include "tests/support/check.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/random_facts.h"
#include "tests/support/test_arena.h"

enum {
    WORLDS = 100,
    SHARDS = 4,
    MANY = 400
};

static struct facts world, shards[SHARDS];
static uint64_t seed;

static void make_world(unsigned number)
{
    seed = UINT64_C(0x2545F4914F6CDD1D) * (number + 1);
    random_world(&world, &seed, &arena);
    for (uint32_t i = 0; i < SHARDS; i++)
        random_shard(&shards[i], &world, 1 + random_below(&seed, RANDOM_ALL_RUNS), &seed, &arena);
}

/* The maps are those of the last. */
static struct facts unite_all(const struct facts *const *parts, uint32_t count,
                              struct unite_map *map)
{
    struct unite unite;
    struct unite_map final;
    struct facts out;
    struct err err = {0};
    unite_open(&unite, &arena);
    for (uint32_t i = 0; i < count; i++)
        if (!unite_add(&unite, map, parts[i], &err))
            fail_msg("%s", err.text);
    if (!unite_finish(&out, &final, &unite, &err) || !facts_check(&out, &err))
        fail_msg("%s", err.text);
    for (uint32_t i = 0; i < parts[count - 1]->run_count; i++)
        map->run[i] = final.run[map->run[i]];
    for (uint32_t i = 0; i < parts[count - 1]->module_count; i++)
        map->module[i] = final.module[map->module[i]];
    return out;
}

static void each_world(void (*test)(void))
{
    for (unsigned i = 0; i < WORLDS; i++) {
        make_world(i);
        test();
        arena_reset(&arena);
    }
}

/* As of two runs of one test assembly, of which one tells its tests apart. */
static void test_assembly_that_one_run_read_is_one_module(void **state)
{
    static struct fact_method method = {
        .token = 0x06000001, .type = {"N.T", 3}, .name = {"M", 1}, .entry_count = 0};
    const struct reason *tests = reason_of(REASON_TESTS);
    struct fact_module read = {.name = {"T", 1},
                               .mvid = {1},
                               .identity = {7},
                               .state = MODULE_SKIPPED,
                               .reason = tests,
                               .methods = &method,
                               .method_count = 1,
                               .count_len = 1};
    struct fact_module unread = {
        .name = {"T", 1}, .mvid = {1}, .state = MODULE_SKIPPED, .reason = tests};
    struct fact_module other = {
        .name = {"T", 1}, .mvid = {2}, .state = MODULE_SKIPPED, .reason = tests};
    struct facts with = {.modules = &read, .module_count = 1};
    struct facts without = {.modules = &unread, .module_count = 1};
    struct facts another = {.modules = &other, .module_count = 1};
    const struct facts *const orders[][3] = {{&with, &without, &another},
                                             {&without, &another, &with}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(orders); i++) {
        struct unite_map map;
        struct facts all = unite_all(orders[i], 3, &map);
        assert_int_equal(all.module_count, 2);
        assert_int_equal(all.modules[0].method_count, 1);
        assert_int_equal(all.modules[0].identity[0], 7);
        assert_int_equal(all.modules[1].method_count, 0);
    }
}

static void unite_in_orders(void)
{
    struct unite_map map;
    struct facts left = unite_all((const struct facts *[]){&shards[0], &shards[1]}, 2, &map);
    struct facts right = unite_all((const struct facts *[]){&shards[3], &shards[2]}, 2, &map);
    struct facts grouped = unite_all((const struct facts *[]){&right, &left}, 2, &map);
    struct facts flat = unite_all(
        (const struct facts *[]){&shards[2], &shards[0], &shards[3], &shards[1]}, 4, &map);
    struct facts again =
        unite_all((const struct facts *[]){&flat, &shards[1], &flat, &shards[0]}, 4, &map);
    assert_true(facts_equal(&grouped, &flat));
    assert_true(facts_equal(&again, &flat));
}

static void order_and_grouping_do_not_matter(void **state)
{
    (void)state;
    each_world(unite_in_orders);
}

static const struct fact_statement *statement_with(const struct fact_module *m, uint32_t count)
{
    for (uint32_t i = 0; i < m->statement_count; i++)
        if (m->statements[i].count == count)
            return &m->statements[i];
    return NULL;
}

/* Each place of a shard is one of the union, for the same statement of the same method. */
static void follow_places(void)
{
    struct unite_map map;
    const struct facts *parts[SHARDS] = {&shards[3], &shards[2], &shards[1], &shards[0]};
    struct facts all = unite_all(parts, SHARDS, &map);
    for (uint32_t m = 0; m < shards[0].module_count; m++) {
        const struct fact_module *from = &shards[0].modules[m], *to = &all.modules[map.module[m]];
        uint32_t *sources = NULL, found = 0;
        assert_true(str_eq(from->name, to->name));
        assert_memory_equal(from->identity, to->identity, sizeof to->identity);
        assert_true(unite_sources(&sources, to, from, &arena, NULL));
        for (uint32_t i = 0; i < to->count_len; i++) {
            if (sources[i] == NO_INDEX)
                continue;
            found++;
            const struct fact_statement *a = statement_with(from, sources[i]);
            const struct fact_statement *b = statement_with(to, i);
            assert_int_equal(a == NULL, b == NULL);
            assert_true(a == NULL ||
                        (a->il_offset == b->il_offset && a->start_line == b->start_line &&
                         from->methods[a->method].token == to->methods[b->method].token));
        }
        assert_int_equal(found, from->count_len);
    }
    for (uint32_t r = 0; r < shards[0].run_count; r++)
        assert_memory_equal(shards[0].runs[r].id, all.runs[map.run[r]].id, FACT_ID_LEN);
}

static void every_count_of_a_file_has_its_place(void **state)
{
    (void)state;
    each_world(follow_places);
}

/* Also of files that know different methods. */
static void memory_does_not_grow_with_the_files(void **state)
{
    struct unite unite;
    (void)state;
    make_world(1);
    unite_open(&unite, &arena);
    size_t before = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        struct unite_map map;
        for (uint32_t k = 0; k < SHARDS; k++)
            assert_true(unite_add(&unite, &map, &shards[k], NULL));
        if (i == 0)
            before = arena.used;
    }
    /* the maps of each file, and no more */
    assert_true(arena.used - before < (size_t)MANY * SHARDS * 256);
}

/* --- one thing at a time ---------------------------------------------------------------------- */

static struct facts unite_two(struct facts *a, struct facts *b)
{
    struct unite_map map;
    struct facts there = unite_all((const struct facts *[]){a, b}, 2, &map);
    struct facts back = unite_all((const struct facts *[]){b, a}, 2, &map);
    assert_true(facts_equal(&there, &back));
    return there;
}

/* Of each file: how its run came about, and whether generated code counted. */
static void generated_code_counts_if_it_did_in_each_run(void **state)
{
    static const struct {
        enum run_kind first, second;
        bool first_counts, second_counts, counts;
    } cases[] = {
        {RUN_MEASURED, RUN_MEASURED, true, true, true},
        {RUN_MEASURED, RUN_PARTIAL, true, false, false},
        {RUN_MEASURED, RUN_MEASURED, false, false, false},
        {RUN_PARTIAL, RUN_EXTERNAL, true, false, true},
        {RUN_MEASURED, RUN_CARRIED, true, false, true},
        {RUN_EXTERNAL, RUN_EXTERNAL, false, false, false},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct fact_run runs[] = {{.id = {1}, .kind = cases[i].first},
                                  {.id = {2}, .kind = cases[i].second}};
        const struct facts first = {
            .runs = &runs[0], .run_count = 1, .counts_generated = cases[i].first_counts};
        const struct facts second = {
            .runs = &runs[1], .run_count = 1, .counts_generated = cases[i].second_counts};
        struct unite_map map;
        struct facts all = unite_all((const struct facts *[]){&first, &second}, 2, &map);
        assert_int_equal(all.counts_generated, cases[i].counts);
        all = unite_all((const struct facts *[]){&second, &first}, 2, &map);
        assert_int_equal(all.counts_generated, cases[i].counts);
    }
}

static void what_was_loaded_once_was_loaded(void **state)
{
    struct facts a, b;
    (void)state;
    fixture_facts(&a, &arena);
    fixture_facts(&b, &arena);
    a.modules[FIXTURE_CORE].state = MODULE_NOT_LOADED;
    assert_int_equal(unite_two(&a, &b).modules[FIXTURE_CORE].state, MODULE_INSTRUMENTED);
}

static void module_was_seen_when_it_was_last_seen(void **state)
{
    struct facts a, b;
    (void)state;
    fixture_facts(&a, &arena);
    fixture_facts(&b, &arena);
    a.modules[FIXTURE_CORE].seen = 1;
    b.modules[FIXTURE_CORE].seen = 2;
    assert_int_equal(unite_two(&a, &b).modules[FIXTURE_CORE].seen, 2);
}

static void what_was_excluded_by_name_stays_excluded(void **state)
{
    const struct {
        enum method_state state;
        const struct reason *reason;
    } stronger[] = {
        {METHOD_EXCLUDED, reason_of(REASON_NOT_INCLUDED)},
        {METHOD_DECLINED, reason_of_verdict(VERDICT_DECLINED_ODD_EH)},
        {METHOD_INSTRUMENTED, NULL},
        {METHOD_EXCLUDED, reason_of(REASON_EXCLUDED)},
    };
    (void)state;
    for (size_t weak = 0; weak < ARRAY_LEN(stronger); weak++)
        for (size_t strong = weak; strong < ARRAY_LEN(stronger); strong++) {
            struct facts a, b;
            fixture_facts(&a, &arena);
            fixture_facts(&b, &arena);
            struct fact_method *left = &a.modules[FIXTURE_CORE].methods[8];
            struct fact_method *right = &b.modules[FIXTURE_CORE].methods[8];
            left->state = stronger[weak].state;
            left->reason = stronger[weak].reason;
            right->state = stronger[strong].state;
            right->reason = stronger[strong].reason;
            struct facts both = unite_two(&a, &b);
            assert_int_equal(both.modules[FIXTURE_CORE].methods[8].state, stronger[strong].state);
            assert_true(
                reason_eq(both.modules[FIXTURE_CORE].methods[8].reason, stronger[strong].reason));
        }
}

static void document_that_one_machine_has_is_reported(void **state)
{
    struct facts a, b;
    (void)state;
    fixture_facts(&a, &arena);
    fixture_facts(&b, &arena);
    struct fact_document *missing = &a.modules[FIXTURE_CORE].documents[1];
    missing->relative = STR("");
    missing->reason = reason_of(REASON_NO_SOURCE);
    const struct fact_document *document = &unite_two(&a, &b).modules[FIXTURE_CORE].documents[1];
    assert_str(document->relative, "src/Core/Order.cs");
    assert_null(document->reason);
    b.modules[FIXTURE_CORE].documents[1].reason = reason_of(REASON_EXCLUDED_FILE);
    fixture_facts(&a, &arena);
    document = &unite_two(&a, &b).modules[FIXTURE_CORE].documents[1];
    assert_true(reason_is(document->reason, REASON_EXCLUDED_FILE));
}

static void modules_that_were_not_read_are_distinguished_by_reason(void **state)
{
    struct facts a, b;
    (void)state;
    fixture_facts(&a, &arena);
    fixture_facts(&b, &arena);
    b.modules[FIXTURE_LEGACY].reason = reason_of(REASON_TESTS);
    assert_int_equal(unite_two(&a, &b).module_count, a.module_count + 1);
}

/* Places that decisions of a file have in common would be one each. */
static void more_counts_than_any_module_has_are_refused(void **state)
{
    struct facts facts;
    struct unite unite;
    struct unite_map map, final;
    struct err err = {0};
    (void)state;
    fixture_facts(&facts, &arena);
    struct fact_module *core = &facts.modules[FIXTURE_CORE];
    core->count_len = FACT_COUNTS_LIMIT;
    for (uint32_t i = 0; i < core->decision_count; i++) {
        core->decisions[i].is_switch = true;
        core->decisions[i].expression = 0;
        core->decisions[i].outcome_count = FACT_COUNTS_LIMIT;
        core->decisions[i].first_count = 0;
    }
    assert_true(facts_check(&facts, &err));
    unite_open(&unite, &arena);
    assert_true(unite_add(&unite, &map, &facts, &err));
    assert_failed(unite_finish(&facts, &final, &unite, &err), err, ERR_LIMIT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

static const struct CMUnitTest tests[] = {
    TEST(order_and_grouping_do_not_matter),
    TEST(every_count_of_a_file_has_its_place),
    TEST(memory_does_not_grow_with_the_files),
    TEST(generated_code_counts_if_it_did_in_each_run),
    TEST(what_was_loaded_once_was_loaded),
    TEST(module_was_seen_when_it_was_last_seen),
    TEST(what_was_excluded_by_name_stays_excluded),
    TEST(document_that_one_machine_has_is_reported),
    TEST(modules_that_were_not_read_are_distinguished_by_reason),
    TEST(test_assembly_that_one_run_read_is_one_module),
    TEST(more_counts_than_any_module_has_are_refused),
};
UNIT_TESTS(tests);
