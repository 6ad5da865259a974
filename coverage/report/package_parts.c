#include "coverage/report/package_parts.h"

#include <stdlib.h>

#include "base/sort.h"
#include "coverage/report/omissions.h"
#include "coverage/source/paths.h"

/* How deep methods are folded into each other: one level in valid facts. */
enum {
    FOLDING_STEPS = 16
};

/* --- modules to packages ---------------------------------------------------------------------- */

static const struct pattern *excluding_assembly(const struct building *b, struct str assembly)
{
    for (uint32_t i = 0; i < b->options->exclude_count; i++)
        if (pattern_is_whole_assembly(&b->options->exclude[i]) &&
            pattern_matches_assembly(&b->options->exclude[i], assembly))
            return &b->options->exclude[i];
    return NULL;
}

/* Should the module be shown at all? */
static bool takes_part(bool *out, const struct fact_module *module, struct building *b)
{
    const struct pattern *exclude = excluding_assembly(b, module->name);
    const struct reason *reason = module->reason;
    *out = module->state != MODULE_SKIPPED && exclude == NULL;
    if (*out)
        return true;
    if (module->state != MODULE_SKIPPED && !omissions_excluded_by(&reason, exclude, b))
        return false;
    return omissions_add_module(b, module, reason);
}

static int order_parts(const void *left, const void *right)
{
    const struct package_part *a = left, *b = right;
    int order = str_cmp(a->module->name, b->module->name);
    return order != 0 ? order : (a->module > b->module) - (a->module < b->module);
}

bool package_parts_list(struct package_part **out, uint32_t *count, struct building *b)
{
    *count = 0;
    *out = ARENA_NEW(b->arena, struct package_part, b->facts->module_count, b->err);
    if (*out == NULL)
        return false;
    for (uint32_t i = 0; i < b->facts->module_count; i++) {
        bool shown = false;
        if (!takes_part(&shown, &b->facts->modules[i], b))
            return false;
        if (shown)
            (*out)[(*count)++] = (struct package_part){.module = &b->facts->modules[i]};
    }
    if (*count != 0)
        qsort(*out, *count, sizeof **out, order_parts);
    return true;
}

uint64_t package_parts_statements(const struct package_part *parts, uint32_t count)
{
    uint64_t statements = 0;
    for (uint32_t i = 0; i < count; i++)
        statements += parts[i].module->statement_count;
    return statements;
}

struct package_parts package_parts_first(struct package_part *parts, uint32_t count)
{
    struct package_parts package = {.parts = parts};
    while (package.part_count < count &&
           str_eq(parts->module->name, parts[package.part_count].module->name))
        package.part_count++;
    return package;
}

/* --- who owns what: user methods and files get their numbers ---------------------------------- */

static int order_owners(const void *left, const void *right)
{
    const struct fact_method *a = ((const struct package_owner *)left)->method;
    const struct fact_method *b = ((const struct package_owner *)right)->method;
    int order = str_cmp(a->type, b->type);
    if (order == 0)
        order = str_cmp(a->name, b->name);
    return order != 0 ? order : str_cmp(a->signature, b->signature);
}

static int order_files(const void *left, const void *right)
{
    const struct package_file *a = left, *b = right;
    return str_cmp(a->path, b->path);
}

/* Those of equal names get the same number, in ascending order; one of each is kept. */
static uint32_t number_owners(struct package_owner *owners, uint32_t count)
{
    uint32_t kept = 0;
    sort_unless_sorted(owners, count, sizeof *owners, order_owners);
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || order_owners(&owners[kept - 1], &owners[i]) != 0)
            owners[kept++] = owners[i];
        *owners[i].number = kept - 1;
    }
    return kept;
}

static uint32_t number_files(struct package_file *files, uint32_t count)
{
    uint32_t kept = 0;
    sort_unless_sorted(files, count, sizeof *files, order_files);
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || order_files(&files[kept - 1], &files[i]) != 0)
            files[kept++] = files[i];
        *files[i].number = kept - 1;
    }
    return kept;
}

static uint32_t user_method(const struct fact_module *module, uint32_t method)
{
    for (int i = 0; i < FOLDING_STEPS && module->methods[method].user_method != method; i++)
        method = module->methods[method].user_method;
    return method;
}

static const struct pattern *excluding_type(const struct building *b, struct str assembly,
                                            struct str type)
{
    for (uint32_t i = 0; i < b->options->exclude_count; i++)
        if (pattern_matches_type(&b->options->exclude[i], assembly, type))
            return &b->options->exclude[i];
    return NULL;
}

/* A refused method still lends its name to the methods folded into it. */
static bool name_user_methods(struct package_owner *owners, uint32_t *owner_count,
                              struct package_part *part, struct building *b)
{
    const struct fact_module *module = part->module;
    for (uint32_t i = 0; i < module->method_count; i++) {
        const struct fact_method *method = &module->methods[i];
        if (user_method(module, i) != i || method->state == METHOD_EXCLUDED ||
            (method->generated != NULL && !b->options->include_generated))
            continue;
        const struct pattern *exclude = excluding_type(b, module->name, method->type);
        if (exclude == NULL) {
            owners[(*owner_count)++] = (struct package_owner){method, &part->owner_of[i]};
            continue;
        }
        const struct reason *reason = NULL;
        if (!omissions_excluded_by(&reason, exclude, b) ||
            !omissions_add_method(b, module, method, reason))
            return false;
    }
    return true;
}

/* Compiler-generated methods follow their user method. A method that is left out has no owner but a
 * reason, which is reported once. If only a lambda is excluded, its lines are reported instead
 * (excluded_lines.h). */
static bool fold_methods(struct package_part *part, struct building *b)
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
        if (!reported_elsewhere && !omissions_add_method(b, module, method, method->reason))
            return false;
    }
    return true;
}

static bool name_owners(struct package_owner **owners, uint32_t *owner_count,
                        struct package_part *parts, uint32_t part_count, struct building *b)
{
    size_t room = 0;
    for (uint32_t i = 0; i < part_count; i++)
        room += parts[i].module->method_count;
    *owner_count = 0;
    *owners = arena_raw(&b->scratch, room, sizeof **owners, b->err);
    if (*owners == NULL)
        return false;
    for (uint32_t i = 0; i < part_count; i++)
        if (!name_user_methods(*owners, owner_count, &parts[i], b))
            return false;
    *owner_count = number_owners(*owners, *owner_count);
    for (uint32_t i = 0; i < part_count; i++)
        if (!fold_methods(&parts[i], b))
            return false;
    return true;
}

static bool is_reported(const struct building *b, const struct fact_document *document)
{
    return document->relative.len != 0 && document->reason == NULL &&
           (document->generated == NULL || b->options->include_generated) &&
           !paths_match_any(b->options->exclude_files, b->options->exclude_file_count,
                            document->relative);
}

static bool name_files(struct package_file **files, uint32_t *file_count,
                       struct package_part *parts, uint32_t part_count, struct building *b)
{
    size_t room = 0;
    uint32_t count = 0;
    for (uint32_t i = 0; i < part_count; i++)
        room += parts[i].module->document_count;
    *files = arena_raw(&b->scratch, room, sizeof **files, b->err);
    if (*files == NULL)
        return false;
    for (uint32_t i = 0; i < part_count; i++) {
        const struct fact_module *module = parts[i].module;
        for (uint32_t d = 0; d < module->document_count; d++) {
            const struct fact_document *document = &module->documents[d];
            if (is_reported(b, document))
                (*files)[count++] = (struct package_file){document->relative, &parts[i].file_of[d]};
        }
    }
    *file_count = number_files(*files, count);
    return true;
}

uint32_t *package_new_numbers(struct building *b, uint32_t count)
{
    uint32_t *numbers = arena_raw(&b->scratch, count, sizeof *numbers, b->err);
    for (uint32_t i = 0; numbers != NULL && i < count; i++)
        numbers[i] = NO_INDEX;
    return numbers;
}

/* Why -i, -x or an attribute leaves the method out; NULL if none of them does. */
static bool find_exclusion(const struct reason **out, const struct fact_module *module,
                           uint32_t method, struct building *b)
{
    const struct fact_method *user = &module->methods[user_method(module, method)];
    const struct pattern *exclude = excluding_type(b, module->name, user->type);
    *out = module->methods[method].reason;
    if (reason_is(*out, REASON_NOT_INCLUDED) || reason_is(*out, REASON_EXCLUDED) ||
        reason_is(*out, REASON_ATTRIBUTE))
        return true;
    *out = NULL;
    return exclude == NULL || omissions_excluded_by(out, exclude, b);
}

/* The one such reason of all of its methods; NULL if there is none. */
static bool find_shared_exclusion(const struct reason **out, const struct fact_module *module,
                                  struct building *b)
{
    const struct reason *reason = NULL;
    for (uint32_t i = 0; i < module->method_count; i++) {
        if (!find_exclusion(&reason, module, i, b))
            return false;
        *out = i == 0 || reason_eq(*out, reason) ? reason : NULL;
        if (*out == NULL)
            return true;
    }
    return true;
}

/* Why no line of the module is in the report; NULL if at least one is. */
static bool find_why_empty(const struct reason **out, const struct package_part *part,
                           struct building *b)
{
    const struct fact_module *module = part->module;
    const struct fact_document *left_out = NULL;
    bool any_generated = false;
    *out = NULL;
    for (uint32_t i = 0; i < module->statement_count; i++) {
        const struct fact_statement *statement = &module->statements[i];
        if (facts_generated(module, statement) != NULL && !b->options->include_generated) {
            any_generated = true;
            continue;
        }
        if (part->owner_of[statement->method] == NO_INDEX || statement->reason != NULL)
            continue;
        if (part->file_of[statement->document] != NO_INDEX)
            return true;
        left_out = &module->documents[statement->document];
    }
    if (module->statement_count == 0)
        *out = reason_of(REASON_NO_STATEMENT);
    else if (!find_shared_exclusion(out, module, b))
        return false;
    if (module->reason != NULL)
        *out = module->reason;
    else if (left_out != NULL && left_out->reason != NULL)
        *out = left_out->reason;
    else if (left_out != NULL)
        *out = reason_of(left_out->relative.len != 0 ? REASON_EXCLUDED_FILE : REASON_OUTSIDE_ROOT);
    else if (any_generated)
        *out = reason_of(REASON_ALL_GENERATED);
    else if (*out == NULL)
        *out = reason_of(REASON_ALL_LEFT_OUT);
    return true;
}

static bool list_types(uint32_t **out, const struct package_owner *owners, uint32_t owner_count,
                       struct building *b)
{
    uint32_t *types = ARENA_NEW(&b->scratch, uint32_t, owner_count, b->err);
    if (types == NULL)
        return false;
    for (uint32_t i = 1; i < owner_count; i++)
        types[i] = types[i - 1] + !str_eq(owners[i].method->type, owners[i - 1].method->type);
    *out = types;
    return true;
}

bool package_parts_name(struct package_parts *package, struct building *b)
{
    struct package_part *parts = package->parts;
    uint32_t part_count = package->part_count;
    for (uint32_t i = 0; i < part_count; i++) {
        parts[i].owner_of = package_new_numbers(b, parts[i].module->method_count);
        parts[i].file_of = package_new_numbers(b, parts[i].module->document_count);
        if (parts[i].owner_of == NULL || parts[i].file_of == NULL ||
            !copies_find(&parts[i].copies, parts[i].module, &b->scratch, b->err))
            return false;
    }
    if (!name_owners(&package->owners, &package->owner_count, parts, part_count, b) ||
        !name_files(&package->files, &package->file_count, parts, part_count, b) ||
        !list_types(&package->types, package->owners, package->owner_count, b))
        return false;
    for (uint32_t i = 0; i < part_count; i++) {
        const struct reason *reason;
        if (!find_why_empty(&reason, &parts[i], b))
            return false;
        if (reason != NULL && !omissions_add_module(b, parts[i].module, reason))
            return false;
    }
    return true;
}
