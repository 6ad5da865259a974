#include "coverage/source/paths.h"

#include <string.h>

#include "base/ascii.h"
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

/* "1.2.3-beta" */
static bool is_version(struct str part)
{
    return part.len >= 3 && ascii_is_digit(part.text[0]) &&
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

/* Made plain: '/' between its parts, and of those no ".." that can be worked out. A backslash is a
 * separator even after a Unix path: MSBuild mixes them ("/app/obj\Debug/A.g.cs"). */
static bool make_plain(struct str *out, struct str document, struct arena *arena, struct err *err)
{
    return any_path_with_slashes(out, document, arena, err) && path_tidy(out, *out, arena, err);
}

/* Does it lead out of the folder that it is relative to? */
static bool climbs_out(struct str path)
{
    size_t at = 0;
    return str_is(path_part(path, &at), "..");
}

bool paths_place(enum path_place *place, struct str *relative, struct str root, struct str document,
                 struct arena *arena, struct err *err)
{
    char real[PATH_ROOM];
    struct str folder = root.len > 1 ? root : STR(""), path;
    *place = PATH_OUTSIDE;
    *relative = STR("");
    if (document.len == 0 || any_path_has_drive(document) ||
        memchr(document.text, '\0', document.len) != NULL)
        return true;
    if (!make_plain(&path, document, arena, err))
        return false;
    bool is_absolute = path_is_absolute(path);
    if (path.len == is_absolute || climbs_out(path))
        return true;
    if (is_absolute && path_is_below(path, folder)) {
        *place = PATH_INSIDE;
        *relative = str_from(path, folder.len + 1);
    } else if (!is_absolute || path_is_below(path, STR("/_"))) {
        *place = PATH_MAPPED;
        *relative = is_absolute ? str_from(path, strlen("/_/")) : path;
    } else if (file_real_path(real, path.text) && path_is_below(str_of(real), folder)) {
        *place = PATH_INSIDE; /* through a link */
        return str_copy(relative, str_from(str_of(real), folder.len + 1), arena, err);
    }
    return true;
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
static bool match_path_glob(struct str glob, struct str s)
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
        glob = str_from(glob, 2);
    return match_path_glob(glob, relative);
}

bool paths_match_any(const struct str *globs, uint32_t count, struct str relative)
{
    for (uint32_t i = 0; i < count; i++)
        if (paths_match(globs[i], relative))
            return true;
    return false;
}
