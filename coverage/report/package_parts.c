#include "coverage/report/package_parts.h"

#include "base/sort.h"
#include "coverage/source/paths.h"

/* How deep methods are folded into each other: one level in valid facts. */
enum {
    FOLDING_STEPS = 16
};

/* --- what is left out ------------------------------------------------------------------------- */

static bool put_omission(struct building *b, struct report_omission omission)
{
    if (b->forgets_omissions)
        return true;
    return list_put(&b->omissions, &omission, sizeof omission, b->arena, b->err);
}

/* The first module that was measured and is left out becomes `first_empty`. */
static bool omit_module(struct building *b, const struct fact_module *module,
                        const struct reason *reason)
{
    struct report_omission omission = {module->name, STR(""), STR(""), reason};
    if (module->state != MODULE_SKIPPED && b->first_empty.reason == NULL)
        b->first_empty = omission;
    return put_omission(b, omission);
}

static bool omit_method(struct building *b, const struct fact_module *module,
                        const struct fact_method *method, const struct reason *reason)
{
    struct report_omission omission = {.module = module->name, .reason = reason};
    return fact_display_text(&omission.method,
                             (struct fact_display){method->type, method->name, method->signature},
                             b->arena, b->err) &&
           fact_display_text(&omission.display_method, fact_method_display(method), b->arena,
                             b->err) &&
           put_omission(b, omission);
}

/* The reason for what an option of the user excludes. */
static bool make_exclusion(const struct reason **reason, const struct pattern *pattern,
                           struct building *b)
{
    struct str text;
    if (!text_format(&text, b->arena, b->err, "[%.*s]%.*s", STR_ARGS(pattern->assembly),
                     STR_ARGS(pattern->type)))
        return false;
    *reason = reason_new(REASON_EXCLUDED_BY, text, STR(""), b->arena, b->err);
    return *reason != NULL;
}

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
    if (module->state != MODULE_SKIPPED && !make_exclusion(&reason, exclude, b))
        return false;
    return omit_module(b, module, reason);
}

ORDER(order_parts, struct package_part,
      BY(module->name) BY_ORDER(number_order((uintptr_t)a->module, (uintptr_t)b->module)))

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
    sort_unless_sorted(*out, *count, sizeof **out, order_parts);
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

struct report_package package_parts_describe(const struct package_parts *package)
{
    struct report_package described = {.name = package->parts->module->name, .not_loaded = true};
    for (uint32_t i = 0; i < package->part_count; i++)
        described.not_loaded =
            described.not_loaded && package->parts[i].module->state == MODULE_NOT_LOADED;
    return described;
}

/* --- who owns what: user methods and files get their numbers ---------------------------------- */

ORDER(order_items_by_owner, struct package_item,
      BY(method->type) BY(method->name) BY(method->signature))
ORDER(order_items_by_path, struct package_item, BY(path))

/* Those of equal names get the same number, in ascending order; one of each is kept. */
static uint32_t number_items(struct package_item *items, uint32_t count,
                             int (*order)(const void *left, const void *right))
{
    uint32_t kept = 0;
    sort_unless_sorted(items, count, sizeof *items, order);
    for (uint32_t i = 0; i < count; i++) {
        if (kept == 0 || order(&items[kept - 1], &items[i]) != 0)
            items[kept++] = items[i];
        *items[i].number = kept - 1;
    }
    return kept;
}

static uint32_t final_user_method(const struct fact_module *module, uint32_t method)
{
    for (int i = 0; i < FOLDING_STEPS && module->methods[method].user_method != method; i++)
        method = module->methods[method].user_method;
    return method;
}

/* A declined method still lends its name to the methods folded into it. */
static bool name_user_methods(struct list *owners, struct package_part *part, struct building *b)
{
    const struct fact_module *module = part->module;
    for (uint32_t i = 0; i < module->method_count; i++) {
        const struct fact_method *method = &module->methods[i];
        const struct package_item owner = {.method = method, .number = &part->owner_of[i]};
        const struct reason *reason = NULL;
        if (final_user_method(module, i) != i || method->state == METHOD_EXCLUDED ||
            (method->generated != NULL && !b->options->include_generated))
            continue;
        const struct pattern *exclude = excluding_pattern(b->options, module->name, method->type);
        if (exclude == NULL
                ? !list_put(owners, &owner, sizeof owner, &b->scratch, b->err)
                : !make_exclusion(&reason, exclude, b) || !omit_method(b, module, method, reason))
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
        part->owner_of[i] = part->owner_of[final_user_method(module, i)];
    for (uint32_t i = 0; i < module->method_count; i++) {
        const struct fact_method *method = &module->methods[i];
        uint32_t user = final_user_method(module, i);
        bool reported_elsewhere = user != i && (module->methods[user].state == METHOD_EXCLUDED ||
                                                method->state == METHOD_EXCLUDED);
        if (method->state == METHOD_INSTRUMENTED)
            continue;
        part->owner_of[i] = NO_INDEX;
        if (!reported_elsewhere && !omit_method(b, module, method, method->reason))
            return false;
    }
    return true;
}

static bool name_owners(struct package_parts *package, struct building *b)
{
    struct list owners = {.items = NULL};
    for (uint32_t i = 0; i < package->part_count; i++)
        if (!name_user_methods(&owners, &package->parts[i], b))
            return false;
    package->owners = owners.items;
    package->owner_count = number_items(package->owners, owners.count, order_items_by_owner);
    for (uint32_t i = 0; i < package->part_count; i++)
        if (!fold_methods(&package->parts[i], b))
            return false;
    return true;
}

bool package_parts_leave_inlined(uint32_t *owner_of, const struct package_part *part,
                                 const struct sums *sums, struct building *b)
{
    const struct fact_module *module = part->module;
    bool any = false, *is_left = ARENA_NEW(&b->scratch, bool, module->method_count, b->err);
    for (uint32_t i = 0; is_left != NULL && i < module->method_count; i++) {
        const struct fact_method *method = &module->methods[i];
        is_left[i] = method->user_method == i && owner_of[i] != NO_INDEX &&
                     reason_is(method->reason, REASON_INLINED) && !sums->is_hit[i] &&
                     !sums->is_carried[i] &&
                     (method->entry_count == NO_INDEX || sums->counts[method->entry_count] == 0);
        any |= is_left[i];
        if (is_left[i] && !omit_method(b, module, method, method->reason))
            return false;
    }
    for (uint32_t i = 0; any && i < module->method_count; i++)
        if (is_left[module->methods[i].user_method])
            owner_of[i] = NO_INDEX;
    return is_left != NULL &&
           (!any || b->forgets_omissions ||
            excluded_lines_add(&b->excluded, module, is_left, reason_of(REASON_INLINED), b->err));
}

static bool is_reported(const struct building *b, const struct fact_document *document)
{
    return document->relative.len != 0 && document->reason == NULL &&
           (document->generated == NULL || b->options->include_generated) &&
           !paths_match_any(b->options->exclude_files, b->options->exclude_file_count,
                            document->relative);
}

static bool name_files(struct package_parts *package, struct building *b)
{
    struct list files = {.items = NULL};
    for (uint32_t i = 0; i < package->part_count; i++) {
        const struct fact_module *module = package->parts[i].module;
        for (uint32_t d = 0; d < module->document_count; d++) {
            const struct package_item file = {.path = module->documents[d].relative,
                                              .number = &package->parts[i].file_of[d]};
            if (is_reported(b, &module->documents[d]) &&
                !list_put(&files, &file, sizeof file, &b->scratch, b->err))
                return false;
        }
    }
    package->files = files.items;
    package->file_count = number_items(package->files, files.count, order_items_by_path);
    return true;
}

/* Why -i, -x or an attribute leaves the method out; NULL if none of them does. */
static bool find_exclusion(const struct reason **out, const struct fact_module *module,
                           uint32_t method, struct building *b)
{
    const struct fact_method *user = &module->methods[final_user_method(module, method)];
    const struct pattern *exclude = excluding_pattern(b->options, module->name, user->type);
    *out = module->methods[method].reason;
    if (reason_is(*out, REASON_NOT_INCLUDED) || reason_is(*out, REASON_EXCLUDED) ||
        reason_is(*out, REASON_ATTRIBUTE))
        return true;
    *out = NULL;
    return exclude == NULL || make_exclusion(out, exclude, b);
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

static bool list_types(uint32_t **out, const struct package_item *owners, uint32_t owner_count,
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
        parts[i].owner_of = arena_no_indexes(&b->scratch, parts[i].module->method_count, b->err);
        parts[i].file_of = arena_no_indexes(&b->scratch, parts[i].module->document_count, b->err);
        if (parts[i].owner_of == NULL || parts[i].file_of == NULL ||
            !copies_find(&parts[i].copies, parts[i].module, &b->scratch, b->err))
            return false;
    }
    if (!name_owners(package, b) || !name_files(package, b) ||
        !list_types(&package->types, package->owners, package->owner_count, b))
        return false;
    for (uint32_t i = 0; i < part_count; i++) {
        const struct reason *reason;
        if (!find_why_empty(&reason, &parts[i], b))
            return false;
        if (reason != NULL && !omit_module(b, parts[i].module, reason))
            return false;
    }
    return true;
}
