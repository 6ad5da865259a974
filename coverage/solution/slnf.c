/* Some projects of a solution, as JSON. Their paths are relative to the solution:
 *
 *   { "solution": { "path": "..\\Shop.sln", "projects": [ "src\\Shop\\Shop.csproj" ] } }
 */
#include <jansson.h>

#include "base/path.h"
#include "coverage/solution/formats.h"

static bool take_projects(struct solution *out, bool *is_all, const json_t *projects,
                          struct arena *arena, struct err *err)
{
    *is_all = projects == NULL;
    if (projects != NULL && !json_is_array(projects))
        return err_set(err, ERR_FORMAT, "\"projects\" is not an array of paths");
    for (size_t i = 0; i < json_array_size(projects); i++) {
        const json_t *path = json_array_get(projects, i);
        if (!json_is_string(path))
            return err_set(err, ERR_FORMAT, "item %zu of \"projects\" is not a path", i + 1);
        struct str relative = {json_string_value(path), json_string_length(path)};
        if (!solution_add(out, relative, arena, err))
            return false;
    }
    return true;
}

static bool take_solution(struct solution *out, struct str *of, const json_t *solution,
                          struct arena *arena, struct err *err)
{
    const json_t *path = json_object_get(solution, "path");
    struct str written = {json_string_value(path), json_string_length(path)};
    if (!json_is_string(path) || written.len == 0)
        return err_set(err, ERR_FORMAT, "\"solution\" has no \"path\", which names a solution");
    if (!solution_resolve(of, out->folder, written, arena, err))
        return false;
    out->folder = path_dir(*of);
    return true;
}

bool solution_read_slnf(struct solution *out, struct str *of, bool *is_all, struct view bytes,
                        struct arena *arena, struct err *err)
{
    json_error_t why;
    struct str text = {(const char *)bytes.data, bytes.len};
    (void)str_take(&text, "\xEF\xBB\xBF");
    json_t *root = json_loadb(text.text, text.len, 0, &why);
    if (root == NULL) {
        bool no_memory = json_error_code(&why) == json_error_out_of_memory;
        return err_set(err, no_memory ? ERR_MEMORY : ERR_FORMAT, "line %d is not JSON: %s",
                       why.line, why.text);
    }
    const json_t *solution = json_object_get(root, "solution");
    bool ok = json_is_object(solution) || err_set(err, ERR_FORMAT, "has no object \"solution\"");
    ok = ok && take_solution(out, of, solution, arena, err) &&
         take_projects(out, is_all, json_object_get(solution, "projects"), arena, err);
    json_decref(root);
    return ok;
}
