/* test_outline.c - an outline of a report is the report with its lines in brief, and going through
 * its packages gives them whole. */
#include "coverage/report/brief_lines.h"
#include "coverage/report/line_misses.h"
#include "coverage/report/report_build.h"
#include "coverage/report/report_visit.h"
#include "tests/support/check.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/random_facts.h"
#include "tests/support/test_arena.h"

enum {
    WORLDS = 100
};

static struct report build(const struct facts *facts, const struct report_options *options)
{
    struct report report;
    struct err err = {0};
    if (!report_build(&report, facts, options, &arena, &err))
        fail_msg("%s", err.text);
    return report;
}

static void same_totals(const struct report_totals *a, const struct report_totals *b)
{
    assert_memory_equal(a, b, sizeof *a);
}

/* As far as brief ones go. */
static void same_walk(const struct report_lines *brief, const struct report_lines *whole)
{
    struct line_walk a = line_walk_open(brief), b = line_walk_open(whole);
    struct brief_line line, expected;
    assert_int_equal(brief->count, 0);
    while (line_walk_next(&expected, &b)) {
        assert_true(line_walk_next(&line, &a));
        assert_int_equal(line.number, expected.number);
        assert_int_equal(line.hits, expected.hits);
        assert_int_equal(line.outcome_count, expected.outcome_count);
        assert_int_equal(line.covered_count, expected.covered_count);
        assert_int_equal(line.condition_count, expected.condition_count);
        for (uint32_t i = 0; i < line.condition_count; i++) {
            struct brief_condition one = line_walk_condition(&a), other = line_walk_condition(&b);
            assert_int_equal(one.outcome_count, other.outcome_count);
            assert_int_equal(one.covered_count, other.covered_count);
        }
    }
    assert_false(line_walk_next(&line, &a));
}

static void same_condition(const struct report_condition *a, const struct report_condition *b)
{
    assert_int_equal(a->is_switch, b->is_switch);
    assert_int_equal(a->never_asked, b->never_asked);
    assert_int_equal(a->words, b->words);
    assert_int_equal(a->outcome_count, b->outcome_count);
    assert_int_equal(a->covered_count, b->covered_count);
    for (uint32_t i = 0; i < b->outcome_count; i++)
        assert_int_equal(a->outcome_hits[i], b->outcome_hits[i]);
}

/* The outline's, made whole again; those of a report stay what they are. */
static void same_unpacked(const struct report_lines *brief, const struct report_lines *whole)
{
    struct err err = {0};
    struct report_lines lines, untouched;
    assert_true(brief_lines_unpack(&lines, brief, &arena, &err));
    assert_int_equal(lines.count, whole->count);
    for (uint32_t i = 0; i < whole->count; i++) {
        const struct report_line *a = &lines.lines[i], *b = &whole->lines[i];
        assert_int_equal(a->number, b->number);
        assert_int_equal(a->hits, b->hits);
        assert_int_equal(a->outcome_count, b->outcome_count);
        assert_int_equal(a->covered_count, b->covered_count);
        assert_int_equal(a->condition_count, b->condition_count);
        for (uint32_t c = 0; c < b->condition_count; c++)
            same_condition(&a->conditions[c], &b->conditions[c]);
    }
    assert_true(brief_lines_unpack(&untouched, whole, &arena, &err));
    assert_ptr_equal(untouched.lines, whole->lines);
    assert_int_equal(untouched.count, whole->count);
}

static void same_method(const struct report_method *outline, const struct report_method *method)
{
    assert_true(str_eq(outline->name, method->name));
    assert_true(str_eq(outline->signature, method->signature));
    assert_int_equal(outline->first_line, method->lines.lines[0].number);
    assert_int_equal(outline->first_miss, report_first_miss(&method->lines));
    same_walk(&outline->lines, &method->lines);
    same_unpacked(&outline->lines, &method->lines);
    same_totals(&outline->totals, &method->totals);
}

static void same_class(const struct report_class *outline, const struct report_class *class)
{
    assert_true(str_eq(outline->name, class->name));
    assert_true(str_eq(outline->file, class->file));
    assert_int_equal(outline->first_line, class->lines.lines[0].number);
    assert_int_equal(outline->first_miss, report_first_miss(&class->lines));
    same_walk(&outline->lines, &class->lines);
    same_unpacked(&outline->lines, &class->lines);
    assert_int_equal(outline->method_count, class->method_count);
    for (uint32_t i = 0; i < class->method_count; i++)
        same_method(&outline->methods[i], &class->methods[i]);
    same_totals(&outline->totals, &class->totals);
}

static void same_exclusions(const struct report *outline, const struct report *report)
{
    assert_int_equal(outline->exclusion_count, report->exclusion_count);
    for (uint32_t i = 0; i < report->exclusion_count; i++) {
        const struct report_exclusion *a = &outline->exclusions[i], *b = &report->exclusions[i];
        assert_true(str_eq(a->module, b->module) && str_eq(a->file, b->file));
        assert_int_equal(a->first_line, b->first_line);
        assert_int_equal(a->last_line, b->last_line);
        assert_int_equal(a->line_count, b->line_count);
        assert_true(reason_eq(a->reason, b->reason));
    }
}

static void same_report(const struct report *outline, const struct report *report)
{
    assert_int_equal(outline->package_count, report->package_count);
    same_totals(&outline->totals, &report->totals);
    for (uint32_t i = 0; i < report->package_count; i++) {
        const struct report_package *a = &outline->packages[i], *b = &report->packages[i];
        assert_true(str_eq(a->name, b->name));
        assert_int_equal(a->not_loaded, b->not_loaded);
        assert_int_equal(a->module_count, b->module_count);
        assert_int_equal(a->class_count, b->class_count);
        same_totals(&a->totals, &b->totals);
        for (uint32_t c = 0; c < b->class_count; c++)
            same_class(&a->classes[c], &b->classes[c]);
    }
    assert_int_equal(outline->omission_count, report->omission_count);
    same_exclusions(outline, report);
}

/* --- its lines -------------------------------------------------------------------------------- */

struct seen {
    const struct report *report;
    uint32_t class_count;
};

static const struct report_class *find(const struct report *report, struct str package,
                                       const struct report_class *wanted)
{
    static const struct report_class none;
    for (uint32_t i = 0; i < report->package_count; i++)
        for (uint32_t c = 0; c < report->packages[i].class_count; c++) {
            const struct report_class *class = &report->packages[i].classes[c];
            if (str_eq(report->packages[i].name, package) && str_eq(class->name, wanted->name) &&
                str_eq(class->file, wanted->file))
                return class;
        }
    fail_msg("no class %.*s", STR_ARGS(wanted->name));
    return &none;
}

static void same_lines(const struct report_lines *a, const struct report_lines *b)
{
    assert_int_equal(a->count, b->count);
    for (uint32_t i = 0; i < b->count; i++) {
        assert_int_equal(a->lines[i].number, b->lines[i].number);
        assert_int_equal(a->lines[i].hits, b->lines[i].hits);
        assert_int_equal(a->lines[i].condition_count, b->lines[i].condition_count);
        assert_int_equal(a->lines[i].covered_count, b->lines[i].covered_count);
    }
}

static bool compare_package(void *context, const struct report_package *package)
{
    struct seen *seen = context;
    for (uint32_t i = 0; i < package->class_count; i++) {
        const struct report_class *class = &package->classes[i];
        same_lines(&class->lines, &find(seen->report, package->name, class)->lines);
        seen->class_count++;
    }
    return true;
}

static uint32_t count_classes(const struct report *report)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < report->package_count; i++)
        count += report->packages[i].class_count;
    return count;
}

static void compare(const struct facts *facts, struct report_options options)
{
    struct report report = build(facts, &options);
    struct report_options outlined = options;
    outlined.outline = true;
    struct report outline = build(facts, &outlined);
    same_report(&outline, &report);
    const struct report *both[] = {&report, &outline};
    for (size_t i = 0; i < ARRAY_LEN(both); i++) {
        struct seen seen = {&report, 0};
        struct err err = {0};
        if (!report_each_package(both[i], compare_package, &seen, &err))
            fail_msg("%s", err.text);
        assert_int_equal(seen.class_count, count_classes(&report));
    }
}

static void outline_of_the_fixture_is_the_report_with_brief_lines(void **state)
{
    struct facts facts;
    (void)state;
    fixture_facts(&facts, &arena);
    compare(&facts, (struct report_options){0});
    compare(&facts,
            (struct report_options){.exclude_files = &STR("src/Core/*"), .exclude_file_count = 1});
    compare(&facts, (struct report_options){.real_only = true});
}

static void outline_of_any_world_is_the_report_with_brief_lines(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= repeated(WORLDS); seed++) {
        struct facts facts;
        uint64_t random = seed;
        random_world(&facts, &random, &arena);
        compare(&facts, (struct report_options){0});
        arena_reset(&arena);
    }
}

static bool refuse(void *context, const struct report_package *package)
{
    (void)package;
    return err_set(context, ERR_IO, "enough");
}

static void a_visit_ends_where_it_is_refused(void **state)
{
    struct facts facts;
    (void)state;
    fixture_facts(&facts, &arena);
    for (int outline = 0; outline < 2; outline++) {
        struct err err = {0};
        const struct report_options options = {.outline = outline != 0};
        struct report report = build(&facts, &options);
        assert_failed(report_each_package(&report, refuse, &err, &err), err, ERR_IO);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(outline_of_the_fixture_is_the_report_with_brief_lines),
        TEST(outline_of_any_world_is_the_report_with_brief_lines),
        TEST(a_visit_ends_where_it_is_refused),
    };
    return cmocka_run_group_tests_name("outline", tests, NULL, NULL);
}
