/* test_test_hosts.c - test hosts that did not report are counted and named, with the cause where
 * files or the command show it. */
#include "cli/publish/test_hosts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/check.h"
#include "tests/support/temporary.h"

enum {
    DRIVER = 10,
    SECOND = 20,
    HOST = 30
};

#define SDK "/none/sdk/10.0.100/"

static struct session_process process(const char *program, uint32_t pid, uint32_t parent)
{
    return (struct session_process){.program = str_of(program), .pid = pid, .parent = parent};
}

static struct session_process driver(const char *program, uint32_t pid, struct str *tests,
                                     uint32_t count)
{
    struct session_process made = process(program, pid, 1);
    made.declined.code = REASON_TEST_DRIVER;
    made.tests = tests;
    made.test_count = count;
    return made;
}

/* What is printed about these processes. */
static struct str reported(uint32_t *missing, struct temporary *t,
                           struct session_process *processes, uint32_t count, char *const *command)
{
    const struct session session = {.processes = processes, .process_count = count};
    const char *path = temporary_path(t, "said");
    struct arena arena;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    int saved = temporary_redirect(2, path);
    bool ok = test_hosts_report(missing, &session, command, &arena, NULL);
    temporary_restore(2, saved);
    arena_free(&arena);
    assert_true(ok);
    return temporary_read(t, path);
}

/* An assembly that is there, with this runtimeconfig.json beside it, unless that is NULL. */
static struct str make_assembly(struct temporary *t, const char *name, const char *config)
{
    char file[64];
    (void)snprintf(file, sizeof file, "%s.runtimeconfig.json", name);
    if (config != NULL)
        (void)temporary_file(t, file, config, strlen(config));
    (void)snprintf(file, sizeof file, "%s.dll", name);
    return str_of(temporary_file(t, file, "MZ", 2));
}

/* --- test drivers ----------------------------------------------------------------------------- */

static void each_driver_has_as_many_hosts_as_assemblies(void **state)
{
    (void)state;
    struct temporary t;
    uint32_t missing;
    temporary_open(&t);
    struct str tests[] = {make_assembly(&t, "A", NULL), make_assembly(&t, "B", NULL)};
    struct session_process all[] = {
        driver(SDK "vstest.console.dll", DRIVER, tests, 1),
        driver(SDK "vstest.console.dll", SECOND, tests + 1, 1),
        process("/a/testhost.dll", HOST, DRIVER),
        process("/b/testhost", HOST + 1, SECOND),
        driver(SDK "vstest.console.dll", SECOND, NULL, 0), /* --help */
    };
    assert_str(reported(&missing, &t, all, 5, NULL), "");
    assert_int_equal(missing, 0);
    /* two hosts of one driver are not one of each */
    all[3].parent = DRIVER;
    assert_non_null(strstr(reported(&missing, &t, all, 5, NULL).text,
                           "1 of 2 test hosts did not report (B.dll): "));
    assert_int_equal(missing, 1);
    /* one driver with two assemblies */
    all[0].tests = tests;
    all[0].test_count = 2;
    all[3].parent = 1;
    assert_non_null(strstr(reported(&missing, &t, all, 1, NULL).text,
                           "2 of 2 test hosts did not report (A.dll, B.dll): "));
    assert_int_equal(missing, 2);
    temporary_close(&t);
}

static void host_names_the_assembly_that_has_one(void **state)
{
    (void)state;
    struct temporary t;
    uint32_t missing;
    char host[512];
    temporary_open(&t);
    struct str tests[] = {STR("/none/A.dll"), make_assembly(&t, "B", NULL)};
    (void)snprintf(host, sizeof host, "%s/testhost.dll", t.folder);
    struct session_process all[] = {driver(SDK "vstest.console.dll", DRIVER, tests, 2),
                                    process(host, HOST, DRIVER)};
    assert_str(reported(&missing, &t, all, 2, NULL),
               "ilcov: the tests of A.dll did not run: /none/A.dll cannot be opened: No such file "
               "or directory\n");
    assert_int_equal(missing, 1);
    temporary_close(&t);
}

static void what_the_command_asks_for_is_the_cause(void **state)
{
    (void)state;
    struct temporary t;
    uint32_t missing;
    char dotnet[] = "dotnet", test[] = "test", collect[] = "--collect", what[] = "Code Coverage",
         option[] = "--settings", file[] = "my.runsettings";
    char *plain[] = {dotnet, test, NULL}, *collecting[] = {dotnet, test, collect, what, NULL},
         *set[] = {dotnet, test, option, file, NULL};
    temporary_open(&t);
    struct str tests = make_assembly(&t, "A", NULL);
    struct session_process all[] = {driver(SDK "vstest.console.dll", DRIVER, &tests, 1),
                                    process(SDK "datacollector.dll", SECOND, DRIVER)};
    assert_str(reported(&missing, &t, all, 1, collecting),
               "ilcov: the test host did not report (A.dll): another collector is configured "
               "(Code Coverage), which takes ilcov's place there: run without it\n");
    assert_str(reported(&missing, &t, all, 1, set),
               "ilcov: the test host did not report (A.dll): EnvironmentVariables in "
               "my.runsettings may replace what ilcov sets\n");
    assert_str(
        reported(&missing, &t, all, 1, plain),
        "ilcov: the test host did not report (A.dll): the output of the command says so "
        "if they did not start; if they did, EnvironmentVariables in a .runsettings file may "
        "replace what ilcov sets\n");
    static const char took[] = "a data collector ran; if it collects coverage, ";
    assert_null(strstr(reported(&missing, &t, all, 2, set).text, took)); /* the user's own */
    all[1].declined.code = REASON_TEST_DRIVER;
    assert_non_null(strstr(reported(&missing, &t, all, 2, set).text, took));
    temporary_close(&t);
}

/* --- frameworks ------------------------------------------------------------------------------- */

#define CORE(version) "{\"name\":\"Microsoft.NETCore.App\",\"version\":\"" version "\"}"
#define ONE(version)  "{\"runtimeOptions\":{\"framework\":" CORE(version) "}}"

static const struct {
    const char *config, *missing; /* NULL: another cause */
} frameworks[] = {
    {ONE("10.0.0"), NULL},
    {ONE("10.0.2"), NULL},
    {ONE("10.0.3"), "Microsoft.NETCore.App 10.0.3"},
    {ONE("10.1.0"), "Microsoft.NETCore.App 10.1.0"},
    {ONE("9.0.0"), "Microsoft.NETCore.App 9.0.0"},
    {ONE("8.0.0"), NULL},
    {"{\"runtimeOptions\":{\"frameworks\":[" CORE("8.0.0") ",{\"name\":\"Web.App\",\"version\":"
                                                           "\"8.0.0\"}]}}",
     "Web.App 8.0.0"},
    {"{\"runtimeOptions\":{\"rollForward\":\"Major\",\"framework\":" CORE("9.0.0") "}}", NULL},
    {"{\"runtimeOptions\":{\"includedFrameworks\":[" CORE("9.0.0") "]}}", NULL},
    {"{\"runtimeOptions\":{\"framework\":{\"name\":7}}}", NULL},
    {"{\"runtimeOptions\":[]}", NULL},
    {"[]", NULL},
    {"{", NULL},
    {"", NULL},
};

static void framework_that_is_not_installed_is_named(void **state)
{
    (void)state;
    struct temporary t;
    uint32_t missing;
    (void)unsetenv("DOTNET_ROLL_FORWARD");
    temporary_open(&t);
    static const char *const folders[] = {"shared", "shared/Microsoft.NETCore.App",
                                          "shared/Microsoft.NETCore.App/10.0.2",
                                          "shared/Microsoft.NETCore.App/8.1.0"};
    for (size_t i = 0; i < ARRAY_LEN(folders); i++)
        assert_int_equal(mkdir(temporary_path(&t, folders[i]), 0700), 0);
    struct str program = str_of(temporary_path(&t, "sdk/10.0.100/vstest.console.dll"));
    for (size_t i = 0; i < ARRAY_LEN(frameworks); i++) {
        char expected[512];
        struct str assembly = make_assembly(&t, "A", frameworks[i].config);
        struct session_process one = driver(program.text, DRIVER, &assembly, 1);
        struct str said = reported(&missing, &t, &one, 1, NULL);
        assert_int_equal(missing, 1);
        (void)snprintf(expected, sizeof expected,
                       "ilcov: the tests of A.dll did not run: they need %s, which is not "
                       "installed in %s\n",
                       frameworks[i].missing, t.folder);
        if (frameworks[i].missing != NULL)
            assert_str(said, expected);
        else
            assert_non_null(strstr(said.text, "the test host did not report"));
    }
    temporary_close(&t);
}

/* --- Microsoft.Testing.Platform --------------------------------------------------------------- */

static void application_that_restarts_for_coverage_has_another_process(void **state)
{
    (void)state;
    struct temporary t;
    uint32_t missing;
    struct session_skip platform = {
        STR("Microsoft.Testing.Extensions.CodeCoverage"), STR("/p.dll"), {.code = REASON_PACKAGE}};
    temporary_open(&t);
    struct session_process all[] = {process("/t/Tests", DRIVER, 1),
                                    process("/t/Tests", HOST, DRIVER)};
    for (size_t i = 0; i < ARRAY_LEN(all); i++) {
        all[i].skips = &platform;
        all[i].skip_count = 1;
    }
    assert_str(reported(&missing, &t, all, 1, NULL), "");
    all[0].asks_coverage = all[1].asks_coverage = true;
    assert_str(reported(&missing, &t, all, 1, NULL),
               "ilcov: the test host of Tests did not report: --coverage started it again with "
               "Microsoft's profiler: run without --coverage\n");
    assert_int_equal(missing, 1);
    assert_str(reported(&missing, &t, all, 2, NULL), "");
    platform.name = STR("Microsoft.Testing.Platform"); /* without its part for coverage */
    assert_str(reported(&missing, &t, all, 1, NULL), "");
    all[0].skip_count = 0; /* any program may have such an option */
    assert_str(reported(&missing, &t, all, 1, NULL), "");
    assert_int_equal(missing, 0);
    temporary_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(each_driver_has_as_many_hosts_as_assemblies),
    cmocka_unit_test(host_names_the_assembly_that_has_one),
    cmocka_unit_test(what_the_command_asks_for_is_the_cause),
    cmocka_unit_test(framework_that_is_not_installed_is_named),
    cmocka_unit_test(application_that_restarts_for_coverage_has_another_process),
};
UNIT_TESTS(tests);
