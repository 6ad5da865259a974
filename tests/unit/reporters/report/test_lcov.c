/* test_lcov.c - tracefiles say what the report holds, in a form that naive readers survive. */
#include "coverage/external/external_reader.h"
#include "reporters/report/report_formats.h"

#include "tests/support/check.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/test_arena.h"
#include "tests/support/whole_report.h"
#include "tests/support/written.h"

static struct str written(const struct report *report)
{
    const struct format_job job = {.report = report};
    return written_by(format_find(report_formats, STR("lcov")), &job, &arena);
}

/* An `if` on line 5 of Shop/Order.cs, as one assembly has it. */
struct assembly {
    uint64_t outcome_hits[3];
    struct report_condition condition;
    struct report_line lines[3];
    struct report_method methods[2];
    struct report_class class;
    struct report_package package;
};

static void make_assembly(struct assembly *a, const char *name, uint64_t calls, uint64_t taken)
{
    *a = (struct assembly){.outcome_hits = {calls - taken, taken}};
    a->condition =
        (struct report_condition){.outcome_count = 2,
                                  .covered_count = (calls > taken ? 1U : 0U) + (taken != 0),
                                  .outcome_hits = a->outcome_hits};
    a->lines[0] = (struct report_line){.number = 5,
                                       .hits = calls,
                                       .conditions = &a->condition,
                                       .condition_count = 1,
                                       .outcome_count = 2,
                                       .covered_count = a->condition.covered_count};
    a->lines[1] = (struct report_line){.number = 6, .hits = taken};
    a->lines[2] = (struct report_line){.number = 9};
    a->methods[0] =
        (struct report_method){.display = {.name = STR("Total"), .signature = STR("(int, bool)")},
                               .lines = {.lines = a->lines, .count = 2}};
    a->methods[1] =
        (struct report_method){.display = {.name = STR("Cancel"), .signature = STR("()")},
                               .lines = {.lines = &a->lines[2], .count = 1}};
    a->class = (struct report_class){.name = STR("Shop.Order"),
                                     .display_name = STR("Shop.Order"),
                                     .file = STR("Shop/Order.cs"),
                                     .methods = a->methods,
                                     .method_count = 2,
                                     .lines = {.lines = a->lines, .count = 3}};
    a->package = (struct report_package){
        .name = {name, strlen(name)}, .classes = &a->class, .class_count = 1};
}

static void record_has_methods_branches_and_lines(void **state)
{
    struct assembly a;
    (void)state;
    make_assembly(&a, "Shop", 7, 2);
    const struct report report = {.packages = &a.package, .package_count = 1};
    assert_string_equal(written(&report).text, "TN:\n"
                                               "SF:Shop/Order.cs\n"
                                               "FN:5,Shop.Order.Total(int; bool)\n"
                                               "FN:9,Shop.Order.Cancel()\n"
                                               "FNDA:7,Shop.Order.Total(int; bool)\n"
                                               "FNDA:0,Shop.Order.Cancel()\n"
                                               "FNF:2\n"
                                               "FNH:1\n"
                                               "BRDA:5,0,0,5\n"
                                               "BRDA:5,0,1,2\n"
                                               "BRF:2\n"
                                               "BRH:2\n"
                                               "DA:5,7\n"
                                               "DA:6,2\n"
                                               "DA:9,0\n"
                                               "LF:3\n"
                                               "LH:2\n"
                                               "end_of_record\n");
}

static void file_of_two_assemblies_has_one_record(void **state)
{
    struct assembly a[2];
    (void)state;
    make_assembly(&a[0], "Shop", 7, 0);
    make_assembly(&a[1], "Shop.Tests", 3, 3);
    struct report_package packages[] = {a[0].package, a[1].package};
    const struct report report = {.packages = packages, .package_count = 2};
    const char *text = written(&report).text;
    assert_non_null(strstr(text, "FNDA:10,Shop.Order.Total(int; bool)\n"
                                 "FNDA:0,Shop.Order.Cancel()\n"
                                 "FNF:2\n"
                                 "FNH:1\n"
                                 "BRDA:5,0,0,7\n"
                                 "BRDA:5,0,1,3\n"
                                 "BRF:2\n"
                                 "BRH:2\n"
                                 "DA:5,10\n"
                                 "DA:6,3\n"
                                 "DA:9,0\n"));
    assert_null(strstr(strstr(text, "SF:") + 1, "SF:"));
    assert_int_equal(a[0].condition.covered_count, 1); /* the report keeps its own */
}

/* An `#if` gave the second assembly another condition. */
static void of_unlike_conditions_those_with_more_outcomes_stay(void **state)
{
    struct assembly a[2];
    (void)state;
    make_assembly(&a[0], "Shop", 7, 0);
    make_assembly(&a[1], "Shop.Tests", 3, 1);
    a[1].outcome_hits[2] = 4;
    a[1].condition.outcome_count = a[1].lines[0].outcome_count = 3;
    a[1].condition.covered_count = a[1].lines[0].covered_count = 3;
    struct report_package packages[] = {a[0].package, a[1].package};
    const struct report report = {.packages = packages, .package_count = 2};
    assert_non_null(strstr(written(&report).text, "BRDA:5,0,0,2\n"
                                                  "BRDA:5,0,1,1\n"
                                                  "BRDA:5,0,2,4\n"
                                                  "BRF:3\n"
                                                  "BRH:3\n"
                                                  "DA:5,10\n"));
}

static void condition_that_was_never_asked_has_dashes(void **state)
{
    struct assembly a;
    (void)state;
    make_assembly(&a, "Shop", 0, 0);
    const struct report report = {.packages = &a.package, .package_count = 1};
    assert_non_null(strstr(written(&report).text, "BRDA:5,0,0,-\nBRDA:5,0,1,-\nBRF:2\nBRH:0\n"));
    a.lines[0].hits = 1; /* the line ran, but not as far as that; genhtml wants numbers */
    a.condition.never_asked = true;
    assert_non_null(strstr(written(&report).text, "BRDA:5,0,0,0\nBRDA:5,0,1,0\nBRF:2\nBRH:0\n"));
    struct report_condition both[] = {a.condition, a.condition};
    both[0].never_asked = false;
    a.lines[0].conditions = both;
    a.lines[0].condition_count = 2;
    assert_non_null(
        strstr(written(&report).text, "BRDA:5,0,0,0\nBRDA:5,0,1,0\nBRDA:5,1,0,-\nBRDA:5,1,1,-\n"));
}

/* genhtml refuses one name on two lines. */
static void namesakes_have_their_lines_in_their_names(void **state)
{
    struct assembly a;
    (void)state;
    make_assembly(&a, "Shop", 7, 2);
    a.methods[1].display = a.methods[0].display;
    const struct report report = {.packages = &a.package, .package_count = 1};
    assert_non_null(strstr(written(&report).text, "FN:5,Shop.Order.Total(int; bool) (line 5)\n"
                                                  "FN:9,Shop.Order.Total(int; bool) (line 9)\n"
                                                  "FNDA:7,Shop.Order.Total(int; bool) (line 5)\n"
                                                  "FNDA:0,Shop.Order.Total(int; bool) (line 9)\n"));
}

static void values_end_with_their_line(void **state)
{
    struct assembly a;
    (void)state;
    make_assembly(&a, "Shop", 7, 2);
    a.class.file = STR("a\nDA:1,1\r,b.cs");
    a.methods[0].display.name = STR("\x01T\nend_of_record");
    const struct report report = {.packages = &a.package, .package_count = 1};
    const char *text = written(&report).text;
    assert_non_null(strstr(text, "SF:a\xEF\xBF\xBD"
                                 "DA:1,1\xEF\xBF\xBD,b.cs\n"));
    assert_non_null(strstr(text, "FN:5,Shop.Order.\xEF\xBF\xBDT\xEF\xBF\xBD"
                                 "end_of_record(int; bool)\n"));
}

static void counts_fit_into_an_int(void **state)
{
    struct assembly a;
    (void)state;
    make_assembly(&a, "Shop", UINT64_MAX, 2);
    const struct report report = {.packages = &a.package, .package_count = 1};
    const char *text = written(&report).text;
    assert_non_null(strstr(text, "DA:5,2147483647\n"));
    assert_non_null(strstr(text, "BRDA:5,0,0,2147483647\n"));
    assert_non_null(strstr(text, "FNDA:2147483647,"));
}

/* Where the first line of a method did not run but others did, as after a `goto` into a loop that
 * was shared, the method ran. */
static void method_whose_first_line_did_not_run_ran_if_others_did(void **state)
{
    struct assembly a;
    (void)state;
    make_assembly(&a, "Shop", 0, 0);
    a.lines[1].hits = 4;
    const struct report report = {.packages = &a.package, .package_count = 1};
    assert_non_null(strstr(written(&report).text, "FNDA:4,Shop.Order.Total(int; bool)\n"));
}

/* --- read back -------------------------------------------------------------------------------- */

static struct report report_of(const struct facts *facts)
{
    struct report report;
    static const struct report_options options = {.timestamp = 1700000123};
    assert_true(whole_report_build(&report, facts, &options, &arena, NULL));
    return report;
}

static const struct external_file *file_named(const struct external *external, struct str path)
{
    for (uint32_t i = 0; i < external->file_count; i++)
        if (str_eq(external->files[i].path, path))
            return &external->files[i];
    return NULL;
}

static const struct external_line *line_numbered(const struct external_file *file, uint32_t number)
{
    for (uint32_t i = 0; file != NULL && i < file->line_count; i++)
        if (file->lines[i].number == number)
            return &file->lines[i];
    return NULL;
}

static bool is_shared(const struct report *report, struct str file)
{
    uint32_t packages = 0;
    for (uint32_t p = 0; p < report->package_count; p++)
        for (uint32_t c = 0; c < report->packages[p].class_count; c++)
            if (str_eq(report->packages[p].classes[c].file, file)) {
                packages++;
                break;
            }
    return packages > 1;
}

/* Each line and branch of the report is one of the tracefile, and no more. */
static void assert_read_back(const struct report *report)
{
    struct external external;
    struct str text = written(report);
    uint64_t lines = 0, expected = 0;
    assert_true(external_read(&external, (struct view){(const uint8_t *)text.text, text.len},
                              &arena, NULL));
    for (uint32_t i = 0; i < external.file_count; i++)
        lines += external.files[i].line_count;
    for (uint32_t p = 0; p < report->package_count; p++)
        for (uint32_t c = 0; c < report->packages[p].class_count; c++) {
            const struct report_class *class = &report->packages[p].classes[c];
            assert_false(is_shared(report, class->file));
            expected += class->lines.count;
            for (uint32_t i = 0; i < class->lines.count; i++) {
                const struct report_line *line = &class->lines.lines[i];
                const struct external_line *read =
                    line_numbered(file_named(&external, class->file), line->number);
                assert_non_null(read);
                assert_int_equal(read->hits != 0, line->hits != 0);
                assert_int_equal(read->outcome_count, line->outcome_count);
                assert_int_equal(read->covered_count, line->covered_count);
            }
        }
    assert_int_equal(lines, expected);
}

static void our_own_reader_reads_the_lines_and_branches_of_the_report(void **state)
{
    struct facts facts;
    (void)state;
    fixture_large(&facts, 100, &arena);
    struct report report = report_of(&facts);
    assert_read_back(&report);
}

static void empty_report_is_a_tracefile_without_records(void **state)
{
    const struct report report = {.package_count = 0};
    (void)state;
    assert_string_equal(written(&report).text, "TN:\n");
}

/* Readers take a file for as many as it has records, and few know what came later. */
static void grammar_is_that_of_all_readers(void **state)
{
    static const char *const later[] = {"\nFNL:", "\nFNA:", "\nVER:", "\nMCDC:", "\n#"};
    const struct line_tests tests = {1, BYTES_VIEW(0, 1)};
    struct assembly a;
    (void)state;
    make_assembly(&a, "Shop", 7, 2);
    a.lines[0].tests = &tests;
    const struct report report = {.packages = &a.package, .package_count = 1};
    const char *text = written(&report).text;
    for (size_t i = 0; i < ARRAY_LEN(later); i++)
        assert_null(strstr(text, later[i]));
    assert_null(strstr(strstr(text, "TN:") + 1, "TN:"));
    assert_null(strstr(strstr(text, "SF:") + 1, "SF:"));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(record_has_methods_branches_and_lines),
    cmocka_unit_test(file_of_two_assemblies_has_one_record),
    cmocka_unit_test(of_unlike_conditions_those_with_more_outcomes_stay),
    cmocka_unit_test(condition_that_was_never_asked_has_dashes),
    cmocka_unit_test(namesakes_have_their_lines_in_their_names),
    cmocka_unit_test(values_end_with_their_line),
    cmocka_unit_test(counts_fit_into_an_int),
    cmocka_unit_test(method_whose_first_line_did_not_run_ran_if_others_did),
    cmocka_unit_test(our_own_reader_reads_the_lines_and_branches_of_the_report),
    cmocka_unit_test(empty_report_is_a_tracefile_without_records),
    cmocka_unit_test(grammar_is_that_of_all_readers),
};
UNIT_TESTS_WITH(tests, open_arena, close_arena);
