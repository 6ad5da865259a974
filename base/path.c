#include "base/path.h"

#include <string.h>

#include "base/ascii.h"

static bool is_separator(char c)
{
    return c == '/';
}

bool any_path_separates(char c)
{
    return c == '/' || c == '\\';
}

static size_t find_file_start(struct str path, bool (*separates_here)(char c))
{
    size_t start = path.len;
    while (start != 0 && !separates_here(path.text[start - 1]))
        start--;
    return start;
}

static struct str take_part(struct str path, size_t *at, bool (*separates_here)(char c))
{
    size_t start = *at, end = start;
    while (end < path.len && !separates_here(path.text[end]))
        end++;
    *at = end < path.len ? end + 1 : end;
    return (struct str){path.text + start, end - start};
}

/* --- of this machine -------------------------------------------------------------------------- */

struct str path_dir(struct str path)
{
    size_t start = find_file_start(path, is_separator);
    return (struct str){path.text, start > 1 ? start - 1 : start};
}

struct str path_file(struct str path)
{
    return str_from(path, find_file_start(path, is_separator));
}

struct str path_stem(struct str path)
{
    struct str file = path_file(path);
    for (size_t len = file.len; len > 1; len--)
        if (file.text[len - 1] == '.')
            return (struct str){path.text, path.len - file.len + len - 1};
    return path;
}

struct str path_part(struct str path, size_t *at)
{
    return take_part(path, at, is_separator);
}

bool path_is_below(struct str path, struct str folder)
{
    return path.len > folder.len && memcmp(path.text, folder.text, folder.len) == 0 &&
           is_separator(path.text[folder.len]);
}

bool path_is_absolute(struct str path)
{
    return path.len != 0 && is_separator(path.text[0]);
}

/* What belongs between them. */
static struct str choose_separator(struct str folder)
{
    bool ends = folder.len != 0 && is_separator(folder.text[folder.len - 1]);
    return ends ? STR("") : STR("/");
}

bool path_join(struct str *out, struct str folder, struct str path, struct arena *arena,
               struct err *err)
{
    return text_format(out, arena, err, "%.*s%.*s%.*s", STR_ARGS(folder),
                       STR_ARGS(choose_separator(folder)), STR_ARGS(path));
}

bool path_join_in(char out[PATH_ROOM], struct str folder, struct str path)
{
    const struct str parts[] = {folder, choose_separator(folder), path};
    size_t len = 0;
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        if (parts[i].len >= PATH_ROOM - len) {
            out[0] = '\0';
            return false;
        }
        if (parts[i].len != 0)
            memmove(out + len, parts[i].text, parts[i].len);
        len += parts[i].len;
    }
    out[len] = '\0';
    return true;
}

/* The last part of a path that ends with a slash. */
static struct str last_part(const char *path, size_t len)
{
    return path_file((struct str){path, len - 1});
}

bool path_tidy(struct str *out, struct str path, struct arena *arena, struct err *err)
{
    size_t len = 0;
    char *tidy = arena_raw(arena, path.len + 2, 1, err); /* a slash and a NUL at the end */
    if (tidy == NULL)
        return false;
    if (path_is_absolute(path))
        tidy[len++] = '/';
    const size_t root = len;
    for (size_t at = root; at < path.len;) {
        struct str part = path_part(path, &at);
        if (part.len == 0 || str_is(part, "."))
            continue;
        if (str_is(part, "..") && len > root && !str_is(last_part(tidy, len), "..")) {
            len -= last_part(tidy, len).len + 1;
        } else if (!str_is(part, "..") || root == 0) {
            memcpy(tidy + len, part.text, part.len);
            len += part.len;
            tidy[len++] = '/';
        }
    }
    if (len > root)
        len--;
    tidy[len] = '\0';
    *out = (struct str){tidy, len};
    return true;
}

/* --- of any --------------------------------------------------------------------------------- */

bool any_path_has_drive(struct str path)
{
    return path.len >= 2 && path.text[1] == ':' && ascii_is_letter(path.text[0]);
}

bool any_path_is_absolute(struct str path)
{
    return path.len != 0 && (any_path_separates(path.text[0]) || any_path_has_drive(path));
}

struct str any_path_part(struct str path, size_t *at)
{
    return take_part(path, at, any_path_separates);
}

struct str any_path_file(struct str path)
{
    return str_from(path, find_file_start(path, any_path_separates));
}

bool any_path_with_slashes(struct str *out, struct str path, struct arena *arena, struct err *err)
{
    char *copy = arena_copy_text(arena, path.text, path.len, err);
    for (size_t i = 0; copy != NULL && i < path.len; i++)
        if (copy[i] == '\\')
            copy[i] = '/';
    *out = (struct str){copy, path.len};
    return copy != NULL;
}
