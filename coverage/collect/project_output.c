#include "coverage/collect/project_output.h"

#include "base/path.h"
#include "system/file.h"
#include "system/file_status.h"
#include "system/folder.h"

enum {
    DEPTH_MAX = 4,     /* obj/x64/Debug/net10.0/linux-x64 */
    ANCESTORS_MAX = 32 /* folders above a project */
};

struct output_candidate {
    struct str path;
    struct str folders; /* below obj or bin: "Debug/net10.0" */
    int64_t written;
};

struct output_search {
    struct str file;   /* "App.csproj" */
    struct str stem;   /* "App" */
    struct str root;   /* the obj or bin that is searched */
    struct list found; /* struct output_candidate */
    bool in_bin;
    struct arena *arena;
    struct err *err;
};

static bool make_path(struct str *out, struct str folder, struct str name, struct output_search *s)
{
    return path_join(out, folder, name, s->arena, s->err);
}

/* --- one folder ------------------------------------------------------------------------------- */

struct folder_listing {
    struct list folders, assemblies; /* struct str: names */
    struct str folder;
    struct output_search *search;
};

static bool add_entry_name(struct list *list, struct str name, struct output_search *s)
{
    struct str *added = list_add(list, sizeof *added, s->arena, s->err);
    return added != NULL && str_copy(added, name, s->arena, s->err);
}

static bool take_folder_entry(void *context, const char *entry)
{
    struct folder_listing *l = context;
    struct str name = str_of(entry), path;
    if (name.text[0] == '.')
        return true;
    if (str_ends(name, ".dll"))
        return add_entry_name(&l->assemblies, name, l->search);
    /* Reference assemblies, without code. */
    if (str_is(name, "ref") || str_is(name, "refint"))
        return true;
    struct file_status status;
    if (!make_path(&path, l->folder, name, l->search))
        return false;
    bool is_folder = file_status_entry(&status, path.text) && status.kind == FILE_IS_FOLDER;
    return !is_folder || add_entry_name(&l->folders, name, l->search);
}

static bool has_pdb_beside(bool *out, struct str folder, struct str name, struct output_search *s)
{
    struct str file, pdb;
    if (!text_format(&file, s->arena, s->err, "%.*s.pdb", (int)(name.len - 4), name.text) ||
        !make_path(&pdb, folder, file, s))
        return false;
    *out = file_exists(pdb.text);
    return true;
}

/* The project's own name comes first, then one with symbols, then the order of names. */
static bool choose_assembly(struct str *out, const struct folder_listing *l)
{
    const struct str *names = l->assemblies.items;
    uint32_t best_rank = 0;
    *out = STR("");
    for (uint32_t i = 0; i < l->assemblies.count; i++) {
        struct str stem = {names[i].text, names[i].len - 4};
        bool has = false;
        if (!has_pdb_beside(&has, l->folder, names[i], l->search))
            return false;
        uint32_t rank = 1u + has + 2u * str_eq(stem, l->search->stem);
        if (rank > best_rank || (rank == best_rank && str_cmp(names[i], *out) < 0)) {
            best_rank = rank;
            *out = names[i];
        }
    }
    return true;
}

static bool list_path(struct str *out, struct str folder, struct output_search *s)
{
    struct str file;
    return text_format(&file, s->arena, s->err, "%.*s.FileListAbsolute.txt", STR_ARGS(s->file)) &&
           make_path(out, folder, file, s);
}

static bool add_candidate(struct output_search *s, struct str folder, struct str name)
{
    struct output_candidate *added = list_add(&s->found, sizeof *added, s->arena, s->err);
    if (added == NULL || !make_path(&added->path, folder, name, s))
        return false;
    size_t below = s->root.len + (folder.len > s->root.len);
    added->folders = (struct str){folder.text + below, folder.len - below};
    struct file_status status;
    added->written = file_status_read(&status, added->path.text) ? status.written : 0;
    return true;
}

/* Was the project compiled in this folder, or put there? */
static bool look_in(struct folder_listing *l, struct output_search *s)
{
    struct str list, name = STR("");
    if (s->in_bin) {
        const struct str *names = l->assemblies.items;
        for (uint32_t i = 0; i < l->assemblies.count; i++)
            if (str_eq((struct str){names[i].text, names[i].len - 4}, s->stem))
                name = names[i];
    } else {
        if (!list_path(&list, l->folder, s))
            return false;
        if (file_exists(list.text) && !choose_assembly(&name, l))
            return false;
    }
    return name.len == 0 || add_candidate(s, l->folder, name);
}

static bool search_folder(struct output_search *s, struct str folder, unsigned depth)
{
    struct folder_listing l = {.folder = folder, .search = s};
    if (!folder_each_entry(folder.text, take_folder_entry, &l) || !look_in(&l, s))
        return false;
    const struct str *names = l.folders.items;
    for (uint32_t i = 0; i < l.folders.count && depth != 0; i++) {
        struct str path;
        if (!make_path(&path, folder, names[i], s) || !search_folder(s, path, depth - 1))
            return false;
    }
    return true;
}

/* --- where ------------------------------------------------------------------------------------ */

static bool search_root(struct output_search *s, struct str folder, struct str kind)
{
    return (folder.len != 0 ? make_path(&s->root, folder, kind, s)
                            : str_copy(&s->root, kind, s->arena, s->err)) &&
           (!file_is_folder(s->root.text) || search_folder(s, s->root, DEPTH_MAX));
}

/* artifacts/obj/NAME of a folder above the project. */
static bool search_artifacts(struct output_search *s, struct str folder, struct str kind)
{
    struct str below;
    if (!make_path(&below, STR("artifacts"), kind, s) || !make_path(&below, below, s->stem, s))
        return false;
    for (unsigned i = 0; i < ANCESTORS_MAX; i++) {
        if (!search_root(s, folder, below))
            return false;
        if (folder.len <= 1)
            return true;
        folder = path_dir(folder);
    }
    return true;
}

static bool search_all(struct output_search *s, struct str project_folder,
                       struct str solution_folder)
{
    struct str kind = s->in_bin ? STR("bin") : STR("obj");
    if (!search_root(s, project_folder, kind))
        return false;
    return s->found.count != 0 ||
           (search_artifacts(s, project_folder, kind) &&
            (s->found.count != 0 || search_artifacts(s, solution_folder, kind)));
}

/* --- which ------------------------------------------------------------------------------------ */

static bool has_part(struct str path, struct str part)
{
    for (size_t at = 0; at < path.len;)
        if (str_eq_nocase(path_part(path, &at), part))
            return true;
    return false;
}

/* How many of its folders are in the path of something that was measured? */
static uint32_t measure_likeness(const struct output_candidate *candidate,
                                 const struct str *measured, uint32_t count)
{
    uint32_t best = 0;
    for (uint32_t m = 0; m < count; m++) {
        uint32_t same = 0;
        for (size_t at = 0; at < candidate->folders.len;) {
            struct str part = path_part(candidate->folders, &at);
            same += part.len != 0 && has_part(measured[m], part);
        }
        best = same > best ? same : best;
    }
    return best;
}

static const struct output_candidate *choose_candidate(const struct output_search *s,
                                                       const struct str *measured, uint32_t count)
{
    const struct output_candidate *all = s->found.items, *best = NULL;
    uint32_t best_likeness = 0;
    for (uint32_t i = 0; i < s->found.count; i++) {
        uint32_t like = measure_likeness(&all[i], measured, count);
        bool better = best == NULL || like > best_likeness;
        if (!better && like == best_likeness)
            better = all[i].written != best->written ? all[i].written > best->written
                                                     : str_cmp(all[i].path, best->path) < 0;
        if (better) {
            best = &all[i];
            best_likeness = like;
        }
    }
    return best;
}

bool project_output_find(struct str *out, const struct solution_project *project,
                         struct str solution_folder, const struct str *measured,
                         uint32_t measured_count, struct arena *arena, struct err *err)
{
    struct output_search s = {.file = path_file(project->path), .arena = arena, .err = err};
    s.stem = (struct str){s.file.text, s.file.len - 7}; /* .csproj, .vbproj, .fsproj */
    struct str folder = path_dir(project->path);
    *out = STR("");
    if (!search_all(&s, folder, solution_folder))
        return false;
    s.in_bin = true;
    if (s.found.count == 0 && !search_all(&s, folder, solution_folder))
        return false;
    const struct output_candidate *best = choose_candidate(&s, measured, measured_count);
    if (best != NULL)
        *out = best->path;
    return true;
}

/* --- where it was put ------------------------------------------------------------------------- */

bool project_output_folder(struct str *out, const struct solution_project *project,
                           struct str assembly, struct arena *arena, struct err *err)
{
    struct output_search s = {.file = path_file(project->path), .arena = arena, .err = err};
    struct str list, compiled = path_dir(assembly);
    struct view bytes;
    *out = compiled;
    if (!list_path(&list, compiled, &s))
        return false;
    if (!file_bytes_read(&bytes, list.text, NULL))
        return true;
    struct str rest = {(const char *)bytes.data, bytes.len}, found = {NULL, 0};
    while (rest.len != 0 && found.len == 0) {
        struct str line = str_trim(str_take_until(&rest, '\n'), "\r");
        if (str_eq(any_path_file(line), path_file(assembly)) && !path_is_below(line, compiled))
            found = path_dir(line);
    }
    bool ok = found.len == 0 || str_copy(out, found, arena, err);
    file_bytes_release(&bytes);
    return ok;
}
