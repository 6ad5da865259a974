#include "impact/input_changes.h"

#include <string.h>

#include "base/path.h"
#include "base/sort.h"
#include "coverage/diff/code_text.h"
#include "coverage/facts/fact_inputs.h"
#include "coverage/session/test_inputs.h"
#include "coverage/source/paths.h"

/* A folder of the older run's inputs, and where it is now. */
struct folder_pair {
    struct str was, now;
};

struct input_comparison {
    struct build_changes *changes;
    const struct impact_request *request;
};

static bool is_ignored(const struct impact_request *request, struct str path)
{
    return paths_match_any(request->ignore, request->ignore_count, path);
}

/* What became of a file: `what`. */
static bool note_input_file(struct build_changes *changes, struct str path, const char *what)
{
    return test_inputs_are_for_all(path)
               ? build_changes_add_all(changes, "%.*s %s", STR_ARGS(path), what)
               : build_changes_add_file(changes, path, what);
}

static bool note_input(struct input_comparison *w, struct str path, const struct fact_input *was,
                       const struct fact_input *now)
{
    if (is_ignored(w->request, path))
        return true;
    if ((was != NULL && fact_input_is_unseen(was)) || (now != NULL && fact_input_is_unseen(now)))
        return build_changes_add_all(w->changes,
                                     "%.*s may have changed: it is a link to somewhere else, "
                                     "cannot be read, or is too large",
                                     STR_ARGS(path));
    return note_input_file(w->changes, path,
                           was == NULL   ? "is new"
                           : now == NULL ? "is gone"
                                         : "changed");
}

/* Both are sorted by path. A path that several runs knew with different contents is unchanged if it
 * has one of them. */
static bool compare_lists(struct input_comparison *w, const struct fact_input *was,
                          uint32_t was_count, const struct fact_input *now, uint32_t now_count)
{
    bool ok = true;
    for (uint32_t i = 0, k = 0; ok && (i < was_count || k < now_count);) {
        int order = i == was_count ? 1 : k == now_count ? -1 : str_cmp(was[i].path, now[k].path);
        if (order > 0) {
            ok = note_input(w, now[k].path, NULL, &now[k]);
            k++;
            continue;
        }
        bool same = false;
        uint32_t first = i;
        for (; i < was_count && str_eq(was[i].path, was[first].path); i++)
            same |= fact_input_is_left(&was[i]) ||
                    (order == 0 && memcmp(was[i].hash, now[k].hash, sizeof now[k].hash) == 0 &&
                     !fact_input_is_unseen(&now[k]));
        if (!same)
            ok = note_input(w, was[first].path, &was[first], order == 0 ? &now[k] : NULL);
        k += order == 0;
    }
    return ok;
}

ORDER(order_folders, struct fact_input, BY(folder))

/* The inputs of a folder: [*first, *end). */
static void find_folder_inputs(uint32_t *first, uint32_t *end, const struct facts *base,
                               struct str folder)
{
    const struct fact_input key = {.folder = folder};
    *first = *end =
        (uint32_t)sorted_place(&key, base->inputs, base->input_count, sizeof key, order_folders);
    while (*end < base->input_count && str_eq(base->inputs[*end].folder, folder))
        (*end)++;
}

static bool compare_folder(struct input_comparison *w, struct str was, struct list *now)
{
    const struct facts *base = &w->changes->base;
    uint32_t first, end;
    find_folder_inputs(&first, &end, base, was);
    fact_inputs_sort(now->items, &now->count);
    return compare_lists(w, base->inputs + first, end - first, now->items, now->count);
}

/* Where the test assemblies are, or, without them, all others: the outputs that tests run in. */
static bool pair_folders(struct list *pairs, struct input_comparison *w)
{
    const struct build_changes *c = w->changes;
    for (uint32_t i = 0; i < c->base.module_count; i++) {
        const struct fact_module *module = &c->base.modules[i];
        struct str was = path_dir(module->path), now = STR("");
        const struct folder_pair *known = pairs->items;
        uint32_t built = new_build_module(c->build, module->name), first, end;
        if (built != NO_INDEX)
            now = path_dir(c->build->facts.modules[built].path);
        find_folder_inputs(&first, &end, &c->base, was);
        bool is_known = module->method_count == 0 || now.len == 0 || first == end;
        for (uint32_t k = 0; !is_known && k < pairs->count; k++)
            is_known = str_eq(known[k].was, was);
        if (is_known)
            continue;
        if (!list_put(pairs, &(struct folder_pair){was, now}, sizeof(struct folder_pair), c->arena,
                      c->err))
            return false;
    }
    return true;
}

bool input_changes_find(struct build_changes *changes, const struct impact_request *request)
{
    struct input_comparison w = {changes, request};
    struct list pairs = {0}, sources = {0};
    struct arena *arena = changes->arena;
    if (!pair_folders(&pairs, &w))
        return false;
    const struct folder_pair *items = pairs.items;
    for (uint32_t i = 0; i < pairs.count; i++) {
        struct list now = {0};
        if (!test_inputs_add_output(&now, items[i].now, INT64_MAX, &changes->base, arena,
                                    changes->err) ||
            !compare_folder(&w, items[i].was, &now))
            return false;
    }
    return test_inputs_add_sources(&sources, request->root, &changes->base, arena, changes->err) &&
           compare_folder(&w, STR(""), &sources);
}

/* --- files of a patch ------------------------------------------------------------------------- */

/* A file that a build copied beside its assemblies may be read by tests. */
static bool is_copied_input(const struct facts *base, struct str name)
{
    for (uint32_t i = 0; i < base->input_count; i++)
        if (str_eq(path_file(base->inputs[i].path), name))
            return true;
    return false;
}

static bool is_read_by_people(const struct facts *base, struct str path)
{
    struct str name = path_file(path);
    return (str_ends(name, ".md") || str_starts(name, "LICENSE") || str_is(name, ".gitignore") ||
            str_is(name, ".gitattributes") || str_is(name, ".editorconfig")) &&
           !is_copied_input(base, name);
}

static bool note_patch_file(struct build_changes *changes, struct str path, const char *what,
                            const struct impact_request *request)
{
    return is_ignored(request, path) || is_read_by_people(&changes->base, path) ||
           note_input_file(changes, path, what);
}

static const char *change_of_patch_file(const struct patch_file *file)
{
    return file->kind == PATCH_ADDED || file->kind == PATCH_COPIED ? "is new"
           : file->kind == PATCH_DELETED                           ? "is gone"
                                                                   : "changed";
}

/* The build has it, on both sides; or, of a submodule, the patch has its files. */
static bool is_told_otherwise(const struct patch_file *file)
{
    return (file->is_submodule && file->has_contents) ||
           (code_text_is_source(file->path) &&
            (file->old_path.len == 0 || code_text_is_source(file->old_path)));
}

bool input_changes_of_patch(struct build_changes *changes, const struct impact_request *request)
{
    const struct patch *patch = request->patch;
    for (uint32_t i = 0; i < patch->file_count; i++) {
        const struct patch_file *file = &patch->files[i];
        bool renamed = file->kind == PATCH_RENAMED;
        if (is_told_otherwise(file))
            continue;
        if (renamed && !note_patch_file(changes, file->old_path, "was renamed", request))
            return false;
        if (!note_patch_file(changes, file->path, renamed ? "is new" : change_of_patch_file(file),
                             request))
            return false;
    }
    return true;
}
