/* test_other_profilers.c - what in a command keeps our profiler out is found before anything is
 * started; what another tool did shows in the session. */
#include "cli/process/other_profilers.h"

#include <stdio.h>

#include "tests/support/check.h"
#include "tests/support/temporary.h"

#define OURS  "{1C0FC0DE-5EED-4C0F-A11C-C0DEC0DE11C0}"
#define OTHER "{846f5f1c-f9ae-4b07-969e-05c26bc060d8}"

enum {
    WORDS_MAX = 8
};

static struct {
    char command[WORDS_MAX][96];
    const char *says; /* NULL: it is allowed */
} cases[] = {
    {{"dotnet", "test"}, NULL},
    {{"env", "CORECLR_PROFILER=" OTHER, "dotnet", "test"}, "Datadog"},
    {{"/usr/bin/env", "A=b", "CORECLR_ENABLE_PROFILING=0", "x"}, "CORECLR_ENABLE_PROFILING=0"},
    {{"env", "CORECLR_ENABLE_PROFILING=1", "CORECLR_PROFILER=" OURS, "x"}, NULL},
    {{"env", "CORECLR_PROFILER_PATH_64=/other.so", "x"}, "replaces ilcov's library"},
    {{"env", "CORECLR_NOTIFICATION_PROFILERS=/a.so=" OTHER, "x"}, NULL},
    {{"env", "CORECLR_ENABLE_NOTIFICATION_PROFILERS=1", "x"}, NULL},
    {{"env", "DOTNET_EnableDiagnostics=0", "x"},
     "env: DOTNET_EnableDiagnostics=0 keeps every profiler out"},
    {{"env", "DOTNET_EnableDiagnostics=1", "x"}, NULL},
    {{"env", "COMPlus_ProfAPI_ProfilerCompatibilitySetting=PreventLoad", "x"},
     "=PreventLoad keeps every profiler out"},
    {{"env", "DOTNET_EnableDiagnostics_IPC=0", "x"}, NULL},
    {{"env", "ILCOV_SESSION=/tmp", "x"}, "session"},
    {{"env", "-u", "CORECLR_PROFILER", "x"}, "removes"},
    {{"env", "--unset=ILCOV_SESSION", "x"}, "removes"},
    {{"env", "-u", "HOME", "x"}, NULL},
    {{"env", "-i", "x"}, "put 'ilcov run' after it"},
    {{"env", "A=b", "x", "CORECLR_PROFILER=" OTHER}, NULL}, /* the program's own business */
    {{"env"}, NULL},
    {{"dotnet", "test", "-e", "CORECLR_PROFILER=" OTHER}, "Datadog"},
    {{"dotnet", "test", "--environment", "CORECLR_ENABLE_PROFILING=0x0"},
     "--environment: CORECLR_ENABLE_PROFILING=0x0 keeps"},
    {{"dotnet", "test", "-e:DOTNET_PROFILER=" OTHER}, "Datadog"},
    {{"dotnet", "test", "--environment=CORECLR_PROFILER={0}"}, "another profiler"},
    {{"dotnet", "test", "-e", "FOO=CORECLR_PROFILER"}, NULL},
    {{"dotnet", "test", "-e"}, NULL},
    {{"dotnet", "test", "--", "RunConfiguration.EnvironmentVariables.CORECLR_PROFILER=" OTHER},
     "Datadog"},
    {{"dotnet", "test", "--", "RunConfiguration.EnvironmentVariables.HOME=/"}, NULL},
    {{"sh", "-c", "CORECLR_ENABLE_PROFILING=0 helper; dotnet test"}, NULL}, /* of one program */
};

static void variables_that_a_command_sets_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err err = {0};
        char *command[WORDS_MAX + 1] = {NULL};
        for (size_t w = 0; w < WORDS_MAX && cases[i].command[w][0] != '\0'; w++)
            command[w] = cases[i].command[w];
        bool allowed = other_profilers_allow(command, &err);
        if (allowed != (cases[i].says == NULL))
            fail_msg("case %zu: %s", i, allowed ? "is allowed" : err.text);
        if (!allowed && (err.code != ERR_USAGE || strstr(err.text, cases[i].says) == NULL))
            fail_msg("case %zu: %s", i, err.text);
    }
}

static const char settings[] =
    "<?xml version='1.0'?><RunSettings><RunConfiguration><EnvironmentVariables>\n"
    "  <!-- <CORECLR_PROFILER>" OTHER "</CORECLR_PROFILER> -->\n"
    "  <HOME>/</HOME><%s>%s</%s>\n"
    "</EnvironmentVariables></RunConfiguration></RunSettings>";

static bool allows(struct temporary *t, const char *name, const char *value, struct err *err)
{
    char text[1000];
    int len = snprintf(text, sizeof text, settings, name, value, name);
    const char *path = temporary_file(t, "my.runsettings", text, (size_t)len);
    struct str argument;
    assert_true(text_format(&argument, &t->arena, NULL, "-p:RunSettingsFilePath=%s", path));
    char dotnet[] = "dotnet", test[] = "test", option[] = "--settings";
    char file[300], property[330];
    (void)snprintf(file, sizeof file, "%s", path);
    (void)snprintf(property, sizeof property, "%s", argument.text);
    char *by_option[] = {dotnet, test, option, file, NULL};
    char *by_property[] = {dotnet, test, property, NULL};
    bool allowed = other_profilers_allow(by_option, err);
    assert_int_equal(other_profilers_allow(by_property, NULL), allowed);
    return allowed;
}

static void variables_of_a_settings_file_are_found(void **state)
{
    (void)state;
    struct temporary t;
    struct err err = {0};
    temporary_open(&t);
    assert_true(allows(&t, "LANG", "C", &err));
    assert_true(allows(&t, "CORECLR_ENABLE_PROFILING", "1", &err));
    assert_false(allows(&t, "CORECLR_ENABLE_PROFILING", "0", &err));
    assert_non_null(strstr(err.text, "my.runsettings: CORECLR_ENABLE_PROFILING=0"));
    assert_false(allows(&t, "CORECLR_PROFILER", OTHER, &err));
    assert_non_null(strstr(err.text, "Datadog"));
    temporary_close(&t);
}

static void settings_file_that_can_not_be_read_is_the_test_runs_business(void **state)
{
    (void)state;
    struct temporary t;
    temporary_open(&t);
    char dotnet[] = "dotnet", test[] = "test", option[] = "-s", file[300];
    (void)snprintf(file, sizeof file, "%s", temporary_file(&t, "bad.xml", "<a", 2));
    char *bad[] = {dotnet, test, option, file, NULL}, *none[] = {dotnet, test, option, NULL};
    assert_true(other_profilers_allow(bad, NULL));
    assert_true(other_profilers_allow(none, NULL));
    temporary_close(&t);
}

static void profilers_are_named_by_id_or_by_their_library(void **state)
{
    (void)state;
    assert_string_equal(other_profilers_name(OTHER, NULL), "Datadog");
    assert_string_equal(other_profilers_name("{0}", NULL), "another profiler");
    assert_string_equal(other_profilers_name("{0}", "/x/linux-x64/libJetBrains.Profiler.Core.so"),
                        "JetBrains (dotTrace, dotMemory or dotCover)");
}

/* --- afterwards ------------------------------------------------------------------------------- */

static struct session_process process(const char *program, enum reason_code declined)
{
    return (struct session_process){.program = str_of(program), .declined.code = declined};
}

/* What is said of these processes. */
static struct str reported(struct temporary *t, struct session_process *processes, uint32_t count,
                           char *const *command, bool any)
{
    const struct session session = {.processes = processes, .process_count = count};
    const char *path = temporary_path(t, "said");
    int saved = temporary_redirect(2, path);
    bool is_reported = other_profilers_report_rewritten(&session, command);
    temporary_restore(2, saved);
    assert_int_equal(is_reported, any);
    return temporary_read(t, path);
}

static void rewritten_assemblies_are_named_once(void **state)
{
    (void)state;
    struct temporary t;
    struct session_skip skips[] = {
        {STR("A"), STR("/a.dll"), {.code = REASON_REWRITTEN_BY_COVERLET}},
        {STR("B"), STR("/b.dll"), {.code = REASON_NO_PDB_BESIDE}},
        {STR("A"), STR("/a.dll"), {.code = REASON_REWRITTEN_BY_COVERLET}}};
    struct session_process all[] = {process("/app/testhost", REASON_NONE),
                                    process("/app/testhost", REASON_NONE)};
    struct session_skip again = skips[0];
    all[0].skips = skips;
    all[0].skip_count = ARRAY_LEN(skips);
    all[1].skips = &again;
    all[1].skip_count = 1;
    temporary_open(&t);
    assert_str(reported(&t, all, 2, NULL, true),
               "ilcov: A was rewritten by coverlet before it ran: run without it\n");
    temporary_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(variables_that_a_command_sets_are_found),
    cmocka_unit_test(variables_of_a_settings_file_are_found),
    cmocka_unit_test(settings_file_that_can_not_be_read_is_the_test_runs_business),
    cmocka_unit_test(profilers_are_named_by_id_or_by_their_library),
    cmocka_unit_test(rewritten_assemblies_are_named_once),
};
UNIT_TESTS(tests);
