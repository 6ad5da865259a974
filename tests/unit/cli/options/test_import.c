/* test_import.c - settings of coverlet and of Microsoft's collector: what they mean is from their
 * documentation and, for `?` and globs, from coverlet's source. */
#include "cli/options/import.h"

#include <stdio.h>

#include "cli/options/settings_file.h"
#include "cli/verbs/verbs.h"
#include "tests/support/check.h"
#include "tests/support/test_arena.h"

#define RUNSETTINGS(name, configuration)                                                           \
    "<RunSettings><RunConfiguration/><DataCollectionRunSettings><DataCollectors><DataCollector "   \
    "friendlyName='blame'/><DataCollector friendlyName='" name "'><Configuration>" configuration   \
    "</Configuration></DataCollector></DataCollectors></DataCollectionRunSettings></RunSettings>"

static bool parse(struct import *out, const char *xml, struct err *err)
{
    return import_parse(out, (struct view){(const uint8_t *)xml, strlen(xml)}, "x.xml", verbs,
                        &arena, err);
}

struct example {
    const char *text;
    const char *overrides; /* the patterns with a space between, "-" for none; a "!" says that they
                         differ */
};

/* Each example alone, in place of the %s of a file. */
static void check_examples(const char *xml, const char *key, const struct example *examples,
                           size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct import import;
        struct err err = {0};
        struct str said;
        char file[1000];
        const char *gap = strstr(xml, "%s");
        int len = snprintf(file, sizeof file, "%.*s%s%s", (int)(gap - xml), xml, examples[i].text,
                           gap + strlen("%s"));
        assert_true(len > 0 && (size_t)len < sizeof file);
        assert_true(parse(&import, file, &err));
        const struct import_item *items = import.settings.items;
        bool differs = false;
        struct text text = text_in(&arena);
        for (uint32_t j = 0; j < import.settings.count; j++) {
            if (strcmp(items[j].key, key) != 0 ||
                strstr(items[j].from.text, examples[i].text) == NULL)
                continue;
            text_addf(&text, "%s%.*s", text.len == 0 ? "" : " ", STR_ARGS(items[j].value));
            differs = strchr(items[j].from.text, ';') != NULL;
        }
        text_add_c(&text, text.len == 0 ? "-" : differs ? "!" : "");
        assert_true(text_take(&said, &text, &err));
        if (!str_is(said, examples[i].overrides))
            fail_msg("%s: '%s' instead of '%s'", examples[i].text, said.text,
                     examples[i].overrides);
        assert_int_equal(import.rest.count, str_is(said, "-"));
    }
}

/* coverlet: Regex.Escape, then "\*" becomes ".*" and "\?" becomes "?". */
static void filters_of_coverlet_have_a_letter_that_may_be_missing(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {"[A]*", "[A]*"},  {"[*]N.T", "[*]N.T"}, {"[a.tests?]*", "[a.tests]* [a.test]*"},
        {"[a?]b", "[a]b"}, {"[A]b?", "[A]b"},    {"[A*?]*", "[A*]*"},
        {"[a?]b?", "-"},   {"[?A]*", "-"},       {"[A]?", "-"},
        {"[A]", "-"},      {"[]*", "-"},         {"A", "-"},
        {"?", "-"},
    };
    check_examples(RUNSETTINGS("XPlat Code Coverage", "<Exclude>%s</Exclude>"), "exclude", examples,
                   ARRAY_LEN(examples));
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
        {"**/*", "*"},
        {"**/a/**/b.cs", "-"},
        {"**/a/**/**/b.cs", "-"},
        {"**/a?.cs", "-"},
        {"src/a.cs", "-"},
        {"../a.cs", "-"},
        {"/home/x/a.cs", "-"},
        {"**/", "-"},
        {"**//", "-"},
        {"**/**", "-"},
        {"**", "-"},
    };
    check_examples(RUNSETTINGS("XPlat Code Coverage", "<ExcludeByFile>%s</ExcludeByFile>"),
                   "excludeFiles", examples, ARRAY_LEN(examples));
}

/* It is searched for in the whole path of a file. */
static void regexes_of_modules_are_patterns_if_they_are_about_the_name(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {".*\\.Tests\\.dll", "[*.Tests]*"},
        {"^.*\\.Tests\\.dll$", "[*.Tests]*"},
        {".*?\\.Tests\\.dll.*", "[*.Tests]*"},
        {".*tests.dll", "[*tests]*"},
        {".*\\\\Foo\\.dll", "[Foo]*"},
        {".*[\\\\/]Foo\\.DLL$", "[Foo]*"},
        {".*/Foo\\.exe", "[Foo]*"},
        {"Foo\\.dll", "[*Foo]*"},
        {".*\\.dll$", "-"}, /* all */
        {".*", "-"},
        {"^", "-"},
        {".*CPPUnitTestFramework.*", "-"}, /* maybe of a folder */
        {".*.Tests\\.dll", "-"},           /* '/' is any character, too */
        {".*a.*b\\.dll", "-"},
        {"moq*.dll", "-"},
        {".*(a|b)\\.dll", "-"},
        {"\\.Tool", "-"},
        {"^/app/Foo\\.dll$", "-"},
        {"a$b\\.dll", "-"},
        {"\\w\\.dll", "-"},
        {"\\", "-"},
    };
    check_examples(RUNSETTINGS("Code Coverage",
                               "<CodeCoverage><ModulePaths><Exclude><ModulePath>%s</ModulePath>"
                               "</Exclude></ModulePaths></CodeCoverage>"),
                   "exclude", examples, ARRAY_LEN(examples));
}

static void regexes_of_sources_are_globs_below_the_root(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {".*\\\\gen\\\\.*", "gen/* */gen/*"},
        {".*/gen/.*", "gen/* */gen/*"},
        {".*\\.g\\.cs$", "*.g.cs"},
        {".*\\.g\\.cs", "*.g.cs*"},
        {".*Designer.vb$", "*Designer?vb"},
        {".*[/\\\\]obj[/\\\\].*\\.cs$", "obj/*.cs */obj/*.cs"},
        {"/Gen/", "Gen/* */Gen/*"},
        {".*gen", "*gen*"},
        {"gen/.*", "*gen/*"},
        {"^/home/x/.*", "-"},
        {".*(a|b).*", "-"},
        {".*\\d.*", "-"},
        {".*a+.*", "-"},
        {".*a.+", "-"},
        {".*a{1,2}", "-"},
        {".*", "-"},
    };
    check_examples(RUNSETTINGS("Code Coverage", "<CodeCoverage><Sources><Exclude><Source>%s"
                                                "</Source></Exclude></Sources></CodeCoverage>"),
                   "excludeFiles", examples, ARRAY_LEN(examples));
}

static void regexes_of_attributes_are_names_if_they_match_one(void **state)
{
    (void)state;
    static const struct example examples[] = {
        {"^System\\.ObsoleteAttribute$", "System.ObsoleteAttribute"},
        {".*\\.GeneratedCodeAttribute$", "-"},
        {".*CustomAttribute$", "-"},
        {"^CustomAttribute", "-"},
        {"^A.*$", "-"},
        {"^A.B$", "-"},
        {"^A\\.(B|C)$", "-"},
    };
    check_examples(RUNSETTINGS("Code Coverage",
                               "<CodeCoverage><Attributes><Exclude><Attribute>%s</Attribute>"
                               "</Exclude></Attributes></CodeCoverage>"),
                   "excludeAttribute", examples, ARRAY_LEN(examples));
}

/* --- whole files ------------------------------------------------------------------------------ */

/* "key=value value; key=value | from, from": the settings, then what has no counterpart. */
static void check_file(const char *xml, const char *expected)
{
    struct import import;
    struct err err = {0};
    struct str said;
    if (!parse(&import, xml, &err))
        fail_msg("%s: %s", xml, err.text);
    struct text text = text_in(&arena);
    const struct import_item *items = import.settings.items;
    for (uint32_t i = 0; i < import.settings.count; i++) {
        bool is_first = i == 0 || items[i - 1].row != items[i].row;
        text_addf(&text, "%s%s%s%.*s", i != 0 && is_first ? "; " : "", is_first ? items[i].key : "",
                  is_first ? "=" : " ", STR_ARGS(items[i].value));
    }
    const struct import_item *rest = import.rest.items;
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
               "excludeAutoProperties=true; excludeAttribute=Obsolete ExcludeFromCodeCoverage | "
               "Format: json, UseSourceLink: true, Fancy: 1, ExcludeByAttribute: A*");
}

static void settings_of_the_collector_of_microsoft_are_read(void **state)
{
    (void)state;
    check_file(RUNSETTINGS("Code Coverage",
                           "<Format>cobertura</Format><CodeCoverage><ModulePaths><Include>"
                           "<ModulePath>.*\\.dll$</ModulePath></Include><Exclude><ModulePath>.*"
                           "\\.Tests\\.dll</ModulePath><ModulePath>.*moq.*</ModulePath></Exclude>"
                           "</ModulePaths><Attributes><Include><Attribute>^A$</Attribute></Include>"
                           "<Exclude><Attribute>^B$</Attribute></Exclude></Attributes>"
                           "<Functions><Exclude><Function>^A\\.</Function></Exclude></Functions>"
                           "<CompanyNames><Exclude><CompanyName>a,b</CompanyName></Exclude>"
                           "</CompanyNames><SymbolSearchPaths><Path>/x</Path></SymbolSearchPaths>"
                           "<SkipAutoProperties>True</SkipAutoProperties>"
                           "<PerTestCodeCoverage>true</PerTestCodeCoverage>"
                           "<EnableStaticNativeInstrumentation>False"
                           "</EnableStaticNativeInstrumentation><Fancy>a</Fancy></CodeCoverage>"),
               "includeTests=true; "
               "excludeAttribute=System.Diagnostics.DebuggerHiddenAttribute "
               "System.Diagnostics.DebuggerNonUserCodeAttribute B; format=cobertura; "
               "exclude=[*.Tests]*; excludeAutoProperties=true; perTest=true | "
               "ModulePaths/Include: .*\\.dll$, ModulePaths/Exclude: .*moq.*, "
               "Attributes/Include: ^A$, Functions/Exclude: ^A\\., CompanyNames/Exclude: a,b, "
               "SymbolSearchPaths: /x, "
               "EnableStaticNativeInstrumentation: False, Fancy: a");
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
    check_file(PROPERTIES("<ThresholdType>Line,branch</ThresholdType><Threshold>70.5</Threshold>"),
               "gate=[*]line>=70.5 [*]branch>=70.5");
    check_file(PROPERTIES("<Threshold>80,70</Threshold><ThresholdType>line,branch"
                          "</ThresholdType><ThresholdStat>total</ThresholdStat>"),
               "gate=line>=80 branch>=70");
    check_file(PROPERTIES("<ThresholdStat>average</ThresholdStat><Threshold>80</Threshold>"),
               " | Threshold: 80, ThresholdType: line,branch,method, ThresholdStat: average");
    check_file(PROPERTIES("<Threshold>0</Threshold>"), "");
    check_file(PROPERTIES("<Threshold>800</Threshold><ThresholdType>line</ThresholdType>"),
               " | Threshold: 800, ThresholdType: line, ThresholdStat: minimum");
}

static void the_last_value_of_a_property_counts_and_what_msbuild_knows_is_named(void **state)
{
    (void)state;
    check_file(
        "<Project xmlns='http://schemas.microsoft.com/developer/msbuild/2003'><PropertyGroup>"
        "<Exclude>[A]*,[B]*</Exclude><SingleHit Condition='x'>true</SingleHit>"
        "<ExcludeByFile>**/a%2Cb.cs</ExcludeByFile>"
        "</PropertyGroup><PropertyGroup><Exclude>[C]*</Exclude><Include>$(Mine)</Include>"
        "</PropertyGroup><PropertyGroup Condition='y'><Exclude>[D]*</Exclude>"
        "</PropertyGroup></Project>",
        "exclude=[C]* | Include: $(Mine), Exclude: [D]*, ExcludeByFile: **/a%2Cb.cs, "
        "SingleHit: true");
}

static void files_without_such_settings_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *xml, *overrides;
    } all[] = {
        {"<Project><PropertyGroup><TargetFramework/></PropertyGroup></Project>",
         "has no settings of"},
        {"<RunSettings/>", "has no settings of"},
        {"<x/>", "has no settings of"},
        {"<RunSettings>", "not well-formed XML"},
        {"", "not well-formed XML"},
        {"{}", "not well-formed XML"},
    };
    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        struct import import;
        struct err err = {0};
        assert_failed(parse(&import, all[i].xml, &err), err, ERR_FORMAT);
        if (strstr(err.text, all[i].overrides) == NULL)
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
    assert_int_equal(file.items[0].count, 2); /* a pattern has no line end */
    assert_string_equal(file.items[0].values[0], "[A]\"*\\");
    assert_string_equal(file.items[0].values[1], "[C*/]*");
    assert_int_equal(import.rest.count, 2);
    free(made);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

static const struct CMUnitTest tests[] = {
    TEST(filters_of_coverlet_have_a_letter_that_may_be_missing),
    TEST(globs_of_coverlet_become_paths_below_the_root),
    TEST(regexes_of_modules_are_patterns_if_they_are_about_the_name),
    TEST(regexes_of_sources_are_globs_below_the_root),
    TEST(regexes_of_attributes_are_names_if_they_match_one),
    TEST(options_of_the_collector_of_coverlet_are_read),
    TEST(settings_of_the_collector_of_microsoft_are_read),
    TEST(thresholds_become_gates),
    TEST(the_last_value_of_a_property_counts_and_what_msbuild_knows_is_named),
    TEST(files_without_such_settings_are_refused),
    TEST(what_is_printed_is_a_settings_file),
};
UNIT_TESTS(tests);
