#include "base/any_path.h"

#include "base/ascii.h"

bool any_path_separates(char c)
{
    return c == '/' || c == '\\';
}

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
    size_t start = *at, end = start;
    while (end < path.len && !any_path_separates(path.text[end]))
        end++;
    *at = end < path.len ? end + 1 : end;
    return (struct str){path.text + start, end - start};
}

struct str any_path_file(struct str path)
{
    size_t start = path.len;
    while (start != 0 && !any_path_separates(path.text[start - 1]))
        start--;
    return str_from(path, start);
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
