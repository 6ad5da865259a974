#include <errno.h>

#include "base/path.h"
#include "coverage/collect/collector.h"
#include "coverage/collect/project_output.h"
#include "system/file_status.h"
#include "system/folder.h"

static bool is_path_listed(const struct collector *c, struct str path)
{
    const struct fact_module *modules = c->modules.items;
    for (uint32_t i = 0; i < c->modules.count; i++)
        if (str_eq(modules[i].path, path))
            return true;
    return false;
}

/* A copy of a measured module elsewhere, such as in the program's own output directory; or of one
 * that is left out, if that counts as well. */
static bool is_name_listed(const struct collector *c, struct str name, bool or_left_out)
{
    const struct fact_module *modules = c->modules.items;
    for (uint32_t i = 0; i < c->modules.count; i++)
        if ((or_left_out || modules[i].state != MODULE_SKIPPED) &&
            str_eq_nocase(modules[i].name, name))
            return true;
    return false;
}

/* Who names a project is told why it is left out. Of others only those with sources are listed. */
static bool add_skipped(struct collector *c, const struct module *module, struct str path,
                        enum reason_code reason, bool is_of_project, struct err *err)
{
    struct str name, copy;
    if (is_name_listed(c, module->name, true) ||
        (!is_of_project && !scope_may_have_contexts(reason)))
        return true;
    if (!str_copy(&name, module->name, c->arena, err) || !str_copy(&copy, path, c->arena, err) ||
        !collector_add_skipped(c, name, copy, module->mvid, reason_of(reason), err))
        return false;
    const struct fact_module *modules = c->modules.items;
    if (!is_of_project && modules[c->modules.count - 1].document_count == 0)
        c->modules.count--;
    return true;
}

static bool add_unloaded(struct collector *c, struct module *module, struct str path,
                         bool is_of_project, struct err *err)
{
    const struct reason *reason = NULL;
    uint64_t *counts = NULL;
    struct fact_module facts;
    struct err module_err = {.code = ERR_NONE};
    if (is_name_listed(c, module->name, is_of_project))
        return true;
    enum reason_code skip = scope_skip_reason(&c->scope, module, path, c->framework_dir);
    if (skip != REASON_NONE)
        return add_skipped(c, module, path, skip, is_of_project, err);
    struct arena scratch = ARENA_EMPTY;
    bool ok = collector_find_symbols(c, module, path, &reason, &scratch, err);
    struct module_facts_request request = collector_request(c, module, path);
    request.declares = c->tests.outside != NO_INDEX;
    /* A module that can't be read and never ran is not a loss. */
    bool readable = ok && module_facts(&facts, &counts, &request, c->arena, &module_err);
    arena_free(&scratch);
    if (!err_tolerate(err, &module_err))
        return false;
    facts.state = MODULE_NOT_LOADED;
    facts.reason = reason_of(REASON_NEVER_LOADED);
    return ok && (!readable || list_put(&c->modules, &facts, sizeof facts, c->arena, err));
}

/* A file that claims to be an assembly and can't be read is reported; a native library is not an
 * assembly. */
static bool add_broken(struct collector *c, struct str path, const struct err *why, struct err *err)
{
    struct str kept;
    const struct reason *reason = NULL;
    return str_copy(&kept, path, c->arena, err) && collector_reason_of(&reason, why, c, err) &&
           collector_add_skipped(c, path_file(kept), kept, NULL, reason, err) &&
           messages_addf(&c->messages, MESSAGE_BAD_INPUT, err, "%.*s is left out: %s",
                         STR_ARGS(kept), why->text);
}

static bool collect_file(struct collector *c, struct str path, bool is_of_project, struct err *err)
{
    struct module module;
    struct err why;
    /* Usually it is one of these, and need not be read. */
    if (is_path_listed(c, path) ||
        (c->scope.include_count == 0 && packages_list(&c->packages, path)))
        return true;
    if (!module_open_file(&module, path.text, &why))
        return why.code == ERR_UNSUPPORTED || add_broken(c, path, &why, err);
    bool ok = add_unloaded(c, &module, path, is_of_project, err);
    module_close(&module);
    return ok;
}

struct unloaded_listing {
    struct collector *collector;
    struct str folder;
    bool failed;
    struct err *err;
};

static bool collect_entry(void *context, const char *name)
{
    struct unloaded_listing *listing = context;
    char path[PATH_ROOM];
    if (collector_stops(listing->collector))
        return false;
    if (str_ends(str_of(name), ".dll") && path_join_in(path, listing->folder, str_of(name)))
        listing->failed = !collect_file(listing->collector, str_of(path), false, listing->err);
    return !listing->failed;
}

bool unloaded_collect(struct collector *c, struct str dir, struct err *err)
{
    struct unloaded_listing listing = {.collector = c, .folder = dir, .err = err};
    char path[PATH_ROOM];
    if (dir.len == 0 || !path_join_in(path, dir, STR("")))
        return true;
    bool stopped = !folder_each_entry(path, collect_entry, &listing);
    if (!stopped && errno == ENOMEM)
        return err_set(err, ERR_MEMORY, "%.*s cannot be listed: out of memory", STR_ARGS(dir));
    return !listing.failed;
}

/* --- the projects of a solution --------------------------------------------------------------- */

/* Projects about which one line says the same. */
struct lacking {
    struct list names; /* struct str */
    const char *one, *many;
    enum collect_message_kind kind;
};

static bool tell_lacking(const struct lacking *lacking, struct collector *c, struct err *err)
{
    struct text text = text_in(c->arena);
    messages_name(&text, &lacking->names);
    text_addf(&text, " %s", lacking->names.count == 1 ? lacking->one : lacking->many);
    return lacking->names.count == 0 || messages_take(&c->messages, &text, lacking->kind, err);
}

/* What was measured says which configuration and framework is meant. */
static bool list_measured(struct list *out, struct collector *c, struct err *err)
{
    const struct fact_module *modules = c->modules.items;
    for (uint32_t i = 0; i < c->modules.count; i++)
        if (modules[i].state == MODULE_INSTRUMENTED &&
            !list_put(out, &modules[i].path, sizeof(struct str), c->arena, err))
            return false;
    return true;
}

bool unloaded_collect_projects(struct collector *c, const struct solution *solution,
                               struct err *err)
{
    struct lacking unbuilt = {
        .one = "was not built, so its code is not in the report: 'dotnet build' builds it",
        .many = "were not built, so their code is not in the report: 'dotnet build' builds them",
        .kind = MESSAGE_WARNING};
    struct lacking missing = {.one = "is in the solution, but not on the disk",
                              .many = "are in the solution, but not on the disk",
                              .kind = MESSAGE_WARNING};
    struct lacking external = {.names = solution->other_projects,
                               .one = "is not C#, Visual Basic or F#, and not counted",
                               .many = "are not C#, Visual Basic or F#, and not counted",
                               .kind = MESSAGE_NOTE};
    struct list measured = {.items = NULL};
    const struct solution_project *projects = solution->list.items;
    if (!list_measured(&measured, c, err))
        return false;
    for (uint32_t i = 0; i < solution->list.count && !collector_stops(c); i++) {
        struct str assembly;
        struct list *names = file_exists(projects[i].path.text) ? &unbuilt.names : &missing.names;
        if (!project_output_find(&assembly, &projects[i], solution->folder, measured.items,
                                 measured.count, c->arena, err))
            return false;
        if (assembly.len != 0
                ? !collect_file(c, assembly, true, err)
                : !list_put(names, &projects[i].name, sizeof(struct str), c->arena, err))
            return false;
    }
    return tell_lacking(&unbuilt, c, err) && tell_lacking(&missing, c, err) &&
           tell_lacking(&external, c, err);
}
