#include "coverage/report/report_build.h"

#include "base/sort.h"
#include "coverage/external/external_apply.h"
#include "coverage/report/classes.h"
#include "coverage/report/package_visit.h"

/* --- a package -------------------------------------------------------------------------------- */

/* A package of the report while its files are visited. */
struct package_filling {
    struct report_package *out;
    struct list classes; /* struct report_class */
    const struct report_watch *watch;
    struct building *build;
};

/* All but its lines. */
static bool keep_class(struct package_filling *f, const struct report_class *class)
{
    struct building *b = f->build;
    struct report_class kept = *class;
    kept.lines = (struct report_lines){.count = 0};
    kept.methods =
        arena_copy(b->arena, class->methods, class->method_count, sizeof *kept.methods, b->err);
    for (uint32_t i = 0; kept.methods != NULL && i < class->method_count; i++)
        kept.methods[i].lines = (struct report_lines){.count = 0};
    return kept.methods != NULL && list_put(&f->classes, &kept, sizeof kept, &b->scratch, b->err);
}

static bool keep_slice(void *context, const struct report_package *packages)
{
    struct package_filling *f = context;
    const struct report_package *slice = &packages[f->watch->shown];
    report_add_totals(&f->out->totals, &slice->totals);
    for (uint32_t i = 0; i < slice->class_count; i++)
        if (!keep_class(f, &slice->classes[i]))
            return false;
    return excluded_lines_note(&f->build->excluded, slice, f->build->err) &&
           (f->watch->take == NULL || f->watch->take(f->watch->context, packages));
}

ORDER(order_report_modules, struct report_module, BY_BYTES(identity))

static bool list_modules(struct report_package *out, const struct package_parts *package,
                         struct building *b)
{
    static const uint8_t unread[sizeof out->modules->identity] = {0};
    uint32_t count = 0;
    out->modules = ARENA_NEW(b->arena, struct report_module, package->part_count, b->err);
    if (out->modules == NULL)
        return false;
    for (uint32_t i = 0; i < package->part_count; i++) {
        const struct fact_module *module = package->parts[i].module;
        out->modules[count].name = module->name;
        memcpy(out->modules[count].identity, module->identity, sizeof module->identity);
        count += module->state != MODULE_EXTERNAL &&
                 memcmp(module->identity, unread, sizeof unread) != 0;
    }
    out->module_count =
        (uint32_t)sort_distinct(out->modules, count, sizeof *out->modules, order_report_modules);
    return true;
}

static bool build_package(struct report_package *out, const struct package_parts *package,
                          const struct report_watch *watch, struct building *b)
{
    struct package_filling f = {.out = out, .watch = watch, .build = b};
    struct package_visit v;
    *out = package_parts_describe(package);
    if (!list_modules(out, package, b) ||
        !package_visit_open(&v, package, watch->views, watch->view_count, b) ||
        !package_visit_files(&v, keep_slice, &f, b))
        return false;
    out->class_count = f.classes.count;
    out->classes =
        arena_copy(b->arena, f.classes.items, f.classes.count, sizeof *out->classes, b->err);
    if (out->classes != NULL)
        sort_unless_sorted(out->classes, out->class_count, sizeof *out->classes, class_order);
    return out->classes != NULL;
}

/* --- all packages ----------------------------------------------------------------------------- */

static bool build_packages(struct report *out, struct package_part *parts, uint32_t part_count,
                           const struct report_watch *watch, struct building *b)
{
    b->doing = watch->take != NULL ? "comparing statements" : "reporting statements";
    b->total = package_parts_statements(parts, part_count);
    for (uint32_t i = 0; i < part_count;) {
        struct report_package *package = &out->packages[out->package_count];
        struct package_parts of = package_parts_first(parts + i, part_count - i);
        progress_at(b->options->progress, b->doing, b->done, b->total);
        i += of.part_count;
        arena_reset(&b->scratch);
        if (!build_package(package, &of, watch, b))
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
        const char *uncounted = uncounted_of(run);
        if (uncounted == NULL || is_noted(facts, i))
            continue;
        struct text note = text_in(arena);
        reason_add(&note, run->reason);
        text_addf(&note, ": %s", uncounted);
        if (!text_take(&out->notes[out->note_count++], &note, err))
            return false;
    }
    return out->notes != NULL;
}

/* Two builds of one assembly leave out the same method: report it once. */
ORDER(order_by_method, struct report_omission,
      BY(module) BY(method) BY_ORDER(reason_order(a->reason, b->reason)))

bool report_build(struct report *out, const struct facts *facts,
                  const struct report_options *options, struct arena *arena, struct err *err)
{
    struct facts *applied = ARENA_NEW(arena, struct facts, 1, err);
    const struct report_view view = {applied, options->real_only};
    const struct report_watch watch = {.views = &view, .view_count = 1};
    return applied != NULL && external_apply(applied, facts, arena, err) &&
           report_build_watched(out, applied, options, &watch, arena, err);
}

bool report_build_watched(struct report *out, const struct facts *facts,
                          const struct report_options *options, const struct report_watch *watch,
                          struct arena *arena, struct err *err)
{
    struct building b = {.facts = facts, .options = options, .arena = arena, .err = err};
    *out = (struct report){.root = report_root(facts, options),
                           .timestamp = options->timestamp,
                           .tests = options->tests,
                           .facts = facts,
                           .options = options};
    struct package_part *parts = NULL;
    uint32_t part_count = 0;
    out->packages = ARENA_NEW(arena, struct report_package, facts->module_count, err);
    if (out->packages == NULL || !package_parts_list(&parts, &part_count, &b))
        return false;
    building_open(&b);
    excluded_lines_open(&b.excluded, options);
    bool ok = excluded_lines_list(&b.excluded, facts, err) &&
              build_packages(out, parts, part_count, watch, &b) &&
              excluded_lines_find(&b.excluded, out, arena, err);
    excluded_lines_close(&b.excluded);
    building_close(&b);
    out->omissions = b.omissions.items;
    out->omission_count = (uint32_t)sort_distinct(out->omissions, b.omissions.count,
                                                  sizeof *out->omissions, order_by_method);
    out->first_empty = b.first_empty;
    return ok && make_notes(out, facts, arena, err);
}
