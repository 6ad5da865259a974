#include "coverage/report/outside.h"

#include "base/list.h"
#include "base/path.h"
#include "coverage/report/excluded_lines.h"
#include "coverage/source/paths.h"

/* --- which there are -------------------------------------------------------------------------- */

/* Was the document left out although nobody asked for that? */
static bool is_outside(const struct fact_document *document)
{
    return facts_lacks_source(document->reason) && any_path_is_absolute(document->path) &&
           !paths_is_of_package(document->path);
}

static bool is_not_shown(const struct fact_module *module, const struct fact_statement *statement,
                         const struct report_options *options)
{
    const struct fact_method *method = &module->methods[statement->method];
    const struct fact_method *user = &module->methods[method->user_method];
    if (statement->reason != NULL || method->state != METHOD_INSTRUMENTED ||
        user->state == METHOD_EXCLUDED ||
        (facts_generated(module, statement) != NULL && !options->include_generated))
        return true;
    return excluding_pattern(options, module->name, user->type) != NULL;
}

/* Which documents have statements that a report would show. */
static bool *used_documents(const struct fact_module *module, const struct report_options *options,
                            struct arena *arena, struct err *err)
{
    bool *used = ARENA_NEW(arena, bool, module->document_count, err);
    for (uint32_t i = 0; used != NULL && i < module->statement_count; i++)
        if (!is_not_shown(module, &module->statements[i], options))
            used[module->statements[i].document] = true;
    return used;
}

static void count_outside(struct outside_module *out, const struct fact_module *module,
                          const bool *used)
{
    *out =
        (struct outside_module){.name = module->name, .ran = module->state == MODULE_INSTRUMENTED};
    for (uint32_t i = 0; i < module->document_count; i++) {
        const struct fact_document *document = &module->documents[i];
        if (!used[i])
            continue;
        out->source_count++;
        if (!is_outside(document))
            continue;
        if (out->outside_count++ == 0) {
            out->first = document->path;
            out->reason = document->reason;
        }
    }
}

/* Two builds of one assembly are one. */
static bool is_listed_outside(const struct list *list, const struct outside_module *module)
{
    struct outside_module *known = list->items;
    for (uint32_t i = 0; i < list->count; i++)
        if (str_eq(known[i].name, module->name)) {
            known[i].ran = known[i].ran || module->ran;
            return true;
        }
    return false;
}

bool outside_find(struct outside *out, const struct facts *facts,
                  const struct report_options *options, struct arena *arena, struct err *err)
{
    struct list list = {.items = NULL};
    *out = (struct outside){.count = 0};
    for (uint32_t i = 0; i < facts->module_count; i++) {
        const struct fact_module *module = &facts->modules[i];
        struct outside_module found;
        if (module->state != MODULE_INSTRUMENTED && module->state != MODULE_NOT_LOADED)
            continue;
        const bool *used = used_documents(module, options, arena, err);
        if (used == NULL)
            return false;
        count_outside(&found, module, used);
        if (found.outside_count == 0 || is_listed_outside(&list, &found))
            continue;
        if (!list_put(&list, &found, sizeof found, arena, err))
            return false;
    }
    out->modules = list.items;
    out->count = list.count;
    return true;
}
