/* What a gate asks for, and when it fails. */
#include "coverage/diff/diff_build.h"
#include "coverage/diff/gate_places.h"
#include "tests/support/check.h"
#include "tests/support/test_arena.h"

/* --- reading ---------------------------------------------------------------------------------- */

static const struct {
    const char *text, *assembly;
    enum gate_metric metric;
    enum gate_operator op;
    bool is_relative;
    int64_t value;
} gates[] = {
    {"line>=80", "", GATE_LINE, GATE_AT_LEAST, false, 8000},
    {"line>=79.95%", "", GATE_LINE, GATE_AT_LEAST, false, 7995},
    {"branch>=0.5", "", GATE_BRANCH, GATE_AT_LEAST, false, 50},
    {"method=100", "", GATE_METHOD, GATE_EXACTLY, false, 10000},
    {"line==100", "", GATE_LINE, GATE_EXACTLY, false, 10000},
    {"line<=50", "", GATE_LINE, GATE_AT_MOST, false, 5000},
    {"line>=-0.1", "", GATE_LINE, GATE_AT_LEAST, true, -10},
    {"branch>=+0", "", GATE_BRANCH, GATE_AT_LEAST, true, 0},
    {"method>=+1.25%", "", GATE_METHOD, GATE_AT_LEAST, true, 125},
    {"patch>=80", "", GATE_PATCH, GATE_AT_LEAST, false, 8000},
    {"patch-branch>=80.5", "", GATE_PATCH_BRANCH, GATE_AT_LEAST, false, 8050},
    {"lost=0", "", GATE_LOST, GATE_EXACTLY, false, 0},
    {"lost<=12", "", GATE_LOST, GATE_AT_MOST, false, 12},
    {"new-uncovered=0", "", GATE_NEW_UNCOVERED, GATE_EXACTLY, false, 0},
    {"[App.*]line>=80", "App.*", GATE_LINE, GATE_AT_LEAST, false, 8000},
    {"[*]lost=0", "*", GATE_LOST, GATE_EXACTLY, false, 0},
};

static void gates_are_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(gates); i++) {
        struct gate gate;
        if (!gate_parse(&gate, str_of(gates[i].text), NULL))
            fail_msg("'%s' is refused", gates[i].text);
        assert_true(str_is(gate.assembly, gates[i].assembly));
        assert_int_equal(gate.metric, gates[i].metric);
        assert_int_equal(gate.op, gates[i].op);
        assert_int_equal(gate.is_relative, gates[i].is_relative);
        assert_int_equal(gate.value, gates[i].value);
    }
}

static void percentages_have_two_decimals_at_most(void **state)
{
    static const struct {
        const char *text;
        int64_t x100;
    } cases[] = {
        {"line>=0", 0},         {"line>=80", 8000},        {"line>=100", 10000},
        {"line>=100%", 10000},  {"line>=79.5", 7950},      {"line>=79.05", 7905},
        {"line>=79.95%", 7995}, {"line>=007", 700},        {"line>=100.00", 10000},
        {"line>=", -1},         {"line>=%", -1},           {"line>=.5", -1},
        {"line>=5.", -1},       {"line>=79.951", -1},      {"line>=100.01", -1},
        {"line>=101", -1},      {"line>= 1", -1},          {"line>=1 ", -1},
        {"line>=1e1", -1},      {"line>=99999999999", -1}, {"line>=0x10", -1},
        {"line>=50%%", -1},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct gate gate;
        bool ok = gate_parse(&gate, str_of(cases[i].text), NULL);
        if (ok != (cases[i].x100 >= 0) || (ok && gate.value != cases[i].x100))
            fail_msg("'%s' gives %d, %lld", cases[i].text, ok, (long long)gate.value);
    }
}

static const struct {
    const char *text, *why;
} refused[] = {
    {"", "expected line, branch"},
    {"lines>=80", "invalid gate 'lines>=80': unknown metric 'lines'; did you mean 'line'?"},
    {"brunch>=80", "unknown metric 'brunch'; did you mean 'branch'?"},
    {"[App]Line>=80", "unknown metric 'Line'; did you mean 'line'?"},
    {"new_uncovered=0", "unknown metric 'new_uncovered'; did you mean 'new-uncovered'?"},
    {"complexity<=10",
     "unknown metric 'complexity'; expected line, branch, method, patch, patch-branch, lost or "
     "new-uncovered"},
    {"patch_branch>=1", "unknown metric 'patch_branch'; did you mean 'patch-branch'?"},
    {"line", ">=, <= or ="},
    {"line>80", ">=, <= or ="},
    {"line>=", "expected a number at the end"},
    {"line>=x", "expected a number at the end"},
    {"line>=80 ", "at most two decimals"},
    {"line>=80.", "expected a digit after"},
    {"line>=80.123", "at most two decimals"},
    {"line>=100.01", "cannot be above 100"},
    {"line>=99999999999999999999", "cannot be above 100"},
    {"lost=1.5", "whole number"},
    {"lost=99999999999999999999", "too large"},
    {"lost>=-1", "only line, branch and method"},
    {"patch-branch>=-1", "only line, branch and method"},
    {"patch>=-1", "only line, branch and method"},
    {"[App", "']'"},
    {"[]line>=1", "']'"},
    {"[App]", "expected line, branch"},
    {" line>=80", "expected line, branch"},
};

static void what_is_not_a_gate_is_refused_with_its_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
        struct gate gate;
        struct err err = {0};
        assert_false(gate_parse(&gate, str_of(refused[i].text), &err));
        assert_int_equal(err.code, ERR_USAGE);
        if (strstr(err.text, refused[i].why) == NULL)
            fail_msg("'%s': %s", refused[i].text, err.text);
    }
}

static void gate_knows_what_it_compares_with(void **state)
{
    struct gate gate;
    (void)state;
    assert_true(gate_parse(&gate, STR("line>=80"), NULL) && !gate_needs_base(&gate));
    assert_true(gate_parse(&gate, STR("line>=-1"), NULL) && gate_needs_base(&gate));
    assert_true(gate_parse(&gate, STR("lost=0"), NULL) && gate_needs_base(&gate));
    assert_true(gate_parse(&gate, STR("new-uncovered=0"), NULL) && gate_needs_base(&gate));
    assert_true(gate_parse(&gate, STR("patch>=1"), NULL) && gate_needs_patch(&gate) &&
                !gate_needs_base(&gate));
}

/* --- testing ---------------------------------------------------------------------------------- */

/* src/A.cs of App: lines 1 to 4; src/B.cs of Lib: line 7, carried. */
static const uint32_t taken_in_part[DIFF_STATE_COUNT] = {
    [DIFF_GAINED] = 3, [DIFF_STILL_MISSED] = 1};
static struct diff_line app_lines[] = {
    {.number = 1, .state = DIFF_KEPT},
    {.number = 2, .state = DIFF_LOST, .was_covered = true},
    {.number = 3, .state = DIFF_GAINED, .in_patch = true, .outcomes = taken_in_part},
    {.number = 4, .state = DIFF_NEW_MISSED, .in_patch = true},
};
static struct diff_line lib_lines[] = {
    {.number = 7, .state = DIFF_CARRIED, .was_covered = true},
    {.number = 8, .state = DIFF_NOT_RUN, .was_covered = true},
};
static struct diff_file files[] = {
    {.package = {"App", 3}, .path = {"src/A.cs", 8}, .lines = app_lines, .line_count = 4},
    {.package = {"Lib", 3}, .path = {"src/B.cs", 8}, .lines = lib_lines, .line_count = 2},
};
static struct diff_method methods[] = {
    {.package = {"App", 3},
     .type = {"N.A", 3},
     .name = {"F", 1},
     .display = {.type = {"N.A", 3}, .name = {"F", 1}, .signature = {"()", 2}},
     .file = {"src/A.cs", 8},
     .first_line = 4,
     .kind = DIFF_EDITED,
     .lines = {[DIFF_NEW_MISSED] = 1}},
};
static struct diff_package packages[] = {
    {.name = {"App", 3},
     .is_in_base = true,
     .totals =
         {.lines = {[DIFF_KEPT] = 1, [DIFF_LOST] = 1, [DIFF_GAINED] = 1, [DIFF_NEW_MISSED] = 1},
          .base.lines_valid = 4,
          .base.lines_covered = 3,
          .new_missed = 1,
          .patch_owed = 3,
          .patch_covered = 2,
          .patch_branches_owed = 4,
          .patch_branches_covered = 3}},
    {.name = {"Lib", 3}, .totals = {.lines = {[DIFF_CARRIED] = 1, [DIFF_NOT_RUN] = 1}}},
    {.name = {"None", 4}},
};
static const struct diff diff = {
    .files = files,
    .file_count = ARRAY_LEN(files),
    .methods = methods,
    .method_count = ARRAY_LEN(methods),
    .packages = packages,
    .package_count = ARRAY_LEN(packages),
    .totals = {.lines = {[DIFF_KEPT] = 1,
                         [DIFF_LOST] = 1,
                         [DIFF_GAINED] = 1,
                         [DIFF_NEW_MISSED] = 1,
                         [DIFF_CARRIED] = 1,
                         [DIFF_NOT_RUN] = 1},
               .base.lines_valid = 4,
               .base.lines_covered = 3,
               .new_missed = 1,
               .patch_owed = 3,
               .patch_covered = 2,
               .patch_branches_owed = 4,
               .patch_branches_covered = 3},
};

static const struct {
    const char *gate;
    bool fails;
    const char *says; /* empty: nothing */
} tests[] = {
    {"line>=33", false, ""},
    {"line>=33.33", false, ""},
    {"line>=33.34", true, "gate line>=33.34: 33.33 % of 6 lines are covered"},
    {"line>=-50", false, ""},
    {"line>=-41", true, "gate line>=-41: 33.33 % of 6 lines are covered, in BASE 75.00 % of 4"},
    {"[App]line>=50", false, ""},
    {"[app]line>=50.01", true, "gate [app]line>=50.01, App: 50.00 % of 4 lines are covered"},
    {"[App]line>=-25", false, ""},
    {"[App]line>=-24.99", true, "in BASE 75.00 % of 4"},
    {"[Lib]line>=+0", false, "there is nothing in BASE to compare with"},
    {"[None]line>=100", false, "there is nothing to cover"},
    {"branch>=0", true, "no branch could be covered"},
    {"[Nope]line>=1", true, "the report has no assembly of this name"},
    {"patch>=66.66", false, ""},
    {"patch>=66.67", true, "66.66 % of 3 changed lines are covered"},
    {"[Lib]patch>=100", false, "the patch changes no measured line"},
    {"patch-branch>=75", false, ""},
    {"patch-branch>=75.01", true, "75.00 % of 4 changed branches are covered"},
    {"[Lib]patch-branch>=100", false, "the patch changes no measured line"},
    {"lost<=2", false, ""},
    {"lost=0", true, "gate lost=0: 2 lines are lost"},
    {"[Lib]lost=0", true, "gate [Lib]lost=0, Lib: 1 line is lost"},
    {"new-uncovered=1", false, ""},
    {"new-uncovered=0", true, "1 line of added or edited methods not covered"},
    {"[Lib]new-uncovered=0", false, ""},
};

static void gates_fail_where_they_should_and_say_why(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(tests); i++) {
        struct gate gate;
        struct diff tested = diff;
        struct str said;
        assert_true(gate_parse(&gate, str_of(tests[i].gate), NULL));
        assert_true(gates_test(&tested, &gate, 1, false, &arena, NULL));
        assert_int_equal(tested.gate_count, 1);
        const struct gate_result *result = tested.gates;
        assert_ptr_equal(result->gate, &gate);
        assert_true(text_format(&said, &arena, NULL, "gate %.*s: %.*s", STR_ARGS(result->name),
                                STR_ARGS(result->why)));
        if (result->failed != tests[i].fails || strstr(said.text, tests[i].says) == NULL ||
            (tests[i].says[0] == '\0' && result->why.len != 0))
            fail_msg("%s: failed %d, '%s'", tests[i].gate, result->failed, said.text);
    }
}

static void no_code_at_all_fails_a_gate_unless_that_is_fine(void **state)
{
    static const char *const all[] = {"line>=0", "branch>=0", "method>=0"};
    (void)state;
    for (size_t i = 0; i < 2 * ARRAY_LEN(all); i++) {
        struct diff none = {.file_count = 0};
        struct gate gate;
        bool is_fine = i % 2 != 0;
        assert_true(gate_parse(&gate, str_of(all[i / 2]), NULL));
        assert_true(gates_test(&none, &gate, 1, is_fine, &arena, NULL));
        assert_int_equal(none.gates->failed, !is_fine);
        assert_false(none.gates->was_tested);
        assert_int_not_equal(none.gates->why.len, 0);
    }
}

/* What a report says of the same lines is enough for gates that compare nothing; the others, which
 * it cannot know, do not pass. */
static void totals_of_a_report_are_tested_as_those_of_a_difference(void **state)
{
    static struct report_class classes[] = {
        {.totals = {.methods_valid = 2, .methods_covered = 1}},
    };
    static struct report_package of[] = {
        {.name = {"App", 3},
         .classes = classes,
         .class_count = 1,
         .totals = {.lines_valid = 4,
                    .lines_covered = 2,
                    .branches_valid = 3,
                    .branches_covered = 1,
                    .methods_valid = 3, /* one has no lines */
                    .methods_covered = 1}},
        {.name = {"Bare", 4}},
        {.name = {"Lib", 3}, .class_count = 1, .classes = classes, .totals = {.lines_valid = 2}},
    };
    static const struct {
        const char *gate, *why;
        bool fails, is_unknown;
    } cases[] = {
        {"line>=33.33", "", false, false},
        {"line>=33.34", "33.33 % of 6 lines are covered", true, false},
        {"branch>=33.34", "33.33 % of 3 branches are covered", true, false},
        {"method>=50.01", "50.00 % of 4 methods are covered", true, false},
        {"[App]line>=50", "", false, false},
        {"[Lib]line>=1", "0.00 % of 2 lines are covered", true, false},
        {"[Lib]branch>=1", "there is nothing to cover", false, false},
        {"[Bare]line>=1", "the report has no assembly of this name", true, false},
        {"line>=-100", "there is nothing to compare with", true, true},
        {"lost<=100", "there is nothing to compare with", true, true},
        {"[App]new-uncovered<=100", "there is nothing to compare with", true, true},
        {"patch>=0", "there is nothing to compare with", true, true},
        {"patch-branch>=0", "there is nothing to compare with", true, true},
    };
    const struct report report = {.packages = of, .package_count = ARRAY_LEN(of)};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct diff alone;
        struct gate gate;
        assert_true(diff_of_report(&alone, &report, &arena, NULL));
        assert_true(gate_parse(&gate, str_of(cases[i].gate), NULL));
        assert_true(gates_test(&alone, &gate, 1, false, &arena, NULL));
        assert_int_equal(alone.gate_count, 1);
        assert_int_equal(alone.gates->failed, cases[i].fails);
        assert_int_equal(alone.gates->is_unknown, cases[i].is_unknown);
        assert_str(alone.gates->why, cases[i].why);
    }
}

static void methods_are_not_compared_with_a_report_that_has_none(void **state)
{
    struct diff by_line = diff;
    struct gate gate;
    (void)state;
    by_line.by_line = true;
    assert_true(gate_parse(&gate, STR("new-uncovered<=100"), NULL));
    assert_true(gates_test(&by_line, &gate, 1, false, &arena, NULL));
    assert_true(by_line.gates->failed && by_line.gates->is_unknown);
}

static void failed_gates_name_their_lines(void **state)
{
    static const struct {
        const char *gate, *places; /* each ends with a blank */
    } cases[] = {
        {"line>=33.34", ""}, /* all that is missed is too much */
        {"line>=-41", "src/A.cs:2,4 src/B.cs:7 "},
        {"[Lib]line>=+0", "src/B.cs:7 "},
        {"branch>=0", ""},
        {"patch>=66.67", "src/A.cs:4 "},
        {"patch-branch>=75.01", "src/A.cs:3 "},
        {"lost=0", "src/A.cs:2 src/B.cs:7 "},
        {"[Lib]lost=0", "src/B.cs:7 "},
        {"new-uncovered=0", "src/A.cs:4 N.A.F() "},
        {"[Lib]new-uncovered=0", ""},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct gate gate;
        struct gate_places places;
        struct str got;
        assert_true(gate_parse(&gate, str_of(cases[i].gate), NULL));
        struct str package = gate.assembly.len != 0 ? STR("Lib") : STR("");
        assert_true(gate_places(&places, &gate, package, &diff, &arena, NULL));
        struct text text = text_in(&arena);
        for (uint32_t p = 0; p < places.count; p++)
            text_addf(&text, "%.*s ", STR_ARGS(places.places[p]));
        assert_true(text_take(&got, &text, NULL));
        assert_string_equal(got.text, cases[i].places);
        assert_int_equal(places.more, 0);
    }
}

/* Every second line of twenty files is lost: few places say so. */
static void places_are_few(void **state)
{
    enum {
        LINES = 100,
        FILES = 20
    };
    static struct diff_line lines[LINES];
    static struct diff_file many[FILES];
    const struct diff large = {.files = many, .file_count = FILES};
    struct gate gate;
    struct gate_places places;
    (void)state;
    for (uint32_t i = 0; i < LINES; i++)
        lines[i] = (struct diff_line){.number = i + 1, .state = i % 2 == 0 ? DIFF_LOST : DIFF_KEPT};
    for (uint32_t i = 0; i < FILES; i++)
        many[i] = (struct diff_file){
            .package = STR("A"), .path = STR("a.cs"), .lines = lines, .line_count = LINES};
    assert_true(gate_parse(&gate, STR("lost=0"), NULL));
    assert_true(gate_places(&places, &gate, STR(""), &large, &arena, NULL));
    assert_int_equal(places.count, GATE_PLACES_MOST);
    assert_int_equal(places.more, FILES - GATE_PLACES_MOST);
    assert_string_equal(places.places[4].text, "a.cs:1,3,5,7,9,11,13,15,...");
}

static void gate_of_a_glob_is_tested_for_each_assembly(void **state)
{
    struct diff tested = diff;
    struct gate gate;
    (void)state;
    assert_true(gate_parse(&gate, STR("[*]line>=40"), NULL));
    assert_true(gates_test(&tested, &gate, 1, false, &arena, NULL));
    assert_int_equal(tested.gate_count, 3);
    assert_false(tested.gates[0].failed);
    assert_true(tested.gates[1].failed);
    assert_false(tested.gates[2].failed);
}

static void change_is_compared_exactly(void **state)
{
    struct diff small = {.totals = {.lines = {[DIFF_KEPT] = 99999, [DIFF_LOST] = 1},
                                    .base.lines_valid = 100000,
                                    .base.lines_covered = 100000}};
    struct gate gate;
    (void)state;
    assert_true(gate_parse(&gate, STR("line>=+0"), NULL));
    assert_true(gates_test(&small, &gate, 1, false, &arena, NULL));
    assert_true(small.gates->failed);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

static const struct CMUnitTest all[] = {
    TEST(gates_are_read),
    TEST(percentages_have_two_decimals_at_most),
    TEST(what_is_not_a_gate_is_refused_with_its_reason),
    TEST(gate_knows_what_it_compares_with),
    TEST(gates_fail_where_they_should_and_say_why),
    TEST(failed_gates_name_their_lines),
    TEST(places_are_few),
    TEST(gate_of_a_glob_is_tested_for_each_assembly),
    TEST(change_is_compared_exactly),
    TEST(no_code_at_all_fails_a_gate_unless_that_is_fine),
    TEST(totals_of_a_report_are_tested_as_those_of_a_difference),
    TEST(methods_are_not_compared_with_a_report_that_has_none),
};
UNIT_TESTS(all);
