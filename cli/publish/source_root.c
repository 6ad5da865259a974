#include "cli/publish/source_root.h"

#include "base/list.h"
#include "base/path.h"
#include "cli/options/say.h"
#include "coverage/source/checksum.h"
#include "coverage/source/paths.h"
#include "system/file_status.h"
#include "system/folder.h"

bool source_root_given(struct str *out, const char *given, struct arena *arena, struct err *err)
{
    char path[PATH_ROOM], here[PATH_ROOM];
    *out = (struct str){"", 0};
    if (given == NULL)
        return true;
    if (file_real_path(path, given))
        return str_copy(out, str_of(path), arena, err);
    *out = str_of(given);
    if (!path_is_absolute(*out) && file_current_folder(here) &&
        !path_join(out, str_of(here), *out, arena, err))
        return false;
    return path_tidy(out, *out, arena, err);
}

bool source_root_find(struct str *out, const struct facts *facts, struct str given,
                      struct arena *arena, struct err *err)
{
    char root[PATH_ROOM];
    *out = given;
    for (uint32_t i = facts->run_count; i-- > 0 && out->len == 0;)
        if (facts->runs[i].kind != RUN_CARRIED)
            *out = facts->runs[i].root;
    if (out->len != 0 && file_exists(out->text))
        return true;
    return paths_root(root, NULL, err) && str_copy(out, str_of(root), arena, err);
}

/* --- another root ----------------------------------------------------------------------------- */

/* The root of some runs. */
struct old_root {
    struct str path;
    bool is_related; /* the new one is above it or below it */
    bool is_copied;  /* sources are below the new one as they are below this one */
};

struct new_root {
    struct str path;
    struct list old; /* struct old_root, each once */
    bool has_related;
    bool takes_in; /* a source that was outside */
    bool keeps_external;
    struct str left_out; /* the first that was in */
    struct arena *arena;
    struct err *err;
};

static bool list_old(struct new_root *n, const struct facts *facts)
{
    for (uint32_t i = 0; i < facts->run_count; i++) {
        struct str path = facts->runs[i].root;
        const struct old_root *known = n->old.items;
        uint32_t at = 0;
        while (at < n->old.count && !str_eq(known[at].path, path))
            at++;
        if (path.len == 0 || at < n->old.count)
            continue;
        struct old_root *old = list_add(&n->old, sizeof *old, n->arena, n->err);
        if (old == NULL)
            return false;
        *old = (struct old_root){.path = path};
        old->is_related = path_is_below(n->path, path) || path_is_below(path, n->path);
        n->has_related = n->has_related || old->is_related;
    }
    return true;
}

/* --- where a source is ------------------------------------------------------------------------ */

static bool is_written_below(const struct fact_document *document, struct str root)
{
    char path[PATH_ROOM];
    return path_join_in(path, root, document->relative) && str_is(document->path, path);
}

static bool is_found_below(const struct fact_document *document, struct str root)
{
    char path[PATH_ROOM];
    return path_join_in(path, root, document->relative) && file_exists(path);
}

/* The root that the source is below, as the compiler wrote its path, or because it is there. NULL:
 * that is not known, as of a path in a repository that is not here. */
static struct old_root *old_root_of(const struct new_root *n, const struct fact_document *document)
{
    struct old_root *old = n->old.items;
    for (uint32_t i = 0; i < n->old.count; i++)
        if (is_written_below(document, old[i].path))
            return &old[i];
    for (uint32_t i = 0; i < n->old.count; i++)
        if (is_found_below(document, old[i].path))
            return &old[i];
    return NULL;
}

/* Empty: it is not below the new root. */
static bool find_below(struct str *relative, const struct new_root *n, struct str path)
{
    enum path_place place = PATH_OUTSIDE;
    if (!paths_place(&place, relative, n->path, path, n->arena, n->err))
        return false;
    if (place != PATH_INSIDE)
        *relative = STR("");
    return true;
}

static bool find_from(struct str *relative, const struct new_root *n, const struct old_root *old,
                      const struct fact_document *document)
{
    struct str path;
    return path_join(&path, old->path, document->relative, n->arena, n->err) &&
           find_below(relative, n, path);
}

/* --- what kind of root it is ------------------------------------------------------------------ */

/* A file of the same name may be another one. */
static bool is_same_below(const struct fact_document *document, struct str root)
{
    char path[PATH_ROOM];
    return path_join_in(path, root, document->relative) &&
           checksum_matches(path, document->hash_algorithm, document->hash);
}

static bool look_at_document(struct new_root *n, struct fact_document *document)
{
    struct str relative = STR("");
    if (document->relative.len != 0) {
        struct old_root *old = n->has_related ? old_root_of(n, document) : NULL;
        if (old != NULL && old->is_related && !old->is_copied)
            old->is_copied = is_same_below(document, n->path);
        return true;
    }
    if (n->takes_in || !facts_is_outside(document->reason) || paths_is_of_package(document->path))
        return true;
    if (!find_below(&relative, n, document->path))
        return false;
    n->takes_in = relative.len != 0;
    return true;
}

/* --- the move --------------------------------------------------------------------------------- */

/* `old` may be NULL. */
static bool new_place(struct str *relative, const struct new_root *n, const struct old_root *old,
                      const struct fact_document *document)
{
    if (old != NULL)
        return find_from(relative, n, old, document);
    if (!find_below(relative, n, document->path))
        return false;
    return relative->len != 0 || document->relative.len == 0 || n->old.count == 0 ||
           find_from(relative, n, n->old.items, document);
}

static bool move_to_root(struct new_root *n, struct fact_document *document)
{
    struct str relative;
    bool was_inside = document->relative.len != 0, was_outside = facts_is_outside(document->reason);
    const struct old_root *old = was_inside ? old_root_of(n, document) : NULL;
    if (n->takes_in ? !was_inside && !was_outside
                    : old == NULL || !old->is_related || old->is_copied)
        return true;
    if (!new_place(&relative, n, old, document))
        return false;
    if (relative.len == 0 && n->left_out.len == 0)
        n->left_out = document->relative;
    document->relative = relative;
    if (relative.len == 0 && (document->reason == NULL || was_outside))
        document->reason = reason_of(REASON_OUTSIDE_GIVEN_ROOT);
    else if (relative.len != 0 && was_outside)
        document->reason = NULL;
    return true;
}

static bool each_document(struct new_root *n, struct facts *facts,
                          bool (*take)(struct new_root *n, struct fact_document *document))
{
    for (uint32_t m = 0; m < facts->module_count; m++) {
        struct fact_module *module = &facts->modules[m];
        for (uint32_t d = 0; d < module->document_count; d++)
            if ((module->state != MODULE_EXTERNAL || !n->keeps_external) &&
                !take(n, &module->documents[d]))
                return false;
    }
    return true;
}

bool new_root_apply(struct facts *facts, struct str root, bool keeps_external, struct str *left_out,
                    struct arena *arena, struct err *err)
{
    struct new_root n = {
        .path = root, .keeps_external = keeps_external, .arena = arena, .err = err};
    bool ok = root.len == 0 || (list_old(&n, facts) && each_document(&n, facts, look_at_document));
    if (ok && (n.takes_in || n.has_related))
        ok = each_document(&n, facts, move_to_root);
    if (left_out != NULL)
        *left_out = n.left_out;
    return ok;
}

/* --- is it the right one? --------------------------------------------------------------------- */

void new_root_check(const struct facts *facts, struct str root)
{
    struct str first = STR("");
    for (uint32_t m = 0; root.len != 0 && m < facts->module_count; m++)
        for (uint32_t d = 0; d < facts->modules[m].document_count; d++) {
            const struct fact_document *document = &facts->modules[m].documents[d];
            if (document->relative.len == 0 || document->reason != NULL)
                continue;
            if (is_found_below(document, root))
                return;
            first = first.len != 0 ? first : document->relative;
        }
    if (first.len != 0)
        say("no source is below the root %.*s, not even %.*s", STR_ARGS(root), STR_ARGS(first));
}
