#include "coverage/external/external_path.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "system/file_status.h"

/* A SourceLink address: "https://host/a.cs". */
static bool is_url(struct str s)
{
    const char *found = s.len != 0 ? memmem(s.text, s.len, "://", 3) : NULL;
    return found != NULL && found - s.text > 1;
}

struct joined_path {
    char *text;
    size_t len;
    size_t root; /* leading bytes that ".." can't remove */
};

/* Removes the last part; if there is none to remove, ".." stays as a part. */
static bool drop_path_part(struct joined_path *path)
{
    size_t start = path->len;
    while (start > path->root && path->text[start - 1] != '/')
        start--;
    if (start == path->len)
        return path->root != 0;
    if (path->len - start == 2 && memcmp(path->text + start, "..", 2) == 0)
        return false;
    path->len = start > path->root ? start - 1 : start;
    return true;
}

static void add_path_part(struct joined_path *path, struct str part)
{
    if (part.len == 0 || str_is(part, ".") || (str_is(part, "..") && drop_path_part(path)))
        return;
    if (path->len > path->root)
        path->text[path->len++] = '/';
    memcpy(path->text + path->len, part.text, part.len);
    path->len += part.len;
}

static void add_path_parts(struct joined_path *path, struct str s)
{
    for (size_t at = 0; at < s.len;)
        add_path_part(path, any_path_part(s, &at));
}

/* "/", the "//" before a host, or "C:/". Returns the rest. */
static struct str take_root(struct joined_path *path, struct str s)
{
    size_t n = 0;
    if (s.len >= 2 && s.text[1] == ':' && any_path_is_absolute(s)) {
        path->text[path->len++] = s.text[0];
        path->text[path->len++] = ':';
        n = 2;
    }
    if (s.len > n && any_path_separates(s.text[n])) {
        path->text[path->len++] = '/';
        if (n == 0 && s.len > 2 && any_path_separates(s.text[1]) && !any_path_separates(s.text[2]))
            path->text[path->len++] = '/';
    } else if (n != 0) {
        path->text[path->len++] = '/';
    }
    path->root = path->len;
    return str_from(s, n);
}

static bool join_path(struct str *out, struct str folder, struct str name, struct arena *arena,
                      struct err *err)
{
    struct joined_path path = {arena_raw(arena, folder.len + name.len + 4, 1, err), 0, 0};
    if (path.text == NULL)
        return false;
    struct str first = folder.len != 0 ? folder : name;
    add_path_parts(&path, take_root(&path, first));
    if (folder.len != 0)
        add_path_parts(&path, name);
    path.text[path.len] = '\0';
    *out = (struct str){path.text, path.len};
    return true;
}

bool external_path(struct str *out, struct str name, const struct str *sources,
                   uint32_t source_count, struct arena *arena, struct err *err)
{
    if (is_url(name))
        return str_copy(out, name, arena, err);
    if (any_path_is_absolute(name))
        return join_path(out, (struct str){NULL, 0}, name, arena, err);
    /* ReportGenerator's rule: the first source folder that contains the file. */
    for (uint32_t i = 0; i < source_count; i++) {
        if (is_url(sources[i]))
            continue;
        if (!join_path(out, sources[i], name, arena, err))
            return false;
        if (source_count == 1 || file_exists(out->text))
            return true;
    }
    return join_path(out, (struct str){NULL, 0}, name, arena, err);
}
