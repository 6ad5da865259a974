#include "coverage/generated/generated_file.h"

#include <string.h>

#include "base/path.h"
#include "coverage/generated/auto_header.h"
#include "coverage/generated/intermediate_folder.h"

/* The length of ".cs", ".vb" or ".fs" at its end, or 0. */
static size_t extension_len(struct str name)
{
    static const char *const extensions[] = {".cs", ".vb", ".fs"};
    for (size_t i = 0; i < ARRAY_LEN(extensions); i++)
        if (str_ends_nocase(name, extensions[i]))
            return strlen(extensions[i]);
    return 0;
}

bool generated_file_is_source(struct str path)
{
    return extension_len(any_path_file(path)) != 0;
}

/* ".Designer.cs" as the file writes it: what its name says of a generator; empty if nothing. */
static struct str telling_end(struct str path)
{
    static const char *const ends[] = {".g", ".g.i", ".generated", ".designer"};
    struct str start = STR("TemporaryGeneratedFile_"), nothing = {NULL, 0};
    struct str name = any_path_file(path);
    size_t extension = extension_len(name);
    if (extension == 0)
        return nothing;
    if (name.len >= start.len && str_eq_nocase((struct str){name.text, start.len}, start))
        return name;
    struct str stem = {name.text, name.len - extension};
    for (size_t i = 0; i < ARRAY_LEN(ends); i++)
        if (str_ends_nocase(stem, ends[i])) {
            size_t len = strlen(ends[i]) + extension;
            return (struct str){name.text + name.len - len, len};
        }
    return nothing;
}

bool generated_file_reason(const struct reason **out, const struct generated_file *file,
                           struct arena *arena, struct err *err)
{
    struct str end = telling_end(file->path);
    bool is_below = false;
    *out = NULL;
    if (end.len != 0) {
        *out = reason_new(REASON_GENERATED_NAME, end, STR(""), arena, err);
        return *out != NULL;
    }
    if (!intermediate_folder_holds(&is_below, file->path, file->place, arena, err))
        return false;
    if (is_below)
        *out = reason_of(REASON_GENERATED_FOLDER);
    else if (generated_file_is_source(file->path) && auto_header_is(file->text, file->language))
        *out = reason_of(REASON_GENERATED_HEADER);
    return true;
}
