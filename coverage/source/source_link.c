#include "coverage/source/source_link.h"

#include "base/bytes.h"

/* The text before the next quote that is not escaped. */
static struct str take_json_string(struct reader *r)
{
    size_t start = r->pos;
    for (;;) {
        uint8_t c = rd_u8(r);
        if (r->failed)
            return STR("");
        if (c == '"')
            return (struct str){(const char *)r->data + start, r->pos - 1 - start};
        if (c == '\\')
            (void)rd_u8(r);
    }
}

/* Is the path in the folder that the key names, "<folder>*"? Paths need only JSON's
 * single-character escapes; keys with others are ignored. */
static bool is_in_folder(struct str *rest, struct str path, struct str key)
{
    size_t at = 0;
    for (size_t i = 0; i < key.len; i++, at++) {
        if (key.text[i] == '*' && i + 1 == key.len) {
            *rest = (struct str){path.text + at, path.len - at};
            return true;
        }
        if (key.text[i] == '\\')
            i++;
        if (at == path.len || path.text[at] != key.text[i])
            return false;
    }
    return false;
}

/* The values are addresses; paths do not begin like them. */
struct str source_link_rest(struct view json, struct str path)
{
    struct str best = STR(""), rest;
    struct reader r = rd_view(json);
    while (rd_left(&r) != 0 && !r.failed) {
        if (rd_u8(&r) != '"')
            continue;
        struct str key = take_json_string(&r);
        if (is_in_folder(&rest, path, key) && rest.len > best.len)
            best = rest;
    }
    return best;
}
