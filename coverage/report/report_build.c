#include "coverage/report/report_build.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/number.h"
#include "coverage/facts/sums.h"
#include "coverage/foreign/foreign_facts.h"
#include "coverage/pairing/fold_builds.h"
#include "coverage/report/excluded_lines.h"
#include "coverage/report/lines.h"
#include "coverage/report/report_files.h"
#include "coverage/source/paths.h"

/* How deep methods are folded into each other: one level in valid facts. */
enum {
    FOLDING_STEPS = 16
};

struct build {
    const struct facts *facts;
    const struct report_options *options;
    struct list omissions; /* struct report_omission */
    struct report_omission first_empty;
    struct excluded_lines excluded;
    bool forgets_omissions; /* nobody asks for them */
    struct arena *arena;
    struct arena scratch; /* of one package */
    struct err *err;
};

/* Something to number: a user method, or a file (only `type` is set). */
struct naming {
    struct str type, name, signature;
    uint32_t *number;
    const struct fact_method *method;
};

/* A module before it is merged into its package. */
struct part {
    const struct fact_module *module;
    uint32_t *owner_of, *file_of; /* as in struct lines_module */
    struct copies copies;
};

/* A package: what its files and all views of it have in common. */
struct package_parts {
    struct part *parts;
    uint32_t part_count;
    struct naming *owners, *files;
    uint32_t owner_count, file_count;
    uint32_t *types; /* per owner */
};

/* --- what is left out ------------------------------------------------------------------------- */

static bool omit(struct build *b, struct report_omission omission)
{
    if (b->forgets_omissions)
        return true;
    struct report_omission *added = list_add(&b->omissions, sizeof *added, b->arena, b->err);
    if (added != NULL)
        *added = omission;
    return added != NULL;
}

static bool omit_module(struct build *b, const struct fact_module *module,
                        const struct reason *reason)
{
    struct report_omission omission = {module->name, STR(""), STR(""), reason};
    if (module->state != MODULE_SKIPPED && b->first_empty.reason == NULL)
        b->first_empty = omission;
    return omit(b, omission);
}

static bool omit_method(struct build *b, const struct fact_module *module,
                        const struct fact_method *method, const struct reason *reason)
{
    struct report_omission omission = {.module = module->name, .reason = reason};
    return fact_display_text(&omission.method,
                             (struct fact_display){method->type, method->name, method->signature},
                             b->arena, b->err) &&
           fact_display_text(&omission.display_method, fact_method_display(method), b->arena,
                             b->err) &&
           omit(b, omission);
}

static bool excluded_by(const struct reason **reason, const struct pattern *pattern,
                        struct build *b)
{
    struct str text;
    if (!text_format(&text, b->arena, b->err, "[%.*s]%.*s", STR_ARGS(pattern->assembly),
                     STR_ARGS(pattern->type)))
        return false;
    *reason = reason_new(REASON_EXCLUDED_BY, text, STR(""), b->arena, b->err);
    return *reason != NULL;
}

static int order_omissions(const void *left, const void *right)
{
    const struct report_omission *a = left, *b = right;
    int order = str_cmp(a->module, b->module);
    if (order == 0)
        order = str_cmp(a->method, b->method);
    return order != 0 ? order : reason_order(a->reason, b->reason);
}

/* Two builds of one assembly leave out the same method: report it once. */
static uint32_t sort_omissions(struct report_omission *omissions, uint32_t count)
{
    uint32_t kept = 0;
    if (count != 0)
        qsort(omissions, count, sizeof *omissions, order_omissions);
    for (uint32_t i = 0; i < count; i++)
        if (kept == 0 || order_omissions(&omissions[kept - 1], &omissions[i]) != 0)
            omissions[kept++] = omissions[i];
    return kept;
}

/* --- who owns what: user methods and files get their numbers ---------------------------------- */

static int order_namings(const void *left, const void *right)
{
    const struct naming *a = left, *b = right;
    int order = str_cmp(a->type, b->type);
    if (order == 0)
        order = str_cmp(a->name, b->name);
    return order != 0 ? order : str_cmp(a->signature, b->signature);
}

/* Equal names get the same number, in ascending order; one of each is kept. */
static uint32_t number_names(struct naming *names, uint32_t count)
{
    uint32_t kept = 0;
    qsort(names, count, sizeof *names, order_namings);
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || order_namings(&names[kept - 1], &names[i]) != 0)
            names[kept++] = names[i];
        *names[i].number = kept - 1;
    }
    return kept;
}

static uint32_t user_method(const struct fact_module *module, uint32_t method)
{
    for (int i = 0; i < FOLDING_STEPS && module->methods[method].user_method != method; i++)
        method = module->methods[method].user_method;
    return method;
}

static const struct pattern *excluding_type(const struct build *b, struct str assembly,
                                            struct str type)
{
    for (uint32_t i = 0; i < b->options->exclude_count; i++)
        if (pattern_matches_type(&b->options->exclude[i], assembly, type))
            return &b->options->exclude[i];
    return NULL;
}

static const struct pattern *excluding_assembly(const struct build *b, struct str assembly)
{
    for (uint32_t i = 0; i < b->options->exclude_count; i++)
        if (pattern_is_whole_assembly(&b->options->exclude[i]) &&
            pattern_matches_assembly(&b->options->exclude[i], assembly))
            return &b->options->exclude[i];
    return NULL;
}

/* A refused method still lends its name to the methods folded into it. */
static bool name_user_methods(struct naming *names, uint32_t *name_count, struct part *part,
                              struct build *b)
{
    const struct fact_module *module = part->module;
    for (uint32_t i = 0; i < module->method_count; i++) {
        const struct fact_method *method = &module->methods[i];
        if (user_method(module, i) != i || method->state == METHOD_EXCLUDED)
            continue;
        const struct pattern *exclude = excluding_type(b, module->name, method->type);
        if (exclude == NULL) {
            names[(*name_count)++] = (struct naming){method->type, method->name, method->signature,
                                                     &part->owner_of[i], method};
            continue;
        }
        const struct reason *reason = NULL;
        if (!excluded_by(&reason, exclude, b) || !omit_method(b, module, method, reason))
            return false;
    }
    return true;
}

/* Compiler-generated methods follow their user method. A method that is left out has no owner but a
 * reason, which is reported once. If only a lambda is excluded, its lines are reported instead
 * (excluded_lines.h). */
static bool fold_methods(struct part *part, struct build *b)
{
    const struct fact_module *module = part->module;
    for (uint32_t i = 0; i < module->method_count; i++)
        part->owner_of[i] = part->owner_of[user_method(module, i)];
    for (uint32_t i = 0; i < module->method_count; i++) {
        const struct fact_method *method = &module->methods[i];
        uint32_t user = user_method(module, i);
        bool reported_elsewhere = user != i && (module->methods[user].state == METHOD_EXCLUDED ||
                                                method->state == METHOD_EXCLUDED);
        if (method->state == METHOD_COVERED)
            continue;
        part->owner_of[i] = NO_INDEX;
        if (!reported_elsewhere && !omit_method(b, module, method, method->reason))
            return false;
    }
    return true;
}

static bool name_owners(struct naming **names, uint32_t *name_count, struct part *parts,
                        uint32_t part_count, struct build *b)
{
    size_t room = 0;
    for (uint32_t i = 0; i < part_count; i++)
        room += parts[i].module->method_count;
    *name_count = 0;
    *names = ARENA_NEW(&b->scratch, struct naming, room, b->err);
    if (*names == NULL)
        return false;
    for (uint32_t i = 0; i < part_count; i++)
        if (!name_user_methods(*names, name_count, &parts[i], b))
            return false;
    *name_count = number_names(*names, *name_count);
    for (uint32_t i = 0; i < part_count; i++)
        if (!fold_methods(&parts[i], b))
            return false;
    return true;
}

static bool is_reported(const struct build *b, const struct fact_document *document)
{
    return document->relative.len != 0 && document->reason == NULL &&
           !paths_match_any(b->options->exclude_files, b->options->exclude_file_count,
                            document->relative);
}

static bool name_files(struct naming **names, uint32_t *name_count, struct part *parts,
                       uint32_t part_count, struct build *b)
{
    size_t room = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < part_count; i++)
        room += parts[i].module->document_count;
    *names = ARENA_NEW(&b->scratch, struct naming, room, b->err);
    if (*names == NULL)
        return false;
    for (uint32_t i = 0; i < part_count; i++) {
        const struct fact_module *module = parts[i].module;
        for (uint32_t d = 0; d < module->document_count; d++) {
            const struct fact_document *document = &module->documents[d];
            if (is_reported(b, document))
                (*names)[count++] =
                    (struct naming){.type = document->relative, .number = &parts[i].file_of[d]};
        }
    }
    *name_count = number_names(*names, count);
    return true;
}

static uint32_t *new_numbers(struct build *b, uint32_t count)
{
    uint32_t *numbers = arena_raw(&b->scratch, count, sizeof *numbers, b->err);
    for (uint32_t i = 0; numbers != NULL && i < count; i++)
        numbers[i] = NO_INDEX;
    return numbers;
}

/* Why no line of the module is in the report; NULL if at least one is. */
static const struct reason *why_empty(const struct part *part)
{
    const struct fact_module *module = part->module;
    const struct fact_document *left_out = NULL;
    for (uint32_t i = 0; i < module->statement_count; i++) {
        const struct fact_statement *statement = &module->statements[i];
        if (part->owner_of[statement->method] == NO_INDEX || statement->reason != NULL)
            continue;
        if (part->file_of[statement->document] != NO_INDEX)
            return NULL;
        left_out = &module->documents[statement->document];
    }
    if (module->reason != NULL)
        return module->reason;
    if (left_out != NULL && left_out->reason != NULL)
        return left_out->reason;
    if (left_out != NULL)
        return reason_of(left_out->relative.len != 0 ? REASON_EXCLUDED_FILE : REASON_OUTSIDE_ROOT);
    return reason_of(module->statement_count != 0 ? REASON_ALL_LEFT_OUT : REASON_NO_STATEMENT);
}

/* --- lines to methods, classes, packages ------------------------------------------------------ */

void report_add_totals(struct report_totals *into, const struct report_totals *from)
{
    into->lines_valid += from->lines_valid;
    into->lines_covered += from->lines_covered;
    into->branches_valid += from->branches_valid;
    into->branches_covered += from->branches_covered;
    into->methods_valid += from->methods_valid;
    into->methods_covered += from->methods_covered;
    into->complexity += from->complexity;
}

static void count_lines(struct report_totals *totals, const struct report_lines *lines)
{
    for (uint32_t i = 0; i < lines->count; i++) {
        const struct report_line *line = &lines->lines[i];
        totals->lines_valid++;
        totals->lines_covered += line->hits != 0;
        totals->branches_valid += line->outcome_count;
        totals->branches_covered += line->covered_count;
    }
}

static void count_method(struct report_method *method)
{
    uint64_t decisions = 0;
    for (uint32_t i = 0; i < method->lines.count; i++)
        decisions += method->lines.lines[i].condition_count;
    count_lines(&method->totals, &method->lines);
    method->first_line = method->lines.lines[0].number;
    method->first_miss = report_first_miss(&method->lines);
    method->totals.methods_valid = 1;
    method->totals.methods_covered = method->totals.lines_covered != 0;
    method->totals.complexity = method->totals.branches_valid - decisions + 1;
}

static void count_class(struct report_class *class)
{
    count_lines(&class->totals, &class->lines);
    class->first_line = class->lines.lines[0].number;
    class->first_miss = report_first_miss(&class->lines);
    for (uint32_t i = 0; i < class->method_count; i++) {
        class->totals.methods_valid += class->methods[i].totals.methods_valid;
        class->totals.methods_covered += class->methods[i].totals.methods_covered;
        class->totals.complexity += class->methods[i].totals.complexity;
    }
}

static int order_methods(const void *left, const void *right)
{
    const struct report_method *a = left, *b = right;
    int order = number_order(a->first_line, b->first_line);
    if (order == 0)
        order = str_cmp(a->name, b->name);
    return order != 0 ? order : str_cmp(a->signature, b->signature);
}

static bool same_class(const struct owned_line *a, const struct owned_line *b)
{
    return a->type == b->type && a->file == b->file;
}

static bool same_method(const struct owned_line *a, const struct owned_line *b)
{
    return same_class(a, b) && a->owner == b->owner;
}

/* The number of runs of lines that are the `same`. */
static uint32_t count_runs(const struct owned_line *lines, uint32_t count,
                           bool (*same)(const struct owned_line *, const struct owned_line *))
{
    uint32_t runs = count != 0;
    for (uint32_t i = 1; i < count; i++)
        runs += !same(&lines[i - 1], &lines[i]);
    return runs;
}

static struct report_line *copy_lines(const struct owned_line *lines, uint32_t count,
                                      struct build *b)
{
    struct report_line *copy = arena_raw(b->arena, count, sizeof *copy, b->err);
    for (uint32_t i = 0; copy != NULL && i < count; i++)
        copy[i] = lines[i].line;
    return copy;
}

static bool build_methods(struct report_method **out, uint32_t *out_count,
                          const struct package_lines *lines, const struct naming *owners,
                          struct build *b)
{
    uint32_t line_count = lines->of_methods_count;
    struct report_line *copies = copy_lines(lines->of_methods, line_count, b);
    *out_count = count_runs(lines->of_methods, line_count, same_method);
    *out = ARENA_NEW(b->arena, struct report_method, *out_count, b->err);
    if (copies == NULL || *out == NULL)
        return false;
    struct report_method *method = *out;
    for (uint32_t i = 0, end = 0; i < line_count; i = end) {
        const struct owned_line *first = &lines->of_methods[i];
        while (end < line_count && same_method(first, &lines->of_methods[end]))
            end++;
        method->name = owners[first->owner].name;
        method->signature = owners[first->owner].signature;
        method->display = fact_method_display(owners[first->owner].method);
        method->lines = (struct report_lines){copies + i, end - i};
        count_method(method++);
    }
    return true;
}

/* Every class line has a method line of the same class, and both lists are in the same order of
 * classes. */
static bool build_classes(struct report_package *package, const struct package_lines *lines,
                          const struct naming *owners, const struct naming *files, struct build *b)
{
    struct report_method *methods = NULL;
    uint32_t method_count = 0, line_count = lines->of_classes_count;
    struct report_line *copies = copy_lines(lines->of_classes, line_count, b);
    package->class_count = count_runs(lines->of_classes, line_count, same_class);
    package->classes = ARENA_NEW(b->arena, struct report_class, package->class_count, b->err);
    if (copies == NULL || package->classes == NULL ||
        !build_methods(&methods, &method_count, lines, owners, b))
        return false;
    struct report_class *class = package->classes;
    const struct owned_line *of_methods = lines->of_methods;
    const struct owned_line *of_methods_end = of_methods + lines->of_methods_count;
    for (uint32_t i = 0, end = 0; i < line_count; i = end, class ++) {
        const struct owned_line *first = &lines->of_classes[i];
        while (end < line_count && same_class(first, &lines->of_classes[end]))
            end++;
        class->name = owners[of_methods->owner].type;
        class->display_name = fact_method_display(owners[of_methods->owner].method).type;
        class->file = files[first->file].type;
        class->lines = (struct report_lines){copies + i, end - i};
        class->methods = methods;
        while (of_methods < of_methods_end && same_class(first, of_methods)) {
            of_methods += methods->lines.count;
            methods++;
            class->method_count++;
        }
        qsort(class->methods, class->method_count, sizeof *class->methods, order_methods);
        count_class(class);
        report_add_totals(&package->totals, &class->totals);
    }
    return true;
}

static bool list_types(uint32_t **out, const struct naming *owners, uint32_t owner_count,
                       struct build *b)
{
    uint32_t *types = ARENA_NEW(&b->scratch, uint32_t, owner_count, b->err);
    if (types == NULL)
        return false;
    for (uint32_t i = 1; i < owner_count; i++)
        types[i] = types[i - 1] + !str_eq(owners[i].type, owners[i - 1].type);
    *out = types;
    return true;
}

/* Folding changes who owns what in each view alike. */
static uint32_t *copy_numbers(const uint32_t *numbers, uint32_t count, struct build *b)
{
    uint32_t *copy = arena_raw(&b->scratch, count, sizeof *copy, b->err);
    if (copy != NULL && count != 0)
        memcpy(copy, numbers, count * sizeof *copy);
    return copy;
}

/* Builds of one assembly: a method with the same code in several of them goes to the newest.
 * `counts` outlives what is made of the package, since conditions point into it. */
static bool sum_parts(struct lines_module **out, const struct package_parts *package,
                      const struct report_view *view, struct arena *counts, struct build *b)
{
    uint32_t part_count = package->part_count;
    struct lines_module *modules = ARENA_NEW(&b->scratch, struct lines_module, part_count, b->err);
    struct sums *sums = ARENA_NEW(&b->scratch, struct sums, part_count, b->err);
    struct build_part *builds = ARENA_NEW(&b->scratch, struct build_part, part_count, b->err);
    if (modules == NULL || sums == NULL || builds == NULL)
        return false;
    for (uint32_t i = 0; i < part_count; i++) {
        const struct part *part = &package->parts[i];
        uint32_t *owner_of = copy_numbers(part->owner_of, part->module->method_count, b);
        if (owner_of == NULL ||
            !sums_make(&sums[i], view->facts, (uint32_t)(part->module - b->facts->modules),
                       view->real_only ? SUMS_REAL : SUMS_WITH_CARRIED, counts, b->err))
            return false;
        modules[i] = (struct lines_module){.module = part->module,
                                           .copies = &part->copies,
                                           .counts = sums[i].counts,
                                           .owner_of = owner_of,
                                           .file_of = part->file_of};
        builds[i] = (struct build_part){part->module, &sums[i], owner_of, part->file_of};
    }
    *out = modules;
    return part_count < 2 || fold_builds(builds, part_count, &b->scratch, b->err);
}

/* Counts the methods of an assembly without symbols: only those that ran are known. */
static bool count_bare_methods(struct report_package *package, const struct lines_module *modules,
                               uint32_t module_count, uint32_t owner_count, struct build *b)
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

static bool list_modules(struct report_package *out, const struct part *parts, uint32_t part_count,
                         struct build *b)
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

static bool name_package(struct package_parts *package, struct build *b)
{
    struct part *parts = package->parts;
    uint32_t part_count = package->part_count;
    for (uint32_t i = 0; i < part_count; i++) {
        parts[i].owner_of = new_numbers(b, parts[i].module->method_count);
        parts[i].file_of = new_numbers(b, parts[i].module->document_count);
        if (parts[i].owner_of == NULL || parts[i].file_of == NULL ||
            !copies_find(&parts[i].copies, parts[i].module, &b->scratch, b->err))
            return false;
    }
    if (!name_owners(&package->owners, &package->owner_count, parts, part_count, b) ||
        !name_files(&package->files, &package->file_count, parts, part_count, b) ||
        !list_types(&package->types, package->owners, package->owner_count, b))
        return false;
    for (uint32_t i = 0; i < part_count; i++) {
        const struct reason *reason = why_empty(&parts[i]);
        if (reason != NULL && !omit_module(b, parts[i].module, reason))
            return false;
    }
    return true;
}

static struct report_package describe_package(const struct package_parts *package)
{
    struct report_package described = {.name = package->parts->module->name, .not_loaded = true};
    for (uint32_t i = 0; i < package->part_count; i++)
        described.not_loaded =
            described.not_loaded && package->parts[i].module->state == MODULE_NOT_LOADED;
    return described;
}

/* Those of its files that `modules` show. */
static bool build_files(struct report_package *out, const struct package_parts *package,
                        const struct lines_module *modules, struct arena *scratch, struct build *b)
{
    struct package_lines lines;
    return lines_build(&lines, modules, package->part_count, package->types, b->arena, scratch,
                       b->err) &&
           build_classes(out, &lines, package->owners, package->files, b);
}

/* --- a few files at a time -------------------------------------------------------------------- */

/* Fewer would go more often through all statements of a package. */
enum {
    SLICE_STATEMENTS = 1 << 16
};

struct visit {
    const struct report_view *views;
    uint32_t view_count;
    bool (*take)(void *context, const struct report_package *packages);
    void *context;
    struct report_package *packages; /* one for each view */
    struct lines_module **modules;   /* likewise */
    uint32_t **file_of;              /* per part: only the files of the slice */
    struct arena slice, scratch;
};

/* The number of statements of each file. */
static bool count_statements(uint32_t **out, const struct package_parts *package, struct build *b)
{
    *out = ARENA_NEW(&b->scratch, uint32_t, package->file_count, b->err);
    for (uint32_t i = 0; *out != NULL && i < package->part_count; i++) {
        const struct part *part = &package->parts[i];
        for (uint32_t s = 0; s < part->module->statement_count; s++) {
            uint32_t file = part->file_of[part->module->statements[s].document];
            if (file != NO_INDEX)
                (*out)[file]++;
        }
    }
    return *out != NULL;
}

static uint32_t slice_end(const uint32_t *statements, uint32_t first, uint32_t file_count)
{
    uint64_t sum = 0;
    uint32_t end = first;
    while (end < file_count && (end == first || sum + statements[end] <= SLICE_STATEMENTS))
        sum += statements[end++];
    return end;
}

static void show_slice(struct visit *v, const struct package_parts *package, uint32_t first,
                       uint32_t end)
{
    for (uint32_t i = 0; i < package->part_count; i++) {
        const struct part *part = &package->parts[i];
        for (uint32_t d = 0; d < part->module->document_count; d++) {
            uint32_t file = part->file_of[d];
            v->file_of[i][d] = file >= first && file < end ? file : NO_INDEX;
        }
    }
}

/* What is not a slice's own, in the arena of the package. */
static bool open_package(struct visit *v, const struct package_parts *package, struct build *b)
{
    v->file_of = ARENA_NEW(&b->scratch, uint32_t *, package->part_count, b->err);
    if (v->file_of == NULL)
        return false;
    for (uint32_t i = 0; i < package->part_count; i++) {
        v->file_of[i] = new_numbers(b, package->parts[i].module->document_count);
        if (v->file_of[i] == NULL)
            return false;
    }
    for (uint32_t k = 0; k < v->view_count; k++) {
        if (!sum_parts(&v->modules[k], package, &v->views[k], &b->scratch, b))
            return false;
        for (uint32_t i = 0; i < package->part_count; i++)
            v->modules[k][i].file_of = v->file_of[i];
    }
    return true;
}

static bool build_slice(struct visit *v, const struct package_parts *package, bool is_bare,
                        struct build *b)
{
    struct arena *arena = b->arena;
    bool ok = true;
    arena_reset(&v->slice);
    b->arena = &v->slice;
    for (uint32_t k = 0; ok && k < v->view_count; k++) {
        struct report_package *out = &v->packages[k];
        *out = describe_package(package);
        arena_reset(&v->scratch);
        ok = build_files(out, package, v->modules[k], &v->scratch, b) &&
             (!is_bare || out->class_count != 0 ||
              count_bare_methods(out, v->modules[k], package->part_count, package->owner_count, b));
    }
    b->arena = arena;
    return ok;
}

static bool open_visit(struct visit *v, struct build *b)
{
    v->packages = ARENA_NEW(b->arena, struct report_package, v->view_count, b->err);
    v->modules = ARENA_NEW(b->arena, struct lines_module *, v->view_count, b->err);
    arena_init(&v->slice, NULL, 0, ARENA_NO_LIMIT);
    arena_init(&v->scratch, NULL, 0, ARENA_NO_LIMIT);
    return v->packages != NULL && v->modules != NULL;
}

static void close_visit(struct visit *v)
{
    arena_free(&v->scratch);
    arena_free(&v->slice);
}

/* After name_package. What is built lives until the next slice is. */
static bool visit_files(struct visit *v, const struct package_parts *package, struct build *b)
{
    uint32_t *statements = NULL, end = 0;
    bool has_classes = false;
    if (!count_statements(&statements, package, b) || !open_package(v, package, b))
        return false;
    do {
        uint32_t first = end;
        end = slice_end(statements, first, package->file_count);
        show_slice(v, package, first, end);
        if (!build_slice(v, package, !has_classes && end == package->file_count, b) ||
            !v->take(v->context, v->packages))
            return false;
        has_classes = has_classes || v->packages->class_count != 0;
    } while (end < package->file_count);
    return true;
}

/* --- an outline ------------------------------------------------------------------------------- */

struct outlining {
    struct report_package *out;
    struct list classes; /* struct report_class */
    struct build *build;
};

static bool keep_class(struct outlining *o, const struct report_class *class)
{
    struct build *b = o->build;
    struct report_class *kept = list_add(&o->classes, sizeof *kept, &b->scratch, b->err);
    if (kept == NULL)
        return false;
    *kept = *class;
    kept->lines = (struct report_lines){0};
    kept->methods = ARENA_NEW(b->arena, struct report_method, class->method_count, b->err);
    for (uint32_t i = 0; kept->methods != NULL && i < class->method_count; i++) {
        kept->methods[i] = class->methods[i];
        kept->methods[i].lines = (struct report_lines){0};
    }
    return kept->methods != NULL;
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
                          struct build *b)
{
    struct outlining o = {.out = out, .build = b};
    const struct report_view view = {b->facts, b->options->real_only};
    struct visit v = {.views = &view, .view_count = 1, .take = keep_slice, .context = &o};
    bool ok = open_visit(&v, b) && visit_files(&v, package, b);
    close_visit(&v);
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
                         struct build *b)
{
    struct report_view view = {b->facts, b->options->real_only};
    struct lines_module *modules = NULL;
    return sum_parts(&modules, package, &view, b->arena, b) &&
           build_files(out, package, modules, &b->scratch, b) &&
           (out->class_count != 0 ||
            count_bare_methods(out, modules, package->part_count, package->owner_count, b)) &&
           excluded_lines_note(&b->excluded, out, b->err);
}

static bool build_package(struct report_package *out, struct package_parts *package,
                          struct build *b)
{
    *out = describe_package(package);
    return list_modules(out, package->parts, package->part_count, b) && name_package(package, b) &&
           (b->options->outline ? outline_files(out, package, b) : fill_package(out, package, b));
}

/* --- all packages ----------------------------------------------------------------------------- */

/* Should the module be shown at all? */
static bool takes_part(bool *out, const struct fact_module *module, struct build *b)
{
    const struct pattern *exclude = excluding_assembly(b, module->name);
    const struct reason *reason = module->reason;
    *out = module->state != MODULE_SKIPPED && exclude == NULL;
    if (*out)
        return true;
    if (module->state != MODULE_SKIPPED && !excluded_by(&reason, exclude, b))
        return false;
    return omit_module(b, module, reason);
}

static int order_parts(const void *left, const void *right)
{
    const struct part *a = left, *b = right;
    int order = str_cmp(a->module->name, b->module->name);
    return order != 0 ? order : (a->module > b->module) - (a->module < b->module);
}

/* The modules that are shown, by package. */
static bool list_parts(struct part **out, uint32_t *count, struct build *b)
{
    *count = 0;
    *out = ARENA_NEW(b->arena, struct part, b->facts->module_count, b->err);
    if (*out == NULL)
        return false;
    for (uint32_t i = 0; i < b->facts->module_count; i++) {
        bool shown = false;
        if (!takes_part(&shown, &b->facts->modules[i], b))
            return false;
        if (shown)
            (*out)[(*count)++] = (struct part){.module = &b->facts->modules[i]};
    }
    if (*count != 0)
        qsort(*out, *count, sizeof **out, order_parts);
    return true;
}

/* The package that begins with the first of `count` parts. */
static struct package_parts first_package(struct part *parts, uint32_t count)
{
    struct package_parts package = {.parts = parts};
    while (package.part_count < count &&
           str_eq(parts->module->name, parts[package.part_count].module->name))
        package.part_count++;
    return package;
}

static bool build_packages(struct report *out, struct part *parts, uint32_t part_count,
                           struct build *b)
{
    for (uint32_t i = 0; i < part_count;) {
        struct report_package *package = &out->packages[out->package_count];
        struct package_parts of = first_package(parts + i, part_count - i);
        progress_at(b->options->progress, "making the report", i, part_count);
        i += of.part_count;
        arena_reset(&b->scratch);
        if (!build_package(package, &of, b))
            return false;
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

/* What a run does not know; NULL if it knows all, or was asked for only a part. */
static const char *unknown_of(const struct fact_run *run)
{
    if (run->kind != RUN_PARTIAL)
        return NULL;
    if (reason_is(run->reason, REASON_ATTACHED) || reason_is(run->reason, REASON_RESET))
        return "what ran before";
    return reason_is(run->reason, REASON_INCOMPLETE) ? "what ran there" : NULL;
}

static bool is_noted(const struct facts *facts, uint32_t run)
{
    for (uint32_t i = 0; i < run; i++)
        if (unknown_of(&facts->runs[i]) != NULL &&
            reason_eq(facts->runs[i].reason, facts->runs[run].reason))
            return true;
    return false;
}

/* Code that ran before counting began, or where it was not counted, must not look missed. */
static bool make_notes(struct report *out, const struct facts *facts, struct arena *arena,
                       struct err *err)
{
    out->notes = ARENA_NEW(arena, struct str, facts->run_count, err);
    for (uint32_t i = 0; out->notes != NULL && i < facts->run_count; i++) {
        const struct fact_run *run = &facts->runs[i];
        struct text note;
        const char *unknown = unknown_of(run);
        if (unknown == NULL || is_noted(facts, i))
            continue;
        text_open(&note, arena);
        reason_add(&note, run->reason);
        text_addf(&note, ": %s is unknown, not missed", unknown);
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
    struct build b = {.facts = facts, .options = options, .arena = arena, .err = err};
    *out = (struct report){.root = report_root(facts, options),
                           .timestamp = options->timestamp,
                           .is_outline = options->outline,
                           .facts = all,
                           .options = options};
    struct part *parts = NULL;
    uint32_t part_count = 0;
    out->packages = ARENA_NEW(arena, struct report_package, facts->module_count, err);
    if (out->packages == NULL || !list_parts(&parts, &part_count, &b))
        return false;
    arena_init(&b.scratch, NULL, 0, ARENA_NO_LIMIT);
    excluded_lines_open(&b.excluded, options);
    bool ok = excluded_lines_list(&b.excluded, facts, err) &&
              build_packages(out, parts, part_count, &b) &&
              excluded_lines_find(&b.excluded, out, arena, err);
    excluded_lines_close(&b.excluded);
    arena_free(&b.scratch);
    out->omissions = b.omissions.items;
    out->omission_count = sort_omissions(out->omissions, b.omissions.count);
    out->first_empty = b.first_empty;
    return ok && make_notes(out, facts, arena, err);
}

/* --- a visit to all packages ------------------------------------------------------------------ */

static bool visit_all(struct visit *v, struct build *b)
{
    struct part *parts = NULL;
    uint32_t part_count = 0;
    if (!open_visit(v, b) || !list_parts(&parts, &part_count, b))
        return false;
    for (uint32_t i = 0; i < part_count;) {
        struct package_parts package = first_package(parts + i, part_count - i);
        progress_at(b->options->progress, "comparing", i, part_count);
        i += package.part_count;
        arena_reset(&b->scratch);
        if (!name_package(&package, b) || !visit_files(v, &package, b))
            return false;
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
    struct build b = {
        .facts = facts, .options = options, .forgets_omissions = true, .arena = arena, .err = err};
    struct visit v = {.views = applied, .view_count = view_count, .take = take, .context = context};
    arena_init(&b.scratch, NULL, 0, ARENA_NO_LIMIT);
    bool ok = visit_all(&v, &b);
    close_visit(&v);
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
