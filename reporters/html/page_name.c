#include "reporters/html/page_name.h"

#include <inttypes.h>
#include <string.h>

#include "base/fnv.h"

enum {
    HASH_DIGITS = 12,
    SHOWN_MAX = 60 /* characters of the name */
};

static bool is_safe(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
}

static bool is_hash_digit(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

/* The end of the path: what people know a file by. */
static void add_shown(struct text *name, struct str path)
{
    size_t begin = path.len;
    while (begin > 0 && path.text[begin - 1] != '/' && path.len - begin < SHOWN_MAX)
        begin--;
    for (size_t i = begin; i < path.len; i++)
        text_add(name, is_safe(path.text[i]) ? (struct str){path.text + i, 1} : STR("_"));
}

bool page_name(struct str *out, const char *folder, struct str path, struct str owner,
               uint32_t copy, struct arena *arena, struct err *err)
{
    struct text name;
    uint64_t hash = fnv_bytes(FNV_START, path.text, path.len);
    hash = fnv_bytes(hash, "", 1);
    hash = fnv_bytes(hash, owner.text, owner.len);
    hash = fnv_bytes(hash, &(uint8_t){(uint8_t)copy}, copy != 0);
    text_open(&name, arena);
    text_addf(&name, "%s/%0*" PRIx64 "-", folder, HASH_DIGITS, hash >> (64 - 4 * HASH_DIGITS));
    add_shown(&name, path);
    text_add(&name, STR(".html"));
    return text_take(out, &name, err);
}

bool page_name_is_one(struct str file, const char *end)
{
    if (file.len < HASH_DIGITS + 1 + strlen(end) || file.text[HASH_DIGITS] != '-' ||
        !str_ends(file, end))
        return false;
    for (size_t i = 0; i < HASH_DIGITS; i++)
        if (!is_hash_digit(file.text[i]))
            return false;
    for (size_t i = HASH_DIGITS; i < file.len; i++)
        if (!is_safe(file.text[i]))
            return false;
    return true;
}
