#include "coverage/collect/stale.h"

#include <string.h>

#include "base/path.h"
#include "base/sort.h"
#include "coverage/collect/collector.h"
#include "coverage/source/checksum.h"
#include "coverage/source/generated_file.h"
#include "coverage/source/symbols.h"
#include "system/file_status.h"
#include "system/folder.h"

struct stale_search {
    struct collector *collector;
    struct list seen;     /* uint8_t[16]: MVIDs */
    struct list found;    /* struct stale_source, of all assemblies */
    struct str folder;    /* that is looked at */
    struct arena scratch; /* of one module */
    struct err *err;
    bool failed;
};

/* --- a source --------------------------------------------------------------------------------- */

/* A build may write its own sources at any time. */
static bool is_generated(bool *out, const struct fact_document *document, const char *place,
                         struct stale_search *l)
{
    const struct generated_file file = {.path = document->path, .place = str_of(place)};
    const struct reason *reason = NULL;
    bool ok = generated_file_reason(&reason, &file, &l->scratch, l->err);
    *out = reason != NULL;
    return ok;
}

static bool add_stale_source(struct stale_search *l, struct str path, struct str assembly)
{
    struct arena *arena = l->collector->arena;
    struct stale_source found = {.path = STR("")};
    return str_copy(&found.path, path, arena, l->err) &&
           str_copy(&found.assembly, path_file(assembly), arena, l->err) &&
           list_put(&l->found, &found, sizeof found, arena, l->err);
}

static bool look_at_source(struct stale_search *l, const struct fact_document *document,
                           struct str assembly)
{
    char path[PATH_ROOM];
    bool skip = false;
    if (document->reason != NULL || document->relative.len == 0 || document->hash.len == 0 ||
        !path_join_in(path, str_of(l->collector->options->root), document->relative))
        return true;
    return is_generated(&skip, document, path, l) &&
           (skip || !file_is_readable(path) ||
            checksum_matches(path, document->hash_algorithm, document->hash) ||
            add_stale_source(l, document->relative, assembly));
}

/* --- an assembly ------------------------------------------------------------------------------ */

static bool look_at_sources(struct stale_search *l, const struct module *module, struct str path)
{
    struct list list;
    bool ok = collector_list_documents(&list, l->collector, module, path, &l->scratch, &l->scratch,
                                       l->err);
    const struct fact_document *items = list.items;
    for (uint32_t i = 0; ok && i < list.count; i++)
        ok = look_at_source(l, &items[i], path);
    return ok;
}

/* Copies of an assembly are beside each program that needs it. */
static bool was_seen(const struct stale_search *l, const struct module *module)
{
    const uint8_t(*seen)[sizeof module->mvid] = l->seen.items;
    for (uint32_t i = 0; i < l->seen.count; i++)
        if (memcmp(seen[i], module->mvid, sizeof module->mvid) == 0)
            return true;
    return false;
}

static bool look_at_module(struct stale_search *l, struct module *module, struct str path)
{
    struct collector *c = l->collector;
    struct err why = {.code = ERR_NONE};
    if (was_seen(l, module))
        return true;
    if (!list_put(&l->seen, module->mvid, sizeof module->mvid, c->arena, l->err))
        return false;
    if (scope_skip_reason(&c->scope, module, path, STR("")) != REASON_NONE)
        return true;
    return symbols_find(module, path.text, &l->scratch, &why) ? look_at_sources(l, module, path)
                                                              : err_tolerate(l->err, &why);
}

static bool look_at_file(void *context, const char *name)
{
    struct stale_search *l = context;
    struct module module;
    char path[PATH_ROOM];
    if (!str_ends(str_of(name), ".dll") || !path_join_in(path, l->folder, str_of(name)) ||
        packages_list(&l->collector->packages, str_of(path)) ||
        !module_open_file(&module, path, NULL))
        return true;
    l->failed = !look_at_module(l, &module, str_of(path));
    module_close(&module);
    arena_reset(&l->scratch);
    return !l->failed;
}

ORDER(order_sources, struct stale_source, BY(path) BY(assembly))

/* Folders are listed in no order. */
static void sort_sources(struct stale *out, const struct list *found)
{
    out->sources = found->items;
    sort_unless_sorted(out->sources, found->count, sizeof *out->sources, order_sources);
    for (uint32_t i = 0; i < found->count; i++)
        if (out->count == 0 || !str_eq(out->sources[out->count - 1].path, out->sources[i].path))
            out->sources[out->count++] = out->sources[i];
}

bool stale_find(struct stale *out, const struct str *folders, uint32_t count,
                const struct collect_options *options, struct arena *arena, struct err *err)
{
    struct collector c = {.options = options, .messages = {.arena = arena}, .arena = arena};
    struct stale_search l = {.collector = &c, .err = err};
    *out = (struct stale){.count = 0};
    packages_init(&c.packages);
    l.scratch = ARENA_EMPTY;
    l.failed = !collector_make_scope(&c, err);
    for (uint32_t i = 0; i < count && !l.failed; i++) {
        char folder[PATH_ROOM];
        l.folder = folders[i];
        if (path_join_in(folder, folders[i], STR("")))
            (void)folder_each_entry(folder, look_at_file, &l);
    }
    sort_sources(out, &l.found);
    arena_free(&l.scratch);
    packages_close(&c.packages);
    return !l.failed;
}
