#include "reporters/diff/changes.h"

#include "base/list.h"

bool change_list_has(enum change_list list, const struct diff *diff, const struct diff_line *line)
{
    bool has_base = diff->base_name.len != 0;
    switch (list) {
    case CHANGE_LOST:
        return has_base && (line->state == DIFF_LOST || diff_line_outcomes(line, DIFF_LOST) != 0);
    case CHANGE_NEW:
        return (has_base && (line->state == DIFF_NEW_MISSED ||
                             diff_line_outcomes(line, DIFF_NEW_MISSED) != 0)) ||
               (line->in_patch && (!diff_state_is_covered(line->state) ||
                                   diff_line_outcomes(line, DIFF_STILL_MISSED) != 0 ||
                                   diff_line_outcomes(line, DIFF_NEW_MISSED) != 0));
    case CHANGE_GAINED:
        return has_base &&
               (line->state == DIFF_GAINED || diff_line_outcomes(line, DIFF_GAINED) != 0);
    case CHANGE_LIST_COUNT:
        break;
    }
    return false;
}

/* --- the files -------------------------------------------------------------------------------- */

static int compare_places(struct str package, struct str path, const struct diff_method *method)
{
    int order = str_cmp(package, method->package);
    return order != 0 ? order : str_cmp(path, method->file);
}

static void count_line(struct change_file *file, const struct diff_line *line)
{
    file->lines[line->state]++;
    for (int i = 0; i < DIFF_STATE_COUNT; i++)
        file->outcomes[i] += diff_line_outcomes(line, (enum diff_state)i);
    file->patch_owed += line->in_patch;
    file->patch_covered += line->in_patch && line->hits != 0;
}

/* The lines to tell of that are in no section, as one more. */
static bool add_rest(struct change_file *file, const struct diff_section *first, uint32_t count,
                     struct changes *c, struct err *err)
{
    const struct diff_file *of = file->file;
    uint32_t line_count = of != NULL ? of->line_count : 0, rest = 0;
    bool *seen = ARENA_NEW(c->scratch, bool, line_count, err);
    uint32_t *numbers = ARENA_NEW(c->arena, uint32_t, line_count, err);
    file->line_parts = ARENA_NEW(c->arena, uint32_t, line_count, err);
    file->sections = ARENA_NEW(c->arena, struct diff_section, (size_t)count + 1, err);
    file->section_parts = ARENA_NEW(c->arena, uint32_t, (size_t)count + 1, err);
    if (seen == NULL || numbers == NULL || file->line_parts == NULL || file->sections == NULL ||
        file->section_parts == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        file->sections[i] = first[i];
        for (uint32_t k = 0; of != NULL && k < first[i].line_count; k++) {
            const struct diff_line *line = diff_file_line(of, first[i].lines[k]);
            if (line != NULL)
                seen[line - of->lines] = true;
        }
    }
    for (uint32_t i = 0; i < line_count; i++) {
        count_line(file, &of->lines[i]);
        if (!seen[i] && diff_line_is_shown(&of->lines[i]))
            numbers[rest++] = of->lines[i].number;
    }
    file->section_count = count;
    if (rest != 0)
        file->sections[file->section_count++] =
            (struct diff_section){.method = {.package = file->package, .file = file->path},
                                  .lines = numbers,
                                  .line_count = rest};
    arena_reset(c->scratch);
    return true;
}

static bool add_change_file(struct list *files, struct str package, struct str path,
                            const struct diff_file *of, uint32_t *section, struct changes *c,
                            struct err *err)
{
    const struct diff *diff = c->diff;
    uint32_t first = *section;
    struct change_file file = {.package = package, .path = path, .file = of};
    while (*section < diff->section_count &&
           compare_places(package, path, &diff->sections[*section].method) == 0)
        ++*section;
    bool tells = *section != first;
    for (uint32_t i = 0; of != NULL && i < of->line_count && !tells; i++)
        tells = diff_line_is_shown(&of->lines[i]);
    if (!tells)
        return true;
    if (!add_rest(&file, diff->sections + first, *section - first, c, err))
        return false;
    return list_put(files, &file, sizeof file, c->arena, err);
}

/* Both files and sections are by package and path. */
bool changes_list_files(struct changes *c, struct err *err)
{
    const struct diff *diff = c->diff;
    struct list files = {.items = NULL};
    uint32_t i = 0, section = 0;
    while (i < diff->file_count || section < diff->section_count) {
        const struct diff_file *file = i < diff->file_count ? &diff->files[i] : NULL;
        const struct diff_method *method =
            section < diff->section_count ? &diff->sections[section].method : NULL;
        bool is_gone = method != NULL &&
                       (file == NULL || compare_places(file->package, file->path, method) > 0);
        i += !is_gone;
        if (is_gone
                ? !add_change_file(&files, method->package, method->file, NULL, &section, c, err)
                : !add_change_file(&files, file->package, file->path, file, &section, c, err))
            return false;
    }
    c->files = files.items;
    c->file_count = files.count;
    return true;
}
