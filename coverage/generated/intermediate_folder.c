#include "coverage/generated/intermediate_folder.h"

#include "base/ascii.h"
#include "base/path.h"
#include "system/file_status.h"
#include "system/folder.h"

#define ASSETS "project.assets.json" /* what a restore leaves in the folder */

/* --- as text ---------------------------------------------------------------------------------- */

static bool is_nocase(struct str text, const char *word)
{
    return str_eq_nocase(text, str_of(word));
}

static bool is_configuration(struct str part)
{
    return is_nocase(part, "Debug") || is_nocase(part, "Release");
}

/* net10.0, net48, netstandard2.0, netcoreapp3.1, net10.0-windows */
static bool is_framework(struct str part)
{
    struct str rest = part;
    if (!str_take(&rest, "net"))
        return false;
    (void)(str_take(&rest, "standard") || str_take(&rest, "coreapp"));
    return rest.len != 0 && ascii_is_digit(rest.text[0]);
}

static bool is_platform(struct str part)
{
    static const char *const platforms[] = {"AnyCPU", "Any CPU", "x86", "x64", "ARM", "ARM64"};
    for (size_t i = 0; i < ARRAY_LEN(platforms); i++)
        if (is_nocase(part, platforms[i]))
            return true;
    return false;
}

/* debug, release_net10.0, debug_net10.0_linux-x64 */
static bool is_pivot(struct str part)
{
    for (size_t i = 0; i < part.len; i++)
        if (part.text[i] == '_')
            part.len = i;
    return is_configuration(part);
}

enum likeness {
    UNLIKE_BUILD,
    LIKE_BUILD, /* Debug or Release comes next */
    SURE_BUILD
};

/* What the path says behind `obj`, whose first further part begins at `at`. */
static enum likeness judge_rest(struct str path, size_t at, struct str before)
{
    struct str first = any_path_part(path, &at);
    bool has_second = at < path.len;
    struct str second = any_path_part(path, &at);
    if (!has_second)
        return UNLIKE_BUILD; /* `first` is the file */
    bool is_folder = at < path.len;
    if (is_folder && ((is_nocase(before, "artifacts") && is_pivot(second)) ||
                      (is_platform(first) && is_configuration(second)) || is_framework(second)))
        return SURE_BUILD;
    return is_configuration(first) ? LIKE_BUILD : UNLIKE_BUILD;
}

/* --- on this machine -------------------------------------------------------------------------- */

/* Goes on while it is none. */
static bool is_no_project(void *context, const char *name)
{
    struct str text = str_of(name);
    (void)context;
    return !str_ends(text, ".csproj") && !str_ends(text, ".vbproj") && !str_ends(text, ".fsproj");
}

/* `folder` ends in obj, `next` is the name after it. */
static bool is_used(bool *is_there, bool *used, struct str folder, struct str next,
                    struct arena *arena, struct err *err)
{
    struct str path, beside, below, around;
    *is_there = *used = false;
    if (!str_copy(&path, folder, arena, err) ||
        !path_join(&beside, folder, STR(ASSETS), arena, err) ||
        !path_join(&below, folder, next, arena, err) ||
        !path_join(&below, below, STR(ASSETS), arena, err) ||
        !str_copy(&around, path_dir(folder), arena, err))
        return false;
    *is_there = file_exists(path.text);
    *used = *is_there && (file_exists(beside.text) || file_exists(below.text) ||
                          !folder_each_entry(around.text, is_no_project, NULL));
    return true;
}

/* Is any `obj` in the place that of a build? Only those that are on this machine are known. */
static bool look(bool *any_there, bool *used, struct str place, struct arena *arena,
                 struct err *err)
{
    *any_there = *used = false;
    for (size_t at = 0; at < place.len && !*used;) {
        bool is_there = false;
        struct str part = any_path_part(place, &at);
        size_t next_at = at;
        if (!is_nocase(part, "obj") || at >= place.len)
            continue;
        struct str folder = {place.text, (size_t)(part.text - place.text) + part.len};
        if (!is_used(&is_there, used, folder, any_path_part(place, &next_at), arena, err))
            return false;
        *any_there = *any_there || is_there;
    }
    return true;
}

bool intermediate_folder_holds(bool *out, struct str path, struct str place, struct arena *arena,
                               struct err *err)
{
    enum likeness best = UNLIKE_BUILD;
    bool any_there = false, used = false, any = false;
    struct str before = STR("");
    for (size_t at = 0; at < path.len;) {
        struct str part = any_path_part(path, &at);
        if (is_nocase(part, "obj") && at < path.len) {
            enum likeness likeness = judge_rest(path, at, before);
            best = likeness > best ? likeness : best;
            any = true;
        }
        before = part;
    }
    *out = best == SURE_BUILD;
    if (!any || *out)
        return true;
    if (!look(&any_there, &used, place, arena, err))
        return false;
    *out = used || (!any_there && best == LIKE_BUILD);
    return true;
}
