/* Several builds of one assembly in a report: method by method where the code is the same, line by
 * line where it is not. */
#include "coverage/merge/fold_builds.h"

#include "tests/support/check.h"
#include "tests/support/whole_report.h"

enum {
    BUILDS = 2000,
    METHODS = 3,
    MEMORY_A_BUILD = 8 << 10
};

/* Each method has an entry, whose count is that of its statement too, and a condition on its
 * line. */
struct world {
    struct arena arena;
    struct facts facts;
    struct fact_module modules[BUILDS];
    struct fact_document documents[BUILDS];
    struct fact_method methods[BUILDS][METHODS];
    struct fact_statement statements[BUILDS][METHODS];
    struct fact_decision decisions[BUILDS][METHODS];
    struct fact_run runs[2];
    struct fact_counts counts[BUILDS];
    uint64_t values[BUILDS][METHODS * 3];
};

static struct world world;

static int open_world(void **state)
{
    (void)state;
    memset(&world, 0, sizeof world); /* too large for the stack, in memcheck's eyes */
    world.runs[0] = (struct fact_run){.id = {1}};
    world.runs[1] = (struct fact_run){.id = {2}, .kind = RUN_CARRIED};
    arena_init(&world.arena, NULL, 0, ARENA_NO_LIMIT);
    world.facts = (struct facts){.modules = world.modules,
                                 .runs = world.runs,
                                 .run_count = 2,
                                 .counts = world.counts,
                                 .counts_count = 0};
    return 0;
}

static int close_world(void **state)
{
    (void)state;
    arena_free(&world.arena);
    return 0;
}

/* Methods A, B, C on lines `first`, + 10, + 20; hit `hits` times in `run`. */
static uint32_t build(int64_t seen, uint32_t first, uint64_t hits, uint32_t run)
{
    uint32_t b = world.facts.module_count++;
    struct fact_module *m = &world.modules[b];
    world.documents[b] = (struct fact_document){.path = STR("/r/A.cs"), .relative = STR("A.cs")};
    *m = (struct fact_module){.name = STR("Lib"),
                              .mvid = {(uint8_t)(b + 1)},
                              .identity = {(uint8_t)(b + 1)},
                              .seen = seen,
                              .documents = &world.documents[b],
                              .document_count = 1,
                              .methods = world.methods[b],
                              .method_count = METHODS,
                              .statements = world.statements[b],
                              .statement_count = METHODS,
                              .decisions = world.decisions[b],
                              .decision_count = METHODS,
                              .count_len = METHODS * 3};
    for (uint32_t i = 0; i < METHODS; i++) {
        static const char *const names[METHODS] = {"A", "B", "C"};
        uint32_t line = first + i * 10;
        m->methods[i] = (struct fact_method){.token = 0x06000001 + i,
                                             .type = STR("T"),
                                             .name = str_of(names[i]),
                                             .signature = STR("()"),
                                             .user_method = i,
                                             .entry_count = i * 3,
                                             .body = {7, (uint8_t)i}};
        m->statements[i] =
            (struct fact_statement){i, 0, 0, line, line, 9, 20, i * 3, {0, {0}}, NULL, {NULL, 0}};
        m->decisions[i] = (struct fact_decision){.method = i,
                                                 .il_offset = 2,
                                                 .line = line,
                                                 .outcome_count = 2,
                                                 .first_count = i * 3 + 1,
                                                 .span = {line, line, 0, 0}};
        world.values[b][i * 3] = hits;
        world.values[b][i * 3 + 1] = b == 0 ? hits : 0;
        world.values[b][i * 3 + 2] = b == 0 ? 0 : hits;
    }
    if (hits != 0)
        world.counts[world.facts.counts_count++] = (struct fact_counts){run, b, world.values[b]};
    return b;
}

/* "A 1:3(2/2) B 11:3" */
static const char *report(void)
{
    struct report made;
    struct report_options options = {.timestamp = 0};
    struct err err = {0};
    struct str drawn;
    assert_true(facts_check(&world.facts, &err));
    assert_true(whole_report_build(&made, &world.facts, &options, &world.arena, &err));
    struct text text = text_in(&world.arena);
    for (uint32_t m = 0; made.package_count == 1 && m < made.packages->classes->method_count; m++) {
        const struct report_method *method = &made.packages->classes->methods[m];
        text_addf(&text, "%s%.*s", m == 0 ? "" : " ", STR_ARGS(method->name));
        for (uint32_t i = 0; i < method->lines.count; i++)
            text_addf(&text, " %u:%llu(%u/%u)", method->lines.lines[i].number,
                      (unsigned long long)method->lines.lines[i].hits,
                      method->lines.lines[i].covered_count, method->lines.lines[i].outcome_count);
    }
    assert_true(text_take(&drawn, &text, &err));
    return drawn.text;
}

static void same_code_is_listed_once_where_the_newest_build_has_it(void **state)
{
    (void)state;
    (void)build(20, 101, 1, 0);
    (void)build(10, 1, 2, 0);
    assert_string_equal(report(), "A 101:3(2/2) B 111:3(2/2) C 121:3(2/2)");
    world.modules[1].seen = 30;
    assert_string_equal(report(), "A 1:3(2/2) B 11:3(2/2) C 21:3(2/2)");
}

static void other_code_is_united_by_line(void **state)
{
    (void)state;
    (void)build(20, 1, 1, 0);
    uint32_t old = build(10, 1, 2, 0);
    world.methods[old][1].body[2] = 9;
    assert_string_equal(report(), "A 1:3(2/2) B 11:3(2/2) C 21:3(2/2)");
    world.statements[old][1].start_line = world.statements[old][1].end_line = 15;
    world.decisions[old][1].line = 15;
    assert_string_equal(report(), "A 1:3(2/2) B 11:1(1/2) 15:2(1/2) C 21:3(2/2)");
}

static void code_that_is_not_known_is_not_the_same(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t b = build(20 - i, 1 + i * 100, 1, 0);
        for (uint32_t k = 0; k < METHODS; k++)
            memset(world.methods[b][k].body, 0, FACT_BODY_LEN);
    }
    assert_string_equal(report(), "A 1:1(1/2) 101:1(1/2) B 11:1(1/2) 111:1(1/2) C 21:1(1/2) "
                                  "121:1(1/2)");
}

/* What folding takes for one build more must not grow with the builds that are there: a program may
 * load thousands of assemblies of one name. */
static void thousands_of_builds_take_memory_in_proportion(void **state)
{
    static struct build_part parts[BUILDS];
    static struct sums sums[BUILDS];
    static uint32_t owner_of[BUILDS][METHODS];
    static const uint32_t file_of[] = {0};
    struct arena scratch;
    struct err err = {0};
    (void)state;
    arena_init(&scratch, NULL, 0, (size_t)BUILDS * MEMORY_A_BUILD);
    for (uint32_t b = 0; b < BUILDS; b++) {
        (void)build(BUILDS - b, 1 + b, 1, 0);
        assert_true(sums_make(&sums[b], &world.facts, b, SUMS_REAL, &world.arena, &err));
        for (uint32_t i = 0; i < METHODS; i++)
            owner_of[b][i] = i;
        parts[b] = (struct build_part){&world.modules[b], &sums[b], owner_of[b], file_of};
        world.methods[b][1].body[2] = b % 2 != 0; /* two kinds of code */
    }
    if (!fold_builds(parts, BUILDS, &scratch, &err))
        fail_msg("%s", err.text);
    assert_int_equal(sums[0].counts[0], BUILDS);
    assert_int_equal(sums[0].counts[3], BUILDS / 2);
    assert_int_equal(sums[1].counts[3], BUILDS / 2);
    for (uint32_t b = 1; b < BUILDS; b++) {
        assert_int_equal(owner_of[b][0], NO_INDEX);
        assert_int_equal(owner_of[b][1], b == 1 ? 1 : NO_INDEX);
    }
    arena_free(&scratch);
}

static void three_builds_are_one(void **state)
{
    (void)state;
    (void)build(10, 1, 1, 0);
    (void)build(30, 101, 2, 0);
    uint32_t last = build(20, 201, 4, 0);
    world.methods[1][0].body[2] = 1; /* the newest A is edited: the other two are alike still */
    assert_string_equal(report(), "A 101:2(1/2) 201:5(2/2) B 111:7(2/2) C 121:7(2/2)");
    world.methods[last][0].state = METHOD_EXCLUDED;
    assert_string_equal(report(), "A 1:1(1/2) 101:2(1/2) B 111:7(2/2) C 121:7(2/2)");
}

static void source_that_the_newest_build_does_not_show_leaves_the_older(void **state)
{
    (void)state;
    uint32_t newest = build(20, 101, 1, 0);
    (void)build(10, 1, 2, 0);
    world.documents[newest].reason = reason_of(REASON_NO_SOURCE);
    assert_string_equal(report(), "A 1:2(1/2) B 11:2(1/2) C 21:2(1/2)");
}

/* Whichever of the two is newer. */
static void real_counts_of_a_build_beat_what_was_carried_to_another(void **state)
{
    (void)state;
    (void)build(20, 1, 5, 1);
    (void)build(10, 1, 2, 0);
    assert_string_equal(report(), "A 1:2(1/2) B 11:2(1/2) C 21:2(1/2)");
    world.modules[1].seen = 30;
    assert_string_equal(report(), "A 1:2(1/2) B 11:2(1/2) C 21:2(1/2)");
    world.counts[1].run = 1;
    assert_string_equal(report(), "A 1:7(2/2) B 11:7(2/2) C 21:7(2/2)");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)

static const struct CMUnitTest tests[] = {
    TEST(same_code_is_listed_once_where_the_newest_build_has_it),
    TEST(other_code_is_united_by_line),
    TEST(code_that_is_not_known_is_not_the_same),
    TEST(three_builds_are_one),
    TEST(thousands_of_builds_take_memory_in_proportion),
    TEST(source_that_the_newest_build_does_not_show_leaves_the_older),
    TEST(real_counts_of_a_build_beat_what_was_carried_to_another),
};
UNIT_TESTS(tests);
