#include "coverage/diff/diff_build.h"

#include <string.h>

#include "base/sort.h"
#include "coverage/diff/diff_views.h"
#include "coverage/diff/line_change.h"
#include "coverage/diff/method_change.h"
#include "coverage/diff/old_lines.h"
#include "coverage/diff/patch.h"
#include "coverage/diff/section.h"
#include "coverage/external/external_apply.h"
#include "coverage/report/excluded_lines.h"
#include "coverage/report/report_build.h"

struct diff_work {
    struct diff *out;
    const struct facts *head, *base;
    const struct diff_options *options;
    bool by_line;
    struct diff_views views;
    struct list packages, files, methods; /* struct diff_package, diff_file, diff_method */
    struct list changes, removed; /* struct method_change: of HEAD; those of BASE that are gone */
    struct old_lines old_lines;   /* if `by_line` */
    struct sections sections;     /* if they are wanted */
    struct arena *arena, *scratch, *pairing;
    struct err *err;
};

/* --- lines ------------------------------------------------------------------------------------ */

/* The lines of a class, or of one of its methods; `m` NO_INDEX: of the class. */
static struct line_views views_of_lines(const struct diff_work *w,
                                        const struct report_package *packages, uint32_t c,
                                        uint32_t m)
{
    struct line_views lines = {{NULL}};
    for (int k = 0; k < HEAD_VIEW_COUNT; k++) {
        if (w->views.place[k] == NO_INDEX)
            continue;
        const struct report_class *class = &packages[w->views.place[k]].classes[c];
        lines.of[k] = m == NO_INDEX ? class->lines.lines : class->methods[m].lines.lines;
    }
    return lines;
}

static void step_views(struct line_views *lines)
{
    for (int k = 0; k < HEAD_VIEW_COUNT; k++)
        lines->of[k] += lines->of[k] != NULL;
}

ORDER(order_diff_lines, struct diff_line, BY(number))

struct class_place {
    struct str file;
    uint32_t class;
};

ORDER(order_class_places, struct class_place, BY(file) BY(class))

static bool add_diff_file(struct diff_work *w, struct diff_totals *totals,
                          const struct report_package *of, const struct class_place *places,
                          uint32_t count)
{
    const struct patch_file *patch =
        w->options->patch != NULL ? patch_find(w->options->patch, places->file) : NULL;
    struct diff_file *file = list_add(&w->files, sizeof *file, w->arena, w->err);
    size_t room = 0;
    for (uint32_t i = 0; i < count; i++)
        room += of->classes[places[i].class].lines.count;
    if (file == NULL)
        return false;
    *file = (struct diff_file){.package = of->name, .path = places->file};
    file->lines = ARENA_NEW(w->arena, struct diff_line, room, w->err);
    if (file->lines == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct line_views v = views_of_lines(w, of, places[i].class, NO_INDEX);
        for (uint32_t k = 0; k < of->classes[places[i].class].lines.count; k++, step_views(&v)) {
            struct diff_line *line = &file->lines[file->line_count++];
            bool has_outcomes = v.of[HEAD_REAL]->condition_count != 0; /* most lines have none */
            uint32_t *outcomes =
                has_outcomes ? ARENA_NEW(w->arena, uint32_t, DIFF_STATE_COUNT, w->err) : NULL;
            if (has_outcomes && outcomes == NULL)
                return false;
            line_change_make(line, &v, outcomes);
            line->in_patch = patch_has_line(patch, line->number);
            const struct old_line *was = old_lines_find(&w->old_lines, places->file, line->number);
            if (was != NULL)
                line_change_by_number(line, was, &v, outcomes);
            line_change_tally(totals, line);
        }
    }
    sort_unless_sorted(file->lines, file->line_count, sizeof *file->lines, order_diff_lines);
    return true;
}

/* A file with several classes is one file. */
static bool add_files(struct diff_work *w, struct diff_totals *totals,
                      const struct report_package *of)
{
    struct class_place *places = ARENA_NEW(w->scratch, struct class_place, of->class_count, w->err);
    if (places == NULL)
        return false;
    for (uint32_t i = 0; i < of->class_count; i++)
        places[i] = (struct class_place){of->classes[i].file, i};
    sort_unless_sorted(places, of->class_count, sizeof *places, order_class_places);
    for (uint32_t i = 0, end = 0; i < of->class_count; i = end) {
        while (end < of->class_count && str_eq(places[end].file, places[i].file))
            end++;
        if (!add_diff_file(w, totals, of, places + i, end - i))
            return false;
    }
    return true;
}

/* What a method is called and where it is; its kind and counts are added by the caller. */
static struct diff_method describe_method(const struct report_package *package,
                                          const struct report_class *class,
                                          const struct report_method *of)
{
    return (struct diff_method){
        .package = package->name,
        .type = class->name,
        .name = of->name,
        .signature = of->signature,
        .display = of->display,
        .file = class->file,
        .first_line = of->lines.lines[0].number,
    };
}

static struct method_key key_of(const struct report_package *package,
                                const struct report_class *class, const struct report_method *of)
{
    return (struct method_key){package->name, class->name, of->name, of->signature};
}

/* In the order in which they are visited. */
ORDER(order_diff_files, struct diff_file, BY(package) BY(path))

/* Its file was added before it. */
static bool add_section(struct diff_work *w, const struct diff_method *method,
                        const struct report_lines *lines, const struct report_lines *of_class,
                        const struct method_change *change)
{
    const struct diff_file in = {.package = method->package, .path = method->file};
    const struct diff_file *file =
        sorted_find(&in, w->files.items, w->files.count, sizeof in, order_diff_files);
    struct method_key key;
    bool has_was = change != NULL && change->was_module != NO_INDEX;
    if (file == NULL)
        return true;
    if (has_was) {
        const struct fact_module *module = &w->base->modules[change->was_module];
        const struct fact_method *was = &module->methods[change->was_method];
        key = (struct method_key){module->name, was->type, was->name, was->signature};
    }
    return sections_add(&w->sections, method, lines, of_class, file, has_was ? &key : NULL,
                        w->arena, w->err);
}

static bool add_diff_method(struct diff_work *w, struct diff_totals *totals,
                            const struct report_package *package, uint32_t c, uint32_t m)
{
    const struct report_class *class = &package->classes[c];
    const struct report_method *of = &class->methods[m];
    struct line_views v = views_of_lines(w, package, c, m);
    struct method_key key = key_of(package, class, of);
    const struct method_change *change = method_change_find(&w->changes, &key);
    struct diff_method method = describe_method(package, class, of);
    method.kind = change != NULL ? change->kind : DIFF_UNCHANGED;
    method.from = change != NULL ? change->from : STR("");
    method.display_from = change != NULL ? change->display_from : STR("");
    for (uint32_t i = 0; i < of->lines.count; i++, step_views(&v)) {
        struct diff_line line;
        line_change_make(&line, &v, NULL);
        method.lines[line.state]++;
    }
    totals->methods_valid++;
    totals->methods_covered += of->totals.methods_covered;
    if (w->options->wants_sections && !add_section(w, &method, &of->lines, &class->lines, change))
        return false;
    if (w->base == NULL || w->by_line)
        return true;
    totals->methods[method.kind]++;
    totals->new_missed += diff_method_new_missed(&method);
    if (!diff_method_is_shown(&method))
        return true;
    return list_put(&w->methods, &method, sizeof method, w->arena, w->err);
}

static bool add_diff_methods(struct diff_work *w, struct diff_totals *totals,
                             const struct report_package *of)
{
    for (uint32_t c = 0; c < of->class_count; c++)
        for (uint32_t m = 0; m < of->classes[c].method_count; m++)
            if (!add_diff_method(w, totals, of, c, m))
                return false;
    return true;
}

/* --- packages --------------------------------------------------------------------------------- */

/* The one that was visited last, or a new one: HEAD and BASE have one each, which finish_packages
 * joins. A package that only BASE has is listed, too: it does not lower any rate, but should be
 * seen. */
static struct diff_package *package_named(struct diff_work *w, struct str name)
{
    struct diff_package *packages = w->packages.items;
    uint32_t count = w->packages.count;
    if (count != 0 && str_eq(packages[count - 1].name, name))
        return &packages[count - 1];
    struct diff_package *added = list_add(&w->packages, sizeof *added, w->arena, w->err);
    if (added != NULL)
        added->name = name;
    return added;
}

static bool is_in_diff(const struct report_package *package)
{
    return package->class_count != 0 || package->totals.methods_valid != 0;
}

static bool take_head_slice(void *context, const struct report_package *packages)
{
    struct diff_work *w = context;
    if (!is_in_diff(packages))
        return true;
    struct diff_package *package = package_named(w, packages->name);
    return package != NULL && add_files(w, &package->totals, packages) &&
           add_diff_methods(w, &package->totals, packages);
}

/* --- what was removed ------------------------------------------------------------------------- */

/* A build of BASE without a counterpart in HEAD: its methods are not removed while another build
 * has them. */
static bool is_alive(const struct diff_work *w, const struct method_key *key)
{
    const struct method_change *now = method_change_find(&w->changes, key);
    return now != NULL && now->kind != DIFF_ADDED;
}

static bool add_removed(struct diff_work *w, struct diff_totals *totals,
                        const struct report_package *package, uint32_t c, uint32_t m)
{
    const struct report_class *class = &package->classes[c];
    const struct report_method *of = &class->methods[m];
    struct method_key key = key_of(package, class, of);
    if (method_change_find(&w->removed, &key) == NULL || is_alive(w, &key))
        return true;
    struct diff_method *method = list_add(&w->methods, sizeof *method, w->arena, w->err);
    if (method == NULL)
        return false;
    *method = describe_method(package, class, of);
    method->kind = DIFF_REMOVED;
    for (uint32_t i = 0; i < of->lines.count; i++)
        method->lines[of->lines.lines[i].hits != 0 ? DIFF_KEPT : DIFF_STILL_MISSED]++;
    totals->methods[DIFF_REMOVED]++;
    return !w->options->wants_sections ||
           sections_add_removed(&w->sections, method, &of->lines, w->arena, w->err);
}

static void count_removed(struct diff_totals *totals, const struct report_lines *old,
                          const struct report_lines *left)
{
    for (uint32_t i = 0; i < old->count; i++) {
        if (left->lines[i].hits != 0)
            continue;
        totals->removed_covered += old->lines[i].hits != 0;
        totals->removed_missed += old->lines[i].hits == 0;
    }
}

static bool take_was(struct diff_work *w, const struct report_package *packages, uint32_t c,
                     uint32_t m)
{
    const struct report_package *old = &packages[BASE_REAL];
    const struct report_class *class = &old->classes[c];
    const struct report_method *method = &class->methods[m];
    const struct method_key key = key_of(old, class, method);
    return !w->options->wants_sections ||
           sections_take_was(&w->sections, &key, class->file, &method->lines,
                             &packages[BASE_LEFT].classes[c].methods[m].lines, w->arena, w->err);
}

static bool take_base_slice(void *context, const struct report_package *packages)
{
    struct diff_work *w = context;
    const struct report_package *old = &packages[BASE_REAL];
    if (!is_in_diff(old))
        return true;
    struct diff_package *package = package_named(w, old->name);
    if (package == NULL)
        return false;
    package->is_in_base = true;
    report_add_totals(&package->totals.base, &old->totals);
    for (uint32_t c = 0; c < old->class_count; c++) {
        const struct report_class *class = &old->classes[c];
        if (w->by_line) {
            if (!old_lines_keep(&w->old_lines, class, w->err))
                return false;
            continue;
        }
        count_removed(&package->totals, &class->lines, &packages[BASE_LEFT].classes[c].lines);
        for (uint32_t m = 0; m < class->method_count; m++)
            if (!add_removed(w, &package->totals, old, c, m) || !take_was(w, packages, c, m))
                return false;
    }
    return true;
}

/* --- the whole -------------------------------------------------------------------------------- */

ORDER(order_diff_methods, struct diff_method,
      BY(package) BY(type) BY(name) BY(signature) BY(file) BY(kind))

/* A struct that contains only uint64_t members. */
static void add_totals(struct diff_totals *into, const struct diff_totals *from)
{
    uint64_t *to = (uint64_t *)into;
    const uint64_t *more = (const uint64_t *)from;
    for (size_t i = 0; i < sizeof *into / sizeof *to; i++)
        to[i] += more[i];
}

ORDER(order_packages, struct diff_package, BY(name))

static uint32_t document_count(const struct facts *facts)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < facts->module_count; i++)
        count += facts->modules[i].document_count;
    return count;
}

/* HEAD's report comes from the same lines. */
static bool visit_head(struct diff_work *w)
{
    const struct diff_options *options = w->options;
    const struct report_watch watch = {w->views.head, w->views.head_count,
                                       w->views.place[HEAD_CARRIED], take_head_slice, w};
    struct report unused = {.facts = NULL},
                  *report = options->head != NULL ? options->head : &unused;
    if (!list_reserve(&w->files, sizeof(struct diff_file), document_count(w->head), w->arena,
                      w->err) ||
        !report_build_watched(report, w->head,
                              options->head != NULL ? options->head_options : &options->report,
                              &watch, options->head != NULL ? w->arena : w->scratch, w->err))
        return false;
    w->out->generated = excluded_lines_count(report->generated, report->generated_count);
    return true;
}

static bool visit_base(struct diff_work *w)
{
    const struct report_watch watch = {w->views.base, w->views.base_count, BASE_REAL,
                                       take_base_slice, w};
    struct report unused;
    return report_build_watched(&unused, w->base, &w->options->report, &watch, w->scratch, w->err);
}

/* What BASE's code was is known now. */
static void leave_base(struct diff_work *w)
{
    if (w->options->base_code != NULL)
        arena_free(w->options->base_code);
}

/* Lines of BASE are looked up by number while HEAD is visited. */
static bool compare_lines(struct diff_work *w)
{
    if (!old_lines_open(&w->old_lines, w->options->patch, document_count(w->base), w->scratch,
                        w->err) ||
        !visit_base(w))
        return false;
    leave_base(w);
    old_lines_sort(&w->old_lines);
    return visit_head(w);
}

/* Sections of HEAD's methods ask for what these were in BASE. */
static bool compare_by_code(struct diff_work *w)
{
    if (!method_changes_of_head(&w->changes, &w->views.pairing, w->head, w->arena, w->err) ||
        !method_changes_removed(&w->removed, &w->views.pairing, w->base, w->arena, w->err))
        return false;
    arena_free(w->pairing);
    if (w->options->wants_sections)
        return visit_head(w) && visit_base(w);
    if (!visit_base(w))
        return false;
    leave_base(w);
    return visit_head(w);
}

static void finish_packages(struct diff *out, struct diff_package *packages, uint32_t count)
{
    sort_unless_sorted(packages, count, sizeof *packages, order_packages);
    out->packages = packages;
    for (uint32_t i = 0; i < count; i++) {
        struct diff_package *last =
            out->package_count != 0 ? &packages[out->package_count - 1] : NULL;
        add_totals(&out->totals, &packages[i].totals);
        if (last == NULL || !str_eq(last->name, packages[i].name)) {
            packages[out->package_count++] = packages[i];
            continue;
        }
        add_totals(&last->totals, &packages[i].totals);
        last->is_in_base |= packages[i].is_in_base;
    }
}

static void finish_diff(struct diff_work *w)
{
    struct diff *out = w->out;
    out->root = report_root(w->head, &w->options->report);
    out->files = w->files.items;
    out->file_count = w->files.count;
    out->methods = w->methods.items;
    out->method_count = w->methods.count;
    sort_unless_sorted(out->methods, out->method_count, sizeof *out->methods, order_diff_methods);
    finish_packages(out, w->packages.items, w->packages.count);
    sections_finish(&w->sections, out);
}

/* Methods of other tools are not compared where ilcov knows the code. */
static bool apply_external(const struct facts **facts, struct arena *arena, struct err *err)
{
    struct facts *applied = NULL;
    if (*facts == NULL)
        return true;
    applied = ARENA_NEW(arena, struct facts, 1, err);
    if (applied == NULL || !external_apply(applied, *facts, arena, err))
        return false;
    *facts = applied;
    return true;
}

bool diff_build(struct diff *out, const struct facts *head, const struct facts *base, bool by_line,
                const struct diff_options *options, struct arena *arena, struct err *err)
{
    struct arena scratch, pairing;
    *out = (struct diff){.by_line = by_line};
    if (!apply_external(&head, arena, err) || !apply_external(&base, arena, err))
        return false;
    struct diff_work w = {.out = out,
                          .head = head,
                          .base = base,
                          .options = options,
                          .by_line = by_line,
                          .arena = arena,
                          .scratch = &scratch,
                          .pairing = &pairing,
                          .err = err};
    scratch = ARENA_EMPTY;
    pairing = ARENA_EMPTY;
    bool ok = diff_views_make(&w.views, head, base, by_line, &scratch, &pairing, err) &&
              (base == NULL ? visit_head(&w)
               : by_line    ? compare_lines(&w)
                            : compare_by_code(&w));
    arena_free(&pairing);
    arena_free(&scratch);
    if (ok)
        finish_diff(&w);
    return ok;
}

/* Methods without a line of code are in no diff. */
static void count_report(struct diff_totals *totals, const struct report_package *package)
{
    const struct report_totals *of = &package->totals;
    totals->lines[DIFF_NEW_COVERED] = of->lines_covered;
    totals->lines[DIFF_NEW_MISSED] = of->lines_valid - of->lines_covered;
    totals->outcomes[DIFF_NEW_COVERED] = of->branches_covered;
    totals->outcomes[DIFF_NEW_MISSED] = of->branches_valid - of->branches_covered;
    for (uint32_t c = 0; c < package->class_count; c++) {
        totals->methods_valid += package->classes[c].totals.methods_valid;
        totals->methods_covered += package->classes[c].totals.methods_covered;
    }
}

bool diff_of_report(struct diff *out, const struct report *report, struct arena *arena,
                    struct err *err)
{
    *out = (struct diff){.is_alone = true};
    out->packages = ARENA_NEW(arena, struct diff_package, report->package_count, err);
    for (uint32_t i = 0; out->packages != NULL && i < report->package_count; i++) {
        const struct report_package *from = &report->packages[i];
        struct diff_package *package = &out->packages[out->package_count];
        if (!is_in_diff(from))
            continue;
        if (!str_copy(&package->name, from->name, arena, err))
            return false;
        count_report(&package->totals, from);
        add_totals(&out->totals, &package->totals);
        out->package_count++;
    }
    return out->packages != NULL;
}
