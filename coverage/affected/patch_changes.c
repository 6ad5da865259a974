#include "coverage/affected/patch_changes.h"

#include "base/path.h"
#include "coverage/diff/code_text.h"
#include "coverage/source/paths.h"

/* A file that a build copied beside its assemblies may be read by tests. */
static bool is_input(const struct facts *base, struct str name)
{
    for (uint32_t i = 0; i < base->input_count; i++)
        if (str_eq(path_file(base->inputs[i].path), name))
            return true;
    return false;
}

static bool is_for_people(const struct facts *base, struct str path)
{
    struct str name = path_file(path);
    return (str_ends(name, ".md") || str_starts(name, "LICENSE") || str_is(name, ".gitignore") ||
            str_is(name, ".gitattributes") || str_is(name, ".editorconfig")) &&
           !is_input(base, name);
}

static bool note_patch_file(struct build_changes *changes, struct str path, const char *what,
                            const struct input_rules *rules)
{
    return paths_match_any(rules->ignore, rules->ignore_count, path) ||
           is_for_people(&changes->base, path) ||
           build_changes_add_all(changes, "%.*s %s", STR_ARGS(path), what);
}

static const char *fate_of(const struct patch_file *file)
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

bool patch_changes_find(struct build_changes *changes, const struct patch *patch,
                        const struct input_rules *rules)
{
    for (uint32_t i = 0; i < patch->file_count; i++) {
        const struct patch_file *file = &patch->files[i];
        bool renamed = file->kind == PATCH_RENAMED;
        if (is_told_otherwise(file))
            continue;
        if (renamed && !note_patch_file(changes, file->old_path, "was renamed", rules))
            return false;
        if (!note_patch_file(changes, file->path, renamed ? "is new" : fate_of(file), rules))
            return false;
    }
    return true;
}
