#include "coverage/source/generated_file.h"

#include <string.h>

#include "base/ascii.h"
#include "base/path.h"
#include "coverage/source/comments.h"
#include "system/file_status.h"
#include "system/folder.h"

#define ASSETS "project.assets.json" /* what a restore leaves in the folder */

/* --- its name --------------------------------------------------------------------------------- */

/* The length of ".cs", ".vb" or ".fs" at its end, or 0. */
static size_t extension_len(struct str name)
{
    static const char *const extensions[] = {".cs", ".vb", ".fs"};
    for (size_t i = 0; i < ARRAY_LEN(extensions); i++)
        if (str_ends_nocase(name, extensions[i]))
            return strlen(extensions[i]);
    return 0;
}

bool generated_file_is_source(struct str path)
{
    return extension_len(any_path_file(path)) != 0;
}

/* ".Designer.cs" as the file writes it: what its name says of a generator; empty if nothing. */
static struct str telling_end(struct str path)
{
    static const char *const ends[] = {".g", ".g.i", ".generated", ".designer"};
    struct str start = STR("TemporaryGeneratedFile_"), nothing = {NULL, 0};
    struct str name = any_path_file(path);
    size_t extension = extension_len(name);
    if (extension == 0)
        return nothing;
    if (name.len >= start.len && str_eq_nocase((struct str){name.text, start.len}, start))
        return name;
    struct str stem = {name.text, name.len - extension};
    for (size_t i = 0; i < ARRAY_LEN(ends); i++)
        if (str_ends_nocase(stem, ends[i])) {
            size_t len = strlen(ends[i]) + extension;
            return (struct str){name.text + name.len - len, len};
        }
    return nothing;
}

/* --- its folder ------------------------------------------------------------------------------- */

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
static bool look_for_builds(bool *any_there, bool *used, struct str place, struct arena *arena,
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

bool generated_file_is_intermediate(bool *out, struct str path, struct str place,
                                    struct arena *arena, struct err *err)
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
    if (!look_for_builds(&any_there, &used, place, arena, err))
        return false;
    *out = used || (!any_there && best == LIKE_BUILD);
    return true;
}

/* --- its first comment ------------------------------------------------------------------------ */

static bool says_word(struct str comment, struct str word)
{
    return comment.len >= word.len &&
           memmem(comment.text, comment.len, word.text, word.len) != NULL;
}

/* Not a string or character literal. */
static bool begins_comment(struct str text, enum language language)
{
    char first = text.text[0];
    return language == LANGUAGE_VISUAL_BASIC ? first == '\'' : first == '/' || first == '(';
}

bool generated_file_has_header(struct view source, enum language language)
{
    struct str text = {(const char *)source.data, source.len};
    (void)str_take(&text, "\xEF\xBB\xBF");
    while (text.len != 0) {
        if (text.text[0] == '#') {
            (void)str_take_until(&text, '\n');
            continue;
        }
        struct str comment = {text.text, 1};
        if (!ascii_is_space(text.text[0]))
            comment.len = begins_comment(text, language) ? comments_skip(text, language) : 0;
        if (says_word(comment, STR("<auto-generated")) || says_word(comment, STR("<autogenerated")))
            return true;
        if (comment.len == 0)
            return false;
        text = str_from(text, comment.len);
    }
    return false;
}

/* --- any of them ------------------------------------------------------------------------------ */

bool generated_file_reason(const struct reason **out, const struct generated_file *file,
                           struct arena *arena, struct err *err)
{
    struct str end = telling_end(file->path);
    bool is_below = false;
    *out = NULL;
    if (end.len != 0) {
        *out = reason_new(REASON_GENERATED_NAME, end, STR(""), arena, err);
        return *out != NULL;
    }
    if (!generated_file_is_intermediate(&is_below, file->path, file->place, arena, err))
        return false;
    if (is_below)
        *out = reason_of(REASON_GENERATED_FOLDER);
    else if (generated_file_is_source(file->path) &&
             generated_file_has_header(file->text, file->language))
        *out = reason_of(REASON_GENERATED_HEADER);
    return true;
}
