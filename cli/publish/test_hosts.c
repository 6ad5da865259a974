#include "cli/publish/test_hosts.h"

#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "cli/options/say.h"
#include "cli/process/dotnet.h"
#include "cli/process/other_collectors.h"
#include "system/file.h"

/* --- frameworks ------------------------------------------------------------------------------- */

/* Source: dotnet/sdk documentation/specs/runtime-configuration-file.md; roll-forward.md. */

/* One framework is an object, several an array; a self-contained application has neither. */
static const char frameworks[] =
    "SELECT json_extract(value, '$.name'), json_extract(value, '$.version') FROM json_each("
    "  coalesce(json_extract(?1, '$.runtimeOptions.frameworks'),"
    "           json_array(json_extract(?1, '$.runtimeOptions.framework'))))"
    "  WHERE json_valid(?1) AND json_extract(?1, '$.runtimeOptions.rollForward') IS NULL"
    "    AND value IS NOT NULL";

struct version {
    unsigned part[3];
};

static bool read_version(struct version *out, const char *text)
{
    return sscanf(text, "%u.%u.%u", &out->part[0], &out->part[1], &out->part[2]) == 3;
}

/* By default the host takes the same major version, and at least what is asked for. */
static bool serves_version(const struct version *installed, const struct version *wanted)
{
    const unsigned *a = installed->part, *b = wanted->part;
    return a[0] == b[0] && (a[1] > b[1] || (a[1] == b[1] && a[2] >= b[2]));
}

static bool is_installed(const char *root, const char *framework, const char *version)
{
    struct dotnet_runtimes installed;
    struct version wanted, there;
    if (!read_version(&wanted, version))
        return true;
    dotnet_versions(&installed, root, framework);
    for (uint32_t i = 0; i < installed.count; i++)
        if (read_version(&there, installed.versions[i]) && serves_version(&there, &wanted))
            return true;
    return false;
}

static bool find_missing_row(struct str *out, sqlite3_stmt *rows, const char *root,
                             struct arena *arena, struct err *err)
{
    while (sqlite3_step(rows) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(rows, 0),
                   *version = (const char *)sqlite3_column_text(rows, 1);
        if (name != NULL && version != NULL && !is_installed(root, name, version))
            return text_format(out, arena, err, "%s %s", name, version);
    }
    return true;
}

static bool query_frameworks(struct str *out, struct view json, const char *root,
                             struct arena *arena, struct err *err)
{
    sqlite3 *database = NULL;
    sqlite3_stmt *rows = NULL;
    bool ok = true;
    if (sqlite3_open(":memory:", &database) == SQLITE_OK &&
        sqlite3_prepare_v2(database, frameworks, -1, &rows, NULL) == SQLITE_OK &&
        sqlite3_bind_text(rows, 1, (const char *)json.data, (int)json.len, SQLITE_STATIC) ==
            SQLITE_OK)
        ok = find_missing_row(out, rows, root, arena, err);
    (void)sqlite3_finalize(rows);
    (void)sqlite3_close(database);
    return ok;
}

/* The first framework of the assembly's runtimeconfig.json of which `root`, an installation of
 * .NET, has no version that the host would choose: "Microsoft.NETCore.App 9.0.0". Empty when all
 * are there, or when it is not certain: a roll-forward setting other than the usual one, a file
 * that can't be read. */
static bool find_missing_framework(struct str *out, struct str assembly, const char *root,
                                   struct arena *arena, struct err *err)
{
    static const char ending[] = ".dll";
    *out = (struct str){NULL, 0};
    if (getenv("DOTNET_ROLL_FORWARD") != NULL || !str_ends(assembly, ending))
        return true;
    struct str name;
    struct view json;
    struct err unread = {0};
    struct text path = text_in(arena);
    text_add(&path, (struct str){assembly.text, assembly.len - (sizeof ending - 1)});
    text_add_c(&path, ".runtimeconfig.json");
    if (!text_take(&name, &path, err))
        return false;
    if (!file_bytes_read(&json, name.text, &unread))
        return true;
    bool ok = json.len > INT_MAX || query_frameworks(out, json, root, arena, err);
    file_bytes_release(&json);
    return ok;
}

/* --- of test drivers -------------------------------------------------------------------------- */

/* With or without an ending, such as .dll or .x86. */
static bool is_program_named(const struct session_process *process, const char *name)
{
    struct str file = path_file(process->program);
    return str_starts(file, name) && (file.len == strlen(name) || file.text[strlen(name)] == '.');
}

/* The library has looked whether it really is one. */
static bool is_of_platform(const struct session_process *process, const char *name)
{
    return reason_is(&process->declined, REASON_TEST_DRIVER) && is_program_named(process, name);
}

static bool is_host_of(const struct session_process *host, const struct session_process *driver)
{
    return is_program_named(host, "testhost") && host->parent == driver->pid;
}

static uint32_t count_hosts(const struct session *session, const struct session_process *driver)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < session->process_count; i++)
        count += is_host_of(&session->processes[i], driver);
    return count;
}

/* The host is usually copied to its tests. */
static bool has_host(const struct session *session, const struct session_process *driver,
                     struct str assembly)
{
    for (uint32_t i = 0; i < session->process_count; i++)
        if (is_host_of(&session->processes[i], driver) &&
            str_eq(path_dir(session->processes[i].program), path_dir(assembly)))
            return true;
    return false;
}

struct host_search {
    const struct session *session;
    char *const *command;
    struct arena *arena;
    uint32_t expected, missing;
    struct text unexplained; /* names of assemblies */
    uint32_t unexplained_count;
};

/* The installation of the driver, /usr/share/dotnet/sdk/10.0.100/vstest.console.dll. */
static struct str installation_of(const struct session_process *driver)
{
    return path_dir(path_dir(path_dir(driver->program)));
}

/* Prints the cause if the files show it. */
static bool explain_by_files(bool *is_explained, struct host_search *s,
                             const struct session_process *driver, struct str assembly,
                             struct err *err)
{
    struct str path, root, framework;
    if (!str_copy(&path, assembly, s->arena, err) ||
        !str_copy(&root, installation_of(driver), s->arena, err) ||
        !find_missing_framework(&framework, path, root.text, s->arena, err))
        return false;
    struct str name = path_file(path);
    struct view bytes;
    struct err unread = {0};
    bool is_readable = file_bytes_read(&bytes, path.text, &unread);
    if (is_readable)
        file_bytes_release(&bytes);
    *is_explained = true;
    if (!is_readable) {
        err_prefix(&unread, "%s", path.text);
        say("the tests of %.*s did not run: %s", STR_ARGS(name), unread.text);
    } else if (framework.len != 0) {
        say("the tests of %.*s did not run: they need %s, which is not installed in %s",
            STR_ARGS(name), framework.text, root.text);
    } else {
        *is_explained = false;
    }
    return true;
}

static bool look_for_hosts(struct host_search *s, const struct session_process *driver,
                           struct err *err)
{
    uint32_t hosts = count_hosts(s->session, driver);
    uint32_t missing = driver->test_count > hosts ? driver->test_count - hosts : 0;
    s->expected += driver->test_count;
    s->missing += missing;
    for (uint32_t i = 0; i < driver->test_count && missing != 0; i++) {
        struct str assembly = driver->tests[i];
        bool is_explained;
        if (has_host(s->session, driver, assembly))
            continue;
        if (!explain_by_files(&is_explained, s, driver, assembly, err))
            return false;
        missing--;
        if (is_explained)
            continue;
        if (s->unexplained_count++ != 0)
            text_add_c(&s->unexplained, ", ");
        text_add(&s->unexplained, path_file(assembly));
    }
    return true;
}

static bool has_data_collector(const struct session *session)
{
    for (uint32_t i = 0; i < session->process_count; i++)
        if (is_of_platform(&session->processes[i], "datacollector"))
            return true;
    return false;
}

static bool report_unexplained(struct host_search *s, struct err *err)
{
    const char *collector = other_collectors_asked(s->command, COLLECTOR_MICROSOFT),
               *settings = run_settings_file(s->command);
    struct str names, which;
    if (!text_take(&names, &s->unexplained, err) ||
        (s->expected == 1
             ? !text_format(&which, s->arena, err, "the test host did not report (%.*s)",
                            STR_ARGS(names))
             : !text_format(&which, s->arena, err, "%u of %u test hosts did not report (%.*s)",
                            s->unexplained_count, s->expected, STR_ARGS(names))))
        return false;
    if (collector != NULL)
        say("%s: another collector is configured (%s), which takes ilcov's place there: run "
            "without it",
            which.text, collector);
    else if (has_data_collector(s->session))
        say("%s: a data collector ran; if it collects coverage, as a .runsettings file may ask, it "
            "took ilcov's place there: run without it",
            which.text);
    else if (settings != NULL)
        say("%s: EnvironmentVariables in %s may replace what ilcov sets", which.text, settings);
    else
        say("%s: the output of the command says so if they did not start; if they did, "
            "EnvironmentVariables in a .runsettings file may replace what ilcov sets",
            which.text);
    return true;
}

/* --- of Microsoft.Testing.Platform ------------------------------------------------------------ */

/* Only the platform's part for coverage knows the argument. */
static bool loads_coverage_extension(const struct session_process *process)
{
    for (uint32_t i = 0; i < process->skip_count; i++)
        if (str_is(process->skips[i].name, "Microsoft.Testing.Extensions.CodeCoverage"))
            return true;
    return false;
}

/* Did one of two processes of the same program start the other? */
static bool is_restarted(const struct session_process *parent, const struct session_process *child)
{
    return child != parent && child->parent == parent->pid &&
           str_eq(child->program, parent->program);
}

static bool has_relative(const struct session *session, const struct session_process *process)
{
    for (uint32_t i = 0; i < session->process_count; i++)
        if (is_restarted(process, &session->processes[i]) ||
            is_restarted(&session->processes[i], process))
            return true;
    return false;
}

static void look_for_restarts(struct host_search *s)
{
    for (uint32_t i = 0; i < s->session->process_count; i++) {
        const struct session_process *process = &s->session->processes[i];
        if (!process->asks_coverage || !loads_coverage_extension(process) ||
            has_relative(s->session, process))
            continue;
        s->missing++;
        say("the test host of %.*s did not report: --coverage started it again with Microsoft's "
            "profiler: run without --coverage",
            STR_ARGS(path_file(process->program)));
    }
}

bool test_hosts_report(uint32_t *missing, const struct session *session, char *const *command,
                       struct arena *arena, struct err *err)
{
    struct host_search s = {.session = session, .command = command, .arena = arena};
    s.unexplained = text_in(arena);
    for (uint32_t i = 0; i < session->process_count; i++)
        if (is_of_platform(&session->processes[i], "vstest.console") &&
            !look_for_hosts(&s, &session->processes[i], err))
            return false;
    if (s.unexplained_count != 0 && !report_unexplained(&s, err))
        return false;
    look_for_restarts(&s);
    *missing = s.missing;
    return true;
}
