#include "coverage/report/report_visit.h"

#include "coverage/foreign/foreign_apply.h"
#include "coverage/report/package_visit.h"

static bool visit_all(struct package_visit *v, struct building *b)
{
    struct package_part *parts = NULL;
    uint32_t part_count = 0;
    if (!package_visit_open(v, b) || !package_parts_list(&parts, &part_count, b))
        return false;
    b->doing = "comparing statements";
    b->total = package_parts_statements(parts, part_count);
    for (uint32_t i = 0; i < part_count;) {
        struct package_parts package = package_parts_first(parts + i, part_count - i);
        i += package.part_count;
        arena_reset(&b->scratch);
        if (!package_parts_name(&package, b) || !package_visit_files(v, &package, b))
            return false;
        b->done += package_parts_statements(package.parts, package.part_count);
    }
    return true;
}

bool report_visit(const struct report_view *views, uint32_t view_count,
                  const struct report_options *options,
                  bool (*take)(void *context, const struct report_package *packages), void *context,
                  struct arena *arena, struct err *err)
{
    struct report_view *applied = ARENA_NEW(arena, struct report_view, view_count, err);
    struct facts *facts = ARENA_NEW(arena, struct facts, view_count, err);
    if (applied == NULL || facts == NULL)
        return false;
    for (uint32_t k = 0; k < view_count; k++) {
        if (!foreign_apply(&facts[k], views[k].facts, arena, err))
            return false;
        applied[k] = (struct report_view){&facts[k], views[k].real_only};
    }
    struct building b = {
        .facts = facts, .options = options, .forgets_omissions = true, .arena = arena, .err = err};
    struct package_visit v = {
        .views = applied, .view_count = view_count, .take = take, .context = context};
    arena_init(&b.scratch, NULL, 0, ARENA_NO_LIMIT);
    bool ok = visit_all(&v, &b);
    package_visit_close(&v);
    arena_free(&b.scratch);
    return ok;
}

bool report_each_package(const struct report *report,
                         bool (*take)(void *context, const struct report_package *package),
                         void *context, struct err *err)
{
    if (report->is_outline) {
        struct arena arena;
        const struct report_view view = {report->facts, report->options->real_only};
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        bool ok = report_visit(&view, 1, report->options, take, context, &arena, err);
        arena_free(&arena);
        return ok;
    }
    for (uint32_t i = 0; i < report->package_count; i++)
        if (!take(context, &report->packages[i]))
            return false;
    return true;
}

/* --- file by file ----------------------------------------------------------------------------- */

struct walking {
    const struct report *report;
    const struct report_walk *walk;
    uint32_t begun;     /* packages of the report */
    struct arena arena; /* of some files */
    struct err *err;
};

static bool begin_package(struct walking *w)
{
    const struct report_package *package = &w->report->packages[w->begun++];
    return w->walk->package == NULL || w->walk->package(w->walk->context, package);
}

/* Up to the one of this name. A visit also takes packages that the report does not have, because
 * nothing of them is left; they have no files. */
static bool begin_packages(struct walking *w, struct str name)
{
    const struct report_package *packages = w->report->packages;
    while (w->begun < w->report->package_count && str_cmp(packages[w->begun].name, name) <= 0)
        if (!begin_package(w))
            return false;
    return true;
}

static bool take_files(void *context, const struct report_package *package)
{
    struct walking *w = context;
    struct report_files files;
    arena_reset(&w->arena);
    if (!report_files_of_package(&files, package, &w->arena, w->err) ||
        (files.count != 0 && !begin_packages(w, package->name)))
        return false;
    for (uint32_t i = 0; i < files.count; i++)
        if (!w->walk->file(w->walk->context, &files.files[i]))
            return false;
    return true;
}

bool report_each_file(const struct report *report, const struct report_walk *walk, struct err *err)
{
    struct walking w = {.report = report, .walk = walk, .err = err};
    arena_init(&w.arena, NULL, 0, ARENA_NO_LIMIT);
    bool ok = report_each_package(report, take_files, &w, err);
    while (ok && w.begun < report->package_count)
        ok = begin_package(&w);
    arena_free(&w.arena);
    return ok;
}
