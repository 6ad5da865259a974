/* test_setting.c - which of .NET's settings keep a profiler out: of a program that starts, or of
 * one that runs. */
#include "cli/process/setting.h"

#include <string.h>

#include "tests/support/check.h"

enum {
    START = SETTING_BARS_ALL | SETTING_BARS_START,
    VISIT = SETTING_BARS_ALL | SETTING_BARS_VISIT,
    ATTACH = VISIT | SETTING_BARS_ATTACH,
};

#define LOADING "ProfAPI_ProfilerCompatibilitySetting"

/* Expected: from the runtime's clrconfig.cpp, profilinghelper.cpp and rejit.inl. */
struct variables {
    const char *pairs[2][2]; /* name and value */
};

static const struct {
    struct variables variables;
    bool bars_start, bars_visit, bars_attach;
} cases[] = {
    {{{{"HOME", "/"}}}, false, false, false},
    {{{{"DOTNET_EnableDiagnostics", "0"}}}, true, true, true},
    {{{{"DOTNET_EnableDiagnostics", "0x0"}}}, true, true, true},
    {{{{"DOTNET_EnableDiagnostics", "10"}}}, false, false, false},
    {{{{"DOTNET_EnableDiagnostics", "off"}}}, false, false, false},
    {{{{"COMPlus_EnableDiagnostics_Profiler", "0"}}}, true, true, true},
    {{{{"DOTNET_EnableDiagnostics_IPC", "0"}}}, false, true, true},
    {{{{"DOTNET_EnableDiagnostics_Debugger", "0"}}}, false, false, false},
    {{{{"DOTNET_ProfApi_RejitOnAttach", "0"}}}, false, false, true},
    {{{{"DOTNET_ProfApi_RejitOnAttach", "1"}}}, false, false, false},
    {{{{"DOTNET_ProfAPI_RejitOnAttach", "0"}}}, false, false, false}, /* no such setting */
    {{{{"DOTNET_" LOADING, "PreventLoad"}}}, true, false, false},
    {{{{"COMPlus_" LOADING, " preventload\t"}}}, true, false, false},
    {{{{"DOTNET_" LOADING, "PreventLoads"}}}, false, false, false},
    {{{{"DOTNET_" LOADING, "Prevent"}}}, false, false, false},
    {{{{"DOTNET_" LOADING, "0"}}}, false, false, false},
    {{{{"DOTNET_" LOADING, "EnableV2Profiler"}, {"COMPlus_" LOADING, "PreventLoad"}}},
     false,
     false,
     false},
    /* DOTNET_ beats COMPlus_ unless it is empty, even if it is no number */
    {{{{"DOTNET_EnableDiagnostics", "x"}, {"COMPlus_EnableDiagnostics", "0"}}},
     false,
     false,
     false},
    {{{{"DOTNET_EnableDiagnostics", ""}, {"COMPlus_EnableDiagnostics", "0"}}}, true, true, true},
};

static const char *variable(const void *context, const char *name)
{
    const struct variables *variables = context;
    for (size_t i = 0; i < 2 && variables->pairs[i][0] != NULL; i++)
        if (strcmp(variables->pairs[i][0], name) == 0)
            return variables->pairs[i][1];
    return NULL;
}

static void check_bar(size_t i, int bars, bool expected)
{
    size_t at = 0;
    const char *name = setting_bar(&at, bars, variable, &cases[i].variables);
    if ((name != NULL) != expected)
        fail_msg("case %zu: %s", i, name != NULL ? name : "nothing is found");
    if (name != NULL)
        assert_non_null(variable(&cases[i].variables, name));
}

static void settings_keep_out_what_the_runtime_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        check_bar(i, START, cases[i].bars_start);
        check_bar(i, VISIT, cases[i].bars_visit);
        check_bar(i, ATTACH, cases[i].bars_attach);
    }
}

static void all_that_keep_out_are_found_one_after_another(void **state)
{
    static const struct variables both = {
        {{"DOTNET_EnableDiagnostics", "0"}, {"COMPlus_ProfApi_RejitOnAttach", "0"}}};
    size_t at = 0;
    (void)state;
    assert_string_equal(setting_bar(&at, ATTACH, variable, &both), "DOTNET_EnableDiagnostics");
    assert_string_equal(setting_bar(&at, ATTACH, variable, &both), "COMPlus_ProfApi_RejitOnAttach");
    assert_null(setting_bar(&at, ATTACH, variable, &both));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(settings_keep_out_what_the_runtime_says),
    cmocka_unit_test(all_that_keep_out_are_found_one_after_another),
};
UNIT_TESTS(tests);
