#include "coverage/diff/old_lines.h"

#include "base/sort.h"

/* The lines of a class, ascending; a file may have several. */
struct old_file {
    struct str path;
    struct old_line *lines;
    uint32_t line_count;
};

ORDER(order_old_files, struct old_file, BY(path))
ORDER(order_old_lines, struct old_line, BY(number))
static int order_old_paths(const void *left, const void *right)
{
    const struct patch_file *const *a = left, *const *b = right;
    return str_cmp((*a)->old_path, (*b)->old_path);
}

static int order_moved(const void *left, const void *right)
{
    const struct patch_file *const *a = left, *const *b = right;
    int order = order_old_paths(left, right);
    return order != 0 ? order : number_order((uintptr_t)*a, (uintptr_t)*b);
}

static bool list_moved(struct old_lines *old, struct err *err)
{
    const struct patch *patch = old->patch;
    if (patch == NULL)
        return true;
    old->moved = ARENA_NEW(old->arena, const struct patch_file *, patch->file_count, err);
    if (old->moved == NULL)
        return false;
    for (uint32_t i = 0; i < patch->file_count; i++)
        old->moved[i] = &patch->files[i];
    sort_unless_sorted(old->moved, patch->file_count, sizeof(const struct patch_file *),
                       order_moved);
    return true;
}

bool old_lines_open(struct old_lines *out, const struct patch *patch, uint32_t room,
                    struct arena *arena, struct err *err)
{
    *out = (struct old_lines){.patch = patch, .arena = arena};
    return list_moved(out, err) &&
           list_reserve(&out->files, sizeof(struct old_file), room, arena, err);
}

/* The first file of the patch that had this path. */
static const struct patch_file *patch_of_old(const struct old_lines *old, struct str path)
{
    const struct patch_file key = {.old_path = path}, *const at = &key;
    const struct patch_file *const *found =
        old->moved != NULL
            ? sorted_find(&at, old->moved, old->patch->file_count, sizeof at, order_old_paths)
            : NULL;
    return found != NULL ? *found : NULL;
}

static struct old_line describe_old_line(const struct report_line *line, uint32_t number)
{
    struct old_line old = {.hits = line->hits, .number = number};
    if (line->outcome_count <= UINT16_MAX) {
        old.outcome_count = (uint16_t)line->outcome_count;
        old.covered_count = (uint16_t)line->covered_count;
    }
    return old;
}

bool old_lines_keep(struct old_lines *old, const struct report_class *class, struct err *err)
{
    const struct patch_file *patch = patch_of_old(old, class->file);
    struct old_file *file = list_add(&old->files, sizeof *file, old->arena, err);
    if (file == NULL)
        return false;
    *file = (struct old_file){.path = patch != NULL ? patch->path : class->file};
    file->lines = ARENA_NEW(old->arena, struct old_line, class->lines.count, err);
    if (file->lines == NULL)
        return false;
    for (uint32_t i = 0; i < class->lines.count; i++) {
        const struct report_line *line = &class->lines.lines[i];
        uint32_t number = patch != NULL ? patch_new_line(patch, line->number) : line->number;
        if (number != 0)
            file->lines[file->line_count++] = describe_old_line(line, number);
    }
    return true;
}

void old_lines_sort(struct old_lines *old)
{
    sort_unless_sorted(old->files.items, old->files.count, sizeof(struct old_file),
                       order_old_files);
}

const struct old_line *old_lines_find(const struct old_lines *old, struct str path, uint32_t number)
{
    const struct old_file key = {.path = path}, *files = old->files.items;
    const struct old_line line = {.number = number};
    for (size_t i = sorted_place(&key, files, old->files.count, sizeof key, order_old_files);
         i < old->files.count && str_eq(files[i].path, path); i++) {
        const struct old_line *was =
            sorted_find(&line, files[i].lines, files[i].line_count, sizeof line, order_old_lines);
        if (was != NULL)
            return was;
    }
    return NULL;
}
