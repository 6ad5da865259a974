/* test_import.c - settings of coverlet and of Microsoft's collector: what they mean is from their
 * documentation and, for `?` and globs, from coverlet's source. */
#include "cli/settings/import.h"

#include <stdio.h>

#include "cli/settings/import_pattern.h"
#include "cli/settings/settings_file.h"
#include "cli/verbs/verbs.h"
#include "tests/support/check.h"
#include "tests/support/test_arena.h"

typedef bool translation(struct import_patterns *out, struct str text, struct arena *arena,
                         struct err *err);

struct example {
    const char *text;
    const char *says; /* the patterns with a space between, "-" for none; a "!" says that they
                         differ; after "~" what is near */
};

static void check_examples(translation *translate, const struct example *examples, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct import_patterns patterns;
        struct err err = {0};
        struct text text;
        struct str said;
        assert_true(translate(&patterns, str_of(examples[i].text), &arena, &err));
        text_open(&text, &arena);
        for (size_t j = 0; j < patterns.count; j++)
            text_addf(&text, "%s%.*s", j == 0 ? "" : " ", STR_ARGS(patterns.items[j]));
        if (patterns.count == 0)
            text_add_c(&text, patterns.matches_always ? "always" : "-");
        if (patterns.count != 0 && patterns.why != NULL)
            text_add_c(&text, "!");
        if (patterns.nearest.len != 0)
            text_addf(&text, "~%.*s", STR_ARGS(patterns.nearest));
        assert_true(text_take(&said, &text, &err));
        if (!str_is(said, examples[i].says))
            fail_msg("%s: '%s' instead of '%s'", examples[i].text, said.text, examples[i].says);
        assert_true(patterns.count != 0 || patterns.matches_always || patterns.why != NULL);
    }
}

/* coverlet: Regex.Escape, then "\*" becomes ".*" and "\?" becomes "?". */
static void filters_of_coverlet_have_letters_that_may_be_missing(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {"[A]*", "[A]*"},   {"[*]N.T", "[*]N.T"}, {"[a.tests?]*", "[a.tests]* [a.test]*"},
        {"[a?]b?", "[a]b"}, {"[A*?]*", "[A*]*"},  {"[?A]*", "-"},
        {"[A]?", "-"},      {"[A]", "-"},         {"[]*", "-"},
        {"A", "-"},         {"[a?b?c?d?]*", "-"},
    };
    check_examples(import_filter, examples, ARRAY_LEN(examples));
}

/* Microsoft.Extensions.FileSystemGlobbing over the whole path; ilcov's are below the root, and `*`
 * matches slashes. */
static void globs_of_coverlet_become_paths_below_the_root(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {"**/dir1/class1.cs", "dir1/class1.cs */dir1/class1.cs"},
        {"**/dir2/*.cs", "dir2/*.cs */dir2/*.cs!"},
        {"**/dir3/**/*.cs", "dir3/*.cs */dir3/*.cs"},
        {"**\\gen\\**", "gen/* */gen/*"},
        {"**/gen/", "gen/* */gen/*"},
        {"**/*.g.cs", "*.g.cs"},
        {"**/**/a.cs", "a.cs */a.cs"},
        {"**/A*.cs", "A*.cs */A*.cs!"},
        {"**/a/**/b.cs", "-"},
        {"**/a/**/**/b.cs", "-"},
        {"**/a?.cs", "-"},
        {"src/a.cs", "-"},
        {"../a.cs", "-"},
        {"/home/x/a.cs", "-"},
        {"**/*", "-"},
        {"**/", "-"},
        {"**", "-"},
    };
    check_examples(import_glob, examples, ARRAY_LEN(examples));
}

static void regexes_of_modules_are_patterns_if_they_are_about_the_name(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {".*\\.Tests\\.dll", "[*.Tests]*"},
        {"^.*\\.Tests\\.dll$", "[*.Tests]*"},
        {".*tests.dll", "[*tests]*"},
        {".*\\\\Foo\\.dll", "[Foo]*"},
        {".*[\\\\/]Foo\\.DLL$", "[Foo]*"},
        {".*/Foo\\.exe", "[Foo]*"},
        {".*\\.dll$", "always"},
        {".*.exe", "always"},
        {".*CPPUnitTestFramework.*", "-~[*CPPUnitTestFramework*]*"},
        {".*.Tests\\.dll", "-~[*?Tests]*"},
        {".*a.*b\\.dll", "-~[*a*b]*"},
        {"moq*.dll", "-"},
        {".*(a|b)\\.dll", "-"},
        {"Foo\\.dll", "[*Foo]*"},
        {"\\.Tool", "-~[*.Tool*]*"},
        {"^/app/Foo\\.dll$", "-"},
        {".*", "always"},
    };
    check_examples(import_module_regex, examples, ARRAY_LEN(examples));
}

static void regexes_of_sources_are_globs_below_the_root(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {".*\\\\gen\\\\.*", "gen/* */gen/*"},
        {".*/gen/.*", "gen/* */gen/*"},
        {".*\\.g\\.cs", "*.g.cs"},
        {".*\\.g\\.cs$", "*.g.cs"},
        {".*Designer\\.vb", "*Designer.vb"},
        {".*[/\\\\]obj[/\\\\].*\\.cs$", "obj/*.cs */obj/*.cs"},
        {"/Gen/", "Gen/* */Gen/*"},
        {".*gen", "*gen*"},
        {"gen/.*", "*gen/*"},
        {"^/home/x/.*", "-"},
        {".*(a|b).*", "-"},
        {".*\\d.*", "-"},
        {".*a+.*", "-"},
    };
    check_examples(import_source_regex, examples, ARRAY_LEN(examples));
}

static void regexes_of_functions_are_patterns_if_they_are_a_namespace_or_type(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {"^Fabrikam\\.UnitTest\\..*", "[*]Fabrikam.UnitTest.* [*]Fabrikam.UnitTest"},
        {"^A\\..*$", "[*]A.* [*]A"},
        {"^A\\.B\\.", "[*]A.B.* [*]A.B"},
        {"^.*$", "-"},
        {"A\\.", "-~[*]*A.*"},
        {".*\\.Views\\..*", "-~[*]*.Views.*"},
        {"^A\\.B.*", "-~[*]A.B*"},
        {"^A\\.B\\.M$", "-"},
        {"^std::.*", "-"},
    };
    check_examples(import_function_regex, examples, ARRAY_LEN(examples));
}

static void regexes_of_attributes_are_names_if_they_match_one(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {"^System\\.Diagnostics\\.DebuggerHiddenAttribute$",
         "System.Diagnostics.DebuggerHiddenAttribute"},
        {"^System\\.Diagnostics\\.CodeAnalysis\\.ExcludeFromCodeCoverageAttribute$", "always"},
        {".*\\.GeneratedCodeAttribute$", "-~GeneratedCodeAttribute"},
        {".*CustomAttribute$", "-~CustomAttribute"},
        {"^CustomAttribute", "-~CustomAttribute"},
        {"^A.*$", "-"},
        {"^A\\.(B|C)$", "-"},
    };
    check_examples(import_attribute_regex, examples, ARRAY_LEN(examples));
}

/* --- whole files ------------------------------------------------------------------------------ */

#define RUNSETTINGS(name, configuration)                                                           \
    "<RunSettings><RunConfiguration/><DataCollectionRunSettings><DataCollectors><DataCollector "   \
    "friendlyName='blame'/><DataCollector friendlyName='" name "'><Configuration>" configuration   \
    "</Configuration></DataCollector></DataCollectors></DataCollectionRunSettings></RunSettings>"

static bool parse(struct import *out, const char *xml, struct err *err)
{
    return import_parse(out, (struct view){(const uint8_t *)xml, strlen(xml)}, "x.xml", verbs,
                        &arena, err);
}

/* "key=value value; key=value | from, from": the settings, then what has no counterpart. */
static void check_file(const char *xml, const char *expected)
{
    struct import import;
    struct err err = {0};
    struct text text;
    struct str said;
    if (!parse(&import, xml, &err))
        fail_msg("%s: %s", xml, err.text);
    text_open(&text, &arena);
    const struct import_setting *settings = import.settings.items;
    for (uint32_t i = 0; i < import.settings.count; i++) {
        const struct import_value *values = settings[i].values.items;
        text_addf(&text, "%s%s=", i == 0 ? "" : "; ", settings[i].key);
        for (uint32_t j = 0; j < settings[i].values.count; j++)
            text_addf(&text, "%s%.*s", j == 0 ? "" : " ", STR_ARGS(values[j].value));
    }
    const struct import_rest *rest = import.rest.items;
    for (uint32_t i = 0; i < import.rest.count; i++)
        text_addf(&text, "%s%.*s", i == 0 ? " | " : ", ", STR_ARGS(rest[i].from));
    assert_true(text_take(&said, &text, &err));
    assert_str(said, expected);
}

static void options_of_the_collector_of_coverlet_are_read(void **state)
{
    (void)state;
    check_file(RUNSETTINGS("XPlat code coverage",
                           "<Format>json, Cobertura,lcov</Format><Exclude>[A]*,\n  [B]*,</Exclude>"
                           "<SingleHit>true</SingleHit><IncludeTestAssembly>False"
                           "</IncludeTestAssembly><SkipAutoProps>true</SkipAutoProps>"
                           "<UseSourceLink>true</UseSourceLink><Include/><Fancy>1</Fancy>"
                           "<ExcludeByAttribute>Obsolete,ExcludeFromCodeCoverage,A*"
                           "</ExcludeByAttribute>"),
               "format=cobertura lcov; exclude=[A]* [B]*; mode=hit; includeTests=false; "
               "excludeAutoProperties=true; excludeAttribute=Obsolete | Format: json, "
               "UseSourceLink: true, Fancy: 1, ExcludeByAttribute: ExcludeFromCodeCoverage, "
               "ExcludeByAttribute: A*");
}

static void settings_of_the_collector_of_microsoft_are_read(void **state)
{
    (void)state;
    check_file(RUNSETTINGS("Code Coverage",
                           "<Format>cobertura</Format><CodeCoverage><ModulePaths><Include>"
                           "<ModulePath>.*\\.dll$</ModulePath></Include><Exclude><ModulePath>.*"
                           "\\.Tests\\.dll</ModulePath><ModulePath>.*moq.*</ModulePath></Exclude>"
                           "</ModulePaths><Attributes><Include><Attribute>^A$</Attribute></Include>"
                           "</Attributes><SkipAutoProperties>True</SkipAutoProperties>"
                           "</CodeCoverage>"),
               "includeTests=true; "
               "excludeAttribute=System.Diagnostics.DebuggerHiddenAttribute "
               "System.Diagnostics.DebuggerNonUserCodeAttribute; format=cobertura; "
               "exclude=[*.Tests]*; "
               "excludeAutoProperties=true | ModulePaths/Include: .*\\.dll$, "
               "ModulePaths/Exclude: .*moq.*, Attributes/Include: ^A$");
    check_file("<Configuration><IncludeTestAssembly>false</IncludeTestAssembly><Format>coverage"
               "</Format></Configuration>",
               "includeTests=false; excludeAttribute=System.Diagnostics.DebuggerHiddenAttribute "
               "System.Diagnostics.DebuggerNonUserCodeAttribute | Format: coverage");
}

/* By default, coverlet asks for the threshold of each module. */
static void thresholds_become_gates(void **state)
{
    (void)state;
#define PROPERTIES(properties)                                                                     \
    "<Project><PropertyGroup><TargetFramework>net10.0</TargetFramework>" properties                \
    "</PropertyGroup></Project>"
    check_file(PROPERTIES("<Threshold>80</Threshold>"),
               "gate=[*]line>=80 [*]branch>=80 [*]method>=80");
    check_file(PROPERTIES("<Threshold>80</Threshold><ThresholdType>line</ThresholdType>"
                          "<ThresholdStat>Total</ThresholdStat>"),
               "gate=line>=80");
    check_file(PROPERTIES("<ThresholdType>line%2Cbranch</ThresholdType><Threshold>80,70.5"
                          "</Threshold>"),
               "gate=[*]line>=80 [*]branch>=70.5");
    check_file(PROPERTIES("<ThresholdStat>average</ThresholdStat><Threshold>80</Threshold>"),
               " | Threshold: 80, ThresholdType: line,branch,method, ThresholdStat: average");
    check_file(PROPERTIES("<Threshold>0</Threshold>"), "");
    check_file(PROPERTIES("<Threshold>800</Threshold><ThresholdType>line</ThresholdType>"),
               " | Threshold: 800, ThresholdType: line, ThresholdStat: minimum");
}

static void the_last_value_of_a_property_counts_and_conditions_are_named(void **state)
{
    (void)state;
    check_file(
        "<Project xmlns='http://schemas.microsoft.com/developer/msbuild/2003'><PropertyGroup>"
        "<Exclude>[A]*,[B]*</Exclude><SingleHit Condition='x'>true</SingleHit>"
        "</PropertyGroup><PropertyGroup><Exclude>[C]*</Exclude><Include>$(Mine)</Include>"
        "</PropertyGroup><PropertyGroup Condition='y'><Exclude>[D]*</Exclude>"
        "</PropertyGroup></Project>",
        "exclude=[C]* | SingleHit: true, Include: $(Mine), Exclude: [D]*");
}

static void files_without_such_settings_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *xml, *says;
    } all[] = {
        {"<Project><PropertyGroup><TargetFramework/></PropertyGroup></Project>", "has neither"},
        {"<RunSettings/>", "has neither"},
        {"<x/>", "has neither"},
        {"<RunSettings>", "is not well-formed XML"},
        {"", "is not well-formed XML"},
        {"{}", "is not well-formed XML"},
    };
    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        struct import import;
        struct err err = {0};
        assert_failed(parse(&import, all[i].xml, &err), err, ERR_FORMAT);
        if (strstr(err.text, all[i].says) == NULL)
            fail_msg("%s: %s", all[i].xml, err.text);
    }
}

/* Nothing that a value holds can end its comment or its string. */
static void what_is_printed_is_a_settings_file(void **state)
{
    (void)state;
    static const char xml[] = RUNSETTINGS(
        "XPlat Code Coverage", "<Exclude>[A]\"*\\,[B]&#10;\"quiet\": true, [C*/]*</Exclude>"
                               "<Fancy>a&#13;&#10;\"verbose\": true // &#x202e;*/</Fancy>");
    struct import import;
    struct settings_file file;
    struct err err = {0};
    char *made = NULL;
    size_t len = 0;
    assert_true(parse(&import, xml, &err));
    FILE *memory = open_memstream(&made, &len);
    assert_non_null(memory);
    import_print(memory, &import);
    assert_int_equal(fclose(memory), 0);
    if (!settings_file_parse(&file, (struct str){made, len}, "made.json", verbs, &arena, &err))
        fail_msg("%s\n%s", err.text, made);
    assert_int_equal(file.count, 1);
    assert_string_equal(file.items[0].row->name, "exclude");
    assert_int_equal(file.items[0].count, 3);
    assert_string_equal(file.items[0].values[0], "[A]\"*\\");
    assert_string_equal(file.items[0].values[1], "[B] \"quiet\": true");
    free(made);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(filters_of_coverlet_have_letters_that_may_be_missing),
        TEST(globs_of_coverlet_become_paths_below_the_root),
        TEST(regexes_of_modules_are_patterns_if_they_are_about_the_name),
        TEST(regexes_of_sources_are_globs_below_the_root),
        TEST(regexes_of_functions_are_patterns_if_they_are_a_namespace_or_type),
        TEST(regexes_of_attributes_are_names_if_they_match_one),
        TEST(options_of_the_collector_of_coverlet_are_read),
        TEST(settings_of_the_collector_of_microsoft_are_read),
        TEST(thresholds_become_gates),
        TEST(the_last_value_of_a_property_counts_and_conditions_are_named),
        TEST(files_without_such_settings_are_refused),
        TEST(what_is_printed_is_a_settings_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
