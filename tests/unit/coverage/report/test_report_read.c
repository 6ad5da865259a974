/* test_report_read.c - going through a report in any order passes each class once, with the lines
 * that its totals count. */
#include "coverage/report/report_read.h"

#include "coverage/report/package_visit.h"
#include "coverage/report/report_build.h"
#include "tests/support/check.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/hand_facts.h"
#include "tests/support/random_facts.h"
#include "tests/support/test_arena.h"

enum {
    WORLDS = 100,
    CLASSES_MOST = 4000
};

static const enum report_order orders[] = {REPORT_BY_FILE, REPORT_BY_PACKAGE, REPORT_BY_CLASS,
                                           REPORT_BY_MISSES};

static struct report build(const struct facts *facts, const struct report_options *options)
{
    struct report report;
    struct err err = {0};
    if (!report_build(&report, facts, options, &arena, &err))
        fail_msg("%s", err.text);
    return report;
}

/* What was read in one order. */
struct seen {
    const struct report *report;
    struct report_files files;
    uint32_t next, class_count, call_count;
    uint64_t lines[CLASSES_MOST]; /* of each class of the report: all that its lines say */
};

static uint64_t mix(uint64_t sum, uint64_t value)
{
    return (sum ^ value) * UINT64_C(1099511628211);
}

static uint64_t sum_of(const struct report_lines *lines)
{
    uint64_t sum = lines->count;
    for (uint32_t i = 0; i < lines->count; i++) {
        const struct report_line *line = &lines->lines[i];
        sum = mix(mix(mix(sum, line->number), line->hits), line->missed_count);
        sum = mix(sum, line->why != NULL ? line->why->root_count : 9);
        for (uint32_t c = 0; c < line->condition_count; c++)
            for (uint32_t o = 0; o < line->conditions[c].outcome_count; o++)
                sum = mix(sum, line->conditions[c].outcome_hits[o]);
    }
    return sum;
}

static void check_lines(const struct report_lines *lines, const struct report_totals *totals,
                        uint32_t first_line, uint32_t first_miss)
{
    struct report_totals found = {0};
    for (uint32_t i = 0; i < lines->count; i++) {
        found.lines_valid++;
        found.lines_covered += lines->lines[i].hits != 0;
        found.branches_valid += lines->lines[i].outcome_count;
        found.branches_covered += lines->lines[i].covered_count;
    }
    assert_int_equal(found.lines_valid, totals->lines_valid);
    assert_int_equal(found.lines_covered, totals->lines_covered);
    assert_int_equal(found.branches_valid, totals->branches_valid);
    assert_int_equal(found.branches_covered, totals->branches_covered);
    assert_int_equal(first_line, lines->lines[0].number);
    assert_int_equal(first_miss, report_first_miss(lines));
}

/* The place of the class among all of the report, which has its totals. */
static uint32_t place_of(const struct seen *seen, const struct report_package *package,
                         const struct report_class *class)
{
    uint32_t place = 0;
    for (const struct report_package *p = seen->report->packages; p < package; p++)
        place += p->class_count;
    for (uint32_t i = 0; i < package->class_count; i++) {
        const struct report_class *own = &package->classes[i];
        if (!str_eq(own->name, class->name) || !str_eq(own->file, class->file))
            continue;
        assert_int_equal(own->lines.count, 0);
        check_lines(&class->lines, &own->totals, own->first_line, own->first_miss);
        assert_int_equal(own->method_count, class->method_count);
        for (uint32_t m = 0; m < own->method_count; m++) {
            const struct report_method *method = &own->methods[m];
            assert_true(str_eq(method->name, class->methods[m].name));
            assert_int_equal(method->lines.count, 0);
            check_lines(&class->methods[m].lines, &method->totals, method->first_line,
                        method->first_miss);
        }
        return place + i;
    }
    fail_msg("no class %.*s", STR_ARGS(class->name));
    return 0;
}

static bool look(void *context, const struct report_file *files, uint32_t count)
{
    struct seen *seen = context;
    const struct report_file *next = &seen->files.files[seen->next];
    seen->call_count++;
    assert_true(seen->next == 0 || !str_eq(next[-1].path, files->path)); /* all of a path */
    for (uint32_t i = 0; i < count; i++) {
        assert_true(str_eq(files[i].path, next[i].path));
        assert_ptr_equal(files[i].package, next[i].package);
        assert_int_equal(files[i].class_count, next[i].class_count);
        for (uint32_t c = 0; c < files[i].class_count; c++) {
            const struct report_class *class = files[i].classes[c];
            uint64_t *lines = &seen->lines[place_of(seen, files[i].package, class)];
            assert_int_equal(*lines, 0);
            *lines = sum_of(&class->lines) | 1;
            seen->class_count++;
        }
    }
    seen->next += count;
    return true;
}

static void check_orders(const struct facts *facts, struct report_options options)
{
    struct report report = build(facts, &options);
    static struct seen all[ARRAY_LEN(orders)];
    uint32_t class_count = 0;
    for (uint32_t i = 0; i < report.package_count; i++)
        class_count += report.packages[i].class_count;
    assert_true(class_count <= CLASSES_MOST);
    for (size_t i = 0; i < ARRAY_LEN(orders); i++) {
        struct err err = {0};
        struct seen *seen = &all[i];
        *seen = (struct seen){.report = &report};
        assert_true(report_files_ordered(&seen->files, &report, orders[i], &arena, &err));
        if (!report_read(&report, seen->files.files, seen->files.count, look, seen, &err))
            fail_msg("%s", err.text);
        assert_int_equal(seen->class_count, class_count);
        assert_memory_equal(seen->lines, all[0].lines, class_count * sizeof *seen->lines);
    }
}

static void every_order_passes_each_class_of_the_fixture_once(void **state)
{
    struct facts facts;
    (void)state;
    fixture_facts(&facts, &arena);
    check_orders(&facts, (struct report_options){0});
    check_orders(&facts, (struct report_options){.exclude_files = &STR("src/Core/*"),
                                                 .exclude_file_count = 1});
    check_orders(&facts, (struct report_options){.real_only = true});
}

/* The first file of each assembly is one that all have compiled. */
static void share_file(struct facts *facts)
{
    for (uint32_t i = 0; i < facts->module_count; i++)
        facts->modules[i].documents[0].relative = STR("Shared/File.cs");
}

/* Builds that differ, files that several assemblies have, assemblies without a line. */
static void every_order_passes_each_class_of_any_world_once(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= repeated(WORLDS); seed++) {
        struct facts facts;
        uint64_t random = seed;
        random_world(&facts, &random, &arena);
        check_orders(&facts, (struct report_options){0});
        share_file(&facts);
        check_orders(&facts, (struct report_options){0});
        arena_reset(&arena);
    }
}

/* Three files that do not go into one slice together, and the first again in another assembly. */
static void what_is_larger_than_a_slice_is_passed_whole(void **state)
{
    static const char *const names[] = {"A", "B", "C", "D"};
    static const struct str paths[] = {{"a.cs", 4}, {"b.cs", 4}, {"c.cs", 4}, {"a.cs", 4}};
    struct hand hand;
    (void)state;
    hand_open(&hand, &arena);
    (void)hand_run(&hand, 1, RUN_MEASURED);
    for (uint8_t i = 0; i < ARRAY_LEN(names); i++) {
        hand_module(&hand, names[i], i);
        (void)hand_method(&hand, "N.C", "M", "()", "a");
    }
    hand_lay_out(&hand);
    for (uint32_t i = 0; i < ARRAY_LEN(names); i++) {
        struct fact_module *module = &hand.facts.modules[i];
        module->documents->relative = paths[i];
        module->statements->end_line = module->statements->start_line + SLICE_LINES * 3 / 4;
        (void)hand_counts(&hand, 0, i);
    }
    check_orders(&hand.facts, (struct report_options){.root = STR("/r")});
}

static bool refuse(void *context, const struct report_file *files, uint32_t count)
{
    (void)files;
    (void)count;
    return err_set(context, ERR_IO, "enough");
}

static void reading_ends_where_it_is_refused(void **state)
{
    struct facts facts;
    struct err err = {0};
    struct report_files files;
    const struct report_options options = {0};
    (void)state;
    fixture_facts(&facts, &arena);
    struct report report = build(&facts, &options);
    assert_true(report_files_list(&files, &report, &arena, &err));
    assert_failed(report_read(&report, files.files, files.count, refuse, &err, &err), err, ERR_IO);
    assert_true(report_read(&report, files.files, 0, refuse, &err, &err));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

static const struct CMUnitTest tests[] = {
    TEST(every_order_passes_each_class_of_the_fixture_once),
    TEST(every_order_passes_each_class_of_any_world_once),
    TEST(what_is_larger_than_a_slice_is_passed_whole),
    TEST(reading_ends_where_it_is_refused),
};
UNIT_TESTS(tests);
