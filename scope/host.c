#include "scope/host.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/path.h"
#include "scope/signer.h"
#include "system/file_status.h"
#include "system/process.h"

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
    return str_ends_nocase(name, ".dll") || str_ends_nocase(name, ".exe");
}

struct str host_name(const struct host *host)
{
    struct str name = path_file(str_of(host->program));
    if (is_managed_file(name))
        name.len -= 4;
    return name;
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

/* An application may be called that, too. */
static bool is_muxer(const char *executable)
{
    char runtimes[PATH_ROOM];
    struct str path = str_of(executable);
    return str_is(path_file(path), "dotnet") &&
           path_join_in(runtimes, path_dir(path), STR("host/fxr")) && file_exists(runtimes);
}

/* Names are only where to look. */
static const struct {
    const char *name;
    enum reason_code reason;
} tools[] = {
    {"MSBuild", REASON_BUILD_TOOL},
    {"VBCSCompiler", REASON_BUILD_SERVER},
    {"NuGet.Build.Tasks.Console", REASON_BUILD_TOOL},
    {"vstest.console", REASON_TEST_DRIVER},
    {"datacollector", REASON_TEST_DRIVER},
    {"csc", REASON_COMPILER},
    {"vbc", REASON_COMPILER},
    {"fsc", REASON_COMPILER},
};

/* An executable has its assembly beside it. */
static bool is_signed(const struct host *host)
{
    char assembly[HOST_PATH_MAX + sizeof ".dll"];
    bool is_assembly = is_managed_file(path_file(str_of(host->program)));
    (void)snprintf(assembly, sizeof assembly, "%s%s", host->program, is_assembly ? "" : ".dll");
    return signer_is_known_of_file(assembly, host_name(host));
}

static enum reason_code tool_of(const struct host *host)
{
    for (size_t i = 0; i < ARRAY_LEN(tools); i++)
        if (str_eq_nocase(host_name(host), str_of(tools[i].name)))
            return is_signed(host) ? tools[i].reason : REASON_NONE;
    return REASON_NONE;
}

/* What else a tool does if it has this argument. */
static enum reason_code tool_with(enum reason_code tool, const char *argument)
{
    static const char gathering[] = "--artifactsProcessingMode-postprocess";
    bool is_node =
        strncmp(argument, "/nodemode:", 10) == 0 || strncmp(argument, "-nodemode:", 10) == 0;
    if (tool == REASON_BUILD_TOOL && is_node)
        return REASON_BUILD_SERVER;
    if (tool == REASON_TEST_DRIVER && strncasecmp(argument, gathering, sizeof gathering - 1) == 0)
        return REASON_GATHERS_RESULTS;
    return tool;
}

void host_describe(struct host *out, const char *command_line, size_t len, const char *executable)
{
    *out = (struct host){.tool = REASON_NONE};
    (void)snprintf(out->program, sizeof out->program, "%s", executable);
    const char *end = command_line + len;
    const char *first = len != 0 ? next_argument(command_line, end) : NULL;
    bool is_dotnet = is_muxer(executable);
    const char *dll = is_dotnet ? dll_of_dotnet(first, end) : NULL;
    if (dll != NULL)
        (void)snprintf(out->program, sizeof out->program, "%s", dll);
    out->tool = is_dotnet && dll == NULL ? REASON_DOTNET_COMMAND : tool_of(out);
    for (const char *a = first; a != NULL; a = next_argument(a, end)) {
        out->tool = tool_with(out->tool, a);
        out->asks_coverage |= strcmp(a, "--coverage") == 0;
    }
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

bool host_is_test_driver(const struct host *host)
{
    return host->tool == REASON_TEST_DRIVER &&
           str_eq_nocase(host_name(host), STR("vstest.console"));
}

static bool is_builder(const struct host *host)
{
    return host->tool == REASON_DOTNET_COMMAND || host->tool == REASON_BUILD_TOOL ||
           host->tool == REASON_BUILD_SERVER;
}

enum reason_code host_decline_reason(const struct host *host, const struct host *parent,
                                     bool wanted)
{
    if (host->tool == REASON_BUILD_SERVER)
        return REASON_BUILD_SERVER;
    if (wanted || (host->tool == REASON_COMPILER && !is_builder(parent)))
        return REASON_NONE;
    return host->tool;
}

void host_read(struct host *out, int pid)
{
    char command_line[COMMAND_LINE_MAX], executable[HOST_PATH_MAX];
    size_t len = 0;
    (void)process_program_arguments(command_line, &len, sizeof command_line, pid);
    (void)process_program_path(executable, sizeof executable, pid, NULL);
    host_describe(out, command_line, len, executable);
}
