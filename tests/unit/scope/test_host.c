/* test_host.c - which processes are served: told from a command line and an executable, as /proc
 * shows them, and from what these files are. */
#include "scope/host.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "system/process.h"
#include "tests/support/check.h"
#include "tests/support/signed_image.h"
#include "tests/support/temporary.h"

/* --- an installation, and programs of the user's that have the same names --------------------- */

static struct temporary place;

static void make_folder(const char *name)
{
    assert_int_equal(mkdir(temporary_path(&place, name), 0700), 0);
}

static void make_assembly(const char *folder, const char *name, bool is_signed)
{
    struct image image;
    char file[64];
    struct view bytes = signed_image(&image, name, is_signed);
    (void)snprintf(file, sizeof file, "%s/%s.dll", folder, name);
    (void)temporary_file(&place, file, bytes.data, bytes.len);
    image_free(&image);
}

static const char *const tool_names[] = {"MSBuild",
                                         "VBCSCompiler",
                                         "NuGet.Build.Tasks.Console",
                                         "vstest.console",
                                         "datacollector",
                                         "csc",
                                         "vbc",
                                         "fsc"};

static int set_up(void **state)
{
    static const char *const folders[] = {"net", "net/host", "net/host/fxr", "net/sdk", "own"};
    (void)state;
    temporary_open(&place);
    for (size_t i = 0; i < ARRAY_LEN(folders); i++)
        make_folder(folders[i]);
    for (size_t i = 0; i < ARRAY_LEN(tool_names); i++) {
        make_assembly("net/sdk", tool_names[i], true);
        make_assembly("own", tool_names[i], false);
    }
    make_assembly("own", "Signed", true);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    temporary_close(&place);
    return 0;
}

/* With the folder above for each @. */
static void in_place(char *out, size_t room, const char *text)
{
    size_t len = 0;
    out[0] = '\0';
    for (; *text != '\0'; text++)
        len += (size_t)snprintf(out + len, room - len, "%.*s", *text == '@' ? (int)room : 1,
                                *text == '@' ? place.folder : text);
    assert_true(len < room);
}

#define DOTNET "@/net/dotnet"
#define SDK    "@/net/sdk/"

/* Arguments with spaces between, none within. */
static void describe(struct host *out, const char *words, const char *written)
{
    char line[1024], arguments[1024], executable[1024];
    in_place(arguments, sizeof arguments, words);
    in_place(executable, sizeof executable, written);
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
    bool is_verb;
} hosts[] = {
    {"dotnet test", DOTNET, DOTNET, "dotnet", true},
    {"dotnet", DOTNET, DOTNET, "dotnet", true},
    {"dotnet --info", DOTNET, DOTNET, "dotnet", true},
    {"dotnet run --project App.dll", DOTNET, DOTNET, "dotnet", true},
    {"dotnet app.dll one two.dll", DOTNET, "app.dll", "app", false},
    {"dotnet /a/b/My.App.DLL", DOTNET, "/a/b/My.App.DLL", "My.App", false},
    {"dotnet exec /a/app.dll", DOTNET, "/a/app.dll", "app", false},
    {"dotnet exec --depsfile x.json --runtimeconfig y.json /a/testhost.dll", DOTNET,
     "/a/testhost.dll", "testhost", false},
    {"dotnet --fx-version 10.0.0 --roll-forward Major /a/app.dll", DOTNET, "/a/app.dll", "app",
     false},
    {"dotnet exec --additionalprobingpath /p --additionalprobingpath /q /a/app.exe", DOTNET,
     "/a/app.exe", "app", false},
    {"dotnet exec", DOTNET, DOTNET, "dotnet", true},
    {"dotnet exec --depsfile", DOTNET, DOTNET, "dotnet", true},
    {"dotnet --depsfile app.dll", DOTNET, DOTNET, "dotnet", true},
    {"dotnet test.dl", DOTNET, DOTNET, "dotnet", true},
    /* no runtimes beside it: an application of that name */
    {"dotnet test", "@/own/dotnet", "@/own/dotnet", "dotnet", false},
    {"dotnet app.dll", "@/own/dotnet", "@/own/dotnet", "dotnet", false},
    {"./App --port 80", "/srv/App", "/srv/App", "App", false},
    {"/srv/App.exe", "/srv/App.exe", "/srv/App.exe", "App", false},
    {"App dotnet test.dll", "/srv/App", "/srv/App", "App", false},
    {"", "/srv/App", "/srv/App", "App", false},
    {"", "", "", "", false},
};

static void command_lines_name_their_program(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(hosts); i++) {
        struct host host;
        char program[1024];
        describe(&host, hosts[i].arguments, hosts[i].executable);
        in_place(program, sizeof program, hosts[i].program);
        if (strcmp(host.program, program) != 0 || !str_is(host_name(&host), hosts[i].name) ||
            (host.tool == REASON_DOTNET_COMMAND) != hosts[i].is_verb)
            fail_msg("'%s' is %s, tool %u", hosts[i].arguments, host.program, (unsigned)host.tool);
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

static const struct {
    const char *arguments, *executable, *parent_arguments;
    bool wanted;
    enum reason_code reason;
} decisions[] = {
    /* what users run */
    {"dotnet app.dll", DOTNET, "bash", false, REASON_NONE},
    {"App", "/srv/App", "bash", false, REASON_NONE},
    {"dotnet exec --runtimeconfig c --depsfile d /n/testhost.dll --port 1", DOTNET, "dotnet test",
     false, REASON_NONE},
    {"testhost", "/n/testhost", "dotnet test", false, REASON_NONE},
    {"testhost.x86", "/n/testhost.x86", "dotnet test", false, REASON_NONE},
    {"dotnet /bin/App.Tests.dll", DOTNET, "dotnet test", false, REASON_NONE},
    {"App.Tests", "/bin/App.Tests", "dotnet test", false, REASON_NONE},
    {"ilspycmd", "/tools/ilspycmd", "bash", false, REASON_NONE},
    /* what has the arguments of a tool */
    {"App /nodemode:1 -nodemode:2", "/srv/App", "bash", false, REASON_NONE},
    {"dotnet app.dll /nodemode:1", DOTNET, "dotnet build", false, REASON_NONE},
    {"App --artifactsProcessingMode-postprocess", "/srv/App", "bash", false, REASON_NONE},
    /* what has the key of a tool, and another name */
    {"Signed", "@/own/Signed", "bash", false, REASON_NONE},
    /* what only drives them */
    {"dotnet test", DOTNET, "bash", false, REASON_DOTNET_COMMAND},
    {"dotnet build", DOTNET, "bash", false, REASON_DOTNET_COMMAND},
    {"dotnet run -- /nodemode:1", DOTNET, "bash", false, REASON_DOTNET_COMMAND},
    {"dotnet " SDK "MSBuild.dll", DOTNET, "dotnet build", false, REASON_BUILD_TOOL},
    {"MSBuild", SDK "MSBuild", "dotnet build", false, REASON_BUILD_TOOL},
    {"dotnet exec " SDK "vstest.console.dll /x", DOTNET, "dotnet test", false, REASON_TEST_DRIVER},
    {"dotnet exec " SDK "vstest.console.dll --ArtifactsProcessingMode-PostProcess", DOTNET,
     "dotnet test", false, REASON_GATHERS_RESULTS},
    {"dotnet " SDK "datacollector.dll", DOTNET, "dotnet x.dll", false, REASON_TEST_DRIVER},
    {"dotnet " SDK "NuGet.Build.Tasks.Console.dll", DOTNET, "dotnet build", false,
     REASON_BUILD_TOOL},
    /* servers, whatever is wanted */
    {"dotnet " SDK "MSBuild.dll /nologo /nodemode:1 /nodeReuse:true", DOTNET, "dotnet build", true,
     REASON_BUILD_SERVER},
    {"dotnet " SDK "MSBuild.dll -nodemode:8", DOTNET, "dotnet build", true, REASON_BUILD_SERVER},
    {"dotnet exec " SDK "VBCSCompiler.dll -pipename:x", DOTNET, "dotnet build", true,
     REASON_BUILD_SERVER},
    {"VBCSCompiler -pipename:x", SDK "VBCSCompiler", "dotnet build", true, REASON_BUILD_SERVER},
    /* a compiler is a build's, or the user's */
    {"dotnet exec " SDK "csc.dll /r:x", DOTNET, "dotnet " SDK "MSBuild.dll", false,
     REASON_COMPILER},
    {"csc /r:x", SDK "csc", "dotnet " SDK "MSBuild.dll /nodemode:1", false, REASON_COMPILER},
    {"dotnet exec " SDK "csc.dll /r:x", DOTNET, "dotnet build", false, REASON_COMPILER},
    {"dotnet exec " SDK "vbc.dll", DOTNET, "dotnet exec " SDK "VBCSCompiler.dll", false,
     REASON_COMPILER},
    {"dotnet exec " SDK "fsc.dll", DOTNET, "dotnet build", false, REASON_COMPILER},
    {"dotnet exec " SDK "csc.dll a.cs", DOTNET, "bash", false, REASON_NONE},
    {"dotnet exec " SDK "csc.dll a.cs", DOTNET, "dotnet app.dll", false, REASON_NONE},
    {"dotnet exec " SDK "csc.dll a.cs", DOTNET, "dotnet @/own/MSBuild.dll", false, REASON_NONE},
    /* named by -i */
    {"dotnet test", DOTNET, "bash", true, REASON_NONE},
    {"dotnet " SDK "MSBuild.dll", DOTNET, "bash", true, REASON_NONE},
    {"dotnet exec " SDK "vstest.console.dll", DOTNET, "dotnet test", true, REASON_NONE},
};

static enum reason_code decide(const char *arguments, const char *executable,
                               const char *parent_arguments, bool wanted)
{
    struct host host, parent;
    bool dotnet = strncmp(parent_arguments, "dotnet", 6) == 0;
    describe(&host, arguments, executable);
    describe(&parent, parent_arguments, dotnet ? DOTNET : "/usr/bin/bash");
    return host_decline_reason(&host, &parent, wanted);
}

static void processes_are_served_or_declined_for_a_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(decisions); i++) {
        enum reason_code reason = decide(decisions[i].arguments, decisions[i].executable,
                                         decisions[i].parent_arguments, decisions[i].wanted);
        if (reason != decisions[i].reason)
            fail_msg("'%s': reason %u", decisions[i].arguments, (unsigned)reason);
    }
}

static void programs_with_the_name_of_a_tool_are_served(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(tool_names); i++) {
        char arguments[128], executable[128];
        (void)snprintf(arguments, sizeof arguments, "dotnet @/own/%s.dll /nodemode:1",
                       tool_names[i]);
        assert_int_equal(decide(arguments, DOTNET, "dotnet build", false), REASON_NONE);
        (void)snprintf(executable, sizeof executable, "@/own/%s", tool_names[i]);
        assert_int_equal(decide("tool", executable, "dotnet build", false), REASON_NONE);
        /* in one file, with no assembly beside it */
        (void)snprintf(executable, sizeof executable, "@/%s", tool_names[i]);
        assert_int_equal(decide("tool", executable, "dotnet build", false), REASON_NONE);
    }
}

static void own_process_and_parent_are_read_from_the_system(void **state)
{
    struct host self, parent;
    char executable[HOST_PATH_MAX] = "";
    (void)state;
    assert_true(readlink("/proc/self/exe", executable, sizeof executable - 1) > 0);
    host_read(&self, PROCESS_SELF);
    assert_string_equal(self.program, executable);
    assert_int_equal(self.tool, REASON_NONE);
    host_read(&parent, PROCESS_PARENT);
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
        struct str got;
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        struct text names = text_in(&arena);
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

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(command_lines_name_their_program),
    cmocka_unit_test(long_paths_are_cut_and_harm_nothing),
    cmocka_unit_test(processes_are_served_or_declined_for_a_reason),
    cmocka_unit_test(programs_with_the_name_of_a_tool_are_served),
    cmocka_unit_test(own_process_and_parent_are_read_from_the_system),
    cmocka_unit_test(assemblies_of_a_test_driver_are_its_own_arguments),
};
UNIT_TESTS_WITH(tests, set_up, tear_down);
