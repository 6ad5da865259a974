#include "coverage/source/path_map.h"

#include <string.h>

#include "base/ascii.h"
#include "base/path.h"

static struct str without_slashes(struct str path)
{
    while (path.len != 0 && any_path_separates(path.text[path.len - 1]))
        path.len--;
    return path;
}

bool path_map_parse(struct path_map *out, struct str text, struct err *err)
{
    const char *equals = memchr(text.text, '=', text.len);
    size_t len = equals != NULL ? (size_t)(equals - text.text) : text.len;
    *out = (struct path_map){.text = text, .from = {text.text, len}};
    if (equals == NULL || len == 0)
        return err_set(err, ERR_USAGE, "'%.*s' is not FROM=TO, such as /build/src=.",
                       STR_ARGS(text));
    out->to = str_from(text, len + 1);
    out->from = without_slashes(out->from);
    return out->to.len != 0 ||
           err_set(err, ERR_USAGE, "'%.*s' names no folder after '='; '.' is the source root",
                   STR_ARGS(text));
}

/* --- which one fits --------------------------------------------------------------------------- */

static bool is_windows(struct str path)
{
    return any_path_is_absolute(path) && !str_starts(path, "/");
}

static bool is_same_character(char a, char b, bool ignores_case)
{
    return a == b || (any_path_separates(a) && any_path_separates(b)) ||
           (ignores_case && ascii_lower(a) == ascii_lower(b));
}

/* What follows FROM, without the separator. */
static bool strip_from(struct str *rest, const struct path_map *map, struct str path)
{
    bool ignores_case = is_windows(map->from);
    struct str from = map->from;
    if (path.len < from.len)
        return false;
    for (size_t i = 0; i < from.len; i++)
        if (!is_same_character(from.text[i], path.text[i], ignores_case))
            return false;
    *rest = str_from(path, from.len);
    if (rest->len != 0 && !any_path_separates(rest->text[0]))
        return false;
    while (rest->len != 0 && any_path_separates(rest->text[0]))
        *rest = str_from(*rest, 1);
    return true;
}

static struct path_map *find_map(struct str *rest, const struct path_maps *maps, struct str path)
{
    struct path_map *found = NULL;
    for (uint32_t i = 0; i < maps->count; i++) {
        struct str after;
        if ((found == NULL || maps->items[i].from.len >= found->from.len) &&
            strip_from(&after, &maps->items[i], path)) {
            found = &maps->items[i];
            *rest = after;
        }
    }
    return found;
}

/* --- where it leads --------------------------------------------------------------------------- */

bool path_maps_place(bool *fits, enum path_place *place, struct str *relative,
                     const struct path_maps *maps, struct str root, struct str document,
                     struct arena *arena, struct err *err)
{
    struct str rest, path;
    struct path_map *map = find_map(&rest, maps, document);
    *fits = map != NULL;
    if (map == NULL)
        return true;
    map->is_used = true;
    if (root.len == 0 || !any_path_is_absolute(root))
        root = STR("/");
    bool is_absolute = any_path_is_absolute(map->to);
    return text_format(&path, arena, err, "%.*s%s%.*s%s%.*s", is_absolute ? 0 : (int)root.len,
                       root.text, is_absolute ? "" : "/", STR_ARGS(map->to),
                       rest.len != 0 ? "/" : "", STR_ARGS(rest)) &&
           paths_place(place, relative, root, path, arena, err);
}

static bool move_document(struct fact_document *document, const struct path_maps *maps,
                          struct str root, struct arena *arena, struct err *err)
{
    bool fits = false;
    enum path_place place = PATH_OUTSIDE;
    struct str relative;
    if (!path_maps_place(&fits, &place, &relative, maps, root, document->path, arena, err))
        return false;
    if (!fits)
        return true;
    document->relative = place == PATH_INSIDE ? relative : STR("");
    if (document->reason == NULL || facts_lacks_source(document->reason))
        document->reason = place == PATH_INSIDE ? NULL : reason_of(REASON_OUTSIDE_ROOT);
    return true;
}

bool path_maps_apply(const struct path_maps *maps, struct facts *facts, struct str root,
                     struct arena *arena, struct err *err)
{
    for (uint32_t i = 0; i < facts->run_count && root.len == 0; i++)
        root = facts->runs[i].root;
    for (uint32_t m = 0; maps->count != 0 && m < facts->module_count; m++)
        for (uint32_t d = 0; d < facts->modules[m].document_count; d++)
            if (!move_document(&facts->modules[m].documents[d], maps, root, arena, err))
                return false;
    return true;
}
