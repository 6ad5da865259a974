#include "coverage/report/report_read.h"

#include <string.h>

#include "base/sort.h"
#include "coverage/report/classes.h"
#include "coverage/report/package_visit.h"

struct report_reading {
    const struct report *report;
    const struct report_file *files;
    uint32_t file_count;
    bool (*take)(void *context, const struct report_file *files, uint32_t count);
    void *context;
    struct report_view view;
    struct package_visit *visits; /* per package of the report */
    struct building b;
};

static struct package_visit *visit_of(const struct report_reading *r,
                                      const struct report_file *file)
{
    return &r->visits[file->package - r->report->packages];
}

/* Both lists are by name; the report leaves out packages without a method. */
static bool open_packages(struct report_reading *r)
{
    struct package_part *parts = NULL;
    uint32_t part_count = 0, count = r->report->package_count, found = 0;
    struct building *b = &r->b;
    r->visits = ARENA_NEW(b->arena, struct package_visit, count, b->err);
    if (r->visits == NULL || !package_parts_list(&parts, &part_count, b))
        return false;
    for (uint32_t i = 0; i < part_count && found < count;) {
        struct package_parts of = package_parts_first(parts + i, part_count - i);
        i += of.part_count;
        if (str_eq(of.parts->module->name, r->report->packages[found].name) &&
            !package_visit_open(&r->visits[found++], &of, &r->view, 1, b))
            return false;
    }
    return true;
}

static uint32_t group_end(const struct report_reading *r, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < r->file_count && str_eq(r->files[end].path, r->files[first].path))
        end++;
    return end;
}

ORDER(order_read_paths, struct package_item, BY(path))

static void want_file(const struct report_file *file, const struct report_reading *r)
{
    struct package_visit *v = visit_of(r, file);
    const struct package_item key = {.path = file->path};
    v->wanted[sorted_place(&key, v->package.files, v->package.file_count, sizeof key,
                           order_read_paths)] = true;
}

/* The most lines of a slice: it costs as much as its packages are large. */
static uint64_t slice_room(const struct report_reading *r, uint32_t first)
{
    uint64_t lines = 0;
    for (uint32_t i = first; i < group_end(r, first); i++)
        lines += r->files[i].package->totals.lines_valid;
    return lines / SLICES_MAX > SLICE_LINES ? lines / SLICES_MAX : SLICE_LINES;
}

/* Wants the files from `first` on that fit into a slice, those of one path together. Returns the
 * first that does not. */
static uint32_t want_groups(struct report_reading *r, uint32_t first)
{
    uint64_t lines = 0, room = slice_room(r, first);
    uint32_t end = first;
    for (uint32_t i = 0; i < r->report->package_count; i++)
        memset(r->visits[i].wanted, 0, r->visits[i].package.file_count);
    while (end < r->file_count) {
        uint32_t next = group_end(r, end);
        for (uint32_t i = end; i < next; i++)
            lines += r->files[i].totals.lines_valid;
        if (end != first && lines > room)
            break;
        while (end < next)
            want_file(&r->files[end++], r);
    }
    return end;
}

static bool build_slice(struct report_reading *r)
{
    bool ok = true;
    arena_reset(&r->b.slice);
    for (uint32_t i = 0; ok && i < r->report->package_count; i++) {
        struct package_visit *v = &r->visits[i];
        ok = memchr(v->wanted, 1, v->package.file_count) == NULL || package_visit_build(v, &r->b);
    }
    return ok;
}

/* The same classes with their lines. */
static bool take_built_lines(struct report_reading *r, struct report_file *file)
{
    const struct report_package *built = visit_of(r, file)->built;
    const struct report_class **classes =
        ARENA_NEW(&r->b.slice, const struct report_class *, file->class_count, r->b.err);
    for (uint32_t i = 0; classes != NULL && i < file->class_count; i++)
        classes[i] =
            &built->classes[sorted_place(file->classes[i], built->classes, built->class_count,
                                         sizeof *built->classes, class_order)];
    file->classes = classes;
    return classes != NULL;
}

static bool pass_group(struct report_reading *r, uint32_t first, uint32_t end)
{
    uint32_t count = end - first;
    struct report_file *group = arena_raw(&r->b.slice, count, sizeof *group, r->b.err);
    for (uint32_t i = 0; group != NULL && i < count; i++) {
        group[i] = r->files[first + i];
        if (!take_built_lines(r, &group[i]))
            return false;
    }
    return group != NULL && r->take(r->context, group, count);
}

static bool read_slices(struct report_reading *r)
{
    uint32_t end = 0, next = 0;
    bool ok = open_packages(r);
    for (uint32_t i = 0; ok && i < r->file_count; i = next) {
        if (i == end) {
            end = want_groups(r, i);
            ok = build_slice(r);
        }
        next = group_end(r, i);
        ok = ok && pass_group(r, i, next);
    }
    return ok;
}

bool report_read(const struct report *report, const struct report_file *files, uint32_t file_count,
                 bool (*take)(void *context, const struct report_file *files, uint32_t count),
                 void *context, struct err *err)
{
    struct arena arena = ARENA_EMPTY;
    struct report_reading r = {.report = report,
                               .files = files,
                               .file_count = file_count,
                               .take = take,
                               .context = context,
                               .b = {.facts = report->facts,
                                     .options = report->options,
                                     .tests = report->tests,
                                     .forgets_omissions = true,
                                     .arena = &arena,
                                     .err = err}};
    if (file_count == 0)
        return true;
    r.view = (struct report_view){report->facts, report->options->real_only};
    building_open(&r.b);
    bool ok = read_slices(&r);
    building_close(&r.b);
    arena_free(&arena);
    return ok;
}
