#include "coverage/report/report_files.h"

#include <stdlib.h>

#include "base/number.h"

struct part {
    const struct report_package *package;
    const struct report_class *class;
};

static int order_by_file(const void *left, const void *right)
{
    const struct part *a = left, *b = right;
    int order = str_cmp(a->class->file, b->class->file);
    if (order == 0)
        order = str_cmp(a->package->name, b->package->name);
    return order != 0 ? order : (a->class > b->class) - (a->class < b->class);
}

static int order_by_package(const void *left, const void *right)
{
    const struct part *a = left, *b = right;
    int order = (a->package > b->package) - (a->package < b->package);
    return order != 0 ? order : order_by_file(left, right);
}

/* As the report has them. */
static struct part *list_parts(uint32_t *count, const struct report_package *packages,
                               uint32_t package_count, struct arena *arena, struct err *err)
{
    size_t room = 0;
    for (uint32_t i = 0; i < package_count; i++)
        room += packages[i].class_count;
    struct part *parts = ARENA_NEW(arena, struct part, room, err);
    *count = 0;
    for (uint32_t i = 0; parts != NULL && i < package_count; i++)
        for (uint32_t c = 0; c < packages[i].class_count; c++)
            parts[(*count)++] = (struct part){&packages[i], &packages[i].classes[c]};
    return parts;
}

static int order_by_misses(const void *left, const void *right)
{
    const struct report_file *a = left, *b = right;
    const struct report_totals *of_a = &a->totals, *of_b = &b->totals;
    int order = number_order(of_b->lines_valid - of_b->lines_covered,
                             of_a->lines_valid - of_a->lines_covered);
    if (order == 0)
        order = number_order(of_b->branches_valid - of_b->branches_covered,
                             of_a->branches_valid - of_a->branches_covered);
    if (order == 0)
        order = str_cmp(a->path, b->path);
    return order != 0 ? order : str_cmp(a->package->name, b->package->name);
}

static void add_class(struct report_file *file, const struct report_class *class)
{
    uint32_t miss = class->first_miss;
    file->classes[file->class_count++] = class;
    report_add_totals(&file->totals, &class->totals);
    if (miss != 0 && (file->first_miss == 0 || miss < file->first_miss))
        file->first_miss = miss;
}

static bool same_file(const struct report_file *file, const struct part *part)
{
    return file->package == part->package && str_eq(file->path, part->class->file);
}

static bool list(struct report_files *out, const struct report_package *packages,
                 uint32_t package_count, enum report_order order, struct arena *arena,
                 struct arena *scratch, struct err *err)
{
    uint32_t count = 0;
    struct part *parts = list_parts(&count, packages, package_count, scratch, err);
    const struct report_class **classes = ARENA_NEW(arena, const struct report_class *, count, err);
    out->files = ARENA_NEW(arena, struct report_file, count, err);
    if (parts == NULL || classes == NULL || out->files == NULL)
        return false;
    if (order != REPORT_BY_CLASS && count != 0)
        qsort(parts, count, sizeof *parts,
              order == REPORT_BY_PACKAGE ? order_by_package : order_by_file);
    for (uint32_t i = 0; i < count; i++) {
        struct report_file *file = out->files + out->count;
        if (order == REPORT_BY_CLASS || out->count == 0 || !same_file(file - 1, &parts[i])) {
            *file = (struct report_file){
                .path = parts[i].class->file, .package = parts[i].package, .classes = classes + i};
            out->count++;
        }
        add_class(&out->files[out->count - 1], parts[i].class);
    }
    if (order == REPORT_BY_MISSES && out->count != 0)
        qsort(out->files, out->count, sizeof *out->files, order_by_misses);
    return true;
}

static bool list_files(struct report_files *out, const struct report_package *packages,
                       uint32_t package_count, enum report_order order, struct arena *arena,
                       struct err *err)
{
    struct arena scratch;
    *out = (struct report_files){.count = 0};
    arena_init(&scratch, NULL, 0, ARENA_NO_LIMIT);
    bool ok = list(out, packages, package_count, order, arena, &scratch, err);
    arena_free(&scratch);
    return ok;
}

bool report_files_ordered(struct report_files *out, const struct report *report,
                          enum report_order order, struct arena *arena, struct err *err)
{
    return list_files(out, report->packages, report->package_count, order, arena, err);
}

bool report_files_list(struct report_files *out, const struct report *report, struct arena *arena,
                       struct err *err)
{
    return report_files_ordered(out, report, REPORT_BY_FILE, arena, err);
}

bool report_files_of_package(struct report_files *out, const struct report_package *package,
                             struct arena *arena, struct err *err)
{
    return list_files(out, package, 1, REPORT_BY_FILE, arena, err);
}

void report_files_keep(struct report_files *files, struct str path)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < files->count; i++) {
        struct str name = files->files[i].path;
        bool is_below = (path.len == 0 || str_ends(path, "/")) && name.len > path.len &&
                        str_eq(path, (struct str){name.text, path.len});
        if (is_below || str_eq(path, name))
            files->files[kept++] = files->files[i];
    }
    files->count = kept;
}

/* --- methods ---------------------------------------------------------------------------------- */

static int order_methods(const void *left, const void *right)
{
    const struct report_file_method *a = left, *b = right;
    int order = number_order(a->method->first_line, b->method->first_line);
    return order != 0 ? order : (a->method > b->method) - (a->method < b->method);
}

struct report_file_method *report_file_methods(uint32_t *count, const struct report_file *file,
                                               struct arena *arena, struct err *err)
{
    size_t room = 0;
    *count = 0;
    for (uint32_t i = 0; i < file->class_count; i++)
        room += file->classes[i]->method_count;
    struct report_file_method *methods = ARENA_NEW(arena, struct report_file_method, room, err);
    for (uint32_t i = 0; methods != NULL && i < file->class_count; i++)
        for (uint32_t m = 0; m < file->classes[i]->method_count; m++)
            methods[(*count)++] =
                (struct report_file_method){file->classes[i], &file->classes[i]->methods[m]};
    if (methods != NULL && *count != 0)
        qsort(methods, *count, sizeof *methods, order_methods);
    return methods;
}
