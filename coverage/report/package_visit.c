#include "coverage/report/package_visit.h"

#include "coverage/report/report_package.h"

/* Each slice goes through all statements of its package, so a large one has larger slices. */
enum {
    SLICE_STATEMENTS = 1 << 15, /* at least */
    SLICES_MAX = 16             /* about */
};

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

/* The most statements of a slice. */
static uint64_t slice_room(const struct package_parts *package)
{
    uint64_t share = package_parts_statements(package->parts, package->part_count) / SLICES_MAX;
    return share > SLICE_STATEMENTS ? share : SLICE_STATEMENTS;
}

/* `sum`: of the statements in the slice. */
static uint32_t slice_end(uint64_t *sum, const uint32_t *statements, uint32_t first,
                          uint32_t file_count, uint64_t room)
{
    uint32_t end = first;
    *sum = 0;
    while (end < file_count && (end == first || *sum + statements[end] <= room))
        *sum += statements[end++];
    return end;
}

static void show_slice(struct package_visit *v, const struct package_parts *package, uint32_t first,
                       uint32_t end)
{
    for (uint32_t i = 0; i < package->part_count; i++) {
        const struct package_part *part = &package->parts[i];
        for (uint32_t d = 0; d < part->module->document_count; d++) {
            uint32_t file = part->file_of[d];
            v->file_of[i][d] = file >= first && file < end ? file : NO_INDEX;
        }
    }
}

/* What is not a slice's own, in the arena of the package. */
static bool open_package(struct package_visit *v, const struct package_parts *package,
                         struct building *b)
{
    v->file_of = ARENA_NEW(&b->scratch, uint32_t *, package->part_count, b->err);
    if (v->file_of == NULL)
        return false;
    for (uint32_t i = 0; i < package->part_count; i++) {
        v->file_of[i] = package_new_numbers(b, package->parts[i].module->document_count);
        if (v->file_of[i] == NULL)
            return false;
    }
    for (uint32_t k = 0; k < v->view_count; k++) {
        if (!report_package_sum(&v->modules[k], package, &v->views[k], &b->scratch, b))
            return false;
        for (uint32_t i = 0; i < package->part_count; i++)
            v->modules[k][i].file_of = v->file_of[i];
    }
    return true;
}

static bool build_slice(struct package_visit *v, const struct package_parts *package, bool is_bare,
                        struct building *b)
{
    struct arena *arena = b->arena;
    bool ok = true;
    arena_reset(&v->slice);
    b->arena = &v->slice;
    for (uint32_t k = 0; ok && k < v->view_count; k++) {
        struct report_package *out = &v->packages[k];
        *out = report_package_describe(package);
        arena_reset(&v->scratch);
        ok = report_package_fill(out, package, v->modules[k], &v->scratch, b) &&
             (!is_bare || out->class_count != 0 ||
              report_package_count_bare(out, v->modules[k], package->part_count,
                                        package->owner_count, b));
    }
    b->arena = arena;
    return ok;
}

bool package_visit_open(struct package_visit *v, struct building *b)
{
    v->packages = ARENA_NEW(b->arena, struct report_package, v->view_count, b->err);
    v->modules = ARENA_NEW(b->arena, struct lines_module *, v->view_count, b->err);
    arena_init(&v->slice, NULL, 0, ARENA_NO_LIMIT);
    arena_init(&v->scratch, NULL, 0, ARENA_NO_LIMIT);
    return v->packages != NULL && v->modules != NULL;
}

void package_visit_close(struct package_visit *v)
{
    arena_free(&v->scratch);
    arena_free(&v->slice);
}

bool package_visit_files(struct package_visit *v, const struct package_parts *package,
                         struct building *b)
{
    uint32_t *statements = NULL, end = 0;
    uint64_t done = b->done, sum = 0, room = slice_room(package);
    bool has_classes = false;
    if (!count_statements(&statements, package, b) || !open_package(v, package, b))
        return false;
    do {
        uint32_t first = end;
        progress_at(b->options->progress, b->doing, done, b->total);
        end = slice_end(&sum, statements, first, package->file_count, room);
        done += sum;
        show_slice(v, package, first, end);
        if (!build_slice(v, package, !has_classes && end == package->file_count, b) ||
            !v->take(v->context, v->packages))
            return false;
        has_classes = has_classes || v->packages->class_count != 0;
    } while (end < package->file_count);
    return true;
}
