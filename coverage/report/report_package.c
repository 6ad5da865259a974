#include "coverage/report/report_package.h"

#include <stdlib.h>
#include <string.h>

#include "coverage/facts/sums.h"
#include "coverage/pairing/fold_builds.h"
#include "coverage/report/classes.h"

/* Folding changes who owns what in each view alike. */
static uint32_t *copy_numbers(const uint32_t *numbers, uint32_t count, struct building *b)
{
    uint32_t *copy = arena_raw(&b->scratch, count, sizeof *copy, b->err);
    if (copy != NULL && count != 0)
        memcpy(copy, numbers, count * sizeof *copy);
    return copy;
}

bool report_package_sum(struct lines_module **out, const struct package_parts *package,
                        const struct report_view *view, struct building *b)
{
    uint32_t part_count = package->part_count;
    struct lines_module *modules = ARENA_NEW(&b->scratch, struct lines_module, part_count, b->err);
    struct sums *sums = ARENA_NEW(&b->scratch, struct sums, part_count, b->err);
    struct build_part *builds = ARENA_NEW(&b->scratch, struct build_part, part_count, b->err);
    if (modules == NULL || sums == NULL || builds == NULL)
        return false;
    for (uint32_t i = 0; i < part_count; i++) {
        const struct package_part *part = &package->parts[i];
        uint32_t *owner_of = copy_numbers(part->owner_of, part->module->method_count, b);
        if (owner_of == NULL ||
            !sums_make(&sums[i], view->facts, (uint32_t)(part->module - b->facts->modules),
                       view->real_only ? SUMS_REAL : SUMS_WITH_CARRIED, &b->scratch, b->err))
            return false;
        modules[i] = (struct lines_module){.module = part->module,
                                           .copies = &part->copies,
                                           .counts = sums[i].counts,
                                           .owner_of = owner_of,
                                           .file_of = part->file_of,
                                           .tests = b->tests,
                                           .index = (uint32_t)(part->module - b->facts->modules),
                                           .own_owner_of = part->owner_of};
        builds[i] = (struct build_part){part->module, &sums[i], owner_of, part->file_of};
    }
    *out = modules;
    return part_count < 2 || fold_builds(builds, part_count, &b->scratch, b->err);
}

bool report_package_count_bare(struct report_package *package, const struct lines_module *modules,
                               uint32_t module_count, uint32_t owner_count, struct building *b)
{
    enum {
        SEEN = 1,
        RAN = 2
    };
    uint8_t *owners = ARENA_NEW(&b->scratch, uint8_t, owner_count, b->err);
    if (owners == NULL)
        return false;
    for (uint32_t i = 0; i < module_count; i++) {
        const struct fact_module *module = modules[i].module;
        for (uint32_t m = 0; m < module->method_count && module->reason != NULL; m++) {
            uint32_t entry = module->methods[m].entry_count, owner = modules[i].owner_of[m];
            if (owner == NO_INDEX || entry == NO_INDEX)
                continue;
            owners[owner] |= SEEN;
            if (modules[i].counts[entry] != 0)
                owners[owner] |= RAN;
        }
    }
    for (uint32_t i = 0; i < owner_count; i++) {
        package->totals.methods_valid += (owners[i] & SEEN) != 0;
        package->totals.methods_covered += (owners[i] & RAN) != 0;
    }
    return true;
}

static int order_modules(const void *left, const void *right)
{
    const struct report_module *a = left, *b = right;
    return memcmp(a->identity, b->identity, sizeof a->identity);
}

bool report_package_list_modules(struct report_package *out, const struct package_part *parts,
                                 uint32_t part_count, struct building *b)
{
    static const uint8_t unread[sizeof out->modules->identity] = {0};
    uint32_t count = 0;
    out->modules = ARENA_NEW(b->arena, struct report_module, part_count, b->err);
    if (out->modules == NULL)
        return false;
    for (uint32_t i = 0; i < part_count; i++) {
        const struct fact_module *module = parts[i].module;
        out->modules[count].name = module->name;
        memcpy(out->modules[count].identity, module->identity, sizeof module->identity);
        count +=
            module->state != MODULE_FOREIGN && memcmp(module->identity, unread, sizeof unread) != 0;
    }
    qsort(out->modules, count, sizeof *out->modules, order_modules);
    for (uint32_t i = 0; i < count; i++)
        if (out->module_count == 0 ||
            order_modules(&out->modules[out->module_count - 1], &out->modules[i]) != 0)
            out->modules[out->module_count++] = out->modules[i];
    return true;
}

struct report_package report_package_describe(const struct package_parts *package)
{
    struct report_package described = {.name = package->parts->module->name, .not_loaded = true};
    for (uint32_t i = 0; i < package->part_count; i++)
        described.not_loaded =
            described.not_loaded && package->parts[i].module->state == MODULE_NOT_LOADED;
    return described;
}

bool report_package_fill(struct report_package *out, const struct package_parts *package,
                         const struct lines_module *modules, struct building *b)
{
    struct package_lines lines;
    return lines_build(&lines, modules, package->part_count, package->types, &b->slice,
                       &b->slice_scratch, b->err) &&
           classes_build(out, &lines, package->owners, package->files, b);
}
