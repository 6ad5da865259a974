#include "coverage/diff/patch.h"

#include "base/sort.h"
#include "coverage/diff/patch_line.h"
#include "coverage/facts/facts.h"

ORDER(order_starts, struct patch_hunk, BY(old_start))

/* The number of hunks that begin at or before the old line. */
static size_t hunks_until(const struct patch_file *file, uint32_t old_line)
{
    const struct patch_hunk key = {.old_start = old_line + 1};
    return sorted_place(&key, file->hunks, file->hunk_count, sizeof key, order_starts);
}

uint32_t patch_new_line(const struct patch_file *file, uint32_t old_line)
{
    if (old_line == 0 || old_line >= FACT_LINE_LIMIT || file->kind == PATCH_ADDED ||
        file->kind == PATCH_DELETED || file->is_binary || file->is_submodule || file->is_link)
        return 0;
    size_t n = hunks_until(file, old_line);
    uint32_t old_end = 1, new_end = 1;
    if (n != 0) {
        const struct patch_hunk *hunk = &file->hunks[n - 1];
        old_end = hunk->old_start + hunk->old_count;
        new_end = hunk->new_start + hunk->new_count;
    }
    if (old_line < old_end)
        return 0;
    if (n < file->hunk_count &&
        file->hunks[n].old_start - old_end != file->hunks[n].new_start - new_end)
        return 0;
    uint32_t new_line = new_end + (old_line - old_end);
    return new_line < FACT_LINE_LIMIT ? new_line : 0;
}

ORDER(order_ends, struct patch_lines, BY(last))

bool patch_has_line(const struct patch_file *file, uint32_t line)
{
    const struct patch_lines key = {.last = line};
    if (file == NULL || file->kind == PATCH_COPIED)
        return file != NULL;
    size_t at = sorted_place(&key, file->lines, file->line_count, sizeof key, order_ends);
    return at < file->line_count && file->lines[at].first <= line;
}

bool patch_next_text(struct str *line, struct str *text, char side)
{
    bool found = false;
    while (text->len != 0 && !found) {
        *line = patch_line_take(text);
        found = line->len != 0 && line->text[0] == side;
    }
    if (found)
        *line = str_from(*line, 1);
    return found;
}

ORDER(order_patch_paths, struct patch_file, BY(path))

const struct patch_file *patch_find(const struct patch *patch, struct str path)
{
    const struct patch_file key = {.path = path};
    size_t at = sorted_place(&key, patch->files, patch->file_count, sizeof key, order_patch_paths);
    const struct patch_file *file = at < patch->file_count ? &patch->files[at] : NULL;
    return file != NULL && file->kind != PATCH_DELETED && str_eq(file->path, path) ? file : NULL;
}
