#include "coverage/report/report_files.h"

#include "base/number.h"
#include "base/sort.h"

struct class_part {
    const struct report_package *package;
    const struct report_class *class;
};

ORDER(order_by_file, struct class_part,
      BY(class->file) BY(package->name)
          BY_ORDER(number_order((uintptr_t)a->class, (uintptr_t)b->class)))

ORDER(order_by_package, struct class_part,
      BY_ORDER(number_order((uintptr_t)a->package, (uintptr_t)b->package))
          BY_ORDER(order_by_file(left, right)))

/* As the report has them. */
static struct class_part *list_parts(uint32_t *count, const struct report_package *packages,
                                     uint32_t package_count, struct arena *arena, struct err *err)
{
    size_t room = 0;
    for (uint32_t i = 0; i < package_count; i++)
        room += packages[i].class_count;
    struct class_part *parts = ARENA_NEW(arena, struct class_part, room, err);
    *count = 0;
    for (uint32_t i = 0; parts != NULL && i < package_count; i++)
        for (uint32_t c = 0; c < packages[i].class_count; c++)
            parts[(*count)++] = (struct class_part){&packages[i], &packages[i].classes[c]};
    return parts;
}

static uint64_t missed_lines(const struct report_file *file)
{
    return file->totals.lines_valid - file->totals.lines_covered;
}

static uint64_t missed_branches(const struct report_file *file)
{
    return file->totals.branches_valid - file->totals.branches_covered;
}

ORDER(order_by_misses, struct report_file,
      BY_ORDER(number_order(missed_lines(b), missed_lines(a)))
          BY_ORDER(number_order(missed_branches(b), missed_branches(a))) BY(path) BY(package->name))

static void add_file_class(struct report_file *file, const struct report_class *class)
{
    uint32_t miss = class->first_miss;
    file->classes[file->class_count++] = class;
    report_add_totals(&file->totals, &class->totals);
    if (miss != 0 && (file->first_miss == 0 || miss < file->first_miss))
        file->first_miss = miss;
}

static bool is_of_file(const struct report_file *file, const struct class_part *part)
{
    return file->package == part->package && str_eq(file->path, part->class->file);
}

static bool group_files(struct report_files *out, const struct report_package *packages,
                        uint32_t package_count, enum report_order order, struct arena *arena,
                        struct err *err)
{
    uint32_t count = 0;
    struct class_part *parts = list_parts(&count, packages, package_count, arena, err);
    const struct report_class **classes = ARENA_NEW(arena, const struct report_class *, count, err);
    *out = (struct report_files){.files = ARENA_NEW(arena, struct report_file, count, err)};
    if (parts == NULL || classes == NULL || out->files == NULL)
        return false;
    if (order != REPORT_BY_CLASS)
        sort_unless_sorted(parts, count, sizeof *parts,
                           order == REPORT_BY_PACKAGE ? order_by_package : order_by_file);
    for (uint32_t i = 0; i < count; i++) {
        struct report_file *file = out->files + out->count;
        if (order == REPORT_BY_CLASS || out->count == 0 || !is_of_file(file - 1, &parts[i])) {
            *file = (struct report_file){
                .path = parts[i].class->file, .package = parts[i].package, .classes = classes + i};
            out->count++;
        }
        add_file_class(&out->files[out->count - 1], parts[i].class);
    }
    if (order == REPORT_BY_MISSES)
        sort_unless_sorted(out->files, out->count, sizeof *out->files, order_by_misses);
    return true;
}

bool report_files_ordered(struct report_files *out, const struct report *report,
                          enum report_order order, struct arena *arena, struct err *err)
{
    return group_files(out, report->packages, report->package_count, order, arena, err);
}

bool report_files_list(struct report_files *out, const struct report *report, struct arena *arena,
                       struct err *err)
{
    return report_files_ordered(out, report, REPORT_BY_FILE, arena, err);
}

bool report_files_of_package(struct report_files *out, const struct report_package *package,
                             struct arena *arena, struct err *err)
{
    return group_files(out, package, 1, REPORT_BY_FILE, arena, err);
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

ORDER(order_file_methods, struct report_file_method,
      BY(method->first_line) BY_ORDER(number_order((uintptr_t)a->method, (uintptr_t)b->method)))

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
    sort_unless_sorted(methods, *count, sizeof *methods, order_file_methods);
    return methods;
}
