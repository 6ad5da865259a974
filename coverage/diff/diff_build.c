#include "coverage/diff/diff_build.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "coverage/diff/diff_views.h"
#include "coverage/diff/method_fate.h"
#include "coverage/diff/patch.h"

struct work {
    struct diff *out;
    const struct facts *head, *base;
    const struct diff_options *options;
    bool by_line;
    struct diff_views views;
    struct list files, methods,
        fates; /* struct diff_file, struct diff_method, struct method_fate */
    struct arena *arena;
    struct err *err;
};

/* --- one line --------------------------------------------------------------------------------- */

/* The facts about one line or outcome that decide its state. */
struct facets {
    bool real, carried, ran;
    bool known, was_covered;
};

static enum diff_state state_of(const struct facets *f)
{
    if (f->real)
        return !f->known ? DIFF_NEW_COVERED : f->was_covered ? DIFF_KEPT : DIFF_GAINED;
    if (!f->ran)
        return f->carried ? DIFF_CARRIED : DIFF_NOT_RUN;
    return !f->known ? DIFF_NEW_MISSED : f->was_covered ? DIFF_LOST : DIFF_STILL_MISSED;
}

/* The same line in all views; `base` and `known` may be NULL. */
struct line_views {
    const struct report_line *real, *carried, *ran, *base, *known;
};

static void count_outcomes(struct diff_line *out, const struct line_views *v)
{
    for (uint32_t c = 0; c < v->real->condition_count; c++)
        for (uint32_t n = 0; n < v->real->conditions[c].outcome_count; n++) {
            struct facets f = {
                .real = v->real->conditions[c].outcome_hits[n] != 0,
                .carried = v->carried->conditions[c].outcome_hits[n] != 0,
                .ran = v->ran->conditions[c].outcome_hits[n] != 0,
                .known = v->known != NULL && v->known->conditions[c].outcome_hits[n] != 0,
                .was_covered = v->base != NULL && v->base->conditions[c].outcome_hits[n] != 0,
            };
            out->outcomes[state_of(&f)]++;
        }
}

static void make_line(struct diff_line *out, const struct line_views *v)
{
    struct facets f = {
        .real = v->real->hits != 0,
        .carried = v->carried->hits != 0,
        .ran = v->ran->hits != 0,
        .known = v->known != NULL && v->known->hits != 0,
        .was_covered = v->base != NULL && v->base->hits != 0,
    };
    *out = (struct diff_line){.number = v->real->number,
                              .state = state_of(&f),
                              .was_covered = f.known && f.was_covered,
                              .hits = v->real->hits,
                              .base_hits = v->base != NULL ? v->base->hits : 0};
    count_outcomes(out, v);
}

/* --- another tool's lines, by number ---------------------------------------------------------- */

/* One line of BASE's report, under its number in HEAD. */
struct old_line {
    struct str path;
    uint32_t number;
    const struct report_line *line;
};

struct old_lines {
    struct old_line *lines; /* by path, number */
    uint32_t count;
};

static int order_old_lines(const void *left, const void *right)
{
    const struct old_line *a = left, *b = right;
    int order = str_cmp(a->path, b->path);
    return order != 0 ? order : number_order(a->number, b->number);
}

static const struct patch_file *patch_of_old(const struct patch *patch, struct str path)
{
    for (uint32_t i = 0; patch != NULL && i < patch->file_count; i++)
        if (str_eq(patch->files[i].old_path, path))
            return &patch->files[i];
    return NULL;
}

static bool list_old_lines(struct old_lines *out, struct work *w)
{
    size_t room = 0;
    for (uint32_t p = 0; p < w->views.old.package_count; p++)
        for (uint32_t c = 0; c < w->views.old.packages[p].class_count; c++)
            room += w->views.old.packages[p].classes[c].lines.count;
    *out = (struct old_lines){ARENA_NEW(w->arena, struct old_line, room, w->err), 0};
    if (out->lines == NULL)
        return false;
    for (uint32_t p = 0; p < w->views.old.package_count; p++)
        for (uint32_t c = 0; c < w->views.old.packages[p].class_count; c++) {
            const struct report_class *class = &w->views.old.packages[p].classes[c];
            const struct patch_file *file = patch_of_old(w->options->patch, class->file);
            for (uint32_t i = 0; i < class->lines.count; i++) {
                const struct report_line *line = &class->lines.lines[i];
                uint32_t number = file != NULL ? patch_new_line(file, line->number) : line->number;
                if (number != 0)
                    out->lines[out->count++] =
                        (struct old_line){file != NULL ? file->path : class->file, number, line};
            }
        }
    if (out->count != 0)
        qsort(out->lines, out->count, sizeof *out->lines, order_old_lines);
    return true;
}

/* Only the number of outcomes is known: those that were covered are assumed to be the ones that
 * still are. */
static void compare_numbers(struct diff_line *line, const struct report_line *old,
                            const struct line_views *v)
{
    struct facets f = {.real = line->hits != 0,
                       .carried = v->carried->hits != 0,
                       .ran = v->ran->hits != 0,
                       .known = true,
                       .was_covered = old->hits != 0};
    line->state = state_of(&f);
    line->was_covered = f.was_covered;
    line->base_hits = old->hits;
    if (old->outcome_count != v->real->outcome_count || !f.ran)
        return;
    uint32_t now = v->real->covered_count, before = old->covered_count;
    uint32_t kept = now < before ? now : before;
    memset(line->outcomes, 0, sizeof line->outcomes);
    line->outcomes[DIFF_KEPT] = kept;
    line->outcomes[DIFF_GAINED] = now - kept;
    line->outcomes[DIFF_LOST] = before - kept;
    line->outcomes[DIFF_STILL_MISSED] = v->real->outcome_count - now - (before - kept);
}

/* --- all lines -------------------------------------------------------------------------------- */

static void tally_line(struct diff_totals *totals, const struct diff_line *line)
{
    totals->lines[line->state]++;
    for (int s = 0; s < DIFF_STATE_COUNT; s++)
        totals->outcomes[s] += line->outcomes[s];
    if (!line->in_patch)
        return;
    totals->patch_owed++;
    totals->patch_covered += line->hits != 0;
    for (int s = 0; s < DIFF_STATE_COUNT; s++)
        totals->patch_branches_owed += line->outcomes[s];
    totals->patch_branches_covered +=
        line->outcomes[DIFF_KEPT] + line->outcomes[DIFF_GAINED] + line->outcomes[DIFF_NEW_COVERED];
}

static bool is_in_patch(const struct patch_file *file, uint32_t line)
{
    uint32_t low = 0, high = file != NULL ? file->line_count : 0;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (file->lines[middle].last < line)
            low = middle + 1;
        else
            high = middle;
    }
    return file != NULL && low < file->line_count && file->lines[low].first <= line;
}

static struct line_views views_of(const struct work *w, uint32_t p, uint32_t c, uint32_t i)
{
    const struct diff_views *v = &w->views;
    bool based = w->base != NULL && !w->by_line;
    return (struct line_views){
        .real = &v->real.packages[p].classes[c].lines.lines[i],
        .carried = &v->carried.packages[p].classes[c].lines.lines[i],
        .ran = &v->ran.packages[p].classes[c].lines.lines[i],
        .base = based ? &v->base.packages[p].classes[c].lines.lines[i] : NULL,
        .known = based ? &v->known.packages[p].classes[c].lines.lines[i] : NULL,
    };
}

static struct line_views method_views_of(const struct work *w, uint32_t p, uint32_t c, uint32_t m,
                                         uint32_t i)
{
    const struct diff_views *v = &w->views;
    bool based = w->base != NULL && !w->by_line;
    return (struct line_views){
        .real = &v->real.packages[p].classes[c].methods[m].lines.lines[i],
        .carried = &v->carried.packages[p].classes[c].methods[m].lines.lines[i],
        .ran = &v->ran.packages[p].classes[c].methods[m].lines.lines[i],
        .base = based ? &v->base.packages[p].classes[c].methods[m].lines.lines[i] : NULL,
        .known = based ? &v->known.packages[p].classes[c].methods[m].lines.lines[i] : NULL,
    };
}

static int order_lines(const void *left, const void *right)
{
    const struct diff_line *a = left, *b = right;
    return number_order(a->number, b->number);
}

struct class_place {
    struct str file;
    uint32_t class;
};

static int order_places(const void *left, const void *right)
{
    const struct class_place *a = left, *b = right;
    int order = str_cmp(a->file, b->file);
    return order != 0 ? order : number_order(a->class, b->class);
}

static bool add_file(struct work *w, uint32_t package, const struct class_place *places,
                     uint32_t count, const struct old_lines *old)
{
    const struct report_package *of = &w->views.real.packages[package];
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
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < of->classes[places[i].class].lines.count; k++) {
            struct diff_line *line = &file->lines[file->line_count++];
            struct line_views v = views_of(w, package, places[i].class, k);
            make_line(line, &v);
            line->in_patch = is_in_patch(patch, line->number);
            struct old_line key = {places->file, line->number, NULL};
            const struct old_line *was =
                old->count != 0 ? bsearch(&key, old->lines, old->count, sizeof key, order_old_lines)
                                : NULL;
            if (was != NULL)
                compare_numbers(line, was->line, &v);
            tally_line(&w->out->packages[package].totals, line);
        }
    qsort(file->lines, file->line_count, sizeof *file->lines, order_lines);
    return true;
}

/* A file with several classes is one file. */
static bool add_files(struct work *w, uint32_t package, const struct old_lines *old)
{
    const struct report_package *of = &w->views.real.packages[package];
    struct class_place *places = ARENA_NEW(w->arena, struct class_place, of->class_count, w->err);
    if (places == NULL)
        return false;
    for (uint32_t i = 0; i < of->class_count; i++)
        places[i] = (struct class_place){of->classes[i].file, i};
    if (of->class_count != 0)
        qsort(places, of->class_count, sizeof *places, order_places);
    for (uint32_t i = 0, end = 0; i < of->class_count; i = end) {
        while (end < of->class_count && str_eq(places[end].file, places[i].file))
            end++;
        if (!add_file(w, package, places + i, end - i, old))
            return false;
    }
    return true;
}

static bool is_worth_telling(const struct diff_method *method)
{
    return method->kind != DIFF_UNCHANGED || method->lines[DIFF_LOST] != 0 ||
           method->lines[DIFF_GAINED] != 0;
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
        .file = class->file,
        .first_line = of->lines.lines[0].number,
    };
}

static struct method_fate fate_key(const struct report_package *package,
                                   const struct report_class *class, const struct report_method *of)
{
    return (struct method_fate){.package = package->name,
                                .type = class->name,
                                .name = of->name,
                                .signature = of->signature};
}

static bool add_method(struct work *w, uint32_t p, uint32_t c, uint32_t m)
{
    const struct report_package *package = &w->views.real.packages[p];
    const struct report_class *class = &package->classes[c];
    const struct report_method *of = &class->methods[m];
    struct diff_totals *totals = &w->out->packages[p].totals;
    struct method_fate key = fate_key(package, class, of);
    const struct method_fate *fate = method_fate_find(&w->fates, &key);
    struct diff_method method = describe_method(package, class, of);
    method.kind = fate != NULL ? fate->kind : DIFF_UNCHANGED;
    method.from = fate != NULL ? fate->from : STR("");
    for (uint32_t i = 0; i < of->lines.count; i++) {
        struct diff_line line;
        struct line_views v = method_views_of(w, p, c, m, i);
        make_line(&line, &v);
        method.lines[line.state]++;
    }
    totals->methods_valid++;
    totals->methods_covered += of->totals.methods_covered;
    if (w->base == NULL || w->by_line)
        return true;
    totals->methods[method.kind]++;
    if (method.kind == DIFF_ADDED || method.kind == DIFF_EDITED)
        totals->new_missed += method.lines[DIFF_NEW_MISSED] + method.lines[DIFF_STILL_MISSED] +
                              method.lines[DIFF_LOST];
    if (!is_worth_telling(&method))
        return true;
    struct diff_method *added = list_add(&w->methods, sizeof *added, w->arena, w->err);
    if (added != NULL)
        *added = method;
    return added != NULL;
}

static bool add_methods(struct work *w, uint32_t package)
{
    const struct report_package *of = &w->views.real.packages[package];
    for (uint32_t c = 0; c < of->class_count; c++)
        for (uint32_t m = 0; m < of->classes[c].method_count; m++)
            if (!add_method(w, package, c, m))
                return false;
    return true;
}

/* --- what was removed ------------------------------------------------------------------------- */

static struct diff_package *package_named(struct diff *out, struct str name)
{
    for (uint32_t i = 0; i < out->package_count; i++)
        if (str_eq(out->packages[i].name, name))
            return &out->packages[i];
    return NULL;
}

/* A build of BASE without a counterpart in HEAD: its methods are not removed while another build
 * has them. */
static bool is_alive(const struct work *w, const struct method_fate *fate)
{
    const struct method_fate *now = method_fate_find(&w->fates, fate);
    return now != NULL && now->kind != DIFF_ADDED;
}

static bool add_removed(struct work *w, const struct list *removed, uint32_t p, uint32_t c,
                        uint32_t m)
{
    const struct report_package *package = &w->views.old.packages[p];
    const struct report_class *class = &package->classes[c];
    const struct report_method *of = &class->methods[m];
    struct diff_package *now = package_named(w->out, package->name);
    struct method_fate key = fate_key(package, class, of);
    if (method_fate_find(removed, &key) == NULL || is_alive(w, &key))
        return true;
    struct diff_method *method = list_add(&w->methods, sizeof *method, w->arena, w->err);
    if (method == NULL)
        return false;
    *method = describe_method(package, class, of);
    method->kind = DIFF_REMOVED;
    for (uint32_t i = 0; i < of->lines.count; i++)
        method->lines[of->lines.lines[i].hits != 0 ? DIFF_KEPT : DIFF_STILL_MISSED]++;
    if (now != NULL)
        now->totals.methods[DIFF_REMOVED]++;
    return true;
}

static void count_old(struct work *w, uint32_t p)
{
    const struct report_package *package = &w->views.old.packages[p];
    struct diff_package *now = package_named(w->out, package->name);
    if (now == NULL)
        return;
    now->is_in_base = true;
    now->totals.base_lines_valid = package->totals.lines_valid;
    now->totals.base_lines_covered = package->totals.lines_covered;
    now->totals.base_branches_valid = package->totals.branches_valid;
    now->totals.base_branches_covered = package->totals.branches_covered;
    now->totals.base_methods_valid = package->totals.methods_valid;
    now->totals.base_methods_covered = package->totals.methods_covered;
    for (uint32_t c = 0; c < package->class_count && !w->by_line; c++)
        for (uint32_t i = 0; i < package->classes[c].lines.count; i++) {
            if (w->views.left.packages[p].classes[c].lines.lines[i].hits != 0)
                continue;
            if (package->classes[c].lines.lines[i].hits != 0)
                now->totals.removed_covered++;
            else
                now->totals.removed_missed++;
        }
}

static bool add_old(struct work *w)
{
    struct list removed = {.items = NULL};
    if (w->base == NULL)
        return true;
    for (uint32_t p = 0; p < w->views.old.package_count; p++)
        count_old(w, p);
    if (w->by_line)
        return true;
    if (!method_fates_removed(&removed, &w->views.pairing, w->base, w->arena, w->err))
        return false;
    for (uint32_t p = 0; p < w->views.old.package_count; p++)
        for (uint32_t c = 0; c < w->views.old.packages[p].class_count; c++)
            for (uint32_t m = 0; m < w->views.old.packages[p].classes[c].method_count; m++)
                if (!add_removed(w, &removed, p, c, m))
                    return false;
    return true;
}

/* --- the whole -------------------------------------------------------------------------------- */

static int order_methods(const void *left, const void *right)
{
    const struct diff_method *a = left, *b = right;
    int order = str_cmp(a->package, b->package);
    if (order == 0)
        order = str_cmp(a->type, b->type);
    if (order == 0)
        order = str_cmp(a->name, b->name);
    if (order == 0)
        order = str_cmp(a->signature, b->signature);
    if (order == 0)
        order = str_cmp(a->file, b->file);
    return order != 0 ? order : (int)a->kind - (int)b->kind;
}

/* A struct that contains only uint64_t members. */
static void add_totals(struct diff_totals *into, const struct diff_totals *from)
{
    uint64_t *to = (uint64_t *)into;
    const uint64_t *more = (const uint64_t *)from;
    for (size_t i = 0; i < sizeof *into / sizeof *to; i++)
        to[i] += more[i];
}

/* Packages that only BASE has are listed, too: they do not lower any rate, but should be seen. */
static bool list_packages(struct work *w)
{
    struct diff *out = w->out;
    uint32_t room = w->views.real.package_count + w->views.old.package_count;
    out->packages = ARENA_NEW(w->arena, struct diff_package, room, w->err);
    if (out->packages == NULL)
        return false;
    for (uint32_t i = 0; i < w->views.real.package_count; i++)
        out->packages[out->package_count++].name = w->views.real.packages[i].name;
    for (uint32_t i = 0; i < w->views.old.package_count; i++)
        if (package_named(out, w->views.old.packages[i].name) == NULL)
            out->packages[out->package_count++].name = w->views.old.packages[i].name;
    return true;
}

static int order_packages(const void *left, const void *right)
{
    const struct diff_package *a = left, *b = right;
    return str_cmp(a->name, b->name);
}

bool diff_build(struct diff *out, const struct facts *head, const struct facts *base, bool by_line,
                const struct diff_options *options, struct arena *arena, struct err *err)
{
    struct work w = {.out = out,
                     .head = head,
                     .base = base,
                     .options = options,
                     .by_line = by_line,
                     .arena = arena,
                     .err = err};
    struct old_lines old = {NULL, 0};
    *out = (struct diff){.by_line = by_line};
    if (!diff_views_make(&w.views, head, base, by_line, &options->report, arena, err) ||
        !list_packages(&w) ||
        (base != NULL && !by_line &&
         !method_fates_of_head(&w.fates, &w.views.pairing, head, arena, err)) ||
        (by_line && !list_old_lines(&old, &w)))
        return false;
    for (uint32_t i = 0; i < w.views.real.package_count; i++)
        if (!add_files(&w, i, &old) || !add_methods(&w, i))
            return false;
    if (!add_old(&w))
        return false;
    out->root = w.views.real.root;
    out->files = w.files.items;
    out->file_count = w.files.count;
    out->methods = w.methods.items;
    out->method_count = w.methods.count;
    if (out->method_count != 0)
        qsort(out->methods, out->method_count, sizeof *out->methods, order_methods);
    if (out->package_count != 0)
        qsort(out->packages, out->package_count, sizeof *out->packages, order_packages);
    for (uint32_t i = 0; i < out->package_count; i++)
        add_totals(&out->totals, &out->packages[i].totals);
    return true;
}
