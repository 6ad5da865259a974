#include "cli/process/other_profilers.h"

#include <string.h>
#include <strings.h>

#include "base/path.h"
#include "cli/options/say.h"
#include "cli/process/other_collectors.h"
#include "cli/process/setting.h"
#include "contract/session_format.h"

/* --- other profilers -------------------------------------------------------------------------- */

/* Class ids as the vendors' own documents, packages or installers have them. */
static const struct {
    const char *clsid, *name;
} known_profilers[] = {
    {"{846F5F1C-F9AE-4B07-969E-05C26BC060D8}", "Datadog"},
    {"{918728DD-259F-4A6A-AC2B-B85E1B658318}", "OpenTelemetry"},
    {"{36032161-FFC0-4B61-B559-F6C5D41BAE5A}", "New Relic"},
    {"{FA65FE15-F085-4681-9B20-95E04F6C03CC}", "Elastic APM"},
    {"{57E1AA68-2229-41AA-9931-A6E93BBC64D8}", "AppDynamics"},
    {"{B7038F67-52FC-4DA2-AB02-969B3C1EDA03}", "Dynatrace"},
    {"{DA7CFC47-3E35-4C4E-B495-534F93B28683}", "Dynatrace"},
    {"{B4C89B0F-9908-4F73-9F59-0D77C5A06874}", "SignalFx (Splunk)"},
    {"{8B2CE134-0948-48CA-A4B2-80DDAD9F5791}", "Contrast Security"},
    {"{FA8F1DFF-0B62-4F84-887F-ECAC69A65DD3}", "Instana"},
    {"{989D151B-3F31-482E-926F-2E95D274BD36}", "APM Insight (Site24x7)"},
    {"{9D363A5F-ED5F-4AAC-B456-75AFFA6AA0C8}", "APM Insight (Site24x7)"},
    {"{9AA5D52F-37E2-487D-AAEC-727478B8BDB5}", "JetBrains dotCover"},
    {"{2AA1AA98-2CAA-4FCF-86CE-EFA007737E83}", "IntelliTrace"},
    {"{324F817A-7420-4E6D-B3C1-143FBED6D855}",
     "Microsoft's Instrumentation Engine (code coverage, Application Insights)"},
    {"{E5F256DC-7959-4DD6-8E4F-C11150AB28E0}", "Microsoft's code coverage"},
    {"{CF0D821E-299B-5307-A3D8-B283C03916DD}", "a profiler made from Microsoft's sample"},
};

/* Those whose class id varies are recognised by their files. */
static const struct {
    const char *part, *name;
} known_libraries[] = {
    {"JetBrains", "JetBrains (dotTrace, dotMemory or dotCover)"},
    {"InstrumentationEngine", "Microsoft's Instrumentation Engine"},
    {"oneagent", "Dynatrace"},
};

const char *other_profilers_name(const char *clsid, const char *library)
{
    for (size_t i = 0; i < ARRAY_LEN(known_profilers); i++)
        if (strcasecmp(known_profilers[i].clsid, clsid) == 0)
            return known_profilers[i].name;
    for (size_t i = 0; library != NULL && i < ARRAY_LEN(known_libraries); i++)
        if (strcasestr(library, known_libraries[i].part) != NULL)
            return known_libraries[i].name;
    return "another profiler";
}

/* Libraries as their makers' documents and packages name them. */
static const struct {
    const char *file, *name;
} profiler_files[] = {
    {"Datadog.Trace.ClrProfiler.Native.so", "Datadog"},
    {"Datadog.Tracer.Native.so", "Datadog"},
    {"Datadog.AutoInstrumentation.NativeLoader.so", "Datadog"},
    {"OpenTelemetry.AutoInstrumentation.Native.so", "OpenTelemetry"},
    {"libNewRelicProfiler.so", "New Relic"},
    {"libelastic_apm_profiler.so", "Elastic APM"},
    {"libCoverageInstrumentationMethod.so", "Microsoft's code coverage"},
    {"libInstrumentationEngine.so", "Microsoft's instrumentation engine"},
    {"libJetBrains.Profiler.", "a JetBrains profiler"},
    {"libappdprofiler", "AppDynamics"},
    {"libynpagent.so", "YourKit"},
};

const char *other_profilers_name_of_file(struct str file)
{
    for (size_t i = 0; i < ARRAY_LEN(profiler_files); i++)
        if (str_starts(file, profiler_files[i].file))
            return profiler_files[i].name;
    return NULL;
}

/* --- variables that the command sets ---------------------------------------------------------- */

/* The name after one of two prefixes; or NULL. */
static const char *after_prefix(const char *name, const char *const prefixes[2])
{
    for (unsigned i = 0; i < 2; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return name + strlen(prefixes[i]);
    return NULL;
}

/* What a variable of the command does to ilcov. */
enum objection {
    NO_OBJECTION,
    KEEPS_ILCOV_OUT,
    KEEPS_ALL_OUT,
    NAMES_ANOTHER,
    REPLACES_LIBRARY,
    REPLACES_SESSION
};

static const char *const objections[] = {
    [KEEPS_ILCOV_OUT] = "keeps ilcov's profiler out",
    [KEEPS_ALL_OUT] = "keeps every profiler out",
    [REPLACES_LIBRARY] = "replaces ilcov's library",
    [REPLACES_SESSION] = "replaces ilcov's session",
};

struct assignment {
    const char *name, *value;
};

static const char *assigned_value(const void *context, const char *name)
{
    const struct assignment *assigned = context;
    return strcmp(name, assigned->name) == 0 ? assigned->value : NULL;
}

static enum objection objection_to(const char *name, const char *value)
{
    static const char *const profiling[] = {"CORECLR_", "DOTNET_"};
    const char *setting = after_prefix(name, profiling);
    struct assignment assigned = {name, value};
    size_t at = 0;
    if (setting != NULL && strcmp(setting, "ENABLE_PROFILING") == 0)
        return setting_is_off(value) ? KEEPS_ILCOV_OUT : NO_OBJECTION;
    if (setting != NULL && strcmp(setting, "PROFILER") == 0)
        return strcasecmp(value, PROFILER_CLSID) == 0 ? NO_OBJECTION : NAMES_ANOTHER;
    if (setting != NULL &&
        (strcmp(setting, "PROFILER_PATH") == 0 || strcmp(setting, "PROFILER_PATH_64") == 0 ||
         strcmp(setting, "PROFILER_PATH_ARM64") == 0))
        return REPLACES_LIBRARY;
    if (setting_bar(&at, SETTING_BARS_ALL | SETTING_BARS_START, assigned_value, &assigned) != NULL)
        return KEEPS_ALL_OUT;
    return strcmp(name, SESSION_ENV) == 0 ? REPLACES_SESSION : NO_OBJECTION;
}

/* Where: an argument, or a file. */
static bool allow_setting(const char *name, const char *value, const char *where, struct err *err)
{
    enum objection why = objection_to(name, value);
    if (why == NO_OBJECTION)
        return true;
    if (why == NAMES_ANOTHER)
        return err_set(err, ERR_USAGE,
                       "%s: %s=%s names %s, and .NET loads one profiler only: leave it "
                       "out to measure",
                       where, name, value, other_profilers_name(value, NULL));
    return err_set(err, ERR_USAGE, "%s: %s=%s %s: leave it out to measure", where, name, value,
                   objections[why]);
}

/* NAME=VALUE */
static bool allow_assignment(const char *text, const char *where, struct err *err)
{
    char name[64];
    size_t len = strcspn(text, "=");
    if (text[len] != '=' || len >= sizeof name)
        return true;
    memcpy(name, text, len);
    name[len] = '\0';
    return allow_setting(name, text + len + 1, where, err);
}

/* What `env` sets and unsets for the program that it starts. */
static bool allow_env(char *const *arguments, struct err *err)
{
    for (; *arguments != NULL; arguments++) {
        const char *a = *arguments;
        if (a[0] != '-' && strchr(a, '=') == NULL)
            return true;
        if (strcmp(a, "-") == 0 || strcmp(a, "-i") == 0 || strcmp(a, "--ignore-environment") == 0)
            return err_set(
                err, ERR_USAGE,
                "'env %s' keeps ilcov's variables from the program: put 'ilcov run' after it", a);
        const char *unset = strncmp(a, "--unset=", 8) == 0 ? a + 8
                            : strcmp(a, "-u") == 0         ? arguments[1]
                                                           : NULL;
        if (unset != NULL && objection_to(unset, "0") != NO_OBJECTION)
            return err_set(err, ERR_USAGE,
                           "'env %s' removes a variable that ilcov sets: leave it out", a);
        if (strcmp(a, "-u") == 0 && arguments[1] != NULL)
            arguments++;
        else if (a[0] != '-' && !allow_assignment(a, "env", err))
            return false;
    }
    return true;
}

/* `-e X=Y`, `--environment:X=Y`, `RunConfiguration.EnvironmentVariables.X=Y` */
static bool allow_argument(const char *argument, const char *before, struct err *err)
{
    static const char *const prefixes[] = {
        "-e:", "-e=", "--environment:", "--environment=", "RunConfiguration.EnvironmentVariables."};
    if (before != NULL && (strcmp(before, "-e") == 0 || strcmp(before, "--environment") == 0))
        return allow_assignment(argument, before, err);
    for (size_t i = 0; i < ARRAY_LEN(prefixes); i++)
        if (strncasecmp(argument, prefixes[i], strlen(prefixes[i])) == 0)
            return allow_assignment(argument + strlen(prefixes[i]), argument, err);
    return true;
}

/* --- the command ------------------------------------------------------------------------------ */

struct variable_check {
    const char *path;
    struct err *err;
};

static bool allow_variable(void *context, const char *name, const char *value)
{
    const struct variable_check *check = context;
    return allow_setting(name, value, check->path, check->err);
}

bool other_profilers_allow(char *const *command, struct err *err)
{
    if (command[0] != NULL && str_is(path_file(str_of(command[0])), "env") &&
        !allow_env(command + 1, err))
        return false;
    for (size_t i = 1; command[0] != NULL && command[i] != NULL; i++)
        if (!allow_argument(command[i], command[i - 1], err))
            return false;
    struct variable_check check = {run_settings_file(command), err};
    return run_settings_visit_variables(check.path, allow_variable, &check);
}

/* --- afterwards ------------------------------------------------------------------------------- */

static bool was_reported(const struct session *session, uint32_t process, uint32_t skip)
{
    const struct session_skip *wanted = &session->processes[process].skips[skip];
    for (uint32_t i = 0; i <= process; i++)
        for (uint32_t j = 0; j < session->processes[i].skip_count; j++) {
            const struct session_skip *other = &session->processes[i].skips[j];
            if (other == wanted)
                return false;
            if (str_eq(other->path, wanted->path) && reason_eq(&other->reason, &wanted->reason))
                return true;
        }
    return false;
}

static bool is_rewritten(const struct reason *reason)
{
    return reason_is(reason, REASON_REWRITTEN_BY_COVERLET) ||
           reason_is(reason, REASON_REWRITTEN_BY_MICROSOFT);
}

static void say_rewritten(const struct session_skip *skip, char *const *command)
{
    const char *collector = other_collectors_asked(
        command, reason_is(&skip->reason, REASON_REWRITTEN_BY_COVERLET) ? COLLECTOR_COVERLET
                                                                        : COLLECTOR_MICROSOFT);
    struct str why;
    struct err err = {0};
    struct arena arena = ARENA_EMPTY;
    if (!reason_text(&why, &skip->reason, &arena, &err))
        why = str_of(err.text);
    say("%.*s %.*s: run without it%s%s%s", STR_ARGS(skip->name), STR_ARGS(why),
        collector != NULL ? " (" : "", collector != NULL ? collector : "",
        collector != NULL ? ")" : "");
    arena_free(&arena);
}

bool other_profilers_report_rewritten(const struct session *session, char *const *command)
{
    bool reported = false;
    for (uint32_t i = 0; i < session->process_count; i++)
        for (uint32_t j = 0; j < session->processes[i].skip_count; j++) {
            const struct session_skip *skip = &session->processes[i].skips[j];
            if (!is_rewritten(&skip->reason) || was_reported(session, i, j))
                continue;
            say_rewritten(skip, command);
            reported = true;
        }
    return reported;
}
