#include "cli/outcome/missing_assemblies.h"

#include "base/list.h"
#include "base/path.h"
#include "coverage/source/paths.h"
#include "scope/scope.h"
#include "system/file_status.h"

/* Was it measured or found, or left out on purpose? */
static bool is_known(const struct facts *head, struct str name)
{
    for (uint32_t i = 0; i < head->module_count; i++) {
        const struct fact_module *module = &head->modules[i];
        bool is_chosen =
            module->reason != NULL && scope_may_have_owners((enum reason_code)module->reason->code);
        if ((facts_has_code(module) || is_chosen) && str_eq(module->name, name))
            return true;
    }
    return false;
}

static bool has_source(const struct facts *head, struct str relative)
{
    for (uint32_t m = 0; m < head->module_count; m++)
        for (uint32_t d = 0; d < head->modules[m].document_count; d++)
            if (str_eq(head->modules[m].documents[d].relative, relative))
                return true;
    return false;
}

/* Is it below the root, and in no other assembly now? */
static bool is_still_there(const struct fact_document *document, const struct facts *head,
                           struct str root, const struct option_list *exclude_files)
{
    char path[PATH_ROOM];
    return document->relative.len != 0 && document->reason == NULL && document->generated == NULL &&
           !paths_match_any(exclude_files->items, exclude_files->count, document->relative) &&
           path_join_in(path, root, document->relative) && file_exists(path) &&
           !has_source(head, document->relative);
}

static const struct fact_document *find_source(const struct fact_module *module,
                                               const struct facts *head, struct str root,
                                               const struct option_list *exclude_files)
{
    for (uint32_t i = 0; i < module->statement_count; i++) {
        const struct fact_document *document = &module->documents[module->statements[i].document];
        bool is_same =
            i != 0 && module->statements[i].document == module->statements[i - 1].document;
        if (!is_same && is_still_there(document, head, root, exclude_files))
            return document;
    }
    return NULL;
}

static bool is_excluded(struct str name, const struct pattern *exclude, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (pattern_is_whole_assembly(&exclude[i]) && pattern_matches_assembly(&exclude[i], name))
            return true;
    return false;
}

/* Builds of one assembly stand together. */
static bool is_listed(const struct list *names, struct str name)
{
    return names->count != 0 && str_eq(((struct str *)names->items)[names->count - 1], name);
}

bool missing_assemblies_find(struct missing_assemblies *out, const struct facts *base,
                             const struct facts *head, struct str root,
                             const struct pattern *exclude, const struct filter_options *filter,
                             struct arena *arena, struct err *err)
{
    struct list names = {.items = NULL};
    *out = (struct missing_assemblies){.first = STR("")};
    for (uint32_t i = 0; i < base->module_count; i++) {
        const struct fact_module *module = &base->modules[i];
        if (!facts_has_code(module) || is_listed(&names, module->name) ||
            is_known(head, module->name) ||
            is_excluded(module->name, exclude, filter->exclude.count))
            continue;
        const struct fact_document *source =
            find_source(module, head, root, &filter->exclude_files);
        if (source == NULL)
            continue;
        if (!list_put(&names, &module->name, sizeof module->name, arena, err))
            return false;
        if (names.count == 1)
            out->first = source->relative;
    }
    out->names = names.items;
    out->count = names.count;
    return true;
}
