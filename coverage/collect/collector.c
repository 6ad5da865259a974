#include "coverage/collect/collector.h"

#include <stdio.h>
#include <string.h>

#include "coverage/source/symbols.h"

struct fact_module *collector_add_module(struct collector *c, struct err *err)
{
    return list_add(&c->modules, sizeof(struct fact_module), c->arena, err);
}

bool collector_add_skipped(struct collector *c, struct str name, struct str path,
                           const uint8_t *mvid, const struct reason *reason, struct err *err)
{
    struct fact_module *module = collector_add_module(c, err);
    if (module == NULL)
        return false;
    *module =
        (struct fact_module){.name = name, .path = path, .state = MODULE_SKIPPED, .reason = reason};
    if (mvid != NULL)
        memcpy(module->mvid, mvid, sizeof module->mvid);
    return true;
}

bool collector_reason_of(const struct reason **out, const struct err *why, struct collector *c,
                         struct err *err)
{
    *out = reason_new(REASON_ERROR, str_of(why->text), STR(""), c->arena, err);
    return *out != NULL;
}

struct module_facts_request collector_request(struct collector *c, const struct module *module,
                                              struct str path)
{
    return (struct module_facts_request){
        .module = module,
        .path = path,
        .mode = c->options->config.mode,
        .scope = &c->scope,
        .documents = {.root = str_of(c->options->root),
                      .exclude_files = c->options->exclude_files,
                      .exclude_file_count = c->options->exclude_file_count,
                      .warnings = &c->warnings,
                      .notes = &c->notes},
        .exclusions = c->options->exclusions,
    };
}

bool collector_find_symbols(struct collector *c, struct module *module, struct str path,
                            const struct reason **reason, struct arena *scratch, struct err *err)
{
    struct err pdb_err;
    char dll_path[4096];
    (void)snprintf(dll_path, sizeof dll_path, "%.*s", STR_ARGS(path));
    if (symbols_find(module, dll_path, scratch, &pdb_err)) {
        if (!module->has_pdb)
            *reason = reason_of(REASON_NO_PDB);
        return true;
    }
    module->has_pdb = false;
    if (pdb_err.code == ERR_MEMORY)
        return err_set(err, ERR_MEMORY, "%s", pdb_err.text);
    return collector_reason_of(reason, &pdb_err, c, err) &&
           troubles_add_bad_input(&c->troubles, err, "%.*s has no lines in the report: %s",
                                  STR_ARGS(module->name), pdb_err.text);
}
