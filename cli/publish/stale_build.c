#include "cli/publish/stale_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/path.h"
#include "cli/options/say.h"
#include "coverage/collect/project_output.h"
#include "coverage/collect/solution.h"
#include "coverage/collect/stale.h"
#include "system/file_status.h"
#include "system/folder.h"
#include "system/program.h"

struct build_looking {
    struct list folders; /* struct str: absolute, of assemblies */
    struct list targets; /* struct str: solutions and projects */
    struct str hint;     /* "Release/net10.0": which of a project's builds is meant */
    struct arena *arena;
    struct err err;
};

/* --- folders ---------------------------------------------------------------------------------- */

static bool add_looked_path(struct list *list, const char *text, struct build_looking *l)
{
    struct str *added = list_add(list, sizeof *added, l->arena, &l->err);
    return added != NULL && str_copy(added, str_of(text), l->arena, &l->err);
}

static bool add_folder_of(struct build_looking *l, const char *file)
{
    char real[PATH_ROOM];
    if (!file_real_path(real, file))
        return true;
    real[path_dir(str_of(real)).len] = '\0';
    return add_looked_path(&l->folders, real, l);
}

static bool add_project_output(struct build_looking *l, const struct solution *solution,
                               const struct solution_project *project)
{
    struct str assembly, folder, file;
    return project_output_find(&assembly, project, solution->folder, &l->hint, 1, l->arena,
                               &l->err) &&
           (assembly.len == 0 ||
            (project_output_folder(&folder, project, assembly, l->arena, &l->err) &&
             path_join(&file, folder, path_file(assembly), l->arena, &l->err) &&
             add_folder_of(l, file.text)));
}

static bool add_outputs(struct build_looking *l, const char *target)
{
    struct solution solution;
    char real[PATH_ROOM];
    if (!file_real_path(real, target) || !solution_read(&solution, real, l->arena, &l->err))
        return l->err.code != ERR_MEMORY; /* the command will say what is wrong with it */
    const struct solution_project *projects = solution.list.items;
    for (uint32_t i = 0; i < solution.list.count; i++)
        if (!add_project_output(l, &solution, &projects[i]))
            return false;
    return true;
}

/* --- what the command names ------------------------------------------------------------------- */

static bool is_target(struct str path)
{
    return solution_is_project(path) || str_ends_nocase(path, ".sln") ||
           str_ends_nocase(path, ".slnx") || str_ends_nocase(path, ".slnf");
}

struct target_listing {
    struct build_looking *looking;
    const char *folder;
    bool failed;
};

static bool take_target_entry(void *context, const char *name)
{
    struct target_listing *listing = context;
    char path[PATH_ROOM];
    if (is_target(str_of(name)) && path_join_in(path, str_of(listing->folder), str_of(name)))
        listing->failed = !add_looked_path(&listing->looking->targets, path, listing->looking);
    return !listing->failed;
}

static bool add_targets_of(struct build_looking *l, const char *folder)
{
    struct target_listing listing = {.looking = l, .folder = folder};
    (void)folder_each_entry(folder, take_target_entry, &listing);
    return !listing.failed;
}

/* The value of "-c Release", "-c:Release", "-c=Release"; NULL: it is another argument. */
static const char *argument_value_of(char *const *argument, const char *name)
{
    size_t len = strlen(name);
    if (strncmp(*argument, name, len) != 0)
        return NULL;
    return (*argument)[len] == '\0'                             ? argument[1]
           : (*argument)[len] == ':' || (*argument)[len] == '=' ? *argument + len + 1
                                                                : NULL;
}

static const char *option_of(char *const *arguments, const char *letter, const char *name)
{
    const char *found = NULL;
    for (; *arguments != NULL && strcmp(*arguments, "--") != 0; arguments++) {
        const char *value = argument_value_of(arguments, letter);
        value = value != NULL ? value : argument_value_of(arguments, name);
        found = value != NULL ? value : found;
    }
    return found;
}

static bool has_argument(char *const *arguments, const char *wanted)
{
    for (; *arguments != NULL && strcmp(*arguments, "--") != 0; arguments++)
        if (strcmp(*arguments, wanted) == 0)
            return true;
    return false;
}

/* A folder that is the value of another option has none. */
static bool add_named_targets(struct build_looking *l, char *const *arguments)
{
    for (char *const *at = arguments; *at != NULL && strcmp(*at, "--") != 0; at++)
        if (is_target(str_of(*at)) ? !add_looked_path(&l->targets, *at, l)
                                   : file_is_folder(*at) && !add_targets_of(l, *at))
            return false;
    return l->targets.count != 0 || add_targets_of(l, ".");
}

/* Which build that is, the project's folder does not show. */
static bool is_elsewhere(char *const *arguments)
{
    if (getenv("Configuration") != NULL || option_of(arguments, "-o", "--output") != NULL ||
        option_of(arguments, "--artifacts-path", "--artifacts-path") != NULL)
        return true;
    for (; *arguments != NULL && strcmp(*arguments, "--") != 0; arguments++)
        if (strcasestr(*arguments, "Configuration=") != NULL ||
            strcasestr(*arguments, "OutputPath=") != NULL ||
            strcasestr(*arguments, "OutDir=") != NULL)
            return true;
    return false;
}

/* `dotnet test` and `dotnet run`, after that word. */
static bool look_at_projects(struct build_looking *l, char *const *arguments)
{
    const char *configuration = option_of(arguments, "-c", "--configuration");
    const char *framework = option_of(arguments, "-f", "--framework");
    if (!has_argument(arguments, "--no-build") || is_elsewhere(arguments))
        return true;
    if (!path_join(&l->hint, str_of(configuration != NULL ? configuration : "Debug"),
                   str_of(framework != NULL ? framework : ""), l->arena, &l->err) ||
        !add_named_targets(l, arguments))
        return false;
    const struct str *targets = l->targets.items;
    for (uint32_t i = 0; i < l->targets.count; i++)
        if (!add_outputs(l, targets[i].text))
            return false;
    return true;
}

/* `dotnet App.dll`, `dotnet exec App.dll`, `dotnet vstest A.dll B.dll`, `dotnet test A.dll`; the
 * arguments of a program are its own. */
static bool look_at_assemblies(struct build_looking *l, char *const *arguments, bool all)
{
    for (; *arguments != NULL && strcmp(*arguments, "--") != 0; arguments++) {
        if (!str_ends(str_of(*arguments), ".dll") || !file_exists(*arguments))
            continue;
        if (!add_folder_of(l, *arguments))
            return false;
        if (!all)
            break;
    }
    return true;
}

static bool look_at_dotnet(struct build_looking *l, char *const *arguments)
{
    const char *word = arguments[0];
    bool tests = word != NULL && strcmp(word, "test") == 0;
    if (word == NULL)
        return true;
    if (tests || strcmp(word, "run") == 0)
        return look_at_projects(l, arguments + 1) &&
               (!tests || look_at_assemblies(l, arguments + 1, true));
    if (str_ends(str_of(word), ".dll") || strcmp(word, "exec") == 0)
        return look_at_assemblies(l, arguments, false);
    return strcmp(word, "vstest") != 0 || look_at_assemblies(l, arguments + 1, true);
}

/* The program of an application, beside its assembly. */
static bool look_at_program(struct build_looking *l, const char *command)
{
    char program[PATH_ROOM], dll[PATH_ROOM + sizeof ".dll"];
    if (!program_file_find(program, command))
        return true;
    (void)snprintf(dll, sizeof dll, "%s.dll", program);
    return !file_exists(dll) || add_folder_of(l, dll);
}

static bool look_at_command(struct build_looking *l, char *const *command)
{
    return str_is(path_file(str_of(command[0])), "dotnet") ? look_at_dotnet(l, command + 1)
                                                           : look_at_program(l, command[0]);
}

/* --- what is said ----------------------------------------------------------------------------- */

static void say_stale(const struct stale *stale)
{
    uint32_t others = stale->count - 1;
    char more[64] = "";
    if (others != 0)
        (void)snprintf(more, sizeof more, " and %u more", others);
    say("%.*s%s %s changed since the last build (of %.*s), and this command does not build: run "
        "'dotnet build' first, or older code is measured",
        STR_ARGS(stale->sources[0].path), more, others != 0 ? "have" : "has",
        STR_ARGS(stale->sources[0].assembly));
}

/* Without memory the command starts all the same. */
void stale_build_say(struct measurement *m)
{
    struct build_looking l = {.hint = STR(""), .arena = m->arena};
    struct stale stale;
    const struct collect_options options = measurement_collect_options(m);
    if (look_at_command(&l, m->command) && l.folders.count != 0 &&
        stale_find(&stale, l.folders.items, l.folders.count, &options, m->arena, &l.err) &&
        stale.count != 0)
        say_stale(&stale);
}
