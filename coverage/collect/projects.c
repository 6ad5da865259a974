#include "coverage/collect/projects.h"

#include "coverage/collect/unloaded.h"
#include "coverage/solution/project_output.h"
#include "system/file_status.h"

/* Projects about which one line says the same. */
struct lacking {
    struct list names; /* struct str */
    const char *one, *many;
    enum collect_trouble_kind kind;
};

static bool note(struct lacking *lacking, struct str name, struct collector *c, struct err *err)
{
    return list_put(&lacking->names, &name, sizeof name, c->arena, err);
}

static bool tell(const struct lacking *lacking, struct collector *c, struct err *err)
{
    struct text text;
    struct str line;
    text_open(&text, c->arena);
    troubles_name(&text, &lacking->names);
    text_addf(&text, " %s", lacking->names.count == 1 ? lacking->one : lacking->many);
    return lacking->names.count == 0 ||
           (text_take(&line, &text, err) && troubles_add(&c->troubles, line, lacking->kind, err));
}

/* What was measured says which configuration and framework is meant. */
static bool list_measured(struct list *out, struct collector *c, struct err *err)
{
    const struct fact_module *modules = c->modules.items;
    for (uint32_t i = 0; i < c->modules.count; i++) {
        if (modules[i].state != MODULE_COVERED)
            continue;
        if (!list_put(out, &modules[i].path, sizeof modules[i].path, c->arena, err))
            return false;
    }
    return true;
}

bool projects_collect(struct collector *c, const struct solution *solution, struct err *err)
{
    struct lacking unbuilt = {
        .one = "was not built, so its code is not in the report: 'dotnet build' builds it",
        .many = "were not built, so their code is not in the report: 'dotnet build' builds them",
        .kind = TROUBLE_WARNING};
    struct lacking missing = {.one = "is in the solution, but not on the disk",
                              .many = "are in the solution, but not on the disk",
                              .kind = TROUBLE_WARNING};
    struct lacking foreign = {.one = "is not C#, Visual Basic or F#, and not counted",
                              .many = "are not C#, Visual Basic or F#, and not counted",
                              .kind = TROUBLE_NOTE};
    struct list measured = {.items = NULL};
    const struct solution_project *projects = solution->list.items;
    const struct str *others = solution->foreign.items;
    if (!list_measured(&measured, c, err))
        return false;
    for (uint32_t i = 0; i < solution->list.count && !collector_stops(c); i++) {
        struct str assembly;
        if (!project_output_find(&assembly, &projects[i], solution->folder, measured.items,
                                 measured.count, c->arena, err))
            return false;
        if (assembly.len != 0 ? !unloaded_collect_project(c, assembly, err)
                              : !note(file_exists(projects[i].path.text) ? &unbuilt : &missing,
                                      projects[i].name, c, err))
            return false;
    }
    for (uint32_t i = 0; i < solution->foreign.count; i++)
        if (!note(&foreign, others[i], c, err))
            return false;
    return tell(&unbuilt, c, err) && tell(&missing, c, err) && tell(&foreign, c, err);
}
