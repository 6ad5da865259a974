#include "cli/process/environment.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/path.h"
#include "cli/process/other_profilers.h"
#include "cli/process/setting.h"
#include "contract/session_format.h"
#include "system/file_status.h"
#include "system/library.h"
#include "system/process.h"
#include "system/user.h"

#define LIBRARY_NAME "libilcov.so"

/* --- variables -------------------------------------------------------------------------------- */

static void add_conflict(struct conflicts *out, const char *format, ...) PRINTF_LIKE(2, 3);

static void add_conflict(struct conflicts *out, const char *format, ...)
{
    if (out->count == CONFLICTS_MAX)
        return;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(out->texts[out->count++], sizeof out->texts[0], format, args);
    va_end(args);
}

/* The library of the configured profiler, as the runtime finds it. */
static const char *configured_library(void)
{
    static const char *const variables[] = {"CORECLR_PROFILER_PATH_ARM64",
                                            "CORECLR_PROFILER_PATH_64", "CORECLR_PROFILER_PATH",
                                            "DOTNET_PROFILER_PATH_64", "DOTNET_PROFILER_PATH"};
    for (size_t i = 0; i < ARRAY_LEN(variables); i++)
        if (getenv(variables[i]) != NULL)
            return getenv(variables[i]);
    return NULL;
}

static void check_profiler(struct conflicts *out, const char *variable)
{
    const char *clsid = getenv(variable);
    if (clsid == NULL || *clsid == '\0')
        return;
    if (strcasecmp(clsid, PROFILER_CLSID) == 0)
        add_conflict(
            out,
            "this already runs under ilcov (%s is set to it): run ilcov only once, on the outside",
            variable);
    else
        add_conflict(out,
                     "%s is configured (%s=%s), and .NET loads one profiler only: unset "
                     "CORECLR_ENABLE_PROFILING and "
                     "DOTNET_ENABLE_PROFILING to measure without it",
                     other_profilers_name(clsid, configured_library()), variable, clsid);
}

static void check_settings(struct conflicts *out)
{
    size_t at = 0;
    for (const char *name;
         (name = setting_bar(&at, SETTING_BARS_ALL | SETTING_BARS_START, setting_own, NULL));)
        add_conflict(out, "%s=%s keeps .NET from loading any profiler: unset it", name,
                     getenv(name));
}

void environment_conflicts(struct conflicts *out)
{
    *out = (struct conflicts){.count = 0};
    if (setting_is_on(getenv("CORECLR_ENABLE_PROFILING")) ||
        setting_is_on(getenv("DOTNET_ENABLE_PROFILING"))) {
        check_profiler(out, "CORECLR_PROFILER");
        if (out->count == 0)
            check_profiler(out, "DOTNET_PROFILER");
    }
    check_settings(out);
}

/* --- the target's environment ----------------------------------------------------------------- */

/* Runtimes up to 10 read CORECLR_*, from 11 on also DOTNET_*. A path for a processor overrides the
 * plain one, so that another tool's stale one would override ilcov's. */
static const char *const prefixes[] = {"CORECLR_", "DOTNET_"};
static const struct {
    const char *name;
    enum {
        VALUE_ON,
        VALUE_CLSID,
        VALUE_LIBRARY
    } value;
} profiler_variables[] = {
    {"ENABLE_PROFILING", VALUE_ON},         {"PROFILER", VALUE_CLSID},
    {"PROFILER_PATH", VALUE_LIBRARY},       {"PROFILER_PATH_64", VALUE_LIBRARY},
    {"PROFILER_PATH_ARM64", VALUE_LIBRARY},
};

enum {
    OWN_VARIABLES = ARRAY_LEN(prefixes) * ARRAY_LEN(profiler_variables) + 1
};

/* "NAME=value" */
static char *make_variable(const char *prefix, const char *name, const char *value,
                           struct arena *arena, struct err *err)
{
    struct str taken;
    struct text text = text_in(arena);
    text_addf(&text, "%s%s=%s", prefix, name, value);
    return text_take(&taken, &text, err) ? text.data : NULL;
}

static bool same_name(const char *variable, const char *other)
{
    size_t len = strcspn(variable, "=");
    return strncmp(variable, other, len) == 0 && other[len] == '=';
}

static bool is_among_variables(const char *variable, char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (same_name(variable, list[i]))
            return true;
    }
    return false;
}

static bool make_own(char **out, const char *library, const char *session, struct arena *arena,
                     struct err *err)
{
    size_t count = 0;
    out[count] = make_variable("", SESSION_ENV, session, arena, err);
    if (out[count++] == NULL)
        return false;
    for (size_t p = 0; p < ARRAY_LEN(prefixes); p++) {
        for (size_t i = 0; i < ARRAY_LEN(profiler_variables); i++) {
            const char *value = profiler_variables[i].value == VALUE_ON      ? "1"
                                : profiler_variables[i].value == VALUE_CLSID ? PROFILER_CLSID
                                                                             : library;
            out[count] = make_variable(prefixes[p], profiler_variables[i].name, value, arena, err);
            if (out[count++] == NULL)
                return false;
        }
    }
    return true;
}

char **environment_own(const char *library, const char *session, struct arena *arena,
                       struct err *err)
{
    char **out = ARENA_NEW(arena, char *, OWN_VARIABLES + 1, err);
    return out != NULL && make_own(out, library, session, arena, err) ? out : NULL;
}

char **environment_for_target(const char *library, const char *session, struct arena *arena,
                              struct err *err)
{
    size_t inherited = 0;
    char **all = variables_all();
    while (all[inherited] != NULL)
        inherited++;
    char **out = ARENA_NEW(arena, char *, inherited + OWN_VARIABLES + 1, err);
    if (out == NULL || !make_own(out, library, session, arena, err))
        return NULL;
    size_t count = OWN_VARIABLES;
    for (size_t i = 0; i < inherited; i++) {
        if (!is_among_variables(all[i], out, OWN_VARIABLES))
            out[count++] = all[i];
    }
    out[count] = NULL;
    return out;
}

/* --- the library ------------------------------------------------------------------------------ */

/* The directory of the running program. The kernel's link is a real path already: a link to the
 * program leads to the directory of program and library. */
static bool program_folder(char folder[PATH_ROOM], struct err *err)
{
    if (!process_program_path(folder, PATH_ROOM, PROCESS_SELF, err)) {
        err_prefix(err, "cannot find the program's own directory");
        return false;
    }
    folder[path_dir(str_of(folder)).len] = '\0';
    return true;
}

bool environment_library(char path[PATH_ROOM], struct err *err)
{
    char folder[PATH_ROOM];
    if (!program_folder(folder, err))
        return false;
    if (!path_join_in(path, str_of(folder), STR(LIBRARY_NAME)))
        return err_set(err, ERR_IO, "the path of %s is longer than %d bytes", LIBRARY_NAME,
                       PATH_ROOM);
    if (!file_is_readable(path))
        return err_set_errno(err, "the profiler library %s, which must be next to the program",
                             path);
    if (ownership_of_file(path, err))
        return true;
    err_prefix(err, "the profiler library is not used");
    return false;
}

/* Installed, the program is in lib/ilcov; in a source tree, in build. */
const char *environment_document(char path[PATH_ROOM], const char *name)
{
    static const struct {
        int levels_up;
        const char *folder;
    } places[] = {{2, "share/doc/ilcov"}, {1, "docs"}};
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        char folder[PATH_ROOM];
        if (!program_folder(folder, NULL))
            break;
        for (int level = 0; level < places[i].levels_up; level++)
            folder[path_dir(str_of(folder)).len] = '\0';
        if (path_join_in(folder, str_of(folder), str_of(places[i].folder)) &&
            path_join_in(path, str_of(folder), str_of(name)) && file_is_readable(path))
            return path;
    }
    return path_join_in(path, STR("docs"), str_of(name)) ? path : name;
}

static bool is_library(const char *path, struct err *err)
{
    struct elf_file file;
    if (!elf_file_open(&file, path, err))
        return false;
    bool is_here = file.machine == elf_file_own_machine();
    bool exports = elf_file_exports(&file, "DllGetClassObject");
    elf_file_close(&file);
    if (!is_here)
        return err_set(err, ERR_UNSUPPORTED, "%s is for another processor", path);
    return exports || err_set(err, ERR_UNSUPPORTED, "%s does not export DllGetClassObject", path);
}

bool environment_loads(const char *library, struct err *err)
{
    struct err why = {0};
    return (is_library(library, &why) && elf_file_may_run(library, &why)) ||
           err_set(err, ERR_UNSUPPORTED, "the library cannot be loaded: %s", why.text);
}
