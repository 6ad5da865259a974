#include "profiler/host.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/path.h"
#include "system/process/process_program.h"

enum {
    COMMAND_LINE_MAX = 4096 /* on a thread's stack; enough, because the host's options come first */
};

/* `dotnet [host options] app.dll`, `dotnet exec [host options] app.dll`, `dotnet verb`: options
 * that take a value. */
static const char *const host_options[] = {
    "--runtimeconfig", "--depsfile",     "--additionalprobingpath",          "--additional-deps",
    "--fx-version",    "--roll-forward", "--roll-forward-on-no-candidate-fx"};

static const char *next_argument(const char *argument, const char *end)
{
    const char *next = argument + strnlen(argument, (size_t)(end - argument)) + 1;
    return next < end ? next : NULL;
}

static bool takes_value(const char *option)
{
    for (size_t i = 0; i < ARRAY_LEN(host_options); i++)
        if (strcmp(option, host_options[i]) == 0)
            return true;
    return false;
}

static bool is_managed_file(struct str name)
{
    struct str ending = {name.text + (name.len < 4 ? 0 : name.len - 4), name.len < 4 ? 0 : 4};
    return str_eq_nocase(ending, STR(".dll")) || str_eq_nocase(ending, STR(".exe"));
}

/* The dll among the arguments of `dotnet`, or NULL for a verb. */
static const char *dll_of_dotnet(const char *argument, const char *end)
{
    if (argument != NULL && strcmp(argument, "exec") == 0)
        argument = next_argument(argument, end);
    while (argument != NULL && argument[0] == '-') {
        bool value = takes_value(argument);
        argument = next_argument(argument, end);
        if (value && argument != NULL)
            argument = next_argument(argument, end);
    }
    return argument != NULL && is_managed_file(str_of(argument)) ? argument : NULL;
}

static const char gathering[] = "--artifactsProcessingMode-postprocess";

void host_describe(struct host *out, const char *command_line, size_t len, const char *executable)
{
    *out = (struct host){.is_dotnet_verb = false};
    (void)snprintf(out->program, sizeof out->program, "%s", executable);
    const char *end = command_line + len;
    const char *first = len != 0 ? next_argument(command_line, end) : NULL;
    if (str_is(path_file(str_of(executable)), "dotnet")) {
        const char *dll = dll_of_dotnet(first, end);
        out->is_dotnet_verb = dll == NULL;
        if (dll != NULL)
            (void)snprintf(out->program, sizeof out->program, "%s", dll);
    }
    for (const char *a = first; a != NULL; a = next_argument(a, end)) {
        out->is_server |= strncmp(a, "/nodemode:", 10) == 0 || strncmp(a, "-nodemode:", 10) == 0;
        out->gathers |= strncasecmp(a, gathering, sizeof gathering - 1) == 0;
        out->asks_coverage |= strcmp(a, "--coverage") == 0;
    }
    out->is_server |= str_eq_nocase(host_name(out), STR("VBCSCompiler"));
}

/* `dotnet exec vstest.console.dll A.dll B.dll --logger:console` */
void host_each_tests(const char *command_line, size_t len,
                     void (*take)(void *context, struct str assembly), void *context)
{
    const char *end = command_line + len;
    bool is_own = true; /* what comes before the driver's own arguments */
    for (const char *a = command_line; len != 0 && a != NULL; a = next_argument(a, end)) {
        if (!is_own && a[0] != '-' && is_managed_file(str_of(a)))
            take(context, str_of(a));
        is_own &= !str_starts(path_file(str_of(a)), "vstest.console");
    }
}

struct str host_name(const struct host *host)
{
    struct str name = path_file(str_of(host->program));
    if (is_managed_file(name))
        name.len -= 4;
    return name;
}

static bool name_is_one_of(struct str name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (str_eq_nocase(name, str_of(names[i])))
            return true;
    return false;
}

static bool builds(const struct host *host)
{
    return host->is_dotnet_verb || str_eq_nocase(host_name(host), STR("MSBuild")) ||
           str_eq_nocase(host_name(host), STR("VBCSCompiler"));
}

enum reason_code host_decline_reason(const struct host *host, const struct host *parent,
                                     bool wanted)
{
    static const char *const build_tools[] = {"MSBuild", "VBCSCompiler",
                                              "NuGet.Build.Tasks.Console"};
    static const char *const test_drivers[] = {"vstest.console", "datacollector"};
    static const char *const compilers[] = {"csc", "vbc", "fsc"};
    struct str name = host_name(host);
    if (host->is_server)
        return REASON_BUILD_SERVER;
    if (wanted || str_starts(name, "testhost"))
        return REASON_NONE;
    if (host->is_dotnet_verb)
        return REASON_DOTNET_COMMAND;
    if (name_is_one_of(name, build_tools, ARRAY_LEN(build_tools)))
        return REASON_BUILD_TOOL;
    if (host->gathers)
        return REASON_GATHERS_RESULTS;
    if (name_is_one_of(name, test_drivers, ARRAY_LEN(test_drivers)))
        return REASON_TEST_DRIVER;
    if (name_is_one_of(name, compilers, ARRAY_LEN(compilers)) && builds(parent))
        return REASON_COMPILER;
    return REASON_NONE;
}

static void read_process(struct host *out, int pid)
{
    char command_line[COMMAND_LINE_MAX], executable[HOST_PATH_MAX];
    size_t len = 0;
    (void)process_program_arguments(command_line, &len, sizeof command_line, pid);
    (void)process_program_path(executable, sizeof executable, pid, NULL);
    host_describe(out, command_line, len, executable);
}

void host_read_self(struct host *out)
{
    read_process(out, PROCESS_SELF);
}

void host_read_parent(struct host *out)
{
    read_process(out, PROCESS_PARENT);
}
