#include "coverage/source/paths.h"

#include <string.h>

#include "base/path.h"
#include "system/file_status.h"
#include "system/folder.h"

/* --- root ------------------------------------------------------------------------------------- */

static bool has_git(const char *folder)
{
    char path[PATH_ROOM];
    struct file_status status;
    return path_join_in(path, str_of(folder), STR(".git")) && file_status_read(&status, path) &&
           (status.kind == FILE_IS_FOLDER || status.kind == FILE_IS_REGULAR);
}

bool paths_top(char path[PATH_ROOM])
{
    char at[PATH_ROOM];
    memcpy(at, path, PATH_ROOM);
    while (!has_git(at)) {
        size_t len = strlen(at), parent = path_dir(str_of(at)).len;
        if (parent == len || parent == 0)
            return false;
        at[parent] = '\0';
    }
    memcpy(path, at, PATH_ROOM);
    return true;
}

bool paths_root(char root[PATH_ROOM], const char *given, struct err *err)
{
    const char *from = given != NULL ? given : ".";
    if (!file_real_path(root, from))
        return err_set_errno(err, "source root %s", from);
    if (!file_is_folder(root))
        return err_set(err, ERR_IO, "source root %s is not a directory", from);
    if (given == NULL)
        (void)!paths_top(root);
    return true;
}

/* --- documents -------------------------------------------------------------------------------- */

struct parts {
    char *text; /* "home/me/app/A.cs": no leading slash */
    size_t len;
    bool absolute; /* began with a slash, one or two, or with a drive */
    bool climbs;   /* is relative, and a ".." leads out of its starting folder */
};

/* "1.2.3-beta" */
static bool is_version(struct str part)
{
    return part.len >= 3 && part.text[0] >= '0' && part.text[0] <= '9' &&
           memchr(part.text, '.', part.len) != NULL;
}

/* NuGet, "package folder structure": <id>/<version>/<folder>/... */
bool paths_is_of_package(struct str document)
{
    static const char *const folders[] = {"build", "buildTransitive", "buildMultiTargeting",
                                          "content", "contentFiles"};
    bool after_version = false;
    for (size_t at = 0; at < document.len;) {
        struct str part = any_path_part(document, &at);
        for (size_t i = 0; after_version && at < document.len && i < ARRAY_LEN(folders); i++)
            if (str_is(part, folders[i]))
                return true;
        after_version = is_version(part);
    }
    return false;
}

static void drop_part(struct parts *parts)
{
    if (parts->len == 0 && !parts->absolute)
        parts->climbs = true;
    while (parts->len != 0 && parts->text[parts->len - 1] != '/')
        parts->len--;
    if (parts->len != 0)
        parts->len--;
}

static void add_part(struct parts *parts, struct str part)
{
    if (part.len == 0 || str_is(part, "."))
        return;
    if (str_is(part, "..")) {
        drop_part(parts);
        return;
    }
    if (parts->len != 0)
        parts->text[parts->len++] = '/';
    memcpy(parts->text + parts->len, part.text, part.len);
    parts->len += part.len;
}

/* A backslash is a separator even after a Unix path: MSBuild mixes them ("/app/obj\Debug/A.g.cs").
 */
static bool split_path(struct parts *out, struct str path, struct arena *arena, struct err *err)
{
    *out = (struct parts){.absolute = any_path_is_absolute(path)};
    out->text = arena_raw(arena, path.len + 1, 1, err);
    if (out->text == NULL)
        return false;
    for (size_t at = 0; at < path.len;)
        add_part(out, any_path_part(path, &at));
    out->text[out->len] = '\0';
    return true;
}

/* The part after `folder` and a slash; an empty `folder` is the root of the file system. */
static bool strip_folder(struct str *rest, struct str path, struct str folder)
{
    if (folder.len == 0) {
        *rest = path;
        return path.len != 0;
    }
    if (path.len < folder.len + 2 || path.text[folder.len] != '/' ||
        memcmp(path.text, folder.text, folder.len) != 0)
        return false;
    *rest = (struct str){path.text + folder.len + 1, path.len - folder.len - 1};
    return true;
}

static bool real_relative(struct str *relative, struct str folder, const char *path,
                          struct arena *arena, struct err *err)
{
    char real[PATH_ROOM];
    struct str rest;
    if (!file_real_path(real, path) || !strip_folder(&rest, str_of(real + 1), folder))
        return true;
    return str_copy(relative, rest, arena, err);
}

/* A path that leads below the root through a link. */
static bool follow_links(enum path_place *place, struct str *relative, struct str folder,
                         const struct parts *parts, struct arena *arena, struct err *err)
{
    struct str full;
    if (!text_format(&full, arena, err, "/%s", parts->text) ||
        !real_relative(relative, folder, full.text, arena, err))
        return false;
    *place = relative->len != 0 ? PATH_INSIDE : PATH_OUTSIDE;
    return true;
}

bool paths_place(enum path_place *place, struct str *relative, struct str root, struct str document,
                 struct arena *arena, struct err *err)
{
    struct str folder = {root.text + 1, root.len - 1}; /* as in struct parts */
    struct parts parts;
    *place = PATH_OUTSIDE;
    *relative = (struct str){"", 0};
    if (!split_path(&parts, document, arena, err))
        return false;
    struct str path = {parts.text, parts.len}, rest = {NULL, 0};
    if (path.len == 0 || parts.climbs || memchr(path.text, '\0', path.len) != NULL)
        return true;
    if (!parts.absolute || strip_folder(&rest, path, STR("_"))) {
        *place = PATH_MAPPED;
        *relative = parts.absolute ? rest : path;
    }
    if (parts.absolute && !any_path_has_drive(document) && strip_folder(&rest, path, folder)) {
        *place = PATH_INSIDE;
        *relative = rest;
    }
    if (*place != PATH_OUTSIDE || any_path_has_drive(document))
        return true;
    return follow_links(place, relative, folder, &parts, arena, err);
}

bool paths_below(struct str *out, struct str root, struct str relative, struct arena *arena,
                 struct err *err)
{
    return path_join(out, root, relative, arena, err);
}

/* --- globs ------------------------------------------------------------------------------------ */

static bool starts_part(struct str s, size_t at)
{
    return at == 0 || s.text[at - 1] == '/';
}

static bool is_any_folders(struct str glob, size_t at)
{
    return starts_part(glob, at) && glob.len - at >= 3 && memcmp(glob.text + at, "**/", 3) == 0;
}

static size_t next_character(struct str s, size_t at)
{
    do {
        at++;
    } while (at < s.len && ((unsigned char)s.text[at] & 0xC0) == 0x80);
    return at;
}

static size_t next_part(struct str s, size_t at)
{
    const char *slash = memchr(s.text + at, '/', s.len - at);
    return slash != NULL ? (size_t)(slash - s.text) + 1 : s.len;
}

/* On a mismatch the last star takes one more character, or one more folder if it is a part of its
 * own. That is enough: whatever an earlier star could skip, the last one can skip as well. */
static bool match(struct str glob, struct str s)
{
    struct {
        size_t behind, taken;
        bool folders;
    } star = {SIZE_MAX, 0, false};
    size_t p = 0, i = 0;
    while (i < s.len) {
        if (p < glob.len && is_any_folders(glob, p) && starts_part(s, i)) {
            p += 3;
            star.behind = p;
            star.taken = i;
            star.folders = true;
        } else if (p < glob.len && glob.text[p] == '*') {
            star.behind = ++p;
            star.taken = i;
            star.folders = false;
        } else if (p < glob.len && glob.text[p] == '?') {
            p++;
            i = next_character(s, i);
        } else if (p < glob.len && glob.text[p] == s.text[i]) {
            p++;
            i++;
        } else if (star.behind != SIZE_MAX) {
            star.taken = star.folders ? next_part(s, star.taken) : star.taken + 1;
            p = star.behind;
            i = star.taken;
        } else {
            return false;
        }
    }
    while (p < glob.len && glob.text[p] == '*')
        p++;
    return p == glob.len;
}

bool paths_match(struct str glob, struct str relative)
{
    while (str_starts(glob, "./"))
        glob = (struct str){glob.text + 2, glob.len - 2};
    return match(glob, relative);
}

bool paths_match_any(const struct str *globs, uint32_t count, struct str relative)
{
    for (uint32_t i = 0; i < count; i++)
        if (paths_match(globs[i], relative))
            return true;
    return false;
}
