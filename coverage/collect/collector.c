#include "coverage/collect/collector.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "coverage/collect/documents.h"
#include "coverage/source/symbols.h"

bool collector_stops(struct collector *c)
{
    const struct collect_options *options = c->options;
    c->result.is_stopped =
        c->result.is_stopped || (options->stop != NULL && options->stop(options->stop_context));
    return c->result.is_stopped;
}

static bool stop_module(void *context)
{
    return collector_stops(context);
}

bool collector_make_scope(struct collector *c, struct err *err)
{
    const struct session_config *config = &c->options->config;
    struct pattern *include = NULL, *exclude = NULL;
    if (!pattern_parse_all(&include, config->include, config->include_count, c->arena, err) ||
        !pattern_parse_all(&exclude, config->exclude, config->exclude_count, c->arena, err))
        return false;
    c->scope = (struct scope){.include = include,
                              .exclude = exclude,
                              .include_count = config->include_count,
                              .exclude_count = config->exclude_count,
                              .include_tests = config->include_tests,
                              .packages = &c->packages};
    return true;
}

bool collector_list_documents(struct list *out, struct collector *c, const struct module *module,
                              struct str path, struct arena *arena, struct arena *scratch,
                              struct err *err)
{
    struct documents documents;
    struct module_facts_request request = collector_request(c, module, path);
    bool ok = documents_open(&documents, &request.documents, module, arena, scratch, err) &&
              documents_add_others(&documents, err);
    *out = documents.list;
    documents_close(&documents);
    return ok;
}

/* If any is below the root. */
static bool list_sources(struct fact_module *module, struct collector *c, struct module *opened,
                         struct arena *scratch, struct err *err)
{
    struct list list;
    if (!collector_list_documents(&list, c, opened, module->path, c->arena, scratch, err))
        return false;
    const struct fact_document *items = list.items;
    for (uint32_t i = 0; i < list.count && module->documents == NULL; i++)
        if (items[i].relative.len != 0) {
            module->documents = list.items;
            module->document_count = list.count;
        }
    return true;
}

/* Which sources nobody asked for, so that a changed one is not taken for one that was missed. Those
 * of packages, which may have been built from /_/src/A.cs, are not of this root. */
static bool read_sources(struct fact_module *module, struct collector *c, struct err *err)
{
    struct module opened;
    struct err why = {.code = ERR_NONE};
    char path[PATH_ROOM];
    const struct scope all = {.include_tests = true, .packages = &c->packages};
    (void)snprintf(path, sizeof path, "%.*s", STR_ARGS(module->path));
    if (!module_open_file(&opened, path, NULL))
        return true;
    struct arena scratch = ARENA_EMPTY;
    bool found = scope_skip_reason(&all, &opened, module->path, c->framework_dir) == REASON_NONE &&
                 symbols_find(&opened, path, &scratch, &why);
    bool ok = found ? list_sources(module, c, &opened, &scratch, err) : err_tolerate(err, &why);
    module_close(&opened);
    arena_free(&scratch);
    return ok;
}

bool collector_add_skipped(struct collector *c, struct str name, struct str path,
                           const uint8_t *mvid, const struct reason *reason, struct err *err)
{
    struct fact_module *module = list_add(&c->modules, sizeof *module, c->arena, err);
    if (module == NULL)
        return false;
    *module =
        (struct fact_module){.name = name, .path = path, .state = MODULE_SKIPPED, .reason = reason};
    if (mvid != NULL)
        memcpy(module->mvid, mvid, sizeof module->mvid);
    return !scope_may_have_contexts((enum reason_code)reason->code) || read_sources(module, c, err);
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
                      .maps = c->options->maps,
                      .exclude_files = c->options->exclude_files,
                      .exclude_file_count = c->options->exclude_file_count,
                      .warnings = &c->warnings,
                      .notes = &c->notes},
        .exclusions = c->options->exclusions,
        .stop = stop_module,
        .stop_context = c,
        .progress = c->options->progress,
    };
}

bool collector_tell_believed(struct collector *c, struct err *err)
{
    struct text text = text_in(c->arena);
    messages_name(&text, &c->believed);
    text_addf(&text,
              ": %s not have the checksum that the %s, but the id, as ilasm writes them; "
              "used as they are",
              c->believed.count == 1 ? "its PDB does" : "their PDBs do",
              c->believed.count == 1 ? "assembly names" : "assemblies name");
    return c->believed.count == 0 || messages_take(&c->messages, &text, MESSAGE_WARNING, err);
}

/* Opens the file if it is the build with this MVID. */
static bool open_build(struct module *module, struct str path, const uint8_t mvid[16])
{
    char buffer[PATH_ROOM];
    (void)snprintf(buffer, sizeof buffer, "%.*s", STR_ARGS(path));
    if (path.len == 0 || !module_open_file(module, buffer, NULL))
        return false;
    if (memcmp(module->mvid, mvid, sizeof module->mvid) == 0)
        return true;
    module_close(module);
    return false;
}

bool collector_open_counted(struct module *module, struct str *path, const struct session *session,
                            const struct session_counters *files, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        *path = files[i].module_path;
        if (open_build(module, *path, files[i].mvid))
            return true;
    }
    const struct str *copy = session_module_copy(session, files[0].mvid);
    *path = files[0].module_path;
    return copy != NULL && open_build(module, *copy, files[0].mvid);
}

/* Is the file the build that ran? If not, the module is the copy that the library kept of it, and
 * the symbols that lie there are not its own. */
static bool is_what_ran(struct str path, const struct module *module)
{
    struct module now;
    bool same = open_build(&now, path, module->mvid);
    if (same)
        module_close(&now);
    return same;
}

bool collector_find_symbols(struct collector *c, struct module *module, struct str path,
                            const struct reason **reason, struct arena *scratch, struct err *err)
{
    struct err pdb_err;
    char dll_path[PATH_ROOM];
    (void)snprintf(dll_path, sizeof dll_path, "%.*s", STR_ARGS(path));
    if (symbols_find(module, dll_path, scratch, &pdb_err)) {
        if (!module->has_pdb)
            *reason = reason_of(REASON_NO_PDB);
        struct str name;
        return !module->pdb_checksum_differs ||
               (str_copy(&name, module->name, c->arena, err) &&
                list_put(&c->believed, &name, sizeof name, c->arena, err));
    }
    module->has_pdb = false;
    if (!err_tolerate(err, &pdb_err))
        return false;
    if (pdb_err.code == ERR_MISMATCH && !is_what_ran(path, module)) {
        *reason = reason_of(REASON_FILE_GONE);
        return messages_addf(&c->messages, MESSAGE_BAD_INPUT, err,
                             "%.*s has no lines in the report: %s is gone or was replaced since",
                             STR_ARGS(module->name), dll_path);
    }
    return collector_reason_of(reason, &pdb_err, c, err) &&
           messages_addf(&c->messages, MESSAGE_BAD_INPUT, err,
                         "%.*s has no lines in the report: %s", STR_ARGS(module->name),
                         pdb_err.text);
}
