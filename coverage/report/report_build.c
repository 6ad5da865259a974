#include "coverage/report/report_build.h"

#include <stdlib.h>
#include <string.h>

#include "coverage/foreign/foreign_apply.h"
#include "coverage/report/brief_lines.h"
#include "coverage/report/omissions.h"
#include "coverage/report/package_visit.h"
#include "coverage/report/report_package.h"

/* --- an outline ------------------------------------------------------------------------------- */

struct outlining {
    struct report_package *out;
    struct list classes;  /* struct report_class */
    struct writer buffer; /* of brief lines */
    struct building *build;
};

static bool keep_class(struct outlining *o, const struct report_class *class)
{
    struct building *b = o->build;
    struct report_class *kept = list_add(&o->classes, sizeof *kept, &b->scratch, b->err);
    if (kept == NULL)
        return false;
    *kept = *class;
    kept->methods = arena_raw(b->arena, class->method_count, sizeof *kept->methods, b->err);
    if (kept->methods == NULL || !brief_lines_make(&kept->lines, &o->buffer, b->arena, b->err))
        return false;
    for (uint32_t i = 0; i < class->method_count; i++) {
        kept->methods[i] = class->methods[i];
        if (!brief_lines_make(&kept->methods[i].lines, &o->buffer, b->arena, b->err))
            return false;
    }
    return true;
}

static bool keep_slice(void *context, const struct report_package *slice)
{
    struct outlining *o = context;
    report_add_totals(&o->out->totals, &slice->totals);
    for (uint32_t i = 0; i < slice->class_count; i++)
        if (!keep_class(o, &slice->classes[i]))
            return false;
    return excluded_lines_note(&o->build->excluded, slice, o->build->err);
}

static int order_classes(const void *left, const void *right)
{
    const struct report_class *a = left, *b = right;
    int order = str_cmp(a->name, b->name);
    return order != 0 ? order : str_cmp(a->file, b->file);
}

static bool outline_files(struct report_package *out, const struct package_parts *package,
                          struct building *b)
{
    struct outlining o = {.out = out, .build = b};
    const struct report_view view = {b->facts, b->options->real_only};
    struct package_visit v = {.views = &view, .view_count = 1, .take = keep_slice, .context = &o};
    wr_open(&o.buffer, &b->scratch);
    bool ok = package_visit_open(&v, b) && package_visit_files(&v, package, b);
    package_visit_close(&v);
    out->classes = ok ? ARENA_NEW(b->arena, struct report_class, o.classes.count, b->err) : NULL;
    if (out->classes == NULL)
        return false;
    out->class_count = o.classes.count;
    if (out->class_count != 0) {
        memcpy(out->classes, o.classes.items, out->class_count * sizeof *out->classes);
        qsort(out->classes, out->class_count, sizeof *out->classes, order_classes);
    }
    return true;
}

static bool fill_package(struct report_package *out, const struct package_parts *package,
                         struct building *b)
{
    struct report_view view = {b->facts, b->options->real_only};
    struct lines_module *modules = NULL;
    return report_package_sum(&modules, package, &view, b->arena, b) &&
           report_package_fill(out, package, modules, &b->scratch, b) &&
           (out->class_count != 0 || report_package_count_bare(out, modules, package->part_count,
                                                               package->owner_count, b)) &&
           excluded_lines_note(&b->excluded, out, b->err);
}

static bool build_package(struct report_package *out, struct package_parts *package,
                          struct building *b)
{
    *out = report_package_describe(package);
    return report_package_list_modules(out, package->parts, package->part_count, b) &&
           package_parts_name(package, b) &&
           (b->options->outline ? outline_files(out, package, b) : fill_package(out, package, b));
}

/* --- all packages ----------------------------------------------------------------------------- */

static bool build_packages(struct report *out, struct package_part *parts, uint32_t part_count,
                           struct building *b)
{
    b->doing = "reporting statements";
    b->total = package_parts_statements(parts, part_count);
    for (uint32_t i = 0; i < part_count;) {
        struct report_package *package = &out->packages[out->package_count];
        struct package_parts of = package_parts_first(parts + i, part_count - i);
        progress_at(b->options->progress, b->doing, b->done, b->total);
        i += of.part_count;
        arena_reset(&b->scratch);
        if (!build_package(package, &of, b))
            return false;
        b->done += package_parts_statements(of.parts, of.part_count);
        report_add_totals(&out->totals, &package->totals);
        out->package_count += package->class_count != 0 || package->totals.methods_valid != 0;
    }
    return true;
}

/* For runs on several machines, the smallest root: it does not depend on the order of merging. */
struct str report_root(const struct facts *facts, const struct report_options *options)
{
    struct str root = options->root;
    for (uint32_t i = 0; i < facts->run_count && options->root.len == 0; i++) {
        struct str other = facts->runs[i].root;
        if (root.len == 0 || (other.len != 0 && str_cmp(other, root) < 0))
            root = other;
    }
    return root.len != 0 ? root : STR(".");
}

/* What a run did not count; NULL if it counted all, or was asked for only a part. */
static const char *uncounted_of(const struct fact_run *run)
{
    if (run->kind != RUN_PARTIAL)
        return NULL;
    if (reason_is(run->reason, REASON_ATTACHED) || reason_is(run->reason, REASON_RESET))
        return "what ran before is not counted; missed lines may have run then";
    if (reason_is(run->reason, REASON_ATTACHED_AGAIN))
        return "what ran before without counters is not counted; missed lines may have run then";
    return reason_is(run->reason, REASON_INCOMPLETE)
               ? "what ran there is not counted; missed lines may have run there"
               : NULL;
}

static bool is_noted(const struct facts *facts, uint32_t run)
{
    for (uint32_t i = 0; i < run; i++)
        if (uncounted_of(&facts->runs[i]) != NULL &&
            reason_eq(facts->runs[i].reason, facts->runs[run].reason))
            return true;
    return false;
}

/* Code that ran before counting began, or where it was not counted, looks missed. */
static bool make_notes(struct report *out, const struct facts *facts, struct arena *arena,
                       struct err *err)
{
    out->notes = ARENA_NEW(arena, struct str, facts->run_count, err);
    for (uint32_t i = 0; out->notes != NULL && i < facts->run_count; i++) {
        const struct fact_run *run = &facts->runs[i];
        struct text note;
        const char *uncounted = uncounted_of(run);
        if (uncounted == NULL || is_noted(facts, i))
            continue;
        text_open(&note, arena);
        reason_add(&note, run->reason);
        text_addf(&note, ": %s", uncounted);
        if (!text_take(&out->notes[out->note_count++], &note, err))
            return false;
    }
    return out->notes != NULL;
}

bool report_build(struct report *out, const struct facts *all, const struct report_options *options,
                  struct arena *arena, struct err *err)
{
    struct facts applied;
    if (!foreign_apply(&applied, all, arena, err))
        return false;
    const struct facts *facts = &applied;
    struct building b = {.facts = facts, .options = options, .arena = arena, .err = err};
    *out = (struct report){.root = report_root(facts, options),
                           .timestamp = options->timestamp,
                           .is_outline = options->outline,
                           .tests = options->tests,
                           .facts = all,
                           .options = options};
    struct package_part *parts = NULL;
    uint32_t part_count = 0;
    out->packages = ARENA_NEW(arena, struct report_package, facts->module_count, err);
    if (out->packages == NULL || !package_parts_list(&parts, &part_count, &b))
        return false;
    arena_init(&b.scratch, NULL, 0, ARENA_NO_LIMIT);
    excluded_lines_open(&b.excluded, options);
    bool ok = excluded_lines_list(&b.excluded, facts, err) &&
              build_packages(out, parts, part_count, &b) &&
              excluded_lines_find(&b.excluded, out, arena, err);
    excluded_lines_close(&b.excluded);
    arena_free(&b.scratch);
    out->omissions = b.omissions.items;
    out->omission_count = omissions_sort(out->omissions, b.omissions.count);
    out->first_empty = b.first_empty;
    return ok && make_notes(out, facts, arena, err);
}
