#include "impact/new_build.h"

#include <string.h>

#include "base/path.h"
#include "coverage/collect/collector.h"
#include "coverage/source/checksum.h"
#include "metadata/lookup.h"
#include "scope/scope.h"
#include "scope/test_methods.h"
#include "system/file_status.h"
#include "system/folder.h"

enum {
    BASES_MAX = 32, /* a chain that is longer is a circle */
    NESTING_MAX = 16
};

struct opening {
    struct new_build *out;
    const struct impact_request *request;
    struct collector collector;
    struct list modules, facts; /* struct module, struct fact_module */
    struct str folder;          /* that is listed */
    struct arena *arena;
    struct err *err;
    bool failed;
};

/* The module of that name whose methods the run knows, or NULL. */
static const struct fact_module *find_known(const struct facts *base, struct str name)
{
    for (uint32_t i = 0; i < base->module_count; i++)
        if (base->modules[i].method_count != 0 && str_eq(base->modules[i].name, name))
            return &base->modules[i];
    return NULL;
}

/* A copy of one that is already there, such as in the output of another project. */
static bool is_opened(const struct opening *o, const struct module *module)
{
    const struct module *modules = o->modules.items;
    for (uint32_t i = 0; i < o->modules.count; i++)
        if (memcmp(modules[i].mvid, module->mvid, sizeof module->mvid) == 0)
            return true;
    return false;
}

static bool note_unreadable(struct opening *o, const char *path, const struct err *why)
{
    struct str *text = list_add(&o->out->unreadable, sizeof *text, o->arena, o->err);
    return text != NULL && text_format(text, o->arena, o->err, "%s: %s", path, why->text);
}

/* Takes over the open module. */
static bool add_build_module(struct opening *o, struct module *module, const char *path,
                             const struct fact_module *known)
{
    struct err why = {.code = ERR_NONE};
    const struct reason *reason = NULL;
    uint64_t *counts = NULL;
    struct str copy;
    struct module *kept = list_add(&o->modules, sizeof *kept, o->arena, o->err);
    if (kept == NULL) {
        module_close(module);
        return false;
    }
    *kept = *module;
    if (!str_copy(&copy, str_of(path), o->arena, o->err))
        return false;
    struct arena scratch = ARENA_EMPTY;
    bool ok = collector_find_symbols(&o->collector, kept, copy, &reason, &scratch, o->err);
    struct module_facts_request request = collector_request(&o->collector, kept, copy);
    request.declares = true;
    request.is_outline = facts_has_test_code(known);
    struct fact_module *facts = ok ? list_add(&o->facts, sizeof *facts, o->arena, o->err) : NULL;
    bool is_read = facts != NULL && module_facts(facts, &counts, &request, o->arena, &why);
    arena_free(&scratch);
    if (is_read) {
        facts->state = MODULE_INSTRUMENTED;
        return true;
    }
    if (facts == NULL || why.code == ERR_MEMORY)
        return ok && facts != NULL ? err_set(o->err, ERR_MEMORY, "%s", why.text) : false;
    o->facts.count--;
    module_close(kept);
    o->modules.count--;
    return note_unreadable(o, path, &why);
}

static bool take_file(struct opening *o, const char *path)
{
    struct module module;
    struct err why = {.code = ERR_NONE};
    struct str name = path_file(path_stem(str_of(path)));
    const struct fact_module *known = find_known(o->request->base, name);
    if (known == NULL)
        return true;
    if (!module_open_file(&module, path, &why))
        return why.code == ERR_UNSUPPORTED || note_unreadable(o, path, &why);
    if (is_opened(o, &module)) {
        module_close(&module);
        return true;
    }
    return add_build_module(o, &module, path, known);
}

static bool take_output_entry(void *context, const char *name)
{
    struct opening *o = context;
    char path[PATH_ROOM];
    if ((str_ends(str_of(name), ".dll") || str_ends(str_of(name), ".exe")) &&
        path_join_in(path, o->folder, str_of(name)))
        o->failed = !take_file(o, path);
    return !o->failed;
}

static bool take_output(struct opening *o, struct str output)
{
    char path[PATH_ROOM];
    if (!path_join_in(path, output, STR("")))
        return true;
    if (!file_is_folder(path)) {
        path[output.len] = '\0';
        return take_file(o, path);
    }
    o->folder = output;
    (void)folder_each_entry(path, take_output_entry, o);
    return !o->failed;
}

/* In the order of the facts, which sorting changes. */
static bool match_modules(struct opening *o)
{
    struct facts *facts = &o->out->facts;
    const struct module *opened = o->modules.items;
    *facts = (struct facts){.modules = o->facts.items, .module_count = o->facts.count};
    o->out->modules = ARENA_NEW(o->arena, struct module, facts->module_count, o->err);
    if (o->out->modules == NULL || !facts_sort(facts, o->arena, o->err))
        return false;
    for (uint32_t i = 0; i < facts->module_count; i++)
        for (uint32_t k = 0; k < o->modules.count; k++)
            if (memcmp(facts->modules[i].mvid, opened[k].mvid, sizeof opened[k].mvid) == 0)
                o->out->modules[i] = opened[k];
    return true;
}

static bool open_names(struct new_build *build, struct err *err)
{
    uint32_t count = build->facts.module_count;
    build->hashers = ARENA_NEW(build->arena, struct method_hasher, count, err);
    build->parts = ARENA_NEW(build->arena, uint8_t *, count, err);
    for (uint32_t i = 0; build->hashers != NULL && build->parts != NULL && i < count; i++) {
        const struct module *module = &build->modules[i];
        if (!method_hash_open(&build->hashers[i], module, build->arena, err))
            return false;
        if (scope_has_tests(module) &&
            !test_methods_find(&build->parts[i], &module->md, build->arena))
            return err_set(err, ERR_MEMORY, "out of memory: the tests need more");
    }
    return build->hashers != NULL && build->parts != NULL;
}

static void close_names(struct new_build *build)
{
    for (uint32_t i = 0; build->hashers != NULL && i < build->facts.module_count; i++)
        method_hash_close(&build->hashers[i]);
}

bool new_build_open(struct new_build *out, const struct impact_request *request,
                    struct arena *arena, struct err *err)
{
    const struct collect_options options = {.root = request->root.text,
                                            .maps = request->maps,
                                            .progress = request->progress,
                                            .config = {.mode = MODE_COUNT}};
    struct opening o = {.out = out,
                        .request = request,
                        .collector = {.options = &options, .arena = arena},
                        .arena = arena,
                        .err = err};
    o.collector.messages.arena = arena;
    *out = (struct new_build){.arena = arena};
    bool ok = true;
    for (uint32_t i = 0; ok && i < request->output_count; i++)
        ok = take_output(&o, request->outputs[i]);
    if (ok && match_modules(&o) && open_names(out, err))
        return true;
    close_names(out);
    for (uint32_t i = 0; i < o.modules.count; i++)
        module_close((struct module *)o.modules.items + i);
    out->facts.module_count = 0;
    return false;
}

uint32_t new_build_module(const struct new_build *build, struct str name)
{
    for (uint32_t i = 0; i < build->facts.module_count; i++)
        if (str_eq(build->facts.modules[i].name, name))
            return i;
    return NO_INDEX;
}

/* The row of a type in the module of the build, which is nested in `around`, or in none (0). */
static uint32_t find_row(const struct metadata *md, struct str space, struct str name,
                         uint32_t around)
{
    const struct tables *t = &md->tables;
    for (uint32_t type = 1; type <= tables_rows(t, TABLE_TypeDef); type++)
        if (str_eq(row_string(md, COL_TypeDef_TypeName, type), name) &&
            str_eq(row_string(md, COL_TypeDef_TypeNamespace, type), space) &&
            enclosing_type(md, type) == around)
            return type;
    return 0;
}

/* A reference to a type that is not nested: of which module of the build? */
static uint32_t module_of_reference(const struct new_build *build, const struct metadata *md,
                                    uint32_t reference)
{
    uint32_t scope = tables_token(&md->tables, CODED_RESOLUTION_SCOPE, COL_TypeRef_ResolutionScope,
                                  TOKEN_RID(reference));
    return TOKEN_TABLE(scope) == TABLE_AssemblyRef && TOKEN_RID(scope) != 0
               ? new_build_module(build, row_string(md, COL_AssemblyRef_Name, TOKEN_RID(scope)))
               : NO_INDEX;
}

static uint32_t find_type(const struct new_build *build, uint32_t *module, uint32_t token,
                          unsigned depth)
{
    const struct metadata *md = &build->modules[*module].md;
    struct str space, name;
    uint32_t around = 0, outer = 0, other = *module;
    if (TOKEN_TABLE(token) == TABLE_TypeDef)
        return TOKEN_RID(token) <= tables_rows(&md->tables, TABLE_TypeDef) ? TOKEN_RID(token) : 0;
    if (depth == NESTING_MAX || !type_parts(&space, &name, &around, md, token))
        return 0;
    if (around == 0)
        other = module_of_reference(build, md, token);
    else if ((outer = find_type(build, &other, around, depth + 1)) == 0)
        return 0;
    if (other == NO_INDEX)
        return 0;
    *module = other;
    return find_row(&build->modules[other].md, space, name, outer);
}

uint32_t new_build_type(const struct new_build *build, uint32_t *module, uint32_t token)
{
    return find_type(build, module, token, 0);
}

bool new_build_has_base(const struct new_build *build, uint32_t module, uint32_t token,
                        new_build_test *holds, const void *context)
{
    for (unsigned depth = 0; depth < BASES_MAX && TOKEN_RID(token) != 0; depth++) {
        if (holds(context, &build->modules[module].md, token))
            return true;
        uint32_t row =
            find_type(build, &module, type_definition(&build->modules[module].md, token), 0);
        token = row != 0 ? row_token(&build->modules[module].md, CODED_TYPE_DEF_OR_REF,
                                     COL_TypeDef_Extends, row)
                         : 0;
    }
    return false;
}

static bool differs_from_source(const struct fact_document *document, struct str root)
{
    char path[PATH_ROOM];
    return document->relative.len != 0 && document->generated == NULL && document->hash.len != 0 &&
           path_join_in(path, root, document->relative) && file_is_readable(path) &&
           !checksum_matches(path, document->hash_algorithm, document->hash);
}

const struct fact_document *new_build_stale_source(const struct new_build *build, struct str root)
{
    for (uint32_t i = 0; i < build->facts.module_count; i++) {
        const struct fact_module *module = &build->facts.modules[i];
        for (uint32_t d = 0; d < module->document_count; d++)
            if (differs_from_source(&module->documents[d], root))
                return &module->documents[d];
    }
    return NULL;
}

void new_build_close(struct new_build *build)
{
    close_names(build);
    for (uint32_t i = 0; i < build->facts.module_count; i++)
        module_close(&build->modules[i]);
    build->facts.module_count = 0;
}
