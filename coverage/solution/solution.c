#include "coverage/solution/solution.h"

#include "base/path.h"
#include "coverage/solution/formats.h"
#include "system/file.h"

static bool read_solution(struct solution *out, struct str path, struct view bytes,
                          struct arena *arena, struct err *err)
{
    return str_ends_nocase(path, ".slnx") ? solution_read_slnx(out, bytes, arena, err)
                                          : solution_read_sln(out, bytes, arena, err);
}

static bool is_solution(struct str path)
{
    return str_ends_nocase(path, ".sln") || str_ends_nocase(path, ".slnx");
}

/* The solution that a filter names, if it lists no projects of its own. */
static bool read_whole(struct solution *out, struct str path, struct arena *arena, struct err *err)
{
    struct view bytes;
    struct err why;
    struct str name;
    if (!is_solution(path))
        return err_set(err, ERR_FORMAT, "\"path\" %.*s is neither .sln nor .slnx", STR_ARGS(path));
    if (!str_copy(&name, path, arena, err))
        return false;
    if (!file_bytes_read(&bytes, name.text, &why))
        return err_set(err, why.code, "its solution %s: %s", name.text, why.text);
    bool ok = read_solution(out, path, bytes, arena, &why);
    file_bytes_release(&bytes);
    return ok || err_set(err, why.code, "its solution %s: %s", name.text, why.text);
}

static bool read_filter(struct solution *out, struct view bytes, struct arena *arena,
                        struct err *err)
{
    struct str of = {NULL, 0};
    bool is_all = false;
    return solution_read_slnf(out, &of, &is_all, bytes, arena, err) &&
           (!is_all || read_whole(out, of, arena, err));
}

bool solution_read(struct solution *out, const char *path, struct arena *arena, struct err *err)
{
    struct str name = str_of(path);
    struct view bytes;
    *out = (struct solution){.folder = path_dir(name)};
    if (!is_solution(name) && !str_ends_nocase(name, ".slnf") && !solution_is_project(name))
        return err_set(err, ERR_USAGE,
                       "is no solution: expected .sln, .slnx or .slnf, or a .csproj, .vbproj or "
                       ".fsproj");
    if (!file_bytes_read(&bytes, path, err))
        return false;
    bool ok = solution_is_project(name) ? solution_add(out, path_file(name), arena, err)
              : is_solution(name)       ? read_solution(out, name, bytes, arena, err)
                                        : read_filter(out, bytes, arena, err);
    file_bytes_release(&bytes);
    return ok;
}
