/* test_host.c - which processes are served: told from a command line and an executable, as /proc
 * shows them. */
#include "profiler/host.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/check.h"

#define DOTNET "/opt/dotnet/dotnet"

/* Arguments with spaces between, none within. */
static void describe(struct host *out, const char *arguments, const char *executable)
{
    char line[1024];
    size_t len = strlen(arguments);
    assert_true(len < sizeof line);
    for (size_t i = 0; i <= len; i++)
        line[i] = (char)(arguments[i] == ' ' ? '\0' : arguments[i]);
    struct view copy = exact_copy((struct view){(const uint8_t *)line, len + (len != 0)});
    host_describe(out, (const char *)copy.data, copy.len, executable);
    exact_free(copy);
}

static const struct {
    const char *arguments, *executable, *program, *name;
    bool is_verb, is_server;
} hosts[] = {
    {"dotnet test", DOTNET, DOTNET, "dotnet", true, false},
    {"dotnet", DOTNET, DOTNET, "dotnet", true, false},
    {"dotnet --info", DOTNET, DOTNET, "dotnet", true, false},
    {"dotnet run --project App.dll", DOTNET, DOTNET, "dotnet", true, false},
    {"dotnet app.dll one two.dll", DOTNET, "app.dll", "app", false, false},
    {"dotnet /a/b/My.App.DLL", DOTNET, "/a/b/My.App.DLL", "My.App", false, false},
    {"dotnet exec /a/app.dll", DOTNET, "/a/app.dll", "app", false, false},
    {"dotnet exec --depsfile x.json --runtimeconfig y.json /a/testhost.dll", DOTNET,
     "/a/testhost.dll", "testhost", false, false},
    {"dotnet --fx-version 10.0.0 --roll-forward Major /a/app.dll", DOTNET, "/a/app.dll", "app",
     false, false},
    {"dotnet exec --additionalprobingpath /p --additionalprobingpath /q /a/app.exe", DOTNET,
     "/a/app.exe", "app", false, false},
    {"dotnet exec", DOTNET, DOTNET, "dotnet", true, false},
    {"dotnet exec --depsfile", DOTNET, DOTNET, "dotnet", true, false},
    {"dotnet --depsfile app.dll", DOTNET, DOTNET, "dotnet", true, false},
    {"dotnet test.dl", DOTNET, DOTNET, "dotnet", true, false},
    {"./App --port 80", "/srv/App", "/srv/App", "App", false, false},
    {"/srv/App.exe", "/srv/App.exe", "/srv/App.exe", "App", false, false},
    {"App dotnet test.dll", "/srv/App", "/srv/App", "App", false, false},
    {"", "/srv/App", "/srv/App", "App", false, false},
    {"", "", "", "", false, false},
    {"dotnet /sdk/MSBuild.dll /nologo /nodemode:1 /nodeReuse:true", DOTNET, "/sdk/MSBuild.dll",
     "MSBuild", false, true},
    {"dotnet /sdk/MSBuild.dll -nodemode:8", DOTNET, "/sdk/MSBuild.dll", "MSBuild", false, true},
    {"dotnet /sdk/MSBuild.dll App.csproj", DOTNET, "/sdk/MSBuild.dll", "MSBuild", false, false},
    {"dotnet exec /sdk/Roslyn/bincore/VBCSCompiler.dll -pipename:x", DOTNET,
     "/sdk/Roslyn/bincore/VBCSCompiler.dll", "VBCSCompiler", false, true},
    {"VBCSCompiler -pipename:x", "/sdk/VBCSCompiler", "/sdk/VBCSCompiler", "VBCSCompiler", false,
     true},
};

static void command_lines_name_their_program(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(hosts); i++) {
        struct host host;
        describe(&host, hosts[i].arguments, hosts[i].executable);
        if (strcmp(host.program, hosts[i].program) != 0 ||
            !str_is(host_name(&host), hosts[i].name) || host.is_dotnet_verb != hosts[i].is_verb ||
            host.is_server != hosts[i].is_server)
            fail_msg("'%s' is %s, %s%s", hosts[i].arguments, host.program,
                     host.is_dotnet_verb ? "a verb" : "no verb",
                     host.is_server ? ", a server" : "");
    }
}

static void long_paths_are_cut_and_harm_nothing(void **state)
{
    static char path[3 * HOST_PATH_MAX];
    struct host host;
    (void)state;
    memset(path, 'p', sizeof path - 1);
    host_describe(&host, path, sizeof path, path);
    assert_int_equal(strlen(host.program), HOST_PATH_MAX - 1);
}

#define SDK "/opt/dotnet/sdk/10.0.401/"

static const struct {
    const char *arguments, *executable, *parent_arguments;
    bool wanted, served;
} decisions[] = {
    /* what users run */
    {"dotnet app.dll", DOTNET, "bash", false, true},
    {"App", "/srv/App", "bash", false, true},
    {"dotnet exec --runtimeconfig c --depsfile d /n/testhost.dll --port 1", DOTNET, "dotnet test",
     false, true},
    {"testhost", "/n/testhost", "dotnet test", false, true},
    {"testhost.x86", "/n/testhost.x86", "dotnet test", false, true},
    {"dotnet /bin/App.Tests.dll", DOTNET, "dotnet test", false, true},
    {"App.Tests", "/bin/App.Tests", "dotnet test", false, true},
    {"ilspycmd", "/tools/ilspycmd", "bash", false, true},
    /* what only drives them */
    {"dotnet test", DOTNET, "bash", false, false},
    {"dotnet build", DOTNET, "bash", false, false},
    {"dotnet " SDK "MSBuild.dll", DOTNET, "dotnet build", false, false},
    {"dotnet exec " SDK "vstest.console.dll /x", DOTNET, "dotnet test", false, false},
    {"dotnet " SDK "datacollector.dll", DOTNET, "dotnet x.dll", false, false},
    {"dotnet " SDK "NuGet.Build.Tasks.Console.dll", DOTNET, "dotnet build", false, false},
    /* servers, whatever is wanted */
    {"dotnet " SDK "MSBuild.dll /nodemode:1", DOTNET, "dotnet build", true, false},
    {"dotnet exec " SDK "VBCSCompiler.dll", DOTNET, "dotnet build", true, false},
    /* a compiler is a build's, or the user's */
    {"dotnet exec " SDK "csc.dll /r:x", DOTNET, "dotnet " SDK "MSBuild.dll", false, false},
    {"dotnet exec " SDK "csc.dll /r:x", DOTNET, "dotnet build", false, false},
    {"dotnet exec " SDK "vbc.dll", DOTNET, "dotnet exec VBCSCompiler.dll", false, false},
    {"dotnet exec " SDK "fsc.dll", DOTNET, "dotnet build", false, false},
    {"dotnet exec " SDK "csc.dll a.cs", DOTNET, "bash", false, true},
    {"dotnet exec " SDK "csc.dll a.cs", DOTNET, "dotnet app.dll", false, true},
    /* named by -i */
    {"dotnet test", DOTNET, "bash", true, true},
    {"dotnet " SDK "MSBuild.dll", DOTNET, "bash", true, true},
    {"dotnet exec " SDK "vstest.console.dll", DOTNET, "dotnet test", true, true},
};

static void processes_are_served_or_declined_for_a_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(decisions); i++) {
        struct host host, parent;
        bool dotnet = strncmp(decisions[i].parent_arguments, "dotnet", 6) == 0;
        describe(&host, decisions[i].arguments, decisions[i].executable);
        describe(&parent, decisions[i].parent_arguments, dotnet ? DOTNET : "/usr/bin/bash");
        enum reason_code reason = host_decline_reason(&host, &parent, decisions[i].wanted);
        if ((reason == REASON_NONE) != decisions[i].served)
            fail_msg("'%s': reason %u", decisions[i].arguments, (unsigned)reason);
    }
}

static void own_process_and_parent_are_read_from_the_system(void **state)
{
    struct host self, parent;
    char executable[HOST_PATH_MAX] = "";
    (void)state;
    assert_true(readlink("/proc/self/exe", executable, sizeof executable - 1) > 0);
    host_read_self(&self);
    assert_string_equal(self.program, executable);
    assert_false(self.is_dotnet_verb);
    assert_false(self.is_server);
    host_read_parent(&parent);
    assert_string_not_equal(parent.program, "");
}

static void add_assembly(void *context, struct str assembly)
{
    struct text *names = context;
    if (names->len != 0)
        text_add_c(names, " ");
    text_add(names, assembly);
}

static void assemblies_of_a_test_driver_are_its_own_arguments(void **state)
{
    static const struct {
        const char *line, *assemblies;
    } cases[] = {
        {"dotnet exec /sdk/vstest.console.dll --framework:x /a/A.dll --logger:b.dll B.EXE",
         "/a/A.dll B.EXE"},
        {"dotnet exec --depsfile x.dll /sdk/vstest.console.dll --help", ""},
        {"/sdk/vstest.console A.dll", "A.dll"},
        {"dotnet vstest.dll A.dll", ""},
        {"", ""},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char line[128] = {0};
        size_t len = 0;
        struct arena arena;
        struct text names;
        struct str got;
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        text_open(&names, &arena);
        len = strlen(cases[i].line);
        for (size_t k = 0; k < len; k++)
            line[k] = (char)(cases[i].line[k] == ' ' ? '\0' : cases[i].line[k]);
        len += len != 0;
        struct view copy = exact_copy((struct view){(const uint8_t *)line, len});
        host_each_tests((const char *)copy.data, copy.len, add_assembly, &names);
        assert_true(text_take(&got, &names, NULL));
        assert_str(got, cases[i].assemblies);
        exact_free(copy);
        arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(command_lines_name_their_program),
        cmocka_unit_test(long_paths_are_cut_and_harm_nothing),
        cmocka_unit_test(processes_are_served_or_declined_for_a_reason),
        cmocka_unit_test(own_process_and_parent_are_read_from_the_system),
        cmocka_unit_test(assemblies_of_a_test_driver_are_its_own_arguments),
    };
    return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
