/* test_other_collectors.c - other coverage tools that a command asks for are found in what it
 * shows, and only there where the words mean them. */
#include "cli/process/other_collectors.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/check.h"
#include "tests/support/temporary.h"

enum {
    WORDS_MAX = 6
};

static const struct {
    const char *words[WORDS_MAX];
    const char *microsoft, *coverlet; /* NULL: not asked for */
} commands[] = {
    {{"dotnet", "test"}, NULL, NULL},
    {{"dotnet", "test", "--collect", "Code Coverage"}, "Code Coverage", NULL},
    {{"dotnet", "test", "--collect:code coverage;Format=xml"}, "code coverage;Format=xml", NULL},
    {{"dotnet", "vstest", "A.dll", "/Collect:Code Coverage"}, "Code Coverage", NULL},
    {{"dotnet", "test", "--collect=XPlat Code Coverage"}, NULL, "XPlat Code Coverage"},
    {{"dotnet", "test", "--collect", "Code Coverage", "--collect", "XPlat Code Coverage"},
     "Code Coverage",
     "XPlat Code Coverage"},
    {{"dotnet", "test", "--collect", "blame"}, NULL, NULL},
    {{"dotnet", "test", "--collect"}, NULL, NULL},
    {{"dotnet", "test", "--collector", "Code Coverage"}, NULL, NULL},
    {{"dotnet", "test", "--coverage"}, "--coverage", NULL},
    {{"dotnet", "test", "--coverage-output", "x"}, NULL, NULL},
    {{"dotnet", "test", "-p:CollectCoverage=true"}, NULL, "-p:CollectCoverage=true"},
    {{"dotnet", "test", "/p:collectcoverage=True"}, NULL, "/p:collectcoverage=True"},
    {{"dotnet", "test", "-p:CollectCoverage=false"}, NULL, NULL},
    /* a program's own arguments */
    {{"./App", "--collect", "Code Coverage"}, NULL, NULL},
    {{"./App", "--coverage"}, NULL, NULL},
    {{NULL}, NULL, NULL},
};

static void asks(char *const *command, const char *microsoft, const char *coverlet)
{
    const char *wanted[] = {microsoft, coverlet};
    for (enum other_collector c = 0; c < COLLECTOR_COUNT; c++) {
        const char *asked = other_collectors_asked(command, c);
        if ((asked == NULL) != (wanted[c] == NULL) ||
            (asked != NULL && strcmp(asked, wanted[c]) != 0))
            fail_msg("%s %s: %s", command[0], command[1], asked != NULL ? asked : "none");
    }
}

static void collectors_are_found_in_the_command(void **state)
{
    (void)state;
    (void)unsetenv("CollectCoverage");
    for (size_t i = 0; i < ARRAY_LEN(commands); i++) {
        char *command[WORDS_MAX + 1] = {NULL};
        for (size_t w = 0; w < WORDS_MAX; w++)
            command[w] = (char *)(uintptr_t)commands[i].words[w];
        asks(command, commands[i].microsoft, commands[i].coverlet);
    }
    assert_null(other_collectors_asked(NULL, COLLECTOR_COVERLET));
}

static void property_may_be_a_variable(void **state)
{
    (void)state;
    char dotnet[] = "dotnet", test[] = "test";
    assert_int_equal(setenv("CollectCoverage", "True", 1), 0);
    asks((char *[]){dotnet, test, NULL}, NULL, "CollectCoverage=true");
    assert_int_equal(setenv("CollectCoverage", "false", 1), 0);
    asks((char *[]){dotnet, test, NULL}, NULL, NULL);
    (void)unsetenv("CollectCoverage");
}

#define COLLECTORS(attributes)                                                                     \
    "<RunSettings><DataCollectionRunSettings><DataCollectors><DataCollector "                      \
    "friendlyName=\"blame\" "                                                                      \
    "/><DataCollector " attributes                                                                 \
    " /></DataCollectors></DataCollectionRunSettings></RunSettings>"

static void collectors_are_found_in_a_settings_file(void **state)
{
    static const struct {
        const char *text;
        bool microsoft, coverlet;
    } files[] = {
        {COLLECTORS("friendlyName=\"Code Coverage\""), true, false},
        {COLLECTORS("friendlyName=\"XPlat code coverage\" enabled=\"True\""), false, true},
        {COLLECTORS("friendlyName=\"Code Coverage\" enabled=\"False\""), false, false},
        {COLLECTORS("uri=\"x\""), false, false},
        {"<RunSettings/>", false, false},
        {"no XML", false, false},
    };
    (void)state;
    struct temporary t;
    temporary_open(&t);
    for (size_t i = 0; i < ARRAY_LEN(files); i++) {
        char dotnet[] = "dotnet", test[] = "test", option[] = "--settings";
        const char *path =
            temporary_file(&t, "a.runsettings", files[i].text, strlen(files[i].text));
        char *command[] = {dotnet, test, option, (char *)(uintptr_t)path, NULL};
        asks(command, files[i].microsoft ? path : NULL, files[i].coverlet ? path : NULL);
    }
    temporary_close(&t);
}

static void application_with_the_part_for_coverage_knows_the_argument(void **state)
{
    (void)state;
    struct temporary t;
    char coverage[] = "--coverage", dotnet[] = "dotnet";
    temporary_open(&t);
    char *program = (char *)(uintptr_t)temporary_path(&t, "Tests.dll");
    asks((char *[]){program, coverage, NULL}, NULL, NULL);
    (void)temporary_file(&t, "Microsoft.Testing.Extensions.CodeCoverage.dll", "MZ", 2);
    asks((char *[]){program, coverage, NULL}, "--coverage", NULL);
    asks((char *[]){dotnet, program, coverage, NULL}, "--coverage", NULL);
    temporary_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(collectors_are_found_in_the_command),
    cmocka_unit_test(property_may_be_a_variable),
    cmocka_unit_test(collectors_are_found_in_a_settings_file),
    cmocka_unit_test(application_with_the_part_for_coverage_knows_the_argument),
};
UNIT_TESTS(tests);
