#include "coverage/report/package_visit.h"

#include <string.h>

#include "coverage/facts/sums.h"
#include "coverage/merge/fold_builds.h"
#include "coverage/report/classes.h"

/* What each part has in a view. Builds of one assembly: a method with the same code in several of
 * them goes to the newest; so each view changes its own copy of who owns what. Conditions point
 * into the sums. */
static bool sum_parts(struct lines_module **out, const struct package_visit *v,
                      const struct report_view *view, struct building *b)
{
    uint32_t part_count = v->package.part_count;
    struct lines_module *modules = ARENA_NEW(&b->scratch, struct lines_module, part_count, b->err);
    struct sums *sums = ARENA_NEW(&b->scratch, struct sums, part_count, b->err);
    struct build_part *builds = ARENA_NEW(&b->scratch, struct build_part, part_count, b->err);
    if (modules == NULL || sums == NULL || builds == NULL)
        return false;
    for (uint32_t i = 0; i < part_count; i++) {
        const struct package_part *part = &v->package.parts[i];
        uint32_t *owner_of = arena_copy(&b->scratch, part->owner_of, part->module->method_count,
                                        sizeof *owner_of, b->err);
        if (owner_of == NULL ||
            !sums_make(&sums[i], view->facts, (uint32_t)(part->module - b->facts->modules),
                       view->real_only ? SUMS_REAL : SUMS_WITH_CARRIED, &b->scratch, b->err))
            return false;
        modules[i] = (struct lines_module){
            .part = part, .counts = sums[i].counts, .owner_of = owner_of, .wanted = v->wanted};
        builds[i] = (struct build_part){part->module, &sums[i], owner_of, part->file_of};
    }
    *out = modules;
    if (part_count > 1 && !fold_builds(builds, part_count, &b->scratch, b->err))
        return false;
    for (uint32_t i = 0; i < part_count && !b->options->inlined_missed; i++)
        if (!package_parts_leave_inlined(builds[i].owner_of, &v->package.parts[i], &sums[i], b))
            return false;
    return true;
}

bool package_visit_open(struct package_visit *out, const struct package_parts *package,
                        const struct report_view *views, uint32_t view_count, struct building *b)
{
    *out = (struct package_visit){.package = *package, .view_count = view_count};
    if (!package_parts_name(&out->package, b))
        return false;
    out->modules = ARENA_NEW(&b->scratch, struct lines_module *, view_count, b->err);
    out->wanted = ARENA_NEW(&b->scratch, bool, out->package.file_count, b->err);
    out->built = ARENA_NEW(&b->scratch, struct report_package, view_count, b->err);
    bool ok = out->modules != NULL && out->wanted != NULL && out->built != NULL;
    for (uint32_t k = 0; ok && k < view_count; k++)
        ok = sum_parts(&out->modules[k], out, &views[k], b);
    return ok;
}

bool package_visit_build(struct package_visit *v, struct building *b)
{
    for (uint32_t k = 0; k < v->view_count; k++) {
        struct package_lines lines;
        v->built[k] = package_parts_describe(&v->package);
        arena_reset(&b->slice_scratch);
        if (!lines_build(&lines, &v->package, v->modules[k], b) ||
            !classes_build(&v->built[k], &lines, &v->package, b))
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
static uint32_t want_files(struct package_visit *v, uint64_t *sum, const uint32_t *statements,
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

/* Counts the methods of an assembly without symbols: only those that ran are known. */
static bool count_bare(struct report_package *package, const struct package_parts *parts,
                       const struct lines_module *modules, struct building *b)
{
    enum {
        SEEN = 1,
        RAN = 2
    };
    uint8_t *owners = ARENA_NEW(&b->scratch, uint8_t, parts->owner_count, b->err);
    if (owners == NULL)
        return false;
    for (uint32_t i = 0; i < parts->part_count; i++) {
        const struct fact_module *module = parts->parts[i].module;
        for (uint32_t m = 0; m < module->method_count && module->reason != NULL; m++) {
            uint32_t entry = module->methods[m].entry_count, owner = modules[i].owner_of[m];
            if (owner == NO_INDEX || entry == NO_INDEX)
                continue;
            owners[owner] |= modules[i].counts[entry] != 0 ? SEEN | RAN : SEEN;
        }
    }
    for (uint32_t i = 0; i < parts->owner_count; i++) {
        package->totals.methods_valid += (owners[i] & SEEN) != 0;
        package->totals.methods_covered += (owners[i] & RAN) != 0;
    }
    return true;
}

static bool count_without_lines(struct package_visit *v, struct building *b)
{
    for (uint32_t k = 0; k < v->view_count; k++)
        if (v->built[k].class_count == 0 &&
            !count_bare(&v->built[k], &v->package, v->modules[k], b))
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
        end = want_files(v, &sum, statements, end);
        done += sum;
        arena_reset(&b->slice);
        if (!package_visit_build(v, b) ||
            (!has_classes && end == v->package.file_count && !count_without_lines(v, b)) ||
            !take(context, v->built))
            return false;
        has_classes = has_classes || v->built->class_count != 0;
    } while (end < v->package.file_count);
    return true;
}
