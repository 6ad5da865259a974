#include "coverage/report/package_visit.h"

#include <string.h>

#include "coverage/report/report_package.h"

bool package_visit_open(struct package_visit *out, const struct package_parts *package,
                        const struct report_view *views, uint32_t view_count, struct building *b)
{
    uint32_t part_count = package->part_count;
    *out = (struct package_visit){.package = *package, .views = views, .view_count = view_count};
    if (!package_parts_name(&out->package, b))
        return false;
    out->modules = ARENA_NEW(&b->scratch, struct lines_module *, view_count, b->err);
    out->file_of = ARENA_NEW(&b->scratch, uint32_t *, part_count, b->err);
    out->wanted = ARENA_NEW(&b->scratch, bool, out->package.file_count, b->err);
    out->built = ARENA_NEW(&b->scratch, struct report_package, view_count, b->err);
    if (out->modules == NULL || out->file_of == NULL || out->wanted == NULL || out->built == NULL)
        return false;
    for (uint32_t i = 0; i < part_count; i++) {
        out->file_of[i] = package_new_numbers(b, package->parts[i].module->document_count);
        if (out->file_of[i] == NULL)
            return false;
    }
    for (uint32_t k = 0; k < view_count; k++) {
        if (!report_package_sum(&out->modules[k], &out->package, &views[k], b))
            return false;
        for (uint32_t i = 0; i < part_count; i++)
            out->modules[k][i].file_of = out->file_of[i];
    }
    return true;
}

static void show_wanted(struct package_visit *v)
{
    for (uint32_t i = 0; i < v->package.part_count; i++) {
        const struct package_part *part = &v->package.parts[i];
        for (uint32_t d = 0; d < part->module->document_count; d++) {
            uint32_t file = part->file_of[d];
            v->file_of[i][d] = file != NO_INDEX && v->wanted[file] ? file : NO_INDEX;
        }
    }
}

bool package_visit_build(struct package_visit *v, struct building *b)
{
    show_wanted(v);
    for (uint32_t k = 0; k < v->view_count; k++) {
        v->built[k] = report_package_describe(&v->package);
        arena_reset(&b->slice_scratch);
        if (!report_package_fill(&v->built[k], &v->package, v->modules[k], b))
            return false;
    }
    return true;
}

/* --- file after file -------------------------------------------------------------------------- */

/* The number of statements of each file. */
static bool count_statements(uint32_t **out, const struct package_parts *package,
                             struct building *b)
{
    *out = ARENA_NEW(&b->scratch, uint32_t, package->file_count, b->err);
    for (uint32_t i = 0; *out != NULL && i < package->part_count; i++) {
        const struct package_part *part = &package->parts[i];
        for (uint32_t s = 0; s < part->module->statement_count; s++) {
            uint32_t file = part->file_of[part->module->statements[s].document];
            if (file != NO_INDEX)
                (*out)[file]++;
        }
    }
    return *out != NULL;
}

/* Wants the files from `first` on that fit into a slice. Returns the first that does not; `sum`: of
 * the statements in it. */
static uint32_t want_slice(struct package_visit *v, uint64_t *sum, const uint32_t *statements,
                           uint32_t first)
{
    const struct package_parts *package = &v->package;
    uint64_t room = package_parts_statements(package->parts, package->part_count) / SLICES_MAX;
    uint32_t end = first;
    room = room > SLICE_LINES ? room : SLICE_LINES;
    *sum = 0;
    if (package->file_count != 0)
        memset(v->wanted, 0, package->file_count * sizeof *v->wanted);
    while (end < package->file_count && (end == first || *sum + statements[end] <= room)) {
        v->wanted[end] = true;
        *sum += statements[end++];
    }
    return end;
}

static bool count_bare(struct package_visit *v, struct building *b)
{
    for (uint32_t k = 0; k < v->view_count; k++)
        if (v->built[k].class_count == 0 &&
            !report_package_count_bare(&v->built[k], v->modules[k], v->package.part_count,
                                       v->package.owner_count, b))
            return false;
    return true;
}

bool package_visit_files(struct package_visit *v,
                         bool (*take)(void *context, const struct report_package *packages),
                         void *context, struct building *b)
{
    uint32_t *statements = NULL, end = 0;
    uint64_t done = b->done, sum = 0;
    bool has_classes = false;
    if (!count_statements(&statements, &v->package, b))
        return false;
    do {
        progress_at(b->options->progress, b->doing, done, b->total);
        end = want_slice(v, &sum, statements, end);
        done += sum;
        arena_reset(&b->slice);
        if (!package_visit_build(v, b) ||
            (!has_classes && end == v->package.file_count && !count_bare(v, b)) ||
            !take(context, v->built))
            return false;
        has_classes = has_classes || v->built->class_count != 0;
    } while (end < v->package.file_count);
    return true;
}
