#include "tests/support/patch_text.h"

#include "tests/support/check.h"

static void describe_file(struct text *t, const struct patch_file *file)
{
    static const char *const kinds[] = {"changed", "added", "deleted", "renamed", "copied"};
    text_addf(t, "%s%s %.*s", t->len != 0 ? " " : "", kinds[file->kind], STR_ARGS(file->path));
    if (file->old_path.len != 0 && !str_eq(file->old_path, file->path))
        text_addf(t, "<%.*s", STR_ARGS(file->old_path));
    text_addf(t, "%s%s%s%s", file->is_binary ? " binary" : "",
              file->is_submodule ? " submodule" : "", file->has_contents ? " with contents" : "",
              file->is_link ? " link" : "");
    for (uint32_t i = 0; i < file->line_count; i++) {
        const struct patch_lines *lines = &file->lines[i];
        text_addf(t, " %u", lines->first);
        if (lines->last != lines->first)
            text_addf(t, "-%u", lines->last);
    }
    text_add_c(t, ";");
}

struct str patch_text(const struct patch *patch, struct arena *arena)
{
    struct str described;
    struct text t = text_in(arena);
    for (uint32_t i = 0; i < patch->file_count; i++)
        describe_file(&t, &patch->files[i]);
    assert_true(text_take(&described, &t, NULL));
    return described;
}
