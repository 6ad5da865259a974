/* test_outline_formats.c - a format that takes the outline of a report writes of it what it writes
 * of the report. */
#include "coverage/report/report_build.h"
#include "reporters/report/report_formats.h"
#include "tests/support/check.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/random_facts.h"
#include "tests/support/test_arena.h"
#include "tests/support/written.h"

enum {
    WORLDS = 40
};

static struct str written(const struct format *format, const struct facts *facts, bool outline)
{
    const struct report_options options = {.outline = outline};
    struct report report;
    struct err err = {0};
    if (!report_build(&report, facts, &options, &arena, &err))
        fail_msg("%s", err.text);
    assert_int_equal(report.is_outline, outline);
    const struct format_job job = {.report = &report};
    return written_by(format, &job, &arena);
}

static void compare(const struct facts *facts, uint64_t seed)
{
    for (const struct format *format = report_formats; format->name != NULL; format++) {
        if (!format->takes_outline || format->output == DESTINATION_DIRECTORY)
            continue;
        if (!str_eq(written(format, facts, true), written(format, facts, false)))
            fail_msg("%s of world %llu", format->name, (unsigned long long)seed);
    }
}

static void outline_of_the_fixture_is_written_as_its_report(void **state)
{
    struct facts facts;
    (void)state;
    fixture_facts(&facts, &arena);
    compare(&facts, 0);
}

/* The first file of each assembly is one that all have compiled. */
static void share_file(struct facts *facts)
{
    for (uint32_t i = 0; i < facts->module_count; i++)
        facts->modules[i].documents[0].relative = STR("Shared/File.cs");
}

/* Builds that differ, files that several assemblies have, assemblies without a line. */
static void outline_of_any_world_is_written_as_its_report(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= repeated(WORLDS); seed++) {
        struct facts facts;
        uint64_t random = seed;
        random_world(&facts, &random, &arena);
        compare(&facts, seed);
        share_file(&facts);
        compare(&facts, seed);
        arena_reset(&arena);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(outline_of_the_fixture_is_written_as_its_report),
        TEST(outline_of_any_world_is_written_as_its_report),
    };
    return cmocka_run_group_tests_name("outline formats", tests, NULL, NULL);
}
