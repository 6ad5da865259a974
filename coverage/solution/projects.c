#include "coverage/solution/projects.h"

#include "base/path.h"

bool solution_is_project(struct str path)
{
    static const char *const kinds[] = {".csproj", ".vbproj", ".fsproj"};
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (str_ends_nocase(path, kinds[i]))
            return true;
    return false;
}

bool solution_resolve(struct str *out, struct str folder, struct str written, struct arena *arena,
                      struct err *err)
{
    struct str path, whole;
    if (!any_path_with_slashes(&path, written, arena, err))
        return false;
    whole = path;
    if (!path_is_absolute(path) && folder.len != 0 && !path_join(&whole, folder, path, arena, err))
        return false;
    return path_tidy(out, whole, arena, err);
}

bool solution_add(struct solution *solution, struct str relative, struct arena *arena,
                  struct err *err)
{
    struct solution_project project;
    if (!str_ends_nocase(relative, "proj"))
        return true;
    if (!any_path_with_slashes(&project.name, relative, arena, err) ||
        !solution_resolve(&project.path, solution->folder, relative, arena, err))
        return false;
    if (!solution_is_project(relative)) {
        struct str *other = list_add(&solution->foreign, sizeof *other, arena, err);
        if (other != NULL)
            *other = project.name;
        return other != NULL;
    }
    struct solution_project *added = list_add(&solution->list, sizeof *added, arena, err);
    if (added != NULL)
        *added = project;
    return added != NULL;
}
